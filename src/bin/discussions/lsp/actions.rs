//! Quick fixes: edits of the document that remove a problem.

use std::ops::RangeInclusive;

use discussions::codes::ProblemCode;
use discussions::view::{Kind, Mark, MarkerHelp, Problem, visible_line};
use serde_json::{Value, json};

use super::convert::{ClientFacts, diagnostic, document_edit, edit};
use super::judge::{Analysis, DocumentText, place};
use super::meaning::entry_of;
use super::text::{AppendedText, ByteEdit, IndexedText, TextRange};

/// The most quick fixes of one answer.
const MOST: usize = 20;

/// The most questions that are offered for one answer.
const MOST_ITEMS: usize = 5;

/// A quick fix.
struct QuickFix {
    title: String,
    edits: Vec<ByteEdit>,
    /// The problem that it removes, as the client knows it.
    diagnostic: Option<Value>,
}

impl QuickFix {
    fn new(title: impl Into<String>, edits: impl IntoIterator<Item = ByteEdit>) -> Self {
        Self { title: title.into(), edits: edits.into_iter().collect(), diagnostic: None }
    }
}

fn replace(range: std::ops::Range<usize>, text: impl Into<String>) -> ByteEdit {
    ByteEdit { range, text: text.into() }
}

/// Returns the quick fixes for a range of a document. `appended` is what other programs appended to its file.
pub(super) fn fixes(
    read: &Analysis,
    range: TextRange,
    facts: &ClientFacts,
    document: &DocumentText,
    appended: Option<AppendedText>,
) -> Value {
    // Without this ability a client takes only commands, which this server does not have.
    let Some(start) = read.text.byte(range.start).filter(|_| facts.takes_actions) else {
        return json!([]);
    };
    let end = read.text.byte(range.end).unwrap_or(read.text.as_str().len());
    let lines = read.text.check_line(start)..=read.text.check_line(end.max(start));
    let mut fixes = Vec::new();
    fixes.extend(appended.map(take_in));
    add_ways_back(read, &lines, &mut fixes);
    let before = fixes.len();
    add_corrections(read, &lines, &mut fixes);
    let is_corrected = fixes.len() > before;
    for problem in read.shown.problems.iter().filter(|problem| lines.contains(&problem.line)) {
        // A malformed head is corrected, not put into a comment.
        let is_framing = matches!(problem.code, ProblemCode::Stray | ProblemCode::NameWithoutRule);
        if !is_framing || !is_corrected {
            let before = fixes.len();
            add_fixes_of(read, problem, &mut fixes);
            let diagnostic = published(problem, &read.text);
            fixes[before..].iter_mut().for_each(|fix| fix.diagnostic = Some(diagnostic.clone()));
        }
    }
    fixes.truncate(MOST);
    let is_crlf = read.text.as_str().contains("\r\n");
    let built = fixes.into_iter().map(|fix| {
        let edits = fix.edits.into_iter().map(|one| {
            let text = one.text.replace("\r\n", "\n");
            let text = if is_crlf { text.replace('\n', "\r\n") } else { text };
            edit(read.text.range(one.range), &text)
        });
        let mut action = json!({
            "title": fix.title,
            "kind": "quickfix",
            "edit": document_edit(facts, &document.uri, document.version, edits.collect()),
        });
        if let Some(diagnostic) = fix.diagnostic {
            action["diagnostics"] = json!([diagnostic]);
        }
        action
    });
    json!(built.collect::<Vec<_>>())
}

/// Returns a problem as the client was sent it.
fn published(problem: &Problem, text: &IndexedText) -> Value {
    let placed = place(problem, text);
    diagnostic(placed.range, placed.severity, placed.code, &placed.message)
}

fn take_in(appended: AppendedText) -> QuickFix {
    let title = match appended.comments {
        0 => "Take in what was appended to the file".to_owned(),
        1 => "Take in 1 answer".to_owned(),
        count => format!("Take in {count} answers"),
    };
    QuickFix::new(title, [replace(appended.at..appended.at, appended.text)])
}

/// Adds the ways back from edits of recorded comments.
fn add_ways_back(read: &Analysis, lines: &RangeInclusive<usize>, fixes: &mut Vec<QuickFix>) {
    for change in read.workspace.check().recorded_changes(&read.path, read.text.as_str()) {
        let (range, text, line, author) = (change.range, change.text, change.line, change.author);
        let first = if line == 0 { 1 } else { read.text.check_line(range.start) };
        let last = if line == 0 { 1 } else { read.text.check_line(range.end) };
        if *lines.start() > last || first > *lines.end() {
            continue;
        }
        let whose = author.as_deref().map(visible_line);
        let title = match (line, &whose) {
            (0, Some(author)) => format!("Put {author}'s recorded comment back"),
            _ => "Put the recorded text back".to_owned(),
        };
        let back = replace(range, text);
        fixes.push(QuickFix::new(title, [back.clone()]));
        if line > 0 && whose.is_some() {
            let end = read.text.as_str().len();
            let above = match read.text.as_str().trim_end() {
                // The end of the file may be the end of the changed comment.
                written if written.ends_with("\n---") && back.range.end < written.len() => "\n",
                _ => "\n\n---\n\n",
            };
            // What the user typed moves into the new comment, so that the record comes back and nothing is lost.
            let comment = format!("{above}Name: {}\n\n{}\n\n---\n", read.author, change.typed);
            let edits = [back, replace(end..end, comment)];
            fixes.push(QuickFix::new("Write a correction as a new comment", edits));
        }
    }
}

/// Adds the fixes of one problem of the text.
fn add_fixes_of(read: &Analysis, problem: &Problem, fixes: &mut Vec<QuickFix>) {
    let text = read.text.check_line_text(problem.line);
    let start = read.text.byte_of_check(problem.line, 1);
    let at = read.text.byte_of_check(problem.line, problem.column.max(1));
    let status = &read.shown.status;
    match problem.code {
        ProblemCode::MentionUnknown => {
            let rest = &text[(at - start).min(text.len())..];
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
            let name = rest.strip_prefix('@').unwrap_or(rest);
            let name = &name[..name.find(|c| !is_name(c)).unwrap_or(name.len())];
            let aliases = status.participants.iter().filter_map(|one| one.alias.as_deref());
            let place = at + 1..at + 1 + name.len();
            fixes.extend(did_you_mean(name, aliases).map(|alias| {
                let title = format!("Did you mean @{}?", visible_line(alias));
                QuickFix::new(title, [replace(place, alias)])
            }));
        }
        ProblemCode::VoteUnknown => {
            let Some(mark) = mark_on(read, problem.line) else { return };
            let Some(value) = value_of(text, mark) else { return };
            let options = status.options.iter().map(String::as_str);
            fixes.extend(did_you_mean(&text[value.clone()], options).map(|option| {
                let title = format!("Did you mean {}?", visible_line(option));
                QuickFix::new(title, [replace(start + value.start..start + value.end, option)])
            }));
        }
        ProblemCode::VoteInBlock => {
            let bare = text.trim_start();
            let sign = ["- ", "* ", "+ "].iter().find_map(|sign| bare.strip_prefix(sign));
            let Some(vote) = sign else { return };
            let above = problem.line.checked_sub(1).filter(|line| *line > 0);
            let is_blank =
                above.is_none_or(|line| read.text.check_line_text(line).trim().is_empty());
            let blank = if is_blank { "" } else { "\n" };
            let sign = start..start + (text.len() - vote.len());
            fixes.push(QuickFix::new(
                "Remove the list sign before the vote",
                [replace(sign, blank)],
            ));
        }
        ProblemCode::TargetUnclear => {
            let Some(mark) = mark_on(read, problem.line) else { return };
            let Some(kind) = MarkerHelp::named_by(&mark.marker) else { return };
            let behind = read.text.byte_of_check(problem.line, mark.column + mark.marker.len() + 1);
            let open = read.shown.status.items.of(kind).iter();
            let open = open.filter(|item| item.is_open() && item.line < problem.line);
            for item in open.take(MOST_ITEMS) {
                let title = format!("Write {}: {}", item.label(), short(&visible_line(&item.text)));
                let number = replace(behind..behind, format!(" {}", item.label()));
                fixes.push(QuickFix::new(title, [number]));
            }
        }
        ProblemCode::Stray => {
            let above = read.text.as_str()[..start].trim_end();
            let rule = if above.ends_with("\n---") { "" } else { "---\n\n" };
            let head = format!("{rule}Name: {}\n\n", read.author);
            let title = format!("Make this a comment of {}", visible_line(&read.author));
            let ends = end_before_head(read, problem.line);
            let edits = std::iter::once(replace(start..start, head)).chain(ends);
            fixes.push(QuickFix::new(title, edits));
        }
        ProblemCode::NameWithoutRule => {
            let above = problem.line.checked_sub(1).filter(|line| *line > 0);
            let is_blank =
                above.is_none_or(|line| read.text.check_line_text(line).trim().is_empty());
            let rule = if is_blank { "---\n\n" } else { "\n---\n\n" };
            fixes.push(QuickFix::new("Begin a comment here", [replace(start..start, rule)]));
        }
        ProblemCode::NameLookalike | ProblemCode::ParticipantUnknown => {
            let Some(name) = text.strip_prefix("Name: ") else { return };
            let names = status.participants.iter().filter(|one| one.alias.is_some());
            let names = names.map(|one| one.name.as_str());
            let place = start + "Name: ".len()..start + text.trim_end().len();
            fixes.extend(did_you_mean(name.trim_end(), names).map(|name| {
                let title = format!("Did you mean {}?", visible_line(name));
                QuickFix::new(title, [replace(place, name)])
            }));
        }
        _ => {}
    }
}

/// Returns the edit that ends a comment above the next line that looks like the head of another author's comment.
fn end_before_head(read: &Analysis, line: usize) -> Option<ByteEdit> {
    let text = read.text.as_str();
    let count = text.lines().count();
    let mut lines = (line + 1..=count).map(|line| (line, read.text.check_line_text(line)));
    let (line, _) = lines
        .find(|(_, text)| text.starts_with("Name: ") || text.trim_end() == "---")
        .filter(|(_, text)| text.starts_with("Name: "))?;
    let start = read.text.byte_of_check(line, 1);
    Some(replace(start..start, "---\n\n"))
}

fn mark_on(read: &Analysis, line: usize) -> Option<&Mark> {
    match &entry_of(&read.shown, line)?.kind {
        Kind::Comment { markers, .. } => markers.iter().find(|mark| mark.line == line),
        _ => None,
    }
}

/// Returns the bytes of a marker's value in its line.
fn value_of(line: &str, mark: &Mark) -> Option<std::ops::Range<usize>> {
    let (word, _) = line.char_indices().nth(mark.column.checked_sub(1)?)?;
    let colon = word + line[word..].find(':')? + 1;
    let value = line[colon..].trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_'));
    let start = colon + line[colon..].find(value)?;
    (!value.is_empty()).then(|| start..start + value.len())
}

/// Returns the most similar word, if one is similar enough for a slip of the finger.
fn did_you_mean<'w>(typed: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let lower = typed.to_lowercase();
    let similar = words.map(|word| (strsim::jaro_winkler(&lower, &word.to_lowercase()), word));
    let best = similar.filter(|(alike, word)| *alike >= 0.8 && *word != typed);
    best.max_by(|one, two| one.0.total_cmp(&two.0)).map(|(_, word)| word)
}

fn short(text: &str) -> String {
    let text = visible_line(text);
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Adds the corrections of `check --fix` in these lines, and all of them in one step.
fn add_corrections(read: &Analysis, lines: &RangeInclusive<usize>, fixes: &mut Vec<QuickFix>) {
    let text = read.text.as_str();
    let corrections = read.workspace.check().text_corrections(&read.path, text, &read.author);
    let Ok(corrections) = corrections else { return };
    let all: Vec<ByteEdit> =
        corrections.into_iter().map(|(range, text)| ByteEdit { range, text }).collect();
    let is_here = |edit: &&ByteEdit| {
        let first = read.text.check_line(edit.range.start);
        // An insertion belongs to the lines on both of its sides.
        let last =
            if edit.range.is_empty() { first } else { read.text.check_line(edit.range.end - 1) };
        let first = if edit.range.is_empty() { first.saturating_sub(1) } else { first };
        *lines.start() <= last && first <= *lines.end()
    };
    let here: Vec<&ByteEdit> = all.iter().filter(is_here).collect();
    for edit in &here {
        let written = edit.text.lines().find(|line| !line.trim().is_empty());
        let title = match written {
            Some(line) => format!("Correct to: {}", short(line)),
            None => "Remove this".to_owned(),
        };
        fixes.push(QuickFix::new(title, [(*edit).clone()]));
    }
    if !here.is_empty() && all.len() > 1 {
        fixes.push(QuickFix::new(format!("Correct all {} places", all.len()), all));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_similar_word_is_suggested() {
        let words = ["READY", "REVISE", "REJECT"];
        assert_eq!(did_you_mean("Reday", words.into_iter()), Some("READY"));
        assert_eq!(did_you_mean("READY", words.into_iter()), None);
        assert_eq!(did_you_mean("never", words.into_iter()), None);
    }
}
