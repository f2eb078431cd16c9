//! The outline of a document, its foldable parts, and the places that others refer to.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use discussions::view::{Entry, Kind, Shown, StatedDecision, visible_line};
use discussions::workspace::Workspace;
use serde_json::{Value, json};

use super::convert::{ClientFacts, location, range, uri_of};
use super::judge::Analysis;
use super::meaning::{NamedThing, entry_of, item, item_on, named_at, references_to};
use super::text::{DocumentPosition, TextRange};

/// The most symbols of one answer.
const MOST: usize = 200;

/// The lines above which a comment can be folded.
const MIN_FOLDED_LINES: usize = 4;

/// The kinds of symbols in the protocol.
mod kinds {
    pub(super) const PHASE: u8 = 3;
    pub(super) const TURN: u8 = 24;
    pub(super) const COMMENT: u8 = 15;
    pub(super) const MARKER: u8 = 20;
}

/// A part of the outline, by lines as a check counts them.
struct OutlinePart {
    name: String,
    kind: u8,
    first: usize,
    last: usize,
    children: Vec<Self>,
}

/// Returns the outline: phases contain turns, these contain comments, and these contain markers.
pub(super) fn outline(read: &Analysis, facts: &ClientFacts, uri: &str) -> Value {
    let lines = read.text.as_str().lines().count().max(1);
    let entries = &read.shown.entries;
    // The open phase and turn, with the parts that they contain.
    let (mut parts, mut open): (Vec<OutlinePart>, Vec<OutlinePart>) = (Vec::new(), Vec::new());
    for (index, entry) in entries.iter().enumerate() {
        let next = entries.get(index + 1).map_or(lines + 1, |next| next.line);
        let last = last_line(read, entry.line, next);
        let part = |name: String, kind, children| OutlinePart {
            name,
            kind,
            first: entry.line,
            last,
            children,
        };
        match &entry.kind {
            Kind::Phase { phase, .. } => {
                close(&mut parts, &mut open, 0, entry.line);
                open.push(part(format!("Phase {}", visible_line(phase)), kinds::PHASE, Vec::new()));
            }
            Kind::Turn { turn, .. } => {
                let depth = usize::from(open.first().is_some_and(|one| one.kind == kinds::PHASE));
                close(&mut parts, &mut open, depth, entry.line);
                open.push(part(format!("Turn {turn}"), kinds::TURN, Vec::new()));
            }
            Kind::Comment { author, markers, .. } => {
                let marks = markers.iter().map(|mark| OutlinePart {
                    name: symbol_name(&format!("{}: {}", mark.marker, mark.text)),
                    kind: kinds::MARKER,
                    first: mark.line,
                    last: mark.line,
                    children: Vec::new(),
                });
                let comment = part(symbol_name(author), kinds::COMMENT, marks.collect());
                match open.last_mut() {
                    Some(around) => around.children.push(comment),
                    None => parts.push(comment),
                }
            }
            _ => {}
        }
    }
    close(&mut parts, &mut open, 0, lines + 1);
    let symbols: Vec<Value> = if facts.nests_symbols {
        parts.iter().map(|part| nested(read, part)).collect()
    } else {
        let mut flat = Vec::new();
        parts.iter().for_each(|part| flatten(read, part, uri, None, &mut flat));
        flat
    };
    json!(symbols)
}

/// Closes the open parts above a depth; they end before a line.
fn close(parts: &mut Vec<OutlinePart>, open: &mut Vec<OutlinePart>, depth: usize, before: usize) {
    while open.len() > depth {
        let Some(mut part) = open.pop() else { return };
        part.last = part.last.max(before - 1);
        match open.last_mut() {
            Some(around) => around.children.push(part),
            None => parts.push(part),
        }
    }
}

/// Returns the last line with text before the next entry, without the rule.
fn last_line(read: &Analysis, first: usize, next: usize) -> usize {
    let is_text = |line: &usize| {
        let text = read.text.check_line_text(*line).trim_end();
        !text.is_empty() && text != "---"
    };
    (first..next).rev().find(is_text).unwrap_or(first)
}

/// Returns a name for an outline: visible, not empty, and not long.
fn symbol_name(text: &str) -> String {
    let text: String = visible_line(text).chars().take(120).collect();
    if text.trim().is_empty() { "-".to_owned() } else { text }
}

fn place(read: &Analysis, part: &OutlinePart) -> TextRange {
    let start = read.text.check_line_range(part.first).start;
    TextRange { start, end: read.text.check_line_range(part.last).end }
}

fn nested(read: &Analysis, part: &OutlinePart) -> Value {
    let children: Vec<Value> = part.children.iter().map(|child| nested(read, child)).collect();
    json!({
        "name": part.name,
        "kind": part.kind,
        "range": range(place(read, part)),
        "selectionRange": range(read.text.check_line_range(part.first)),
        "children": children,
    })
}

fn flatten(
    read: &Analysis,
    part: &OutlinePart,
    uri: &str,
    within: Option<&str>,
    flat: &mut Vec<Value>,
) {
    let mut symbol = json!({
        "name": part.name,
        "kind": part.kind,
        "location": location(uri, place(read, part)),
    });
    if let Some(within) = within {
        symbol["containerName"] = json!(within);
    }
    flat.push(symbol);
    part.children.iter().for_each(|child| flatten(read, child, uri, Some(&part.name), flat));
}

/// Returns the parts that can be folded: the head and receipts of several lines, phases, turns, and comments of several
/// lines.
pub(super) fn folds(read: &Analysis) -> Value {
    let lines: Vec<&str> = read.text.as_str().lines().collect();
    let mut folds = Vec::new();
    let line_of = |line: usize| read.text.check_line_range(line).start.line;
    let mut fold = |first: usize, last: usize, kind: &str| {
        if last > first {
            folds.push(json!({
                "startLine": line_of(first),
                "endLine": line_of(last),
                "kind": kind,
            }));
        }
    };
    let mut begun = None;
    for (text, line) in lines.iter().zip(1..) {
        if text.starts_with("<!--") {
            begun = Some(line);
        }
        if text.contains("-->")
            && let Some(first) = begun.take()
        {
            fold(first, line, "comment");
        }
    }
    let entries = &read.shown.entries;
    let is_phase = |entry: &&Entry| matches!(entry.kind, Kind::Phase { .. });
    let ends_turn = |entry: &&Entry| matches!(entry.kind, Kind::Turn { .. } | Kind::Phase { .. });
    for (index, entry) in entries.iter().enumerate() {
        let next = entries.get(index + 1).map_or(lines.len() + 1, |next| next.line);
        match &entry.kind {
            Kind::Phase { .. } => {
                let later = entries[index + 1..].iter().find(is_phase);
                let next = later.map_or(lines.len() + 1, |later| later.line);
                fold(entry.line, last_line(read, entry.line, next), "region");
            }
            Kind::Turn { .. } => {
                let later = entries[index + 1..].iter().find(ends_turn);
                let next = later.map_or(lines.len() + 1, |later| later.line);
                fold(entry.line, last_line(read, entry.line, next), "region");
            }
            Kind::Comment { .. } => {
                let last = last_line(read, entry.line, next);
                if last - entry.line >= MIN_FOLDED_LINES {
                    fold(entry.line, last, "region");
                }
            }
            _ => {}
        }
    }
    json!(folds)
}

/// Returns what a position refers to, with the line of the position.
fn target(read: &Analysis, at: DocumentPosition) -> Option<(Option<NamedThing>, usize)> {
    let byte = read.text.byte(at)?;
    let line = read.text.check_line(byte);
    let within = byte.saturating_sub(read.text.byte_of_check(line, 1));
    let named = named_at(read.text.check_line_text(line), within);
    let chosen = || read.shown.chosen.get(&line).map(|name| NamedThing::Item(name.clone()));
    Some((named.or_else(chosen), line))
}

/// Returns the place that a position refers to: an item, a participant, or a decision of another discussion.
pub(super) fn definition(read: &Analysis, at: DocumentPosition, uri: &str) -> Value {
    let Some((thing, line)) = target(read, at) else { return Value::Null };
    if let Some(place) = superseded(read, line) {
        return place;
    }
    let found = match thing {
        Some(NamedThing::Item(name)) => item(&read.shown, &name).map(|item| item.line),
        Some(NamedThing::Mention(alias)) => return participant(read, &alias, uri),
        None => None,
    };
    match found {
        Some(line) => location(uri, read.text.check_line_range(line)),
        None => Value::Null,
    }
}

/// Returns the definition of a participant: its file in the project, or else its first comment.
fn participant(read: &Analysis, alias: &str, uri: &str) -> Value {
    let personas = read.workspace.participants().list_participants().personas;
    let persona = personas.iter().find(|one| one.alias.eq_ignore_ascii_case(alias));
    let folder = read.workspace.shown_path(Path::new(""));
    let file = persona.map(|one| Path::new(&folder).join(&one.origin));
    if let Some(file) = file.filter(|file| file.is_absolute() && file.is_file()) {
        return location(&uri_of(&file), TextRange::default());
    }
    let is_own = |author: &str| match persona {
        Some(persona) => persona.name == author,
        None => author.eq_ignore_ascii_case(alias),
    };
    let first = read.shown.entries.iter().find(|entry| match &entry.kind {
        Kind::Comment { author, .. } => is_own(author),
        _ => false,
    });
    first.map_or(Value::Null, |entry| location(uri, read.text.check_line_range(entry.line)))
}

/// Returns the place of the decision of another discussion that a line replaces.
fn superseded(read: &Analysis, line: usize) -> Option<Value> {
    let target = superseded_target(read, line)?;
    let text = super::text::IndexedText::new(target.shown.text.to_string(), read.text.encoding());
    let line = target.decision().map_or(1, |one| one.line);
    Some(location(&uri_of(&target.path), text.check_line_range(line)))
}

/// The discussion, and perhaps the decision, that a `SUPERSEDES:` line replaces.
pub(super) struct SupersededTarget {
    path: PathBuf,
    number: Option<u32>,
    pub(super) shown: Shown,
}

impl SupersededTarget {
    /// Returns the decision, if the line names one that exists.
    pub(super) fn decision(&self) -> Option<&StatedDecision> {
        let mut decisions = self.shown.status.decided.decisions.iter();
        decisions.find(|one| self.number.is_some() && one.number == self.number)
    }
}

/// Returns what a line replaces.
pub(super) fn superseded_target(read: &Analysis, line: usize) -> Option<SupersededTarget> {
    let Kind::Comment { markers, .. } = &entry_of(&read.shown, line)?.kind else { return None };
    let mark = markers.iter().find(|mark| mark.line == line && mark.marker == "SUPERSEDES")?;
    let link = mark.text.split_whitespace().next()?;
    let (file, number) = link.split_once("#D").map_or((link, None), |(file, number)| {
        let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
        (file, digits.parse::<u32>().ok())
    });
    let folder = read.path.parent()?;
    let path = page_near(folder, Path::new(file))?;
    let shown = read.workspace.discussions().show(&path).ok()?;
    Some(SupersededTarget { path, number, shown })
}

/// Returns a Markdown file below the parent of a folder; a discussion refers to nothing farther away. The workspace
/// checks where links lead.
fn page_near(folder: &Path, file: &Path) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for part in file.components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                path.pop();
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    let is_near = path.starts_with(folder.parent().unwrap_or(folder));
    let is_page = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    (is_near && is_page && path.is_file()).then_some(path)
}

/// Returns the lines that refer to the item or the participant at a position, with its own line.
pub(super) fn references(read: &Analysis, at: DocumentPosition, uri: &str) -> Value {
    let Some((thing, line)) = target(read, at) else { return Value::Null };
    let own = || item_on(&read.shown, line).map(|item| NamedThing::Item(item.label()));
    let lines = match thing.or_else(own) {
        Some(NamedThing::Item(name)) => {
            let own = item(&read.shown, &name).map(|item| item.line);
            own.into_iter().chain(references_to(read, &name)).collect()
        }
        Some(NamedThing::Mention(alias)) => mentions(read, &alias),
        None => Vec::new(),
    };
    let places = lines.into_iter().map(|line| location(uri, read.text.check_line_range(line)));
    json!(places.collect::<Vec<_>>())
}

fn mentions(read: &Analysis, alias: &str) -> Vec<usize> {
    let is_it = |line: &str| {
        line.match_indices('@').any(|(at, _)| match named_at(line, at) {
            Some(NamedThing::Mention(other)) => other.eq_ignore_ascii_case(alias),
            _ => false,
        })
    };
    let lines = read.text.as_str().lines().zip(1..);
    lines.filter(|(text, _)| is_it(text)).map(|(_, line)| line).collect()
}

/// Returns the decisions in these folders with all the words.
pub(super) fn decisions(workspaces: &[(PathBuf, Arc<Workspace>)], words: &str) -> Value {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let mut symbols = Vec::new();
    for (folder, workspace) in workspaces {
        let Ok(log) = workspace.decisions().list_decisions(None) else { continue };
        for decided in log.decided {
            let path = folder.join(&decided.file);
            let standing = decided.facts.standing_ones();
            for (text, number, line) in standing.map(|one| (&one.text, one.number, one.line)) {
                let searched = format!("{} {text}", decided.title).to_lowercase();
                if symbols.len() == MOST
                    || !words.iter().all(|word| searched.contains(word.as_str()))
                {
                    continue;
                }
                let number = number.map(|number| format!("D{number} ")).unwrap_or_default();
                let at = DocumentPosition { line: line.max(1) - 1, character: 0 };
                symbols.push(json!({
                    "name": symbol_name(&format!("{number}{text}")),
                    "kind": kinds::MARKER,
                    "containerName": symbol_name(&decided.title),
                    "location": location(&uri_of(&path), TextRange { start: at, end: at }),
                }));
            }
        }
    }
    json!(symbols)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_near_the_discussion() {
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join("notes");
        std::fs::create_dir(&notes).unwrap();
        for name in ["a.md", "notes/b.md", "notes/c.txt"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(page_near(&notes, Path::new("./b.md")), Some(notes.join("b.md")));
        assert_eq!(page_near(&notes, Path::new("../a.md")), Some(folder.path().join("a.md")));
        for file in ["c.txt", "../../x.md", "/etc/x.md", "missing.md"] {
            assert_eq!(page_near(&notes, Path::new(file)), None, "{file}");
        }
    }
}
