//! The places of a discussion that a search can find, and their kinds.

use std::borrow::Cow;
use std::collections::HashSet;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::adr::Record;
use crate::engine::{ItemState, Snapshot};
use crate::state::ItemKind;
use crate::transcript::{Comment, Control, EntryKind, Time};

const DECISION: FoundKind = FoundKind::Item(ItemKind::Decision);

/// A place that a search can find, of one or more lines.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    pub(crate) kind: FoundKind,
    /// The number of its first line, counted from 1.
    pub(crate) line: usize,
    /// The name of the author.
    pub(crate) author: Option<String>,
    pub(crate) text: String,
    /// The time when the passage was written; if the file does not contain it, the time of the next entry with a time.
    pub(crate) at: Option<Time>,
    /// The weight in the ranking.
    pub(crate) weight: f64,
}

/// Returns all passages of a discussion, in no order. The text of a marker is a passage of its own and also part of
/// the passage of its comment. `updated` is the time when the file was last changed.
pub(crate) fn passages(snapshot: &Snapshot, updated: Option<Time>) -> Vec<Passage> {
    let mut all = preamble(snapshot);
    let times = times(snapshot, updated);
    let at = |line: usize| {
        let after = times.partition_point(|(of, _)| *of <= line);
        after.checked_sub(1).and_then(|index| times[index].1)
    };
    let state = &snapshot.state;
    let mut add = |kind: FoundKind, line, author: &dyn ToString, text: &str, weight: f64| {
        all.push(Passage {
            kind,
            line,
            author: Some(author.to_string()),
            text: text.to_owned(),
            at: at(line),
            weight,
        });
    };
    for one in snapshot.outcome().items.iter().filter(|one| one.number.is_some()) {
        let is_past = !one.stands() && one.state != ItemState::Proposed;
        let weight = ItemKind::Decision.search_weight(!is_past);
        let author = one.author.as_ref().map(ToString::to_string).unwrap_or_default();
        add(DECISION, one.line, &author, &one.text, weight);
    }
    for one in state.items.iter() {
        let weight = one.kind.search_weight(one.is_open());
        add(FoundKind::Item(one.kind), one.line, &one.author, &one.text, weight);
    }
    let last = snapshot.final_text().map(|(said, _)| said.entry);
    for (index, entry) in snapshot.transcript.entries.iter().enumerate() {
        if let EntryKind::Comment(comment) = &entry.kind {
            let kind = if last == Some(index) { FoundKind::Outcome } else { FoundKind::Comment };
            add(kind, comment.stored_line, &comment.name, &comment.body(), kind.weight());
        }
    }
    all
}

/// Returns the title, the decision and the rest of a record as passages; `text` is its file.
/// A decision that is not in force weighs less.
pub(crate) fn record_passages(
    record: &Record,
    text: &str,
    in_force: bool,
    at: Option<Time>,
) -> Vec<Passage> {
    let of = |kind: FoundKind, line, text: String| Passage {
        kind,
        line,
        author: None,
        text,
        at,
        weight: kind.weight(),
    };
    let (start, end) = record.text_lines;
    let (mut decision, mut context) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let is_decision = (start..end).contains(&number);
        if is_decision {
            decision.push(line);
        }
        // A blank line keeps the numbers of the lines behind it.
        context.push(if is_decision || number == record.title_line { "" } else { line });
    }
    let mut decision = of(DECISION, start.max(1), decision.join("\n"));
    decision.weight = ItemKind::Decision.search_weight(in_force);
    let title = of(FoundKind::Title, record.title_line, record.title.clone());
    let context = of(FoundKind::Context, 1, context.join("\n"));
    // The line of an empty decision would count as a marker and hide text in that line.
    let decision = Some(decision).filter(|passage| !passage.text.is_empty());
    std::iter::once(title).chain(decision).chain([context]).collect()
}

/// Returns the title and the other text before the first comment.
fn preamble(snapshot: &Snapshot) -> Vec<Passage> {
    let transcript = &snapshot.transcript;
    let before = transcript.text.get(..transcript.preamble.start).unwrap_or_default();
    let first = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
    let text = transcript.preamble_text();
    let title = text.lines().position(|line| line.starts_with("# "));
    let of = |kind: FoundKind, line, text: String| Passage {
        kind,
        line,
        author: None,
        text,
        at: None,
        weight: kind.weight(),
    };
    let context: Vec<&str> = text
        .lines()
        .enumerate()
        .map(|(index, line)| if Some(index) == title { "" } else { line })
        .collect();
    let title = title.map(|line| of(FoundKind::Title, first + line, snapshot.state.title.clone()));
    let context = of(FoundKind::Context, first, context.join("\n"));
    title.into_iter().chain([context]).collect()
}

/// Returns the time at which each entry was written, by the entry's first line. Comments of people have no time, so
/// each gets the time of the next entry that has one.
fn times(snapshot: &Snapshot, updated: Option<Time>) -> Vec<(usize, Option<Time>)> {
    let mut next = updated;
    let entries = snapshot.transcript.entries.iter().rev();
    let mut times: Vec<(usize, Option<Time>)> = entries
        .map(|entry| {
            let own = match &entry.kind {
                EntryKind::Comment(Comment { reply: Some(reply), .. }) => reply.at,
                EntryKind::Control(Control::Turn(line)) => line.at,
                EntryKind::Control(Control::Pass(line)) => line.at,
                EntryKind::Control(Control::Failed(line)) => line.at,
                _ => None,
            };
            next = own.or(next);
            (entry.line, next)
        })
        .collect();
    times.reverse();
    times
}

/// Returns the lines of markers. A search reports a hit on such a line only for the marker, not for the comment
/// around it.
pub(super) fn marked(passages: &[Passage]) -> HashSet<usize> {
    let markers = passages.iter().filter(|it| matches!(it.kind, FoundKind::Item(_)));
    markers.map(|passage| passage.line).collect()
}

/// The kind of a place in a discussion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundKind {
    /// The first heading.
    Title,
    /// A question, a task or another numbered item.
    Item(ItemKind),
    /// The final text.
    Outcome,
    /// Any other text of a comment.
    Comment,
    /// The text before the first comment.
    Context,
}

impl FoundKind {
    /// Returns all kinds, in the order in which they are listed.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let items = ItemKind::ALL.iter().copied().filter(|kind| *kind != ItemKind::Decision);
        let first = [Self::Title, DECISION, Self::Outcome].into_iter();
        first.chain(items.map(Self::Item)).chain([Self::Comment, Self::Context])
    }

    /// Returns a stable word, also used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Item(kind) => kind.as_str(),
            Self::Outcome => "outcome",
            Self::Comment => "comment",
            Self::Context => "context",
        }
    }

    /// Returns the weight of a word here, relative to a word in a comment.
    pub(super) fn weight(self) -> f64 {
        match self {
            Self::Title => 4.0,
            Self::Item(kind) => kind.search_weight(true),
            Self::Outcome => 2.0,
            Self::Comment | Self::Context => 1.0,
        }
    }
}

impl Serialize for FoundKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl JsonSchema for FoundKind {
    fn schema_name() -> Cow<'static, str> {
        "FoundKind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = Self::all().map(Self::as_str).collect();
        json_schema!({ "type": "string", "enum": words })
    }
}

impl FromStr for FoundKind {
    type Err = String;

    /// Parses a word of [`FoundKind::as_str`] in any case.
    fn from_str(word: &str) -> Result<Self, String> {
        let known = Self::all().find(|kind| kind.as_str().eq_ignore_ascii_case(word));
        known.ok_or_else(|| {
            let all: Vec<&str> = Self::all().map(Self::as_str).collect();
            format!("unknown kind `{word}`; known: {}", all.join(", "))
        })
    }
}
