//! Draws the screen, from the state alone.

mod browser;
mod front;
mod room;

use std::time::Duration;

use anstyle::AnsiColor;
use discussions::view::visible_line;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Widget as _};

use super::keys;
use super::lists::OpenDiscussion;
use super::paint;
use super::panes::{Pane, PaneLayout, inner_area};
use super::state::{Note, ScreenState};
use super::update::filter;

/// Draws everything.
pub(super) fn view(state: &ScreenState, frame: &mut Frame<'_>) {
    let area = frame.area();
    let places = PaneLayout::of(area.width, area.height, state.focus());
    let buffer = frame.buffer_mut();
    head(state, places.head, buffer);
    for (pane, area) in &places.panes {
        match &state.room {
            Some(room) => room::pane(state, room, *pane, *area, buffer),
            None => browser::pane(state, *pane, *area, buffer),
        }
    }
    note(state, places.note, buffer);
    footer(state, places.keys, buffer);
    if let Some(overlay) = &state.overlay {
        front::view(state, overlay, area, buffer);
    }
    paint::last_look(buffer, state.plain);
}

/// Draws the header: the title, or the list of panes if some are hidden.
fn head(state: &ScreenState, area: Rect, buffer: &mut Buffer) {
    let mut spans = match &state.room {
        Some(room) => room_head(state, room),
        None => browser_head(state),
    };
    let focus = state.focus();
    if state.places().panes.len() < focus.company().len() {
        spans.clear();
        let whole: usize = focus.company().iter().map(|pane| pane.title().len() + 4).sum();
        for pane in focus.company() {
            let look = if *pane == focus { paint::chosen() } else { paint::faint() };
            // If the width is too small for all titles, only the pane with the focus has one.
            let has_title = *pane == focus || whole <= usize::from(area.width);
            let title = if has_title { format!(" {}", pane.title()) } else { String::new() };
            spans.push(Span::styled(format!(" {}{title} ", pane.number()), look));
        }
    }
    paint::put(buffer, area.x, area.y, &Line::from(spans), area.width);
}

fn browser_head(state: &ScreenState) -> Vec<Span<'static>> {
    let mut spans = vec![Span::styled(visible_line(&state.folder), paint::strong())];
    match &state.browser.list {
        None => spans.push(Span::styled("  reading...", paint::faint())),
        Some(list) => {
            let waiting = list.discussions.iter().filter(|one| one.waits_for_people).count();
            let count = match list.discussions.len() {
                1 => "1 discussion".to_owned(),
                count => format!("{count} discussions"),
            };
            spans.push(Span::styled(format!("  {count}"), paint::faint()));
            if waiting > 0 {
                let verb = if waiting == 1 { "waits" } else { "wait" };
                spans.push(Span::raw(format!(", {waiting} {verb} for people")));
            }
            if !list.unreadable.is_empty() {
                let unread = format!(", {} cannot be read", list.unreadable.len());
                spans.push(Span::styled(unread, paint::ansi(AnsiColor::Yellow)));
            }
        }
    }
    if !state.runs.is_empty() {
        let runs = if state.runs.len() == 1 { "run" } else { "runs" };
        spans.push(Span::raw(format!("  {} {runs} in progress", state.runs.len())));
    }
    spans
}

fn room_head(state: &ScreenState, room: &OpenDiscussion) -> Vec<Span<'static>> {
    let Some(text) = &room.text else {
        let name = Span::styled(visible_line(&room.file), paint::strong());
        return vec![name, Span::styled("  reading...", paint::faint())];
    };
    let status = &text.shown.status;
    let standing = crate::cli::colours::standing(status.status);
    let title = if status.title.is_empty() { &room.file } else { &status.title };
    let room_left = usize::from(state.size.width).saturating_sub(36);
    vec![
        Span::styled(status.status.as_str(), paint::ansi(standing).patch(paint::strong())),
        Span::raw("  "),
        Span::styled(paint::cut(title, room_left.max(8)), paint::strong()),
        Span::styled(format!("  {}", visible_line(&status.phase_title)), paint::faint()),
    ]
}

/// Draws the last change, the filter that is being typed, or the progress of a run.
fn note(state: &ScreenState, area: Rect, buffer: &mut Buffer) {
    let filter = filter(state);
    let columns = usize::from(area.width);
    let line = if filter.typing {
        let words = visible_line(&filter.words);
        Line::from(vec![
            Span::styled("/", paint::strong()),
            Span::raw(words),
            Span::styled(" ", paint::chosen()),
        ])
    } else if let Some(note) = &state.note {
        match note {
            Note::Done(line, said) => {
                let line = paint::cut(&format!("$ {line}"), columns * 2 / 3);
                let rest = format!("  {said}");
                Line::from(vec![
                    Span::styled(line, paint::strong()),
                    Span::raw(visible_line(&rest)),
                ])
            }
            Note::Hint(text) => paint::plain(text),
            Note::Wrong(text) => Line::styled(
                visible_line(&format!("! {text}")),
                paint::ansi(AnsiColor::Red).patch(paint::strong()),
            ),
        }
    } else if let Some(run) = state.run() {
        running(run, state.now)
    } else if filter.is_on() {
        Line::from(vec![
            Span::styled(visible_line(&format!("/{}", filter.words)), paint::strong()),
            Span::styled("  press Esc to clear the filter", paint::faint()),
        ])
    } else if state.room.as_ref().is_some_and(|room| room.running) {
        paint::plain("▶ another program is running this; its answers appear here")
    } else {
        Line::default()
    };
    paint::put(buffer, area.x, area.y, &line, area.width);
}

/// Returns the progress of a run.
fn running(run: &super::state::RunState, now: Duration) -> Line<'static> {
    let since = seconds(now.saturating_sub(run.since));
    let mut spans = Vec::new();
    match &run.turn {
        None => {
            spans.push(Span::styled(format!("{} ", run.word), paint::strong()));
            spans.push(Span::raw("starting"));
        }
        Some((number, _)) if run.price.is_some() => {
            spans.push(Span::styled(format!("turn {number}"), paint::strong()));
        }
        Some((number, phase)) => {
            spans.push(Span::styled(format!("turn {number}"), paint::strong()));
            let phase = visible_line(phase);
            let (ended, asked) = (run.ended, run.asked);
            spans.push(Span::raw(format!(" · {phase} · {ended} of {asked} answered")));
        }
    }
    if let Some(price) = &run.price {
        spans.push(Span::raw(format!(" · {}", visible_line(price))));
    }
    let thinking = run.speaking.iter().filter(|one| one.text.is_empty());
    let thinking: Vec<String> = thinking.map(|one| visible_line(&one.name)).collect();
    if !thinking.is_empty() {
        let verb = if thinking.len() == 1 { "thinks" } else { "think" };
        spans.push(Span::raw(format!(" · {} {verb}", thinking.join(", "))));
    }
    spans.push(Span::styled(format!(" · {since}"), paint::faint()));
    if run.stopping {
        spans.push(Span::raw(" · stopping"));
    }
    Line::from(spans)
}

/// Returns a duration in whole seconds.
fn seconds(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..60 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// Draws the keys of this pane, as many as fit. The key for the list of all keys is always shown.
fn footer(state: &ScreenState, area: Rect, buffer: &mut Buffer) {
    let typing = [("Enter", "keep"), ("Esc", "clear")];
    let is_wanted = |action| action != keys::KeyAction::Abort || state.run().is_some();
    let bound = keys::footer(state.focus()).filter(|binding| is_wanted(binding.action));
    let all: Vec<(&str, &str)> = if filter(state).typing {
        typing.to_vec()
    } else {
        bound.map(|binding| (binding.keys[0], binding.short)).collect()
    };
    let width = |(key, what): &(&str, &str)| key.len() + what.len() + 5;
    let columns = usize::from(area.width) + 2;
    let fits = all.iter().map(width).sum::<usize>() <= columns;
    let last = all.iter().find(|(key, _)| *key == "?").copied().filter(|_| !fits);
    let mut left = columns.saturating_sub(last.as_ref().map_or(0, width));
    let first = all.into_iter().filter(|one| Some(*one) != last).take_while(|one| {
        let room = left.checked_sub(width(one));
        left = room.unwrap_or(0);
        room.is_some()
    });
    let spans = first.chain(last).flat_map(|(key, what)| {
        [Span::styled(format!(" {key} "), paint::chosen()), Span::raw(format!(" {what}  "))]
    });
    let spans: Vec<Span<'_>> = spans.collect();
    paint::put(buffer, area.x, area.y, &Line::from(spans), area.width);
}

/// Draws a pane's border with its number and title; returns the area within.
fn bordered(pane: Pane, more: &str, focused: bool, area: Rect, buffer: &mut Buffer) -> Rect {
    let title = format!(" {} {}{more} ", pane.number(), pane.title());
    let (kind, look) = if focused {
        (BorderType::Thick, paint::strong())
    } else {
        (BorderType::Plain, paint::faint())
    };
    let title =
        Span::styled(visible_line(&title), if focused { paint::strong() } else { Style::new() });
    Block::bordered().border_type(kind).border_style(look).title(title).render(area, buffer);
    inner_area(area)
}

/// Draws a box in front of everything, of at most this size; returns the area within.
fn boxed(title: &str, wanted: Size, all: Rect, buffer: &mut Buffer) -> Rect {
    let width = wanted.width.saturating_add(2).min(all.width);
    let height = wanted.height.saturating_add(2).min(all.height);
    let x = all.x + (all.width - width) / 2;
    let y = all.y + (all.height - height) / 2;
    let area = Rect { x, y, width, height };
    ratatui::widgets::Clear.render(area, buffer);
    let title = paint::cut(title, usize::from(width.saturating_sub(4)));
    let title = Span::styled(format!(" {title} "), paint::strong());
    Block::bordered()
        .border_type(BorderType::Thick)
        .border_style(paint::strong())
        .title(title)
        .render(area, buffer);
    inner_area(area)
}
