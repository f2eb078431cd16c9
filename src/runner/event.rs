//! What happens, as it happens: one stream for every front end.

use std::path::PathBuf;

use super::choose::PassedOver;
use super::report::{CallOutcome, Stopped};
use crate::transcript::{Alias, Time};

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The discussion.
    pub file: PathBuf,
    /// When.
    pub at: Time,
    /// The round, where one has begun.
    pub round: Option<u32>,
    /// What.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// A run or turn begins.
    DiscussionStart,
    /// It is over.
    DiscussionEnd {
        /// Why.
        stopped: Stopped,
    },
    /// A turn begins.
    RoundStart {
        /// Its number.
        turn: u32,
        /// The phase's id.
        phase: String,
        /// Who is asked.
        asks: Vec<Alias>,
    },
    /// The turn is over.
    RoundEnd {
        /// Its number.
        turn: u32,
        /// How long it took, in milliseconds.
        ms: u64,
    },
    /// Somebody is asked.
    AnswerStart {
        /// Who.
        participant: Alias,
        /// Their name.
        name: String,
        /// Through what.
        provider: String,
        /// Through what else, in order, should that fail.
        fallbacks: Vec<String>,
        /// What was to come first and is not installed.
        passed_over: Option<PassedOver>,
    },
    /// A piece of somebody's answer, as it comes. Only the whole answer counts.
    AnswerChunk {
        /// Who.
        participant: Alias,
        /// The text.
        text: String,
    },
    /// Somebody's answer, pass or failure is recorded.
    AnswerEnd {
        /// Who.
        participant: Alias,
        /// Through what.
        provider: String,
        /// What came of it.
        outcome: CallOutcome,
        /// How long it took, in milliseconds.
        ms: u64,
        /// The comment, without its vote.
        text: String,
        /// What was passed over, for people.
        notes: Vec<String>,
    },
    /// A turn begins whose votes decide.
    ConsensusStart,
    /// Somebody cast a vote that counts.
    Vote {
        /// Who.
        participant: Alias,
        /// For what.
        vote: String,
        /// How sure, 0 to 1.
        confidence: Option<f64>,
    },
    /// The votes were judged.
    Consensus {
        /// Whether there is consensus.
        reached: bool,
        /// The leading option.
        outcome: Option<String>,
        /// Whose votes block.
        blocked_by: Vec<String>,
    },
    /// The run cannot go on.
    Error {
        /// The standard code.
        code: String,
        /// What is wrong.
        message: String,
        /// Whether trying again may help.
        retryable: bool,
    },
    /// Somebody stopped the run.
    Aborted,
}

impl EventKind {
    /// The stable name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::DiscussionStart => "discussion.start",
            Self::DiscussionEnd { .. } => "discussion.end",
            Self::RoundStart { .. } => "discussion.round.start",
            Self::RoundEnd { .. } => "discussion.round.end",
            Self::AnswerStart { .. } => "answer.start",
            Self::AnswerChunk { .. } => "answer.chunk",
            Self::AnswerEnd { .. } => "answer.end",
            Self::ConsensusStart => "consensus.start",
            Self::Vote { .. } => "vote",
            Self::Consensus { .. } => "consensus",
            Self::Error { .. } => "error",
            Self::Aborted => "aborted",
        }
    }

    /// Whom it is about.
    pub fn participant(&self) -> Option<&Alias> {
        match self {
            Self::AnswerStart { participant, .. }
            | Self::AnswerChunk { participant, .. }
            | Self::AnswerEnd { participant, .. }
            | Self::Vote { participant, .. } => Some(participant),
            _ => None,
        }
    }
}
