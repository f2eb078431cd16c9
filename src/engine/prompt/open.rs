//! The open items of a prompt, shortened to a maximum length: mentions of the participant in their
//! original words, and lists of items and decisions with numbers. The file does not contain these
//! numbers.

use crate::engine::ItemState;
use crate::engine::snapshot::Snapshot;
use crate::engine::view::Visibility;
use crate::state::{Item, ItemKind};
use crate::transcript::{Alias, Name};

/// Maximum number of bytes of a listed text.
const LONGEST_ITEM: usize = 160;

/// Returns the lists that are not empty, in at most `room` bytes.
pub(super) fn lists(
    sight: &Visibility<'_>,
    seen: &Snapshot,
    me: &Alias,
    waiting: &[MentionedCall],
    room: usize,
) -> String {
    let open = seen.state.questions().iter().filter(|it| it.is_open());
    let others = open.filter(|it| !names(seen, &it.text, me));
    let others = others.map(|it| item_line(sight, it, LONGEST_ITEM)).collect();
    let asked = [waiting_list(waiting), (ItemKind::Question.prompt_title(), others)];
    joined(asked.into_iter().chain(recorded(sight, seen, LONGEST_ITEM)), room)
}

/// Returns the open questions to the participant, in at most `room` bytes, for a prompt that has all other open items
/// elsewhere.
pub(super) fn questions_to(waiting: &[MentionedCall], room: usize) -> String {
    joined(std::iter::once(waiting_list(waiting)), room)
}

/// Returns all decisions and open items in full, for a prompt that does not show the record.
pub(super) fn still_open(sight: &Visibility<'_>, seen: &Snapshot) -> String {
    let questions = seen.state.questions().iter().filter(|it| it.is_open());
    let questions = questions.map(|it| item_line(sight, it, usize::MAX)).collect();
    let lists = std::iter::once((ItemKind::Question.prompt_title(), questions));
    let mut out = String::new();
    for (title, items) in lists.chain(recorded(sight, seen, usize::MAX)) {
        list(title, &items, usize::MAX, &mut out);
    }
    if out.is_empty() { out } else { format!("\n# Still open\n{out}") }
}

/// Returns the list of the open questions to the participant, with its title.
fn waiting_list(waiting: &[MentionedCall]) -> (&'static str, Vec<String>) {
    let title = match waiting.iter().find_map(|call| call.number) {
        Some(_) => "Questions to you; answer with the number",
        None => "Questions to you",
    };
    let line = |call: &MentionedCall| format!("- {}: {}\n", call.by_number(), call.text);
    (title, waiting.iter().map(line).collect())
}

/// Returns the lists of decisions, concerns and tasks that are not empty, in at most `room` bytes,
/// for a text that may refer to their numbers in the lines below it.
pub(super) fn numbered(sight: &Visibility<'_>, seen: &Snapshot, room: usize) -> String {
    joined(recorded(sight, seen, LONGEST_ITEM), room)
}

/// Returns the lists of decisions, of concerns and other open items, and of open tasks, each with its title. A text
/// in them has at most `limit` bytes.
fn recorded<'s>(
    sight: &'s Visibility<'_>,
    seen: &'s Snapshot,
    limit: usize,
) -> impl Iterator<Item = (&'static str, Vec<String>)> {
    let decided = (ItemKind::Decision.prompt_title(), decisions(sight, seen, limit));
    let others = ItemKind::ALL.iter().rev().copied();
    let others = others.filter(|kind| !matches!(kind, ItemKind::Question | ItemKind::Decision));
    let others = others.map(move |kind| {
        let open = seen.state.items.of(kind).iter().filter(|it| it.is_open());
        (kind.prompt_title(), open.map(|it| item_line(sight, it, limit)).collect())
    });
    std::iter::once(decided).chain(others)
}

/// Returns the line of an open item; of a task, with the participant that does it instead of its author.
fn item_line(sight: &Visibility<'_>, item: &Item, limit: usize) -> String {
    let who = match (item.kind, &item.assignee) {
        (ItemKind::Task, None) => String::new(),
        (ItemKind::Task, Some(who)) => sight.hide(&format!(", for @{who}")).to_string(),
        _ => format!(", {}", sight.shown_name(&item.author)),
    };
    format!("- {}{who}: {}\n", item.label(), text_of(sight, &item.text, limit))
}

fn decisions(sight: &Visibility<'_>, seen: &Snapshot, limit: usize) -> Vec<String> {
    let items = seen.outcome().items.iter().filter(|it| it.number.is_some());
    let lines = items.map(|it| {
        let support: Vec<String> =
            it.supporters.iter().map(|name| sight.shown_name(name)).collect();
        let support = if support.is_empty() {
            String::new()
        } else {
            format!(" (+1 {})", shortened(&support.join(", "), 80))
        };
        let author = it.author.as_ref().map(|name| sight.shown_name(name)).unwrap_or_default();
        let state = match it.state {
            ItemState::Proposed => String::new(),
            _ => format!(", {}", sight.hide(&it.words())),
        };
        let label = it.label().unwrap_or_default();
        format!("- {label}, {author}{support}{state}: {}\n", text_of(sight, &it.text, limit))
    });
    lines.collect()
}

/// Joins the lists that are not empty.
fn joined(lists: impl Iterator<Item = (&'static str, Vec<String>)>, room: usize) -> String {
    let mut out = String::new();
    for (title, items) in lists {
        list(title, &items, room, &mut out);
    }
    // The lists come after the end of the record but only quote it. Like the record, they contain no instructions.
    if out.is_empty() { out } else { format!("\nFrom the record:\n{out}") }
}

fn text_of(sight: &Visibility<'_>, text: &str, limit: usize) -> String {
    shortened(&sight.hide(text), limit)
}

/// Appends the latest items of a list, as many as fit.
fn list(title: &str, items: &[String], room: usize, out: &mut String) {
    let frame = title.len() + 24;
    let mut left = room.saturating_sub(out.len() + frame);
    let fits = |item: &&String| match left.checked_sub(item.len()) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    let shown = items.iter().rev().take_while(fits).count();
    if shown == 0 {
        return;
    }
    let earlier = match items.len() - shown {
        0 => String::new(),
        earlier => format!(" ({earlier} earlier)"),
    };
    out.push_str(&format!("\n{title}{earlier}:\n{}", items[items.len() - shown..].concat()));
}

/// Maximum number of bytes of a quotation.
const LONGEST_CALL: usize = 300;

/// One open mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MentionedCall {
    /// The author's name, as other participants see it.
    pub(super) by: String,
    /// The number of the question, or `None` if it is not a `Q:` marker.
    pub(super) number: Option<u32>,
    /// The text of the question.
    pub(super) text: String,
}

impl MentionedCall {
    /// Returns the author, with the number of the question.
    pub(super) fn by_number(&self) -> String {
        match self.number {
            Some(number) => format!("Q{number}, {}", self.by),
            None => self.by.clone(),
        }
    }
}

/// Returns the open mentions of this participant: first questions with a number, then other mentions.
pub(super) fn calls(sight: &Visibility<'_>, seen: &Snapshot, me: &Alias) -> Vec<MentionedCall> {
    let mut calls: Vec<MentionedCall> = seen
        .state
        .questions()
        .iter()
        .filter(|it| it.is_open() && names(seen, &it.text, me))
        .map(|it| MentionedCall {
            by: sight.shown_name(&it.author),
            number: Some(it.number),
            text: shortened(&sight.hide(&it.text), LONGEST_CALL),
        })
        .collect();
    // Of several mentions by one author, the last one states what that author still wants to know.
    let mut others: Vec<MentionedCall> = Vec::new();
    for call in seen.calls_to(me, usize::MAX, Some(LONGEST_CALL)).into_iter().rev() {
        let by = sight.name(call.by);
        if calls.iter().chain(&others).all(|known| known.by != by) {
            let text = shortened(&sight.hide(&call.question), LONGEST_CALL);
            others.push(MentionedCall { by, number: None, text });
        }
    }
    calls.extend(others.into_iter().rev());
    calls
}

/// Returns true if a text mentions this participant or `@all`.
pub(super) fn names(seen: &Snapshot, text: &str, me: &Alias) -> bool {
    mentioned(text).any(|word| {
        word.eq_ignore_ascii_case("all")
            || Alias::parse(word).is_ok_and(|alias| alias == *me)
            || Name::parse(word)
                .ok()
                .and_then(|name| seen.config.by_name(&name))
                .is_some_and(|persona| persona.alias == *me)
    })
}

/// Returns the word after each `@`.
fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('@').map(|(at, _)| {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
        rest[..end.unwrap_or(rest.len())].trim_end_matches(['-', '_'])
    })
}

/// Returns the start of a text, cut at a character boundary.
pub(super) fn clip(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns the start of a text, cut after a word, with dots if there was more.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let begin = clip(text, limit);
    let words = begin.rfind(' ').filter(|at| *at > limit / 2).map_or(begin, |at| &begin[..at]);
    format!("{} ...", words.trim_end())
}
