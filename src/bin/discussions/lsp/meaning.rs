//! The meaning of a place: the numbered items, participants and votes that a line is about, for explanations and hints.

use discussions::view::{
    Entry, Item, ItemKind, ItemState, Kind, ParticipantKind, Receipt, Shown, visible_line,
};
use serde_json::{Value, json};

use super::convert::position;
use super::judge::Analysis;
use super::navigation::superseded_target;
use super::text::{DocumentPosition, TextRange};
use crate::cli::words::typed;

/// The most bytes of an explanation.
const LONGEST: usize = 4 << 10;

/// The thing that a word of a line names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NamedThing {
    /// An item, like `Q3`.
    Item(String),
    /// A participant, by alias.
    Mention(String),
}

/// Returns what the word at a byte of a line names.
pub(super) fn named_at(line: &str, byte: usize) -> Option<NamedThing> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let byte = (0..=byte.min(line.len())).rev().find(|at| line.is_char_boundary(*at))?;
    // A cursor on the sign itself means the name behind it.
    let byte = if line[byte..].starts_with('@') { byte + 1 } else { byte };
    let start = line[..byte]
        .rfind(|c| !is_word(c))
        .map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
    let end = line[byte..].find(|c| !is_word(c)).map_or(line.len(), |at| byte + at);
    let word = &line[start..end];
    if line[..start].ends_with('@') && !word.is_empty() {
        return Some(NamedThing::Mention(word.to_owned()));
    }
    let digits = word.strip_prefix(|letter| ItemKind::with_letter(letter).is_some())?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| NamedThing::Item(word.to_owned()))
}

/// Returns the item with this name.
pub(super) fn item<'s>(shown: &'s Shown, name: &str) -> Option<&'s Item> {
    let kind = ItemKind::with_letter(name.chars().next()?)?;
    shown.status.items.of(kind).iter().find(|item| item.label() == name)
}

/// Returns the item that begins on a line.
pub(super) fn item_on(shown: &Shown, line: usize) -> Option<&Item> {
    shown.status.items.iter().find(|item| item.line == line)
}

/// Returns the entry that contains a line.
pub(super) fn entry_of(shown: &Shown, line: usize) -> Option<&Entry> {
    let behind = shown.entries.partition_point(|entry| entry.line <= line);
    shown.entries.get(behind.checked_sub(1)?)
}

/// Returns the lines that refer to an item: by its name, or because the program chose the item for them.
pub(super) fn references_to(read: &Analysis, name: &str) -> Vec<usize> {
    let own = item(&read.shown, name).map(|item| item.line);
    let is_named = |line: &str| {
        let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        line.match_indices(name).any(|(at, found)| {
            !is_part(line[..at].chars().next_back())
                && !is_part(line[at + found.len()..].chars().next())
        })
    };
    let lines = read.text.as_str().lines().zip(1..);
    let in_comment = |line: usize| {
        entry_of(&read.shown, line).is_some_and(|entry| matches!(entry.kind, Kind::Comment { .. }))
    };
    let named = lines.filter(|(text, line)| {
        let is_chosen = read.shown.chosen.get(line).is_some_and(|chosen| chosen == name);
        (is_chosen || is_named(text)) && Some(*line) != own && in_comment(*line)
    });
    named.map(|(_, line)| line).collect()
}

/// Explains what stands at a position: `null` if there is nothing to say.
pub(super) fn explain(read: &Analysis, at: DocumentPosition) -> Value {
    let Some(byte) = read.text.byte(at) else { return Value::Null };
    let line = read.text.check_line(byte);
    let within = byte.saturating_sub(read.text.byte_of_check(line, 1));
    let text = read.text.check_line_text(line);
    let words = match named_at(text, within) {
        Some(NamedThing::Item(name)) => item(&read.shown, &name).map(|item| about_item(read, item)),
        Some(NamedThing::Mention(alias)) => about_person(read, &alias),
        None => None,
    };
    let words = words.or_else(|| about_line(read, line, text));
    match words {
        Some(words) => json!({ "contents": { "kind": "plaintext", "value": bounded(words) } }),
        None => Value::Null,
    }
}

fn about_line(read: &Analysis, line: usize, text: &str) -> Option<String> {
    if let Some(name) = text.strip_prefix("Name: ") {
        return about_person(read, name.trim());
    }
    if let Some(item) = item_on(&read.shown, line) {
        return Some(about_item(read, item));
    }
    if let Some(name) = read.shown.chosen.get(&line) {
        return item(&read.shown, name).map(|item| about_item(read, item));
    }
    if let Some(target) = superseded_target(read, line) {
        let title = visible_line(&target.shown.title);
        return Some(match target.decision() {
            Some(one) => format!(
                "{title}: {} ({})",
                visible_line(&one.labelled()),
                visible_line(one.words())
            ),
            None => format!("{title}: {}", visible_line(&target.shown.status.decided.summary())),
        });
    }
    let entry = entry_of(&read.shown, line)?;
    let explained = about_entry(read, entry, line, text);
    explained.or_else(|| about_problem(read, line))
}

/// Returns why a line does not count as it seems to: a vote in a list has no marker that explains it.
fn about_problem(read: &Analysis, line: usize) -> Option<String> {
    let problem = read.shown.problems.iter().find(|one| one.line == line)?;
    Some(visible_line(&problem.message))
}

fn about_entry(read: &Analysis, entry: &Entry, line: usize, text: &str) -> Option<String> {
    match &entry.kind {
        Kind::Comment { reply: Some(receipt), .. } if text.starts_with("<!-- REPLY ") => {
            Some(about_receipt(receipt))
        }
        Kind::Pass { receipt, .. } | Kind::Failed { receipt, .. } if entry.line == line => {
            Some(about_receipt(receipt))
        }
        Kind::Comment { author, vote, acknowledged, markers, .. } => {
            let mark = markers.iter().find(|mark| mark.line == line && mark.marker == "VOTE")?;
            Some(about_vote(read, entry, author, vote.as_deref(), *acknowledged, mark.line))
        }
        _ => None,
    }
}

fn about_item(read: &Analysis, item: &Item) -> String {
    let (name, text) = (&item.label(), visible_line(&item.text));
    let (author, status) = (visible_line(item.author.as_str()), visible_line(item.words()));
    let mut words = format!("{name} ({status}), {author}: {text}");
    if let Some(how) = how_to_decide(read, name) {
        words.push_str(&format!("\n{how}"));
    }
    for line in references_to(read, name).into_iter().take(20) {
        let author = match entry_of(&read.shown, line).map(|entry| &entry.kind) {
            Some(Kind::Comment { author, .. }) => visible_line(author),
            _ => continue,
        };
        let text = visible_line(read.text.check_line_text(line).trim());
        words.push_str(&format!("\nline {line}, {author}: {text}"));
    }
    words
}

/// Returns how a proposal becomes a decision; `None` if the item is no proposal.
fn how_to_decide(read: &Analysis, name: &str) -> Option<String> {
    let status = &read.shown.status;
    let mut proposals = status.decided.decisions.iter();
    let proposal = proposals
        .find(|one| one.state == ItemState::Proposed && one.label().as_deref() == Some(name))?;
    let is_person = |who: &str| {
        let mut people = status.participants.iter();
        people.any(|one| one.name == who && one.kind == ParticipantKind::Human)
    };
    let file = read.path.file_stem()?.to_string_lossy();
    let close = format!("discussions close {}", typed(&file));
    let mut behind = std::iter::once(&proposal.author).chain(&proposal.supporters);
    Some(if behind.any(|who| is_person(who)) {
        format!("`{close}` decides it.")
    } else {
        format!("A person makes it a decision with `{close} --adopt {name}`.")
    })
}

/// Describes a participant by alias or name.
fn about_person(read: &Analysis, who: &str) -> Option<String> {
    let personas = read.workspace.participants().list_participants().personas;
    let is_it = |alias: &str, name: &str| alias.eq_ignore_ascii_case(who) || name == who;
    let known = personas.iter().find(|one| is_it(&one.alias, &one.name));
    let here = read.shown.status.participants.iter().find(|one| {
        one.name == who || one.alias.as_deref().is_some_and(|alias| alias.eq_ignore_ascii_case(who))
    });
    let mut lines = Vec::new();
    match (known, here) {
        (Some(persona), _) => {
            lines.push(format!("{} (@{}), {}", persona.name, persona.alias, persona.kind.as_str()));
            lines.push(persona.role.clone());
        }
        (None, Some(here)) => lines.push(format!("{}, {}", here.name, here.kind.as_str())),
        (None, None) => return None,
    }
    match here.map(|here| &here.vote) {
        None => lines.push("Not in this discussion.".to_owned()),
        Some(Some(vote)) => lines.push(format!("Vote: {vote}")),
        Some(None) => {}
    }
    let lines: Vec<String> = lines.iter().map(|line| visible_line(line)).collect();
    Some(lines.join("\n"))
}

/// Says whether a vote counts, and why not.
fn about_vote(
    read: &Analysis,
    entry: &Entry,
    author: &str,
    vote: Option<&str>,
    acknowledged: bool,
    line: usize,
) -> String {
    let problems = read.shown.problems.iter();
    let mut problems =
        problems.filter(|one| one.line == line && one.code.as_str().starts_with("vote-"));
    if let Some(problem) = problems.next() {
        return visible_line(&problem.message);
    }
    let Some(vote) = vote.filter(|_| acknowledged) else {
        return "This vote does not count.".to_owned();
    };
    let later = read.shown.entries.iter().filter(|other| other.line > entry.line);
    for other in later {
        match &other.kind {
            Kind::VoteReset {} => {
                return "A later line resets the votes, so this one does not count.".to_owned();
            }
            Kind::Comment { author: by, vote: Some(vote), .. } if by == author => {
                return format!(
                    "A later vote of {} replaces it: {}.",
                    visible_line(author),
                    visible_line(vote)
                );
            }
            _ => {}
        }
    }
    format!("This vote counts: {}.", visible_line(vote))
}

fn about_receipt(receipt: &Receipt) -> String {
    let mut parts = Vec::new();
    if let Some(provider) = &receipt.provider {
        let model = receipt.model.as_ref().filter(|model| *model != provider);
        parts.push(model.map_or(provider.clone(), |model| format!("{provider} ({model})")));
    }
    if let Some(tokens) = &receipt.tokens {
        let about = if tokens.estimated { "about " } else { "" };
        parts.push(format!("{about}{} tokens read, {} written", tokens.input, tokens.output));
    }
    parts.push(match receipt.usd {
        Some(usd) if receipt.usd_estimated => format!("about ${usd:.4}"),
        Some(usd) => format!("${usd:.4}"),
        None => "cost unknown".to_owned(),
    });
    if let Some(ms) = receipt.ms {
        parts.push(format!("{}.{} s", ms / 1000, ms % 1000 / 100));
    }
    visible_line(&parts.join(", "))
}

/// Cuts an explanation to its limit.
fn bounded(mut words: String) -> String {
    if words.len() > LONGEST {
        let end = (0..=LONGEST - 4).rev().find(|at| words.is_char_boundary(*at));
        words.truncate(end.unwrap_or(0));
        words.push('…');
    }
    words
}

/// Returns the hints within a range: the numbers of items, the items that the program chose, and the tally.
pub(super) fn hints(read: &Analysis, range: TextRange) -> Value {
    let text = &read.text;
    let lines = match (text.byte(range.start), text.byte(range.end)) {
        (Some(start), Some(end)) => text.check_line(start)..=text.check_line(end),
        (Some(start), None) => text.check_line(start)..=usize::MAX,
        _ => return json!([]),
    };
    let mut hints = Vec::new();
    let hint = |byte: usize, label: String, is_before: bool| {
        json!({
            "position": position(text.position(byte)),
            "label": label,
            "paddingLeft": !is_before,
            "paddingRight": is_before,
        })
    };
    let column = |line: usize| match entry_of(&read.shown, line).map(|entry| &entry.kind) {
        Some(Kind::Comment { markers, .. }) => markers.iter().find(|mark| mark.line == line),
        _ => None,
    };
    for item in read.shown.status.items.iter().filter(|item| lines.contains(&item.line)) {
        let column = column(item.line).map_or(1, |mark| mark.column);
        hints.push(hint(text.byte_of_check(item.line, column), item.label(), true));
    }
    for (line, name) in read.shown.chosen.iter().filter(|(line, _)| lines.contains(line)) {
        let Some(mark) = column(*line) else { continue };
        let behind = mark.column + mark.marker.chars().count() + 1;
        hints.push(hint(text.byte_of_check(*line, behind), format!("→ {name}"), false));
    }
    let is_phase = |entry: &&Entry| matches!(entry.kind, Kind::Phase { .. });
    let is_turn = |entry: &&Entry| matches!(entry.kind, Kind::Turn { .. });
    let entries = &read.shown.entries;
    let phase = entries.iter().rfind(is_phase).or(entries.iter().find(is_turn));
    let tally: Vec<String> = read
        .shown
        .status
        .tally
        .iter()
        .map(|(option, count)| format!("{} {count}", visible_line(option)))
        .collect();
    if let Some(line) = phase.map(|phase| phase.line).filter(|line| lines.contains(line))
        && read.shown.status.tally.values().any(|count| *count > 0)
    {
        let end = text.byte_of_check(line, 1) + text.check_line_text(line).len();
        hints.push(hint(end, tally.join(", "), false));
    }
    json!(hints)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_names_an_item_or_a_participant() {
        let item = |name: &str| Some(NamedThing::Item(name.to_owned()));
        let mention = |name: &str| Some(NamedThing::Mention(name.to_owned()));
        assert_eq!(named_at("A: Q12 yes", 3), item("Q12"));
        assert_eq!(named_at("A: Q12 yes", 6), item("Q12"));
        assert_eq!(named_at("A: Q12 yes", 8), None);
        assert_eq!(named_at("(replaces D1)", 11), item("D1"));
        assert_eq!(named_at("@tom-2, see", 0), mention("tom-2"));
        assert_eq!(named_at("é @tom", 6), mention("tom"));
        assert_eq!(named_at("Queue Q D1x", 8), None);
        assert_eq!(named_at("", 7), None);
    }

    #[test]
    fn explanations_are_bounded_between_characters() {
        let long = bounded("é".repeat(LONGEST));
        assert!(long.len() <= LONGEST && long.ends_with('…'), "{}", long.len());
    }
}
