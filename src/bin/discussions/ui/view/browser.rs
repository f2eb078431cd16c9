//! Drawing of the lists of discussions, participants and providers, and of the details of the selected one.

use std::collections::BTreeMap;

use anstyle::AnsiColor;
use discussions::view::Listed;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::bordered;
use crate::cli::amounts;
use crate::cli::colours;
use crate::cli::words as common;
use crate::cli::words::ago;
use crate::ui::lists::{Browser, Somebody, first_row};
use crate::ui::paint;
use crate::ui::panes::Pane;
use crate::ui::state::ScreenState;
use crate::ui::words;

/// Draws a pane.
pub(super) fn pane(state: &ScreenState, pane: Pane, area: Rect, buffer: &mut Buffer) {
    let browser = &state.browser;
    let focused = browser.focus == pane;
    if pane == Pane::Detail {
        let within = bordered(pane, "", focused, area, buffer);
        let lines = detail_lines(state, usize::from(within.width));
        let most = lines.len().saturating_sub(usize::from(within.height));
        paint::rows(buffer, within, lines.into_iter().skip(browser.scroll.min(most)));
        return;
    }
    let Some((list, length)) = browser.list_of(pane) else { return };
    let more = count_label(state, pane, length);
    let within = bordered(pane, &more, focused, area, buffer);
    let (rows, columns) = (usize::from(within.height), usize::from(within.width));
    let chosen = browser.at[list];
    let first = first_row(chosen, length, rows);
    let look = |at: usize| match (at == chosen, focused) {
        (true, true) => paint::chosen(),
        (true, false) => paint::strong(),
        _ => Style::new(),
    };
    let shown = first..length.min(first + rows);
    let lines: Vec<Line<'static>> = match pane {
        Pane::Discussions => {
            let widths = Widths::of(columns);
            shown.map(|at| discussion(state, at, &widths).patch_style(look(at))).collect()
        }
        Pane::People => {
            let all = browser.personas();
            let row = |at: usize| {
                let one = all[at];
                let alias = paint::fit(&format!("@{}", one.alias()), 16.min(columns / 2));
                let rest = columns.saturating_sub(17.min(columns / 2 + 1));
                let role = match one {
                    Somebody::Usable(one) => Span::raw(paint::fit(&one.role, rest)),
                    Somebody::Broken { .. } => {
                        let look = paint::ansi(AnsiColor::Red);
                        Span::styled(paint::fit("! invalid; press e to fix it", rest), look)
                    }
                };
                Line::from(vec![Span::raw(alias), Span::raw(" "), role])
            };
            shown.map(|at| row(at).patch_style(look(at))).collect()
        }
        _ => {
            let all = browser.answering();
            let row = |at: usize| {
                let (one, known) = all[at];
                let is_asked = browser
                    .pinged
                    .as_ref()
                    .is_some_and(|name| name.is_empty() || *name == one.name);
                let (word, details) = match known {
                    _ if is_asked => ("asked...", String::new()),
                    Some(known) => words::state(known),
                    None => ("", one.description.clone()),
                };
                let name = paint::fit(&one.name, 20.min(columns / 2));
                let rest = columns.saturating_sub(20.min(columns / 2) + 13);
                let state = Span::styled(format!(" {}", paint::fit(word, 12)), standing(word));
                Line::from(vec![
                    Span::raw(name),
                    state,
                    Span::styled(paint::fit(&details, rest), paint::faint()),
                ])
            };
            shown.map(|at| row(at).patch_style(look(at))).collect()
        }
    };
    if lines.is_empty() {
        let lines = paint::flow(&nothing(browser, pane), columns);
        let lines = lines.into_iter().map(|line| line.patch_style(paint::faint()));
        return paint::rows(buffer, within, lines);
    }
    paint::rows(buffer, within, lines);
}

/// Returns the number of matching items if a filter is on, otherwise the number of invalid personas.
fn count_label(state: &ScreenState, pane: Pane, length: usize) -> String {
    let browser = &state.browser;
    let is_filtered = browser.filter.is_on()
        && match pane {
            Pane::Discussions => !matches!(browser.focus, Pane::People | Pane::Providers),
            pane => pane == browser.focus,
        };
    if is_filtered {
        format!(" ({length} with \"{}\")", browser.filter.words)
    } else {
        match browser.people.as_ref().map_or(0, |people| people.broken.len()) {
            broken if broken > 0 && pane == Pane::People => format!(" ({broken} invalid)"),
            _ => String::new(),
        }
    }
}

/// Returns the message for an empty list.
fn nothing(browser: &Browser, pane: Pane) -> String {
    match pane {
        Pane::Discussions if browser.list.is_none() => "Reading...",
        Pane::Discussions if browser.filter.is_on() => "No matches.",
        Pane::Discussions => "No discussions yet. Press n to create one.",
        pane if browser.filter.is_on() && pane == browser.focus => "No matches.",
        _ => "",
    }
    .to_owned()
}

/// Returns the style of a provider's state. For screens without colours, the word also names the state.
fn standing(word: &str) -> Style {
    match word {
        "ready" | "answers" => paint::ansi(AnsiColor::Green),
        "missing" | "broken" | "fails" | "not trusted" => paint::ansi(AnsiColor::Yellow),
        _ => Style::new(),
    }
}

/// The widths of the list's columns; 0 means not shown.
struct Widths {
    title: usize,
    standing: usize,
    outcome: usize,
    phase: usize,
    waits: usize,
    age: usize,
}

impl Widths {
    fn of(columns: usize) -> Self {
        let standing = if columns >= 36 { 10 } else { 0 };
        let age = if columns >= 48 { 12 } else { 0 };
        let outcome = if columns >= 64 { columns / 4 } else { 0 };
        let waits = if columns >= 90 { 18 } else { 0 };
        let phase = if columns >= 120 { 20 } else { 0 };
        let title = columns.saturating_sub(2 + standing + age + outcome + waits + phase);
        Self { title, standing, outcome, phase, waits, age }
    }
}

/// Returns one row. Running discussions have a mark, and those that wait for people or have a decision to review.
fn discussion(state: &ScreenState, at: usize, widths: &Widths) -> Line<'static> {
    let browser = &state.browser;
    let list = browser.list.as_ref();
    let Some(one) = list.and_then(|list| list.discussions.get(*browser.order.get(at)?)) else {
        return Line::default();
    };
    let is_running = one.running || state.runs.contains_key(&one.name);
    let mark = match (is_running, one.waits_for_people || !one.due.is_empty()) {
        (true, _) => "▶ ",
        (_, true) => "! ",
        _ => "  ",
    };
    let title = if one.title.is_empty() { &one.name } else { &one.title };
    let mut spans =
        vec![Span::styled(mark, paint::strong()), Span::raw(padded(title, widths.title))];
    let mut add = |text: String, width: usize, look: Style| {
        if width > 0 {
            spans.push(Span::styled(padded(&text, width), look));
        }
    };
    add(
        one.status.as_str().to_owned(),
        widths.standing,
        paint::ansi(colours::standing(one.status)),
    );
    add(came_to(one), widths.outcome, Style::new());
    add(one.phase_title.clone(), widths.phase, paint::faint());
    add(waits_for(one, is_running), widths.waits, Style::new());
    add(ago(one.age, one.updated.as_deref().unwrap_or_default()), widths.age, paint::faint());
    Line::from(spans)
}

/// Returns a column with a blank after it.
fn padded(text: &str, width: usize) -> String {
    paint::fit(&paint::cut(text, width.saturating_sub(1)), width)
}

/// Returns the outcome or, if there is none, the votes.
pub(super) fn came_to(one: &Listed) -> String {
    let votes = || {
        let votes = one.tally.iter().filter(|(_, count)| **count > 0);
        votes.map(|(option, count)| format!("{option} {count}")).collect::<Vec<_>>().join(", ")
    };
    match one.decided.standing.as_str() {
        "open" => votes(),
        _ => common::outcome(&one.decided.summary()),
    }
}

/// Returns the participants that the discussion waits for, or that a decision is to be reviewed.
pub(super) fn waits_for(one: &Listed, is_running: bool) -> String {
    if is_running {
        return "running".to_owned();
    }
    if !one.due.is_empty() && one.waiting_for.is_empty() {
        return "a review".to_owned();
    }
    let mut who: Vec<String> = one.waiting_for.iter().map(|who| common::mention(who)).collect();
    let day = one.decide_by.as_ref().filter(|_| one.waits_for_people);
    who.extend(day.map(|day| format!("({})", day.words())));
    who.join(" ")
}

/// The number of columns for a row's label.
const LABEL: usize = 11;

/// Returns the lines for this many columns.
fn detail_lines(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
    match state.browser.focus {
        Pane::People => person(state, width),
        Pane::Providers => provider(state, width),
        _ => discussion_details(state, width),
    }
}

/// Returns a label and its text, wrapped.
fn row(lines: &mut Vec<Line<'static>>, label: &str, text: &str, width: usize) {
    if text.is_empty() {
        return;
    }
    let flowed = paint::flow(text, width.saturating_sub(LABEL));
    for (index, mut line) in flowed.into_iter().enumerate() {
        let label = if index == 0 { label } else { "" };
        line.spans.insert(0, Span::styled(paint::fit(label, LABEL), paint::faint()));
        lines.push(line);
    }
}

fn discussion_details(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
    let browser = &state.browser;
    let Some(one) = browser.chosen() else { return unreadable(state, width) };
    let mut lines: Vec<Line<'static>> = paint::flow(&one.title, width);
    lines.iter_mut().for_each(|line| *line = std::mem::take(line).patch_style(paint::strong()));
    let standing = paint::ansi(colours::standing(one.status));
    lines.push(Line::from(vec![
        Span::styled(one.status.as_str(), standing),
        Span::styled(
            paint::cut(&format!(" · {}", one.template), width.saturating_sub(10)),
            paint::faint(),
        ),
    ]));
    lines.push(Line::default());
    let is_running = one.running || state.runs.contains_key(&one.name);
    row(&mut lines, "Phase", &one.phase_title, width);
    row(&mut lines, "Waits for", &waits_for(one, is_running), width);
    for review in &one.due {
        let what = review.decision.as_deref().map(|it| format!("{it}: ")).unwrap_or_default();
        let day = common::review_day(&review.review_by, review.days);
        row(&mut lines, "To review", &format!("{what}{day}"), width);
    }
    let is_open = one.decided.standing.as_str() == "open";
    row(&mut lines, if is_open { "Votes" } else { "Result" }, &came_to(one), width);
    if !is_open {
        let votes = one.tally.iter().filter(|(_, count)| **count > 0);
        let votes: Vec<String> = votes.map(|(option, count)| format!("{option} {count}")).collect();
        row(&mut lines, "Votes", &votes.join(", "), width);
    }
    let changed = ago(one.age, one.updated.as_deref().unwrap_or_default());
    row(&mut lines, "Changed", &changed, width);
    if one.cost.total_calls > 0 {
        let known = |usd| amounts::money(usd, one.cost.estimated);
        let money = one.cost.usd.map_or_else(|| one.cost.money(), known);
        let calls = if one.cost.total_calls == 1 { "call" } else { "calls" };
        row(&mut lines, "Cost", &format!("{} {calls}, {money}", one.cost.total_calls), width);
    }
    row(&mut lines, "File", &one.file, width);
    if let Some(found) = browser.place(&one.file) {
        lines.push(Line::default());
        let by = found.author.as_deref().map_or_else(String::new, |who| format!(" by {who}"));
        let place = format!("Found on line {}{by}:", found.line);
        lines.push(paint::plain(&place).patch_style(paint::faint()));
        lines.extend(paint::flow(&found.text, width));
    }
    lines
}

/// Returns the errors of unreadable files, for when nothing is selected.
fn unreadable(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
    let all = state.browser.list.iter().flat_map(|list| &list.unreadable);
    all.flat_map(|one| paint::flow(&one.message, width)).collect()
}

fn person(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
    let browser = &state.browser;
    let one = match browser.person() {
        Some(Somebody::Usable(one)) => one,
        Some(Somebody::Broken { alias, error }) => return broken(alias, error, width),
        None => return Vec::new(),
    };
    let mut lines = vec![paint::plain(&one.name).patch_style(paint::strong())];
    row(&mut lines, "Alias", &format!("@{}", one.alias), width);
    row(&mut lines, "Type", one.kind.as_str(), width);
    row(&mut lines, "From", &one.origin, width);
    lines.push(Line::default());
    if let Some(definition) = browser.definition.as_ref().filter(|it| it.alias == one.alias) {
        lines.extend(paint::flow(&definition.text, width));
    }
    lines
}

/// Returns the error in a persona's definition, with its line.
fn broken(alias: &str, error: &str, width: usize) -> Vec<Line<'static>> {
    let what = paint::flow(&format!("{alias} is invalid"), width);
    let mut lines: Vec<Line<'static>> =
        what.into_iter().map(|line| line.patch_style(paint::strong())).collect();
    lines.push(Line::default());
    lines.extend(paint::flow(error, width));
    lines.push(Line::default());
    lines.extend(paint::flow("Press e to open the file, x to remove it.", width));
    lines
}

fn provider(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
    let Some((one, known)) = state.browser.provider() else { return Vec::new() };
    let mut lines = vec![paint::plain(&one.name).patch_style(paint::strong())];
    lines.extend(
        crate::cli::markdown::lines(&one.description, &BTreeMap::new(), width)
            .iter()
            .map(paint::line),
    );
    lines.push(Line::default());
    if let Some(known) = known {
        let (word, details) = words::state(known);
        row(&mut lines, "State", word, width);
        row(&mut lines, "", &details, width);
    }
    row(&mut lines, "Runs", &one.runs, width);
    row(&mut lines, "Good at", &one.strengths.join(", "), width);
    row(&mut lines, "From", &one.origin, width);
    lines
}
