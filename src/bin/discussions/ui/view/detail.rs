//! Draws the details of the selected discussion, participant or provider.

use std::collections::BTreeMap;

use ratatui::text::{Line, Span};

use super::browser::{came_to, waits_for};
use crate::cli::amounts;
use crate::cli::colours;
use crate::cli::words::age::ago;
use crate::ui::browser::Somebody;
use crate::ui::paint;
use crate::ui::panes::Pane;
use crate::ui::state::ScreenState;
use crate::ui::words;

/// The number of columns for a row's label.
const LABEL: usize = 11;

/// Returns the lines for this many columns.
pub(super) fn lines(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
    match state.browser.focus {
        Pane::People => person(state, width),
        Pane::Providers => provider(state, width),
        _ => discussion(state, width),
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

fn discussion(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
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
    row(&mut lines, if one.outcome.is_some() { "Result" } else { "Votes" }, &came_to(one), width);
    if one.outcome.is_some() {
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
