//! Events of a discussion as they happen. Every front end gets this stream, whatever program causes the events.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::PassedOver;
use crate::codes::ErrorCode;

/// An event of a discussion.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// The stable name of the kind, like `answer.end`.
    pub event: &'static str,
    /// The discussion's file, as it is shown.
    pub file: String,
    /// When, in RFC 3339, UTC.
    pub at: String,
    /// The round, from 1, if one has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// The participant's alias, or the name of a person without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub participant: Option<String>,
    /// The event.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// The event.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum EventKind {
    /// A run or turn begins.
    DiscussionStart {
        /// The discussion's title; empty if its file cannot be read.
        topic: String,
    },
    /// A run or turn ends.
    DiscussionEnd {
        /// Why, in a stable word.
        stopped: &'static str,
        /// The discussion's status, such as `CONSENSUS`; absent if its file was never read.
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'static str>,
        /// The decision in one sentence, once it is reached.
        #[serde(skip_serializing_if = "Option::is_none")]
        decision: Option<String>,
        /// Votes of people that arrived during the run, by name; absent if there are none.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        person_votes: BTreeMap<String, String>,
    },
    /// A round begins, with all its turns, as results count it.
    RoundStart {},
    /// The round is over: the next one begins, or the run ends.
    RoundEnd {
        /// Duration of its turns in milliseconds, as far as known.
        ms: u64,
    },
    /// A turn begins.
    TurnStart {
        /// Its number.
        turn: u32,
        /// The phase's id.
        phase: String,
        /// The title of the phase.
        #[serde(skip)]
        title: String,
        /// The participants that are asked, by alias.
        asks: Vec<String>,
        /// Participants that are skipped, by alias: they failed in this run, and a retry would not help.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        left_out: Vec<String>,
    },
    /// The turn is over.
    TurnEnd {
        /// Its number.
        turn: u32,
        /// Milliseconds that its calls took: one after the other, or all at once in a parallel phase.
        ms: u64,
    },
    /// A participant is asked.
    AnswerStart {
        /// The name.
        name: String,
        /// The provider.
        provider: String,
        /// The fallback providers, in order.
        #[serde(skip)]
        fallbacks: Vec<String>,
        /// The preferred provider, if it is not installed.
        #[serde(skip)]
        passed_over: Option<PassedOver>,
    },
    /// A piece of an answer, as it arrives. Only the complete answer counts.
    AnswerChunk {
        /// The text.
        text: String,
    },
    /// An answer, pass or failure is recorded.
    AnswerEnd {
        /// The provider.
        provider: String,
        /// The outcome.
        #[serde(flatten)]
        outcome: CallOutcome,
        /// Duration in milliseconds.
        ms: u64,
        /// Why it ended, in a stable word.
        #[serde(skip_serializing_if = "Option::is_none")]
        finish: Option<String>,
        /// Tokens of its prompts, if known.
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt_tokens: Option<u64>,
        /// Tokens of its answers, if known.
        #[serde(skip_serializing_if = "Option::is_none")]
        answer_tokens: Option<u64>,
        /// Tokens of its prompts that came from the service's cache.
        #[serde(skip_serializing_if = "Option::is_none")]
        cached: Option<u64>,
        /// US dollars of all calls, if reported or if a price is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        usd: Option<f64>,
        /// True if the cost is an estimate.
        #[serde(skip)]
        estimated: bool,
        /// The number of calls.
        #[serde(skip)]
        calls: u32,
        /// The comment, without its vote.
        text: String,
        /// Warnings about the calls, for people.
        notes: Vec<String>,
    },
    /// A comment that was not asked for.
    Comment {
        /// The name.
        name: String,
        /// The comment, without its vote.
        text: String,
    },
    /// A turn with deciding votes begins.
    ConsensusStart {},
    /// A vote that counts.
    Vote {
        /// The option.
        vote: String,
        /// The confidence, 0 to 1.
        confidence: Option<f64>,
    },
    /// The votes were judged.
    Consensus {
        /// True if consensus is reached by the method.
        reached: bool,
        /// The leading option.
        outcome: Option<String>,
        /// The names of participants with a blocking vote.
        blocked_by: Vec<String>,
    },
    /// A person chose a phase.
    Phase {
        /// The phase's id.
        phase: String,
        /// The title of the phase.
        #[serde(skip)]
        title: String,
        /// The person's name.
        by: String,
    },
    /// A person closed the discussion or reopened it.
    Status {
        /// `CLOSED` or `OPEN`.
        status: &'static str,
        /// The person's name.
        by: Option<String>,
    },
    /// Older text of the file changed: read the whole file again.
    Rewritten {},
    /// A note about the run, once for each run.
    Note {
        /// The note, for people.
        message: String,
    },
    /// The run cannot go on.
    Error {
        /// The standard code.
        code: ErrorCode,
        /// The message of the error.
        message: String,
        /// True if a retry may help.
        retryable: bool,
    },
    /// The run was stopped.
    Aborted {},
}

impl EventKind {
    /// Returns the stable name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::DiscussionStart { .. } => "discussion.start",
            Self::DiscussionEnd { .. } => "discussion.end",
            Self::RoundStart {} => "discussion.round.start",
            Self::RoundEnd { .. } => "discussion.round.end",
            Self::TurnStart { .. } => "turn.start",
            Self::TurnEnd { .. } => "turn.end",
            Self::AnswerStart { .. } => "answer.start",
            Self::AnswerChunk { .. } => "answer.chunk",
            Self::AnswerEnd { .. } => "answer.end",
            Self::Comment { .. } => "comment",
            Self::ConsensusStart {} => "consensus.start",
            Self::Vote { .. } => "vote",
            Self::Consensus { .. } => "consensus",
            Self::Phase { .. } => "discussion.phase",
            Self::Status { .. } => "discussion.status",
            Self::Rewritten {} => "discussion.rewritten",
            Self::Note { .. } => "note",
            Self::Error { .. } => "error",
            Self::Aborted {} => "aborted",
        }
    }
}

/// The outcome of asking a participant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "camelCase")]
pub enum CallOutcome {
    /// An answer.
    Answered {
        /// Its vote.
        #[serde(skip)]
        vote: Option<String>,
    },
    /// Nothing to say.
    Passed {},
    /// No answer.
    Failed {
        /// The reason.
        error: CallFailure,
    },
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CallFailure {
    /// A stable word.
    pub code: String,
    /// The error.
    pub message: String,
    /// True if a retry may help.
    pub retryable: bool,
}

impl CallOutcome {
    /// Returns whether there is no answer and a retry would not help.
    pub(crate) fn is_for_good(&self) -> bool {
        matches!(self, Self::Failed { error } if !error.retryable)
    }

    /// Returns the stable word in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Answered { .. } => "answered",
            Self::Passed {} => "passed",
            Self::Failed { .. } => "failed",
        }
    }
}
