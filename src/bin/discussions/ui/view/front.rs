//! Draws dialogs.

use discussions::view::{Foreign, visible_line};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::boxed;
use crate::ui::keys::{self, Where};
use crate::ui::paint;
use crate::ui::state::{Compose, Overlay, OverlayForm, ScreenState, mention};

/// Draws a dialog.
pub(super) fn view(state: &ScreenState, overlay: &Overlay, all: Rect, buffer: &mut Buffer) {
    let wide = all.width.saturating_sub(4).min(90);
    let columns = usize::from(wide);
    match overlay {
        Overlay::Help { filter, scroll } => {
            let lines = help(filter, columns);
            let title = if filter.is_empty() {
                "Keys (type to search)".to_owned()
            } else {
                format!("Keys with \"{filter}\"")
            };
            let lines = if lines.is_empty() { vec![paint::plain("No matches.")] } else { lines };
            text(&title, lines, *scroll, wide, all, buffer);
        }
        Overlay::Log { scroll } => {
            let mut lines: Vec<Line<'static>> = state
                .log
                .iter()
                .rev()
                .flat_map(|done| {
                    let mut lines = paint::flow(&format!("$ {}", done.line), columns);
                    lines
                        .iter_mut()
                        .for_each(|line| *line = std::mem::take(line).patch_style(paint::strong()));
                    let told = [&done.said].into_iter().chain(&done.notes);
                    lines.extend(told.flat_map(|said| paint::flow(&format!("  {said}"), columns)));
                    lines
                })
                .collect();
            if lines.is_empty() {
                lines = paint::flow(
                    "No actions yet. This log shows each action as a command that you can type.",
                    columns,
                );
            }
            text("Actions, latest first", lines, *scroll, wide, all, buffer);
        }
        Overlay::Told { title, text: words, scroll } => {
            text(title, paint::flow(words, columns), *scroll, wide, all, buffer);
        }
        Overlay::Confirm { question, .. } => {
            let mut lines = paint::flow(question, columns);
            lines.push(Line::default());
            lines.push(keys_of(&[("y", "yes"), ("n", "no")]));
            text("", lines, 0, wide.min(64), all, buffer);
        }
        Overlay::Consent { foreign, scroll, .. } => {
            text(
                "Defined by this project. Trust it?",
                consent(foreign, columns),
                *scroll,
                wide,
                all,
                buffer,
            );
        }
        Overlay::Choose { title, options, at, .. } => {
            let lines = options.iter().enumerate().map(|(index, option)| {
                let line =
                    Line::raw(paint::fit(&format!("{}  {option}", index + 1), columns.min(48)));
                if index == *at { line.patch_style(paint::chosen()) } else { line }
            });
            let mut lines: Vec<_> = lines.collect();
            let height = usize::from(all.height.saturating_sub(4));
            let skip = crate::ui::lists::first_row(*at, lines.len(), height.max(1));
            lines.drain(..skip);
            text(title, lines, 0, wide.min(48), all, buffer);
        }
        Overlay::Compose(compose) => write(compose, wide, all, buffer),
        Overlay::Form(form) => fill(form, wide, all, buffer),
    }
}

/// Draws lines in a box, scrolled by at most the lines that do not fit.
fn text(
    title: &str,
    lines: Vec<Line<'static>>,
    scroll: usize,
    wide: u16,
    all: Rect,
    buffer: &mut Buffer,
) {
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(all.height.saturating_sub(4));
    let within = boxed(title, Size::new(wide, height), all, buffer);
    let most = lines.len().saturating_sub(usize::from(within.height));
    paint::rows(buffer, within, lines.into_iter().skip(scroll.min(most)));
}

/// Returns a line of keys with their descriptions.
fn keys_of(keys: &[(&str, &str)]) -> Line<'static> {
    let each = keys.iter().flat_map(|(key, what)| {
        [Span::styled(format!(" {key} "), paint::chosen()), Span::raw(format!(" {what}  "))]
    });
    Line::from(each.collect::<Vec<_>>())
}

/// Returns all keys with descriptions that contain these words.
fn help(filter: &str, columns: usize) -> Vec<Line<'static>> {
    let wanted = filter.to_lowercase();
    let mut lines = Vec::new();
    for holds in
        [Where::Room, Where::Discussions, Where::People, Where::Providers, Where::Everywhere]
    {
        let is_here = |binding: &&keys::Binding| {
            binding.holds.title() == holds.title()
                && !binding.what.is_empty()
                && (binding.what.to_lowercase().contains(&wanted)
                    || binding.keys.iter().any(|key| key.eq_ignore_ascii_case(&wanted)))
        };
        let here: Vec<_> = keys::ALL.iter().filter(is_here).collect();
        if here.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(holds.title(), paint::strong()));
        for binding in here {
            let room = 18.min(columns / 3);
            let what = paint::flow(binding.what, columns.saturating_sub(room + 2));
            for (index, mut line) in what.into_iter().enumerate() {
                let names = if index == 0 { binding.keys.join(" ") } else { String::new() };
                line.spans.insert(0, Span::raw(format!("  {}", paint::fit(&names, room))));
                lines.push(line);
            }
        }
    }
    lines
}

/// Returns everything that a trust decision is about.
fn consent(foreign: &[Foreign], columns: usize) -> Vec<Line<'static>> {
    let mut lines =
        vec![keys_of(&[("y", "trust it from now on"), ("n", "do not trust it")]), Line::default()];
    for one in foreign {
        lines.push(paint::plain(&one.provider).patch_style(paint::strong()));
        let mut row = |what: &str, text: &str| {
            let label = paint::fit(what, 12.min(columns / 2));
            let flowed = paint::flow(&visible_line(text), columns.saturating_sub(12));
            for (index, mut line) in flowed.into_iter().enumerate() {
                let label =
                    if index == 0 { label.clone() } else { " ".repeat(label.chars().count()) };
                line.spans.insert(0, Span::styled(label, paint::faint()));
                lines.push(line);
            }
        };
        one.replaces.iter().for_each(|replaced| row("replaces", replaced));
        one.facts.iter().for_each(|fact| row(fact.what, &fact.text));
        for file in &one.files {
            let leads = file.target.as_ref().map_or_else(String::new, |to| format!(" -> {to}"));
            row("file", &format!("{}{leads}", file.path));
        }
        row("defined in", &format!("{}:{}", one.file, one.line));
        lines.push(Line::default());
    }
    lines
}

/// Draws a text editor.
fn write(compose: &Compose, wide: u16, all: Rect, buffer: &mut Buffer) {
    let rows = u16::try_from(compose.area.lines().len()).unwrap_or(u16::MAX);
    let height = rows.clamp(6, (all.height / 2).max(6)) + 1;
    let within = boxed(&compose.what.title(), Size::new(wide, height), all, buffer);
    if within.height == 0 || within.width == 0 {
        return;
    }
    let area = Rect { height: within.height.saturating_sub(1), ..within };
    compose.area.render(area, buffer);
    let below = Rect { y: within.bottom() - 1, height: 1, ..within };
    let line = match mention(&compose.area) {
        Some(begun) => {
            let fits = |name: &&String| name.to_lowercase().starts_with(&begun.to_lowercase());
            let names = compose.mentions.iter().filter(fits).map(|name| format!("@{name}"));
            let names = names.collect::<Vec<_>>().join(" ");
            Line::from(vec![
                Span::styled(" Tab ", paint::chosen()),
                Span::raw(visible_line(&format!(" {names}"))),
            ])
        }
        None => keys_of(&[("Ctrl+S", "send"), ("Ctrl+E", "$EDITOR"), ("Esc", "save as draft")]),
    };
    paint::rows(buffer, below, [line]);
}

/// Draws a form.
fn fill(form: &OverlayForm, wide: u16, all: Rect, buffer: &mut Buffer) {
    let rows = u16::try_from(form.fields.len() * 2 + 2).unwrap_or(u16::MAX);
    let within = boxed(form.title, Size::new(wide, rows), all, buffer);
    let label = form.fields.iter().map(|field| field.label.len()).max().unwrap_or(0) + 2;
    let label = u16::try_from(label).unwrap_or(0).min(within.width / 2);
    for (index, field) in form.fields.iter().enumerate() {
        let y = within.y.saturating_add(u16::try_from(index * 2).unwrap_or(u16::MAX));
        if y >= within.bottom() {
            return;
        }
        let is_here = index == form.at;
        let look = if is_here { paint::strong() } else { paint::faint() };
        paint::put(buffer, within.x, y, &Line::styled(field.label, look), label);
        let area = Rect { x: within.x + label, y, width: within.width - label, height: 1 };
        if area.width == 0 {
            continue;
        }
        if is_here {
            field.line.render(area, buffer);
            let fitting = field.fitting();
            let hint = if field.options.is_empty() || fitting.is_empty() {
                field.hint.to_owned()
            } else {
                fitting.join("  ")
            };
            if y + 1 < within.bottom() {
                let hint = Line::styled(paint::cut(&hint, usize::from(area.width)), paint::faint());
                paint::put(buffer, area.x, y + 1, &hint, area.width);
            }
        } else {
            paint::put(buffer, area.x, y, &paint::plain(&field.text()), area.width);
        }
    }
    let below =
        Rect { y: within.bottom().saturating_sub(1), height: 1.min(within.height), ..within };
    paint::rows(
        buffer,
        below,
        [keys_of(&[
            ("Enter", "next field; at the end, confirm"),
            ("Tab", "complete"),
            ("Esc", "cancel"),
        ])],
    );
}
