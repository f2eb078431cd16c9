//! Control lines, in which the program records turns, phases and failures between comments.

mod read;
mod write;

use schemars::JsonSchema;
use serde::Serialize;

pub(super) use self::read::{is_unknown_control, read_below, read_control};
pub(super) use self::write::{
    write_control, write_reply, write_restored, write_said, write_summary,
};
use super::entry::Time;
use super::name::Alias;
use super::nesting::ChildFile;
use crate::codes::FailureCode;

/// A control line between comments.
#[derive(Clone, Debug, PartialEq)]
pub enum Control {
    /// A turn begins.
    Turn(TurnLine),
    /// A participant passed.
    Pass(Box<Pass>),
    /// A participant could not answer.
    Failed(Box<Failed>),
    /// A phase begins.
    Phase(PhaseLine),
    /// Votes before this line no longer count.
    VoteReset,
    /// The discussion was closed or opened again.
    Status(StatusLine),
    /// A person accepted a change of older text.
    Accepted(Box<Accepted>),
    /// A sub-discussion begins.
    Child(ChildLine),
    /// A sub-discussion is over.
    ChildEnd(ChildEnd),
}

/// `TURN: 3, asks: [..]`: the participants that the runner asks, written before the first call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnLine {
    /// The number, counted from 1. Merges may repeat numbers, so the position in the file decides which answers
    /// belong to it.
    pub number: u32,
    /// The participants, each asked once.
    pub asks: Vec<Alias>,
    /// The time when the turn began.
    pub at: Option<Time>,
    /// The question of the user who started the turn.
    pub ask: Option<String>,
    /// True if the turn only answers mentions and does not belong to the phase's own turns.
    pub mentions: bool,
    /// True if the turn repeats one in which too few participants answered.
    pub again: bool,
}

impl TurnLine {
    /// Returns true if the turn answers a mention or a question of the user who started it. Its answers never count
    /// as answers that a phase asked for.
    pub(crate) fn is_aside(&self) -> bool {
        self.mentions || self.ask.is_some()
    }
}

/// Tokens of prompts and answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    /// Of prompts.
    pub input: u64,
    /// Of answers.
    pub output: u64,
    /// True if they are an estimate; written as `~`.
    pub estimated: bool,
}

/// The cost of one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usd {
    /// US dollars.
    pub amount: f64,
    /// True if the amount is estimated, not reported; written as `~`.
    pub estimated: bool,
}

/// The cost of an answer, a pass or a failure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spent {
    /// The provider that was called last.
    pub provider: Option<String>,
    /// The model that the provider reports.
    pub model: Option<String>,
    /// The reason why the last answer ended, as a stable word, if the provider reports it.
    pub finish: Option<String>,
    /// Tokens of prompts that came from the service's cache, if the provider reports them.
    pub cached: Option<u64>,
    /// True if the model was allowed to read the files of the project.
    pub look: bool,
    /// True if the model was allowed to search the web.
    pub web: bool,
    /// Milliseconds from the start of the first call to the end.
    pub ms: Option<u64>,
    /// The tokens of all calls.
    pub tokens: Option<Tokens>,
    /// The cost of all calls.
    pub usd: Option<Usd>,
    /// True if the line contains an amount of money that cannot be parsed, so that the price of its calls is unknown.
    pub usd_unreadable: bool,
    /// The number of calls; none means one.
    pub calls: Option<u32>,
    /// The part of these calls that went to other providers, which could not answer.
    pub tried: Vec<Tried>,
}

/// The cost of failed calls to a provider; it is included in the totals of the line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tried {
    /// The provider.
    pub provider: String,
    /// The number of calls.
    pub calls: u32,
    /// Their tokens, if there were any.
    pub tokens: Option<Tokens>,
    /// Their cost, if there was any.
    pub usd: Option<Usd>,
}

/// `REPLY`, directly below `Name:`: the comment is a model's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplyLine {
    /// The number of the turn that it answers.
    pub turn: Option<u32>,
    /// The time when it was recorded.
    pub at: Option<Time>,
    /// The words of the only markers that count in this answer, because it is a text for a reader; none: all markers
    /// count.
    pub markers: Option<Vec<String>>,
    /// The cost.
    pub spent: Spent,
}

/// `PASS`: a participant was asked and had nothing to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// The participant.
    pub who: Alias,
    /// The number of the turn.
    pub turn: Option<u32>,
    /// The time when it was recorded.
    pub at: Option<Time>,
    /// The cost.
    pub spent: Spent,
}

/// `FAILED`: a participant was asked and the call failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// The participant.
    pub who: Alias,
    /// The number of the turn.
    pub turn: Option<u32>,
    /// The time when it was recorded.
    pub at: Option<Time>,
    /// The kind of failure, a stable word.
    pub code: String,
    /// True if a retry may help.
    pub retryable: bool,
    /// The error message, for people.
    pub message: String,
    /// The cost.
    pub spent: Spent,
}

impl Failed {
    /// Returns true if the call failed only because the run was stopped. Only the cost of such a line counts.
    pub(crate) fn was_stopped(&self) -> bool {
        self.code == FailureCode::Stopped.as_str()
    }
}

/// `PHASE: id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseLine {
    /// The phase's id.
    pub id: String,
    /// The person who chose the phase; none if the runner entered it.
    pub by: Option<String>,
}

/// `STATUS: CLOSED` or `STATUS: OPEN`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusLine {
    /// The new status.
    pub status: StatusWord,
    /// The person who set it.
    pub by: Option<String>,
}

/// `ACCEPTED was: .., after: [..], now: ..`: older text was changed or removed on purpose, so checks of the file do
/// not report it. The line changes no vote, question or other item; it only records that the change was noticed.
///
/// Texts are named by the SHA-256 of their lines in lower-case hexadecimal and never quoted, because a removed text
/// may be a secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// The old text.
    pub was: String,
    /// The texts that came before it, in all known versions; [`Accepted::START`] if none did.
    pub after: Vec<String>,
    /// The new text; none if it was removed, equal to `was` if it was moved.
    pub now: Option<String>,
    /// The author of the text, if it has one.
    pub of: Option<String>,
    /// The person who accepted the change.
    pub by: Option<String>,
    /// The time; later changes are not covered.
    pub at: Option<Time>,
}

impl Accepted {
    /// The word in `after` for the beginning of the file.
    pub const START: &str = "start";
}

/// `CHILD turn: 3, by: architect, file: x/caching.md`: a sub-discussion; written before its file is created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildLine {
    /// The number of the turn in which it was requested; none if a phase of the template opens it.
    pub turn: Option<u32>,
    /// The participant that requested it; none if a phase of the template opens it.
    pub by: Option<Alias>,
    /// Its file.
    pub file: ChildFile,
    /// The time when it began.
    pub at: Option<Time>,
}

/// `CHILD-END file: x/caching.md, calls: 6, usd: 0.11, status: CONSENSUS`: the result of a sub-discussion.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildEnd {
    /// Its file.
    pub file: ChildFile,
    /// The number of its model calls, including those of its own sub-discussions.
    pub calls: u64,
    /// Their cost, if there was any.
    pub usd: Option<Usd>,
    /// The status, a stable word.
    pub status: String,
}

/// The two states that a file records; all others are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusWord {
    /// The discussion was opened again.
    Open,
    /// A person closed the discussion.
    Closed,
}

/// `RESTORED`, directly below `Name:`: the comment was lost and then restored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// The phase in which it was first written.
    pub phase: Option<String>,
    /// The turn that it answered.
    pub turn: Option<u32>,
}

/// `SUMMARY`, directly below `Name:`: the comment summarizes the comments above it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The last turn that it summarizes.
    pub turn: Option<u32>,
}

/// A line that counts only directly below `Name:`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Below {
    Reply(ReplyLine),
    Restored(Restored),
    Summary(Summary),
    /// `SAID`: the time when a person wrote the comment.
    Said(Time),
}

/// Returns true if a line marks the end of a truncated comment: it equals `<!-- TORN -->`, or ends with a blank and
/// this mark.
pub(super) fn is_torn(line: &str) -> bool {
    line.strip_suffix(TORN).is_some_and(|before| before.is_empty() || before.ends_with([' ', '\t']))
}

/// The mark of a truncated or unclosed comment.
pub(crate) const TORN: &str = "<!-- TORN -->";
