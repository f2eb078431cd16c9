//! What happens to a discussion, as it happens: one stream for every front end, whoever makes it happen.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::PassedOver;
use crate::codes::ErrorCode;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// The kind's stable name, such as `answer.end`.
    pub event: &'static str,
    /// The discussion's file, as it is shown.
    pub file: String,
    /// When, in RFC 3339, UTC.
    pub at: String,
    /// The round, from 1, where one has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// Whom it is about, by alias; a person's name where there is no alias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub participant: Option<String>,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum EventKind {
    /// A run or turn begins.
    DiscussionStart {
        /// The discussion's title; empty if its file cannot be read.
        topic: String,
    },
    /// It is over.
    DiscussionEnd {
        /// Why, in a stable word.
        stopped: &'static str,
        /// The discussion's status, such as `CONSENSUS`; absent if its file was never read.
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'static str>,
        /// The decision in one sentence, once it is reached.
        #[serde(skip_serializing_if = "Option::is_none")]
        decision: Option<String>,
        /// Votes of people that arrived while the run went on, by name; absent if there are none.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        person_votes: BTreeMap<String, String>,
    },
    /// A round begins: what a result counts as one, with all its turns.
    RoundStart {},
    /// The round is over: the next one begins, or the run that tells of it ends.
    RoundEnd {
        /// Milliseconds that its turns took, one after the other, as far as they were told.
        ms: u64,
    },
    /// A turn begins.
    TurnStart {
        /// Its number.
        turn: u32,
        /// The phase's id.
        phase: String,
        /// What the phase is called.
        #[serde(skip)]
        title: String,
        /// Who is asked, by alias.
        asks: Vec<String>,
        /// Who would be asked too, by alias, and is not: they failed in this run, and asking again would not help.
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
    /// Somebody is asked.
    AnswerStart {
        /// Their name.
        name: String,
        /// Through what.
        provider: String,
        /// Through what else, in order, should that fail.
        #[serde(skip)]
        fallbacks: Vec<String>,
        /// What was to come first and is not installed.
        #[serde(skip)]
        passed_over: Option<PassedOver>,
    },
    /// A piece of somebody's answer, as it comes. Only the whole answer counts.
    AnswerChunk {
        /// The text.
        text: String,
    },
    /// Somebody's answer, pass or failure is recorded.
    AnswerEnd {
        /// Through what.
        provider: String,
        /// What came of it.
        #[serde(flatten)]
        outcome: CallOutcome,
        /// Milliseconds that it took.
        ms: u64,
        /// Why it ended, in a stable word.
        #[serde(skip_serializing_if = "Option::is_none")]
        finish: Option<String>,
        /// Tokens of its prompts, where they are known.
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt_tokens: Option<u64>,
        /// Tokens of its answers, where they are known.
        #[serde(skip_serializing_if = "Option::is_none")]
        answer_tokens: Option<u64>,
        /// Tokens of its prompts that came from the service's cache.
        #[serde(skip_serializing_if = "Option::is_none")]
        cached: Option<u64>,
        /// US dollars over all calls, where they were reported or a price is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        usd: Option<f64>,
        /// The money was not reported.
        #[serde(skip)]
        estimated: bool,
        /// How many calls it took.
        #[serde(skip)]
        calls: u32,
        /// The comment, without its vote.
        text: String,
        /// What went wrong on the way, for people.
        notes: Vec<String>,
    },
    /// Somebody said something without being asked.
    Comment {
        /// Their name.
        name: String,
        /// The comment, without its vote.
        text: String,
    },
    /// A turn begins whose votes decide.
    ConsensusStart {},
    /// Somebody cast a vote that counts.
    Vote {
        /// For what.
        vote: String,
        /// How sure, 0 to 1.
        confidence: Option<f64>,
    },
    /// The votes were judged.
    Consensus {
        /// Whether they carry by the method.
        reached: bool,
        /// The leading option.
        outcome: Option<String>,
        /// Whose votes block, by name.
        blocked_by: Vec<String>,
    },
    /// A person chose a phase.
    Phase {
        /// The phase's id.
        phase: String,
        /// Who, by name.
        by: String,
    },
    /// Somebody closed the discussion or opened it again.
    Status {
        /// `CLOSED` or `OPEN`.
        status: &'static str,
        /// Who, by name.
        by: Option<String>,
    },
    /// What stood in the file before is not there any more as it was: look at the whole again.
    Rewritten {},
    /// The run cannot go on.
    Error {
        /// The standard code.
        code: ErrorCode,
        /// What is wrong.
        message: String,
        /// Whether trying again may help.
        retryable: bool,
    },
    /// Somebody stopped the run.
    Aborted {},
}

impl EventKind {
    /// The stable name in JSON.
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
            Self::Error { .. } => "error",
            Self::Aborted {} => "aborted",
        }
    }
}

/// What came of asking somebody.
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
        /// Why.
        error: CallFailure,
    },
}

/// Why somebody gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CallFailure {
    /// A stable word.
    pub code: String,
    /// The real error.
    pub message: String,
    /// Whether asking again may help.
    pub retryable: bool,
}

impl CallOutcome {
    /// Whether there is no answer, and asking again would not help.
    pub(crate) fn is_for_good(&self) -> bool {
        matches!(self, Self::Failed { error } if !error.retryable)
    }

    /// The stable word in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Answered { .. } => "answered",
            Self::Passed {} => "passed",
            Self::Failed { .. } => "failed",
        }
    }
}
