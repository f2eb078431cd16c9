//! Draws an open discussion: the text, and the lists beside it.

use anstyle::AnsiColor;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::bordered;
use crate::cli::colours;
use crate::ui::lists::{OpenDiscussion, PanelItem, first_row};
use crate::ui::paint;
use crate::ui::panes::Pane;
use crate::ui::state::ScreenState;
use crate::ui::words;

/// Draws a pane.
pub(super) fn pane(
    state: &ScreenState,
    room: &OpenDiscussion,
    pane: Pane,
    area: Rect,
    buffer: &mut Buffer,
) {
    let focused = room.focus == pane;
    match OpenDiscussion::list_of(pane) {
        None => text(state, room, focused, area, buffer),
        Some(list) => draw_side_list(room, pane, list, focused, area, buffer),
    }
}

fn text(
    state: &ScreenState,
    room: &OpenDiscussion,
    focused: bool,
    area: Rect,
    buffer: &mut Buffer,
) {
    let mut more = match &room.text {
        Some(text) if !room.filter.words.is_empty() && focused => {
            format!(" ({} with \"{}\")", text.match_count(), room.filter.words)
        }
        Some(text) if text.is_at_end(usize::from(area.height.saturating_sub(2))) => {
            " end".to_owned()
        }
        Some(text) => format!(" {:.0} %", text.share() * 100.0),
        None => String::new(),
    };
    if room.gone.is_some() {
        more.push_str(" · last version read");
    }
    let within = bordered(Pane::Text, &more, focused, area, buffer);
    let columns = usize::from(within.width);
    let mut body = within;
    if let Some(gone) = &room.gone {
        let lines = paint::flow(&gone.message, columns);
        let height = u16::try_from(lines.len()).unwrap_or(1).min(within.height);
        let lines = lines.into_iter().map(|line| line.patch_style(paint::ansi(AnsiColor::Red)));
        paint::rows(buffer, Rect { height, ..within }, lines);
        body = Rect { y: within.y + height, height: within.height - height, ..within };
    }
    let Some(text) = &room.text else { return };
    // The possible next steps are shown below a short text.
    let shown = text.on_screen(usize::from(body.height));
    let rest = usize::from(body.height).saturating_sub(shown.len());
    let lines = shown
        .into_iter()
        .map(|(line, marked)| if marked { line.patch_style(paint::chosen()) } else { line });
    paint::rows(buffer, body, lines);
    if rest > 2 && state.run().is_none() {
        let status = &text.shown.status;
        let facts = status.facts().into_iter().map(|(fact, is_pressing)| {
            let style = if is_pressing { paint::ansi(AnsiColor::Red) } else { Style::new() };
            Line::styled(paint::cut(&fact, columns), style)
        });
        let steps = status.next.iter().map(|step| {
            let (key, why) = words::next(step);
            let key = Span::styled(format!(" {key} "), paint::chosen());
            Line::from(vec![
                key,
                Span::raw(" "),
                Span::raw(paint::cut(&why, columns.saturating_sub(4))),
            ])
        });
        let steps: Vec<Line<'static>> = facts.chain(steps).take(rest - 1).collect();
        let height = u16::try_from(steps.len()).unwrap_or(0).min(body.height);
        let below = Rect { y: body.bottom() - height, height, ..body };
        paint::rows(buffer, below, steps);
    }
}

fn draw_side_list(
    room: &OpenDiscussion,
    pane: Pane,
    list: usize,
    focused: bool,
    area: Rect,
    buffer: &mut Buffer,
) {
    let items = room.items(pane);
    let more = match pane {
        Pane::Votes => tally(room),
        Pane::Decisions => decided(room),
        Pane::Tasks | Pane::Questions => {
            let open = items.iter().filter(|item| !item.settled).count();
            if items.is_empty() { String::new() } else { format!(" {open} open") }
        }
        _ => String::new(),
    };
    let within = bordered(pane, &more, focused, area, buffer);
    let (rows, columns) = (usize::from(within.height), usize::from(within.width));
    let chosen = room.at[list].min(items.len().saturating_sub(1));
    let first = first_row(chosen, items.len(), rows);
    let lines = items.iter().enumerate().skip(first).take(rows).map(|(at, item)| {
        let line = match pane {
            Pane::Votes => vote(room, item, columns),
            _ => numbered(item, columns),
        };
        if at == chosen && focused { line.patch_style(paint::chosen()) } else { line }
    });
    paint::rows(buffer, within, lines);
}

/// Returns the number of decisions in force, and of the open items of other kinds.
fn decided(room: &OpenDiscussion) -> String {
    let Some(status) = room.status() else { return String::new() };
    let in_force = status.decided.decisions.iter();
    let in_force = in_force.filter(|one| one.state.as_str() == "in-force").count();
    let counted = status.items.plain().filter_map(|(_, items)| {
        let open = items.iter().filter(|one| one.is_open()).count();
        items.first().map(|one| one.kind.counted(open))
    });
    let others: Vec<String> = counted.collect();
    match (status.decided.decisions.is_empty(), others.is_empty()) {
        (true, true) => String::new(),
        (_, true) => format!(" {in_force} in force"),
        // A shorter form, so that both fit above a narrow pane.
        _ => format!(" {in_force}, {}", others.join(", ")),
    }
}

/// Returns a row with a participant and its vote.
fn vote(room: &OpenDiscussion, item: &PanelItem, columns: usize) -> Line<'static> {
    let name = 18.min(columns / 2);
    let look = room
        .text
        .as_ref()
        .map_or(Style::new(), |text| paint::style(text.colours().name(&item.text)));
    let vote = if item.settled {
        Span::styled(paint::fit(&item.state, 10), paint::style(colours::vote(&item.state)))
    } else if room.status().is_none_or(|status| status.tally.is_empty()) {
        // If the pattern has no votes, `no vote` would wrongly look like a missing one.
        Span::raw(" ".repeat(10))
    } else {
        Span::styled(paint::fit("no vote", 10), paint::faint())
    };
    let why = paint::fit(
        &crate::cli::snippet::first_words(&item.by, 200),
        columns.saturating_sub(name + 12),
    );
    Line::from(vec![
        Span::styled(paint::fit(&item.text, name), look),
        Span::raw(" "),
        vote,
        Span::raw(" "),
        Span::styled(why, paint::faint()),
    ])
}

/// Returns a row for a question, a task, a decision or a concern.
fn numbered(item: &PanelItem, columns: usize) -> Line<'static> {
    let label = format!("{:<4}", item.label);
    let state = format!(" {}", paint::cut(&item.state, 12));
    let rest = columns
        .saturating_sub(label.len() + paint::words(&Line::raw(state.clone())).chars().count());
    let look = if item.settled { paint::faint() } else { Style::new() };
    Line::from(vec![
        Span::styled(label, paint::strong()),
        Span::styled(paint::fit(&item.text, rest), look),
        Span::styled(state, paint::faint()),
    ])
}

/// Returns the number of votes for each option.
fn tally(room: &OpenDiscussion) -> String {
    let Some(status) = room.status() else { return String::new() };
    let counted = status.tally.iter().filter(|(_, count)| **count > 0);
    counted.map(|(option, count)| format!(" {option} {count}")).collect()
}
