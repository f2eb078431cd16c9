//! Control lines: what the program records beside the comments.

mod read;
mod write;

pub(super) use self::read::{is_unknown_control, read_below, read_control};
pub(super) use self::write::{
    write_control, write_reply, write_restored, write_said, write_summary,
};
use super::child_file::ChildFile;
use super::entry::Time;
use super::name::Alias;
use crate::codes::FailureCode;

/// A control line that stands between comments.
#[derive(Clone, Debug, PartialEq)]
pub enum Control {
    /// A turn begins.
    Turn(TurnLine),
    /// A participant had nothing to say.
    Pass(Box<Pass>),
    /// A participant could not answer.
    Failed(Box<Failed>),
    /// A phase begins.
    Phase(PhaseLine),
    /// Votes before this line no longer count.
    VoteReset,
    /// The discussion was closed or opened again.
    Status(StatusLine),
    /// Somebody agreed to a change of older text.
    Accepted(Box<Accepted>),
    /// A discussion within this one begins.
    Child(ChildLine),
    /// A discussion within this one is over.
    ChildEnd(ChildEnd),
}

/// `TURN: 3, asks: [..]`: whom the runner asks, written before the first call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnLine {
    /// Counted from 1; merges may repeat numbers, so position decides what belongs to it.
    pub number: u32,
    /// Who is asked once each.
    pub asks: Vec<Alias>,
    /// When it began.
    pub at: Option<Time>,
    /// The question of whoever started the turn.
    pub ask: Option<String>,
    /// The turn answers mentions and is not one of the phase's own.
    pub mentions: bool,
    /// The turn repeats one in which too few answered.
    pub again: bool,
}

impl TurnLine {
    /// Whether the turn answers a question beside the phases: a mention, or the question of whoever started the turn.
    /// Its answers are never what a phase asked for.
    pub(crate) fn is_aside(&self) -> bool {
        self.mentions || self.ask.is_some()
    }
}

/// Tokens of one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Tokens of the prompt.
    pub input: u64,
    /// Tokens of the answer.
    pub output: u64,
    /// Not reported but estimated; written `~`.
    pub estimated: bool,
}

/// Money of one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usd {
    /// US dollars.
    pub amount: f64,
    /// Not reported but estimated; written `~`.
    pub estimated: bool,
}

/// What an answer, a pass or a failure cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spent {
    /// The provider that was used last.
    pub provider: Option<String>,
    /// The model that the provider reports.
    pub model: Option<String>,
    /// Why the last answer ended, in a stable word, where the provider tells.
    pub finish: Option<String>,
    /// Tokens of prompts that came from the service's cache, where the provider tells.
    pub cached: Option<u64>,
    /// The model was allowed to read the files of the project.
    pub look: bool,
    /// The model was allowed to search the web.
    pub web: bool,
    /// Milliseconds from the first call's start to the end.
    pub ms: Option<u64>,
    /// Tokens over all calls.
    pub tokens: Option<Tokens>,
    /// Money over all calls.
    pub usd: Option<Usd>,
    /// The line states money that cannot be read, so the price of its calls is unknown.
    pub usd_unreadable: bool,
    /// How many calls it took; absent is one.
    pub calls: Option<u32>,
    /// Those of these calls that went to other providers, which could not answer.
    pub tried: Vec<Tried>,
}

/// What calls of a provider cost that came to nothing; it is part of what the line says altogether.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tried {
    /// The provider.
    pub provider: String,
    /// How many calls.
    pub calls: u32,
    /// Their tokens, where there were any.
    pub tokens: Option<Tokens>,
    /// Their money, where there was any.
    pub usd: Option<Usd>,
}

/// `REPLY`, directly below `Name:`: the comment is a model's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The number of the turn it answers.
    pub turn: Option<u32>,
    /// When it was recorded.
    pub at: Option<Time>,
    /// What it cost.
    pub spent: Spent,
}

/// `PASS`: asked, and nothing to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// Who passed.
    pub who: Alias,
    /// The number of the turn.
    pub turn: Option<u32>,
    /// When it was recorded.
    pub at: Option<Time>,
    /// What it cost.
    pub spent: Spent,
}

/// `FAILED`: asked, and no answer could be had.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// Who could not answer.
    pub who: Alias,
    /// The number of the turn.
    pub turn: Option<u32>,
    /// When it was recorded.
    pub at: Option<Time>,
    /// What kind of failure it was, a stable word.
    pub code: String,
    /// Whether asking again may help.
    pub retryable: bool,
    /// The real error, for people.
    pub message: String,
    /// What it cost.
    pub spent: Spent,
}

impl Failed {
    /// Whether nothing went wrong but that the run was stopped: only what it cost counts.
    pub(crate) fn was_stopped(&self) -> bool {
        self.code == FailureCode::Stopped.as_str()
    }
}

/// `PHASE: id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseLine {
    /// The phase's id.
    pub id: String,
    /// The person who chose it; absent when the runner advanced.
    pub by: Option<String>,
}

/// `STATUS: CLOSED` or `STATUS: OPEN`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusLine {
    /// What it is from now on.
    pub status: StatusWord,
    /// The person who said so.
    pub by: Option<String>,
}

/// `ACCEPTED was: .., after: [..], now: ..`: older text was changed or removed on purpose, and whoever checks the file
/// need not hear of it. It changes no vote, no question, nothing: it only says that what is gone was seen to go.
///
/// Texts are named by SHA-256 of their lines in lower-case hexadecimal, never quoted: a removed text may be a secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// What stood there.
    pub was: String,
    /// Behind which texts it stood, in whatever versions; [`Accepted::START`] where nothing stood before it.
    pub after: Vec<String>,
    /// What it became; absent when it was removed, the same as `was` when it was moved.
    pub now: Option<String>,
    /// Who said it, where somebody did.
    pub of: Option<String>,
    /// The person who agreed.
    pub by: Option<String>,
    /// When; what was written later is not meant.
    pub at: Option<Time>,
}

impl Accepted {
    /// What stands in `after` for the beginning of the file.
    pub const START: &str = "start";
}

/// `CHILD turn: 3, by: architect, file: x/caching.md`: a discussion within this one, written before its file is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildLine {
    /// The number of the turn in which it was asked for; absent where a phase of the template opens it.
    pub turn: Option<u32>,
    /// Who asked for it; absent where a phase of the template opens it.
    pub by: Option<Alias>,
    /// Its file.
    pub file: ChildFile,
    /// When it began.
    pub at: Option<Time>,
}

/// `CHILD-END file: x/caching.md, calls: 6, usd: 0.11, status: CONSENSUS`: what a discussion within this one came to.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildEnd {
    /// Its file.
    pub file: ChildFile,
    /// Model calls that it took, and those within it.
    pub calls: u64,
    /// Their money, where there was any.
    pub usd: Option<Usd>,
    /// Its status, a stable word.
    pub status: String,
}

/// The two states that are written; the others are derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusWord {
    /// Opened again.
    Open,
    /// Closed by a person.
    Closed,
}

/// `RESTORED`, directly below `Name:`: the comment had been dropped and was put back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// The phase in which it was first said.
    pub phase: Option<String>,
    /// The turn that it answered.
    pub turn: Option<u32>,
}

/// `SUMMARY`, directly below `Name:`: the comment sums up what stands above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The turn up to which it sums up.
    pub turn: Option<u32>,
}

/// A line that counts only directly below `Name:`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Below {
    Reply(Reply),
    Restored(Restored),
    Summary(Summary),
    /// `SAID`: when a person wrote the comment.
    Said(Time),
}

/// Whether a line is one that ends the comment it stands in: it is, or ends in a blank and, `<!-- TORN -->`.
pub(super) fn is_torn(line: &str) -> bool {
    line.strip_suffix(TORN).is_some_and(|before| before.is_empty() || before.ends_with([' ', '\t']))
}

/// The mark of a cut or unclosed comment.
pub(crate) const TORN: &str = "<!-- TORN -->";
