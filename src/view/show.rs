//! A discussion, entry by entry.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{Problem, Status, TextReview};
use crate::codes::ProblemCode;
use crate::engine::Snapshot;
use crate::state::CommentFacts;
use crate::transcript::{
    self, Comment, Control, EntryKind, Head, StatusWord, Text, Time, Tokens, time,
};

/// A discussion, entry by entry.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// The file, as it is shown.
    pub file: String,
    /// The first heading.
    pub title: String,
    /// The head, written when the discussion was created; null if there is none.
    #[serde(serialize_with = "head_for_programs")]
    pub head: Option<Head>,
    /// Title and context, as written.
    pub preamble: String,
    /// Everything after the preamble, in file order.
    pub entries: Vec<Entry>,
    /// Its status.
    #[serde(skip)]
    pub status: Status,
    /// The review of its text.
    #[serde(skip)]
    pub review: TextReview,
    /// When it was read, in RFC 3339, UTC.
    #[serde(skip)]
    pub at: String,
    /// The file's text, for front ends that show it unchanged.
    #[serde(skip)]
    pub text: Text,
    /// The problems in it, for front ends that show them beside the text.
    #[serde(skip)]
    pub problems: Vec<Problem>,
    /// The items that were chosen for markers without a number, like `Q3`, by the marker's line.
    #[serde(skip)]
    pub chosen: BTreeMap<usize, String>,
}

/// One block.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The kind of block.
    #[serde(flatten)]
    pub kind: Kind,
    /// Its first line in the file, from 1.
    pub line: usize,
}

/// The kinds of block.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Kind {
    /// A comment.
    Comment {
        /// The name in its head.
        author: String,
        /// The text, decoded, without the closing vote line.
        body: String,
        /// The vote, if it is clear.
        vote: Option<String>,
        /// True if the comment counts, for front ends that show that beside it.
        #[serde(skip)]
        counts: bool,
        /// Markers that count, votes too.
        markers: Vec<Mark>,
        /// When it was written, in RFC 3339; null if unknown.
        at: Option<String>,
        /// The receipt of a model's answer.
        reply: Option<Receipt>,
        /// True if the comment counts.
        acknowledged: bool,
        /// True if the comment was lost and restored.
        restored: bool,
        /// Lines of the body, from 0, that a marker opens, with the number of the item: `Q1`, `T2`, `D1`, `C3`;
        /// empty if the item has no number.
        #[serde(skip)]
        numbers: BTreeMap<usize, String>,
    },
    /// A turn begins.
    Turn {
        /// Its number.
        turn: u32,
        /// The participants it asks, by alias.
        asks: Vec<String>,
        /// When, in RFC 3339.
        at: Option<String>,
        /// The question.
        ask: Option<String>,
        /// True if it asks mentioned participants.
        mentions: bool,
        /// True if it asks participants without an answer again.
        again: bool,
        /// The title of its phase.
        #[serde(skip)]
        title: String,
    },
    /// A participant had nothing to say.
    Pass {
        /// The participant's alias.
        author: String,
        /// The receipt of the call.
        #[serde(flatten)]
        receipt: Receipt,
    },
    /// A participant could not answer.
    Failed {
        /// The participant's alias.
        author: String,
        /// A stable word.
        code: String,
        /// The error.
        message: String,
        /// True if a retry may help.
        retryable: bool,
        /// The receipt of the calls.
        #[serde(flatten)]
        receipt: Receipt,
    },
    /// A phase begins.
    Phase {
        /// Its id.
        phase: String,
        /// The title.
        #[serde(skip)]
        title: String,
        /// The person who chose it.
        author: Option<String>,
    },
    /// Votes above this line no longer count.
    VoteReset {},
    /// The discussion was closed or reopened.
    Status {
        /// `OPEN` or `CLOSED`.
        status: &'static str,
        /// The person's name.
        author: Option<String>,
    },
    /// A person accepted a change of older text.
    Accepted {
        /// The person's name.
        author: Option<String>,
        /// When, in RFC 3339.
        at: Option<String>,
        /// True if the text was removed; otherwise it was changed or moved.
        removed: bool,
    },
    /// A sub-discussion begins.
    Child {
        /// The turn that asked for it.
        turn: Option<u32>,
        /// The alias of the participant that asked for it; null if a phase opened it.
        author: Option<String>,
        /// Its file, as a path from this one's folder.
        file: String,
        /// When, in RFC 3339.
        at: Option<String>,
    },
    /// A sub-discussion is over.
    ChildEnd {
        /// Its file, as a path from this one's folder.
        file: String,
        /// Model calls of it and of its sub-discussions.
        calls: u64,
        /// US dollars, if any.
        usd: Option<f64>,
        /// Its status.
        status: String,
    },
    /// Text between comments: shown, never counted.
    Stray {
        /// The text.
        body: String,
    },
}

/// One marker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    /// Its word, such as `TODO`.
    pub marker: String,
    /// Its text, in one line.
    pub text: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// The receipt of a participant's calls.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// The turn.
    pub turn: Option<u32>,
    /// When, in RFC 3339.
    pub at: Option<String>,
    /// The provider.
    pub provider: Option<String>,
    /// The model, as its provider names it.
    pub model: Option<String>,
    /// Why the answer ended, in a stable word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Tokens of prompts that came from the service's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// True if the model was allowed to read the project's files.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub look: bool,
    /// True if the model was allowed to search the web.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub web: bool,
    /// Duration in milliseconds.
    pub ms: Option<u64>,
    /// Tokens of prompts and answers.
    pub tokens: Option<Tokens>,
    /// US dollars.
    pub usd: Option<f64>,
    /// True if the cost is an estimate.
    #[serde(skip)]
    pub usd_estimated: bool,
    /// Model calls.
    pub calls: Option<u32>,
}

impl Shown {
    /// Returns a discussion, entry by entry, at the time `now`; `file` is the path to show.
    pub(crate) fn of(snapshot: &Snapshot, file: String, now: Time) -> Self {
        let status = Status::of(snapshot, file.clone(), now);
        let numbers = numbers(&status);
        let transcript = &snapshot.transcript;
        let counted: HashMap<usize, &CommentFacts> =
            snapshot.state.said.iter().map(|said| (said.entry, said)).collect();
        let entries = transcript.entries.iter().enumerate();
        let entries = entries.map(|(index, found)| Entry {
            kind: kind(index, &found.kind, counted.get(&index).copied(), snapshot, &numbers),
            line: found.line,
        });
        let mut entries: Vec<Entry> = entries.collect();
        let problems = snapshot.state.problems.iter();
        for vote in problems.filter(|one| one.code == ProblemCode::VoteNotCounted) {
            let behind = entries.partition_point(|entry| entry.line <= vote.line);
            let entry = behind.checked_sub(1).and_then(|place| entries.get_mut(place));
            if let Some(Entry { kind: Kind::Comment { counts, .. }, .. }) = entry {
                *counts = false;
            }
        }
        Self {
            file,
            title: snapshot.state.title.clone(),
            head: transcript.head.clone(),
            preamble: transcript.preamble_text().to_owned(),
            entries,
            status,
            review: TextReview::of(snapshot),
            at: time(now),
            text: transcript.text.clone(),
            problems: snapshot.state.problems.clone(),
            chosen: snapshot.state.chosen.iter().cloned().collect(),
        }
    }
}

/// Returns the labels of the items, by their lines in the file.
fn numbers(status: &Status) -> BTreeMap<usize, String> {
    status.items.iter().map(|item| (item.line, item.label())).collect()
}

fn kind(
    index: usize,
    kind: &EntryKind,
    counted: Option<&CommentFacts>,
    snapshot: &Snapshot,
    numbers: &BTreeMap<usize, String>,
) -> Kind {
    match kind {
        EntryKind::Comment(said) => comment(said, counted, snapshot, numbers),
        EntryKind::Control(line) => control(index, line, snapshot),
        EntryKind::Stray(text) => Kind::Stray { body: text.to_string() },
    }
}

fn comment(
    comment: &Comment,
    counted: Option<&CommentFacts>,
    snapshot: &Snapshot,
    numbers: &BTreeMap<usize, String>,
) -> Kind {
    let first = comment.stored_line;
    let last = first + comment.stored.lines().count();
    let marks = comment.read(&snapshot.config.markers).marks;
    let marked = marks.iter().map(|mark| (mark.line, String::new()));
    let here = numbers.range(first..last).map(|(line, number)| (*line, number.clone()));
    let numbers = marked.chain(here).map(|(line, number)| (line.saturating_sub(first), number));
    let numbers = numbers.collect();
    let mark = |mark: transcript::BodyMark| Mark {
        marker: mark.marker.word().to_owned(),
        text: mark.text,
        line: mark.line,
        column: mark.column,
    };
    Kind::Comment {
        author: comment.name.to_string(),
        body: comment.body(),
        vote: counted.and_then(|said| said.vote.as_ref()).map(ToString::to_string),
        counts: true,
        markers: marks.into_iter().map(mark).collect(),
        at: comment.at().map(time),
        reply: comment.reply.as_ref().map(|reply| receipt(&reply.spent, reply.turn, reply.at)),
        acknowledged: comment.acknowledged(),
        restored: comment.restored.is_some(),
        numbers,
    }
}

fn control(index: usize, control: &Control, snapshot: &Snapshot) -> Kind {
    let (phases, turns) = (&snapshot.template().phases, &snapshot.state.turns);
    match control {
        Control::Turn(turn) => Kind::Turn {
            turn: turn.number,
            asks: turn.asks.iter().map(ToString::to_string).collect(),
            at: turn.at.map(time),
            ask: turn.ask.clone(),
            mentions: turn.mentions,
            again: turn.again,
            title: match turns.binary_search_by_key(&index, |known| known.entry) {
                Ok(at) => phases[turns[at].phase].title().to_owned(),
                Err(_) => String::new(),
            },
        },
        Control::Pass(pass) => Kind::Pass {
            author: pass.who.to_string(),
            receipt: receipt(&pass.spent, pass.turn, pass.at),
        },
        Control::Failed(failed) => Kind::Failed {
            author: failed.who.to_string(),
            code: failed.code.clone(),
            message: failed.message.clone(),
            retryable: failed.retryable,
            receipt: receipt(&failed.spent, failed.turn, failed.at),
        },
        Control::Phase(phase) => Kind::Phase {
            title: match phases.iter().find(|known| known.id == phase.id) {
                Some(known) => known.title().to_owned(),
                None => phase.id.clone(),
            },
            phase: phase.id.clone(),
            author: phase.by.clone(),
        },
        Control::VoteReset => Kind::VoteReset {},
        Control::Status(status) => Kind::Status {
            status: match status.status {
                StatusWord::Open => "OPEN",
                StatusWord::Closed => "CLOSED",
            },
            author: status.by.clone(),
        },
        Control::Accepted(accepted) => Kind::Accepted {
            author: accepted.by.clone(),
            at: accepted.at.map(time),
            removed: accepted.now.is_none(),
        },
        Control::Child(child) => Kind::Child {
            turn: child.turn,
            author: child.by.as_ref().map(ToString::to_string),
            file: child.file.to_string(),
            at: child.at.map(time),
        },
        Control::ChildEnd(end) => Kind::ChildEnd {
            file: end.file.to_string(),
            calls: end.calls,
            usd: end.usd.map(|usd| usd.amount),
            status: end.status.clone(),
        },
    }
}

/// Serializes the head as it is written, except that limits get camel-case names, as in the rest of this document.
fn head_for_programs<S: Serializer>(head: &Option<Head>, to: S) -> Result<S::Ok, S::Error> {
    let mut shown = serde_json::to_value(head).map_err(S::Error::custom)?;
    if let Some(limits) = shown.get_mut("limits").and_then(Value::as_object_mut) {
        for (written, shown) in [("max_usd", "maxUsd"), ("max_calls", "maxCalls")] {
            if let Some(value) = limits.remove(written) {
                limits.insert(shown.to_owned(), value);
            }
        }
    }
    shown.serialize(to)
}

fn receipt(spent: &transcript::Spent, turn: Option<u32>, at: Option<transcript::Time>) -> Receipt {
    Receipt {
        turn,
        at: at.map(time),
        provider: spent.provider.clone(),
        model: spent.model.clone(),
        finish: spent.finish.clone(),
        cached: spent.cached,
        look: spent.look,
        web: spent.web,
        ms: spent.ms,
        tokens: spent.tokens,
        usd: spent.usd.map(|usd| usd.amount),
        usd_estimated: spent.usd.is_some_and(|usd| usd.estimated),
        calls: spent.calls,
    }
}
