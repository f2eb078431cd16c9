//! Completions: what can be written at a position, by the words before it.

use std::path::Path;

use discussions::view::{Item, ItemKind, MarkerHelp, visible_line};
use serde_json::{Value, json};

use super::convert::{ClientFacts, edit};
use super::judge::{Analysis, DocumentText};
use super::text::{DocumentPosition, IndexedText, TextRange};

/// The most completions of one answer.
const MOST: usize = 200;

/// The kind of text that fits a place, with the part of it that is there already.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CompletionPlace<'l> {
    /// A participant, behind `@`.
    Mention(&'l str),
    /// A name, behind `Name: `.
    Author(&'l str),
    /// A marker, at the beginning of a line.
    Marker(&'l str),
    /// An option, behind `VOTE:`; true if a blank is missing before it.
    Choice(&'l str, bool),
    /// A number of this kind; true if a blank is missing before it.
    Number(ItemKind, &'l str, bool),
    /// A decision of another discussion, behind `SUPERSEDES:`; true if a blank is missing before it.
    OtherDecision(&'l str, bool),
    /// One of these values of a marker; true if a blank is missing before it.
    Value(&'static [&'static str], &'l str, bool),
}

/// Returns what can be written behind the beginning of a line.
fn place(before: &str) -> Option<CompletionPlace<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let word = &before[before.trim_end_matches(is_word).len()..];
    let rest = &before[..before.len() - word.len()];
    if let Some(rest) = rest.strip_suffix('@')
        && !rest.ends_with(is_word)
    {
        return Some(CompletionPlace::Mention(word));
    }
    if let Some(name) = before.strip_prefix("Name:") {
        return name.strip_prefix(' ').map(CompletionPlace::Author);
    }
    if before.rsplit_once("(replaces ").is_some_and(|(_, behind)| !behind.contains(')')) {
        return Some(CompletionPlace::Number(ItemKind::Decision, word, false));
    }
    let indent = before.len() - before.trim_start_matches(' ').len();
    let bare = before.trim_start_matches(' ');
    let bare = ["- ", "* ", "+ "].iter().find_map(|sign| bare.strip_prefix(sign)).unwrap_or(bare);
    let bare = bare.trim_start_matches(['*', '_']);
    if indent > 3 {
        return None;
    }
    if let Some(rest) = bare.strip_prefix("+1 ") {
        return (rest == word).then_some(CompletionPlace::Number(ItemKind::Decision, word, false));
    }
    let Some((marker, value)) = bare.split_once(':') else {
        let is_marker = bare.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-');
        return is_marker.then_some(CompletionPlace::Marker(bare));
    };
    let value = value.trim_start_matches(['*', '_']);
    let (needs_blank, value) = match value.strip_prefix(' ') {
        Some(value) => (false, value.trim_start()),
        None if value.is_empty() => (true, value),
        None => return None,
    };
    if marker.eq_ignore_ascii_case("VOTE") {
        return Some(CompletionPlace::Choice(value, needs_blank));
    }
    if marker.eq_ignore_ascii_case("SUPERSEDES") {
        return Some(CompletionPlace::OtherDecision(value, needs_blank));
    }
    if marker.eq_ignore_ascii_case("RISK") {
        return Some(CompletionPlace::Value(&RISKS, value, needs_blank));
    }
    let kind = MarkerHelp::named_by(marker)?;
    // Only other numbers may stand before: `A: Q1, Q`.
    let others =
        value[..value.len() - word.len()].split([' ', ',']).filter(|part| !part.is_empty());
    let is_list = others.into_iter().all(|part| {
        part == "and"
            || part.strip_prefix(kind.letter()).is_some_and(|rest| rest.parse::<u32>().is_ok())
    });
    is_list.then_some(CompletionPlace::Number(kind, word, needs_blank))
}

/// The values of `RISK:`.
const RISKS: [&str; 4] = ["low", "medium", "high", "critical"];

/// One completion.
struct Completion {
    label: String,
    kind: u8,
    detail: String,
    documentation: String,
    new_text: String,
    is_snippet: bool,
}

impl Completion {
    fn new(label: impl Into<String>, kind: u8, detail: impl Into<String>) -> Self {
        let label = label.into();
        let (detail, documentation) = (detail.into(), String::new());
        Self { new_text: label.clone(), label, kind, detail, documentation, is_snippet: false }
    }
}

/// Returns the completions at a position. `is_sign` is true if a blank or a colon was typed, which asks for something
/// only behind a marker.
pub(super) fn complete(
    read: &Analysis,
    document: &DocumentText,
    at: DocumentPosition,
    is_sign: bool,
    facts: &ClientFacts,
) -> Value {
    let newer;
    let text = if read.version == document.version {
        &read.text
    } else {
        newer = IndexedText::new(document.text.to_string(), facts.encoding);
        &newer
    };
    let Some(byte) = text.byte(at) else { return Value::Null };
    let start = text.byte(DocumentPosition { character: 0, ..at }).unwrap_or(byte);
    let before = &text.as_str()[start..byte];
    let Some(place) = place(before) else { return Value::Null };
    let context = context(text, at.line);
    let line = text.check_line(byte);
    let (typed, found) = match &place {
        CompletionPlace::Mention(word) if context.is_open => (*word, aliases(read)),
        CompletionPlace::Author(word) if context.is_below_rule => (*word, authors(read)),
        CompletionPlace::Marker(word) if context.is_below_rule && word.is_empty() && !is_sign => {
            (*word, vec![new_comment(read, facts)])
        }
        CompletionPlace::Marker(word) if context.is_comment && !is_sign => (*word, markers()),
        CompletionPlace::Choice(word, needs_blank) if context.is_comment => {
            (*word, blank_before(options(read), *needs_blank))
        }
        CompletionPlace::Number(kind, word, needs_blank) if context.is_comment => {
            (*word, blank_before(numbers(read, *kind, line), *needs_blank))
        }
        CompletionPlace::OtherDecision(word, needs_blank) if context.is_comment => {
            (*word, blank_before(other_decisions(read), *needs_blank))
        }
        CompletionPlace::Value(values, word, needs_blank) if context.is_comment => {
            let all = values.iter().map(|value| Completion::new(*value, 20, "value"));
            (*word, blank_before(all.collect(), *needs_blank))
        }
        _ => return Value::Null,
    };
    let lower = typed.to_lowercase();
    let fits = |one: &&Completion| one.label.to_lowercase().contains(&lower);
    let fitting: Vec<&Completion> = found.iter().filter(fits).collect();
    let range = TextRange { start: text.position(byte - typed.len()), end: at };
    let list = fitting.iter().take(MOST).enumerate();
    let list: Vec<Value> = list.map(|(order, one)| item(order, one, range)).collect();
    json!({ "isIncomplete": fitting.len() > MOST, "items": list })
}

fn item(order: usize, one: &Completion, range: TextRange) -> Value {
    let mut value = json!({
        "label": one.label,
        "kind": one.kind,
        "detail": one.detail,
        "sortText": format!("{order:04}"),
        "filterText": one.label,
        "textEdit": edit(range, &one.new_text),
        "insertTextFormat": if one.is_snippet { 2 } else { 1 },
    });
    if !one.documentation.is_empty() {
        value["documentation"] = json!(one.documentation);
    }
    value
}

/// The surroundings of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineContext {
    /// It is in a comment, and not in a fence.
    is_comment: bool,
    /// A rule is the last text above it.
    is_below_rule: bool,
    /// It is not in a fence.
    is_open: bool,
}

/// Returns where a line is, by the text above it.
fn context(text: &IndexedText, line: usize) -> LineContext {
    let line = line.min(text.last_line());
    let above =
        |line: &usize| text.line(*line).trim_end() == "---" && !text.line(*line).starts_with(' ');
    let rule = (0..line).rev().find(above);
    let lines = rule.map_or(0, |rule| rule + 1)..line;
    let fences = lines.clone().filter(|line| {
        let bare = text.line(*line).trim_start();
        bare.starts_with("```") || bare.starts_with("~~~")
    });
    let is_open = fences.count() % 2 == 0;
    let mut written = lines.map(|line| text.line(line)).filter(|line| !line.trim().is_empty());
    let first = written.next();
    LineContext {
        is_comment: is_open && first.is_some_and(|first| first.starts_with("Name: ")),
        is_below_rule: rule.is_some() && first.is_none(),
        is_open,
    }
}

fn blank_before(mut found: Vec<Completion>, needs_blank: bool) -> Vec<Completion> {
    if needs_blank {
        found.iter_mut().for_each(|one| one.new_text.insert(0, ' '));
    }
    found
}

/// Returns the decisions in force of the other discussions in the folder of this one, newest first, as links.
fn other_decisions(read: &Analysis) -> Vec<Completion> {
    let Ok(log) = read.workspace.decisions().list_decisions(None) else { return Vec::new() };
    let own = read.path.file_name();
    let mut all = Vec::new();
    for decided in log.decided {
        let path = Path::new(&decided.file);
        let is_beside =
            read.path.ends_with(path.parent().unwrap_or(path).join(own.unwrap_or_default()));
        let Some(name) = path.file_name().filter(|name| is_beside && Some(*name) != own) else {
            continue;
        };
        let name = name.to_string_lossy();
        for one in decided.facts.standing_ones() {
            let number = one.label().map(|label| format!("#{label}")).unwrap_or_default();
            let label = visible_line(&format!("{name}{number}"));
            let detail = visible_line(&format!("{}: {}", decided.title, one.text));
            all.push(Completion::new(label, 18, detail));
        }
    }
    all
}

/// Returns the aliases of the participants here; those of all personas if there are none, because nobody else is asked.
fn aliases(read: &Analysis) -> Vec<Completion> {
    let here: Vec<&str> =
        read.shown.status.participants.iter().filter_map(|one| one.alias.as_deref()).collect();
    let mut personas = read.workspace.participants().list_participants().personas;
    let is_here = |alias: &str| here.iter().position(|one| *one == alias);
    if personas.iter().any(|one| is_here(&one.alias).is_some()) {
        personas.retain(|one| is_here(&one.alias).is_some());
    }
    personas.sort_by_key(|one| is_here(&one.alias));
    let all = personas.iter().map(|one| {
        let detail = format!("{}, {}", one.name, one.role);
        Completion::new(visible_line(&one.alias), 12, visible_line(&detail))
    });
    let mut all: Vec<Completion> = all.collect();
    let known = |alias: &str| personas.iter().any(|one| one.alias == alias);
    let others = read
        .shown
        .status
        .participants
        .iter()
        .filter(|one| one.alias.as_deref().is_some_and(|alias| !known(alias)));
    all.extend(others.filter_map(|one| {
        Some(Completion::new(visible_line(one.alias.as_deref()?), 12, visible_line(&one.name)))
    }));
    all
}

/// Returns the names of authors: the user first, then people, then the others.
fn authors(read: &Analysis) -> Vec<Completion> {
    let mut names = vec![(read.author.to_string(), "you".to_owned())];
    let participants = &read.shown.status.participants;
    let is_person = |alias: &Option<String>| alias.is_none();
    let people = participants.iter().filter(|one| is_person(&one.alias));
    let others = participants.iter().filter(|one| !is_person(&one.alias));
    for one in people.chain(others) {
        let detail =
            one.alias.as_ref().map_or("in this discussion".to_owned(), |alias| format!("@{alias}"));
        if names.iter().all(|(name, _)| *name != one.name) {
            names.push((one.name.clone(), detail));
        }
    }
    let names = names.iter();
    names
        .map(|(name, detail)| Completion::new(visible_line(name), 12, visible_line(detail)))
        .collect()
}

fn markers() -> Vec<Completion> {
    let of = |MarkerHelp { word, about, .. }: MarkerHelp| Completion {
        new_text: format!("{word}: "),
        ..Completion::new(format!("{word}:"), 14, about)
    };
    MarkerHelp::all().map(of).collect()
}

fn options(read: &Analysis) -> Vec<Completion> {
    let options = read.shown.status.options.iter();
    options.map(|option| Completion::new(visible_line(option), 20, "option")).collect()
}

/// Returns the items above a line, open ones first and then the latest first. The decision that is being written is below
/// none.
fn numbers(read: &Analysis, kind: ItemKind, line: usize) -> Vec<Completion> {
    let items = read.shown.status.items.of(kind).iter();
    let mut above: Vec<&Item> = items.filter(|item| item.line < line).collect();
    above.reverse();
    above.sort_by_key(|item| !item.is_open());
    let of = |item: &Item| {
        let text = visible_line(&item.text);
        let author = visible_line(item.author.as_str());
        let detail = format!("{} · {author} · {text}", visible_line(item.words()));
        Completion { documentation: text, ..Completion::new(item.label(), 18, detail) }
    };
    above.into_iter().map(of).collect()
}

/// Returns the frame of a new comment of the user.
fn new_comment(read: &Analysis, facts: &ClientFacts) -> Completion {
    let author = visible_line(&read.author);
    let is_snippet = facts.takes_snippets;
    let name = if is_snippet { author.replace(['$', '}', '\\'], "") } else { author.clone() };
    let cursor = if is_snippet { "$0" } else { "" };
    Completion {
        new_text: format!("Name: {name}\n\n{cursor}\n\n---\n"),
        is_snippet,
        ..Completion::new(format!("Name: {author}"), 15, "a new comment")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::text::PositionEncoding;

    #[test]
    fn the_beginning_of_a_line_says_what_can_follow() {
        use CompletionPlace::{Author, Choice, Marker, Mention, Number};
        for (before, expected) in [
            ("see @to", Some(Mention("to"))),
            ("a@to", None),
            ("Name: M", Some(Author("M"))),
            ("Name:", None),
            ("", Some(Marker(""))),
            ("DEC", Some(Marker("DEC"))),
            ("- to", Some(Marker("to"))),
            ("VOTE:", Some(Choice("", true))),
            ("vote: NOT Y", Some(Choice("NOT Y", false))),
            ("A: ", Some(Number(ItemKind::Question, "", false))),
            ("A: Q1, Q", Some(Number(ItemKind::Question, "Q", false))),
            ("A: Q1 since ", None),
            ("**DONE:** T", Some(Number(ItemKind::Task, "T", false))),
            ("+1 ", Some(Number(ItemKind::Decision, "", false))),
            ("+1 D1 since ", None),
            ("DECISION: (replaces ", Some(Number(ItemKind::Decision, "", false))),
            ("DECISION: (replaces D1) it", None),
            ("SUPERSEDES: a", Some(CompletionPlace::OtherDecision("a", false))),
            ("RISK:", Some(CompletionPlace::Value(&RISKS, "", true))),
            ("we saw ", None),
            ("TODO: ", None),
            ("    VOTE: ", None),
        ] {
            assert_eq!(place(before), expected, "{before}");
        }
    }

    #[test]
    fn the_text_above_says_where_a_line_is() {
        let text = "# T\n\n---\n\nName: Rob\n\n```\nx\n```\ny\n\n---\n\n";
        let text = IndexedText::new(text.to_owned(), PositionEncoding::Utf8);
        let found = |line| {
            let LineContext { is_comment, is_below_rule, is_open } = context(&text, line);
            (is_comment, is_below_rule, is_open)
        };
        assert_eq!(found(0), (false, false, true));
        assert_eq!(found(4), (false, true, true));
        assert_eq!(found(7), (false, false, false));
        assert_eq!(found(9), (true, false, true));
        assert_eq!(found(13), (false, true, true));
        assert_eq!(found(99), (false, true, true));
    }
}
