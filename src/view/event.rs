//! Events of a discussion as they happen. Every front end gets this stream, whatever program causes the events.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Value, json};

use super::PassedOver;
use crate::codes::ErrorCode;

/// An event of a discussion.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = name_kinds)]
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

/// The key of a kind's schema that holds the name of the kind, until [`name_kinds`] moves it.
const NAME_KEY: &str = "x-name";

/// Adds to the schema of each kind the name that its events have, so that programs can tell the kinds apart.
fn name_kinds(schema: &mut Schema) {
    let kinds = schema.get_mut("anyOf").and_then(Value::as_array_mut);
    for kind in kinds.into_iter().flatten().filter_map(Value::as_object_mut) {
        let Some(name) = kind.remove(NAME_KEY) else { continue };
        let properties = kind.entry("properties").or_insert_with(|| json!({}));
        if let Some(properties) = properties.as_object_mut() {
            properties.insert("event".to_owned(), json!({ "type": "string", "const": name }));
        }
        let required = kind.entry("required").or_insert_with(|| json!([]));
        if let Some(required) = required.as_array_mut() {
            required.push(json!("event"));
        }
    }
}

/// The event.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum EventKind {
    /// A run or turn begins.
    #[schemars(extend("x-name" = "discussion.start"))]
    DiscussionStart {
        /// The discussion's title; empty if its file cannot be read.
        topic: String,
    },
    /// A run or turn ends.
    #[schemars(extend("x-name" = "discussion.end"))]
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
    #[schemars(extend("x-name" = "discussion.round.start"))]
    RoundStart {},
    /// The round is over: the next one begins, or the run ends.
    #[schemars(extend("x-name" = "discussion.round.end"))]
    RoundEnd {
        /// Duration of its turns in milliseconds, as far as known.
        ms: u64,
    },
    /// A turn begins.
    #[schemars(extend("x-name" = "turn.start"))]
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
    #[schemars(extend("x-name" = "turn.end"))]
    TurnEnd {
        /// Its number.
        turn: u32,
        /// Milliseconds that its calls took: one after the other, or all at once in a parallel phase.
        ms: u64,
    },
    /// A participant is asked.
    #[schemars(extend("x-name" = "answer.start"))]
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
    #[schemars(extend("x-name" = "answer.chunk"))]
    AnswerChunk {
        /// The text.
        text: String,
    },
    /// An answer, pass or failure is recorded.
    #[schemars(extend("x-name" = "answer.end"))]
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
    #[schemars(extend("x-name" = "comment"))]
    Comment {
        /// The name.
        name: String,
        /// The comment, without its vote.
        text: String,
    },
    /// A turn with deciding votes begins.
    #[schemars(extend("x-name" = "consensus.start"))]
    ConsensusStart {},
    /// A vote that counts.
    #[schemars(extend("x-name" = "vote"))]
    Vote {
        /// The option.
        vote: String,
        /// The confidence, 0 to 1.
        confidence: Option<f64>,
    },
    /// The votes were judged.
    #[schemars(extend("x-name" = "consensus"))]
    Consensus {
        /// True if consensus is reached by the method.
        reached: bool,
        /// The leading option.
        outcome: Option<String>,
        /// The names of participants with a blocking vote.
        blocked_by: Vec<String>,
    },
    /// A person chose a phase.
    #[schemars(extend("x-name" = "discussion.phase"))]
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
    #[schemars(extend("x-name" = "discussion.status"))]
    Status {
        /// `CLOSED` or `OPEN`.
        status: &'static str,
        /// The person's name.
        by: Option<String>,
    },
    /// Older text of the file changed: read the whole file again.
    #[schemars(extend("x-name" = "discussion.rewritten"))]
    Rewritten {},
    /// A note about the run, once for each run.
    #[schemars(extend("x-name" = "note"))]
    Note {
        /// The note, for people.
        message: String,
    },
    /// The run cannot go on.
    #[schemars(extend("x-name" = "error"))]
    Error {
        /// The standard code.
        code: ErrorCode,
        /// The message of the error.
        message: String,
        /// True if a retry may help.
        retryable: bool,
    },
    /// The run was stopped.
    #[schemars(extend("x-name" = "aborted"))]
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
    /// Returns the stable word in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Answered { .. } => "answered",
            Self::Passed {} => "passed",
            Self::Failed { .. } => "failed",
        }
    }
}

#[cfg(test)]
mod tests {
    use schemars::generate::SchemaSettings;

    use super::*;

    /// Returns an event of each kind.
    fn samples() -> Vec<EventKind> {
        let (text, name) = (String::new, || "x".to_owned());
        vec![
            EventKind::DiscussionStart { topic: text() },
            EventKind::DiscussionEnd {
                stopped: "finished",
                status: None,
                decision: None,
                person_votes: BTreeMap::new(),
            },
            EventKind::RoundStart {},
            EventKind::RoundEnd { ms: 0 },
            EventKind::TurnStart {
                turn: 1,
                phase: name(),
                title: name(),
                asks: Vec::new(),
                left_out: Vec::new(),
            },
            EventKind::TurnEnd { turn: 1, ms: 0 },
            EventKind::AnswerStart {
                name: name(),
                provider: name(),
                fallbacks: Vec::new(),
                passed_over: None,
            },
            EventKind::AnswerChunk { text: text() },
            EventKind::AnswerEnd {
                provider: name(),
                outcome: CallOutcome::Passed {},
                ms: 0,
                finish: None,
                prompt_tokens: None,
                answer_tokens: None,
                cached: None,
                usd: None,
                estimated: false,
                calls: 1,
                text: text(),
                notes: Vec::new(),
            },
            EventKind::Comment { name: name(), text: text() },
            EventKind::ConsensusStart {},
            EventKind::Vote { vote: name(), confidence: None },
            EventKind::Consensus { reached: false, outcome: None, blocked_by: Vec::new() },
            EventKind::Phase { phase: name(), title: name(), by: name() },
            EventKind::Status { status: "OPEN", by: None },
            EventKind::Rewritten {},
            EventKind::Note { message: text() },
            EventKind::Error { code: ErrorCode::InvalidInput, message: text(), retryable: false },
            EventKind::Aborted {},
        ]
    }

    #[test]
    fn schema_names_each_kind_as_its_events_do() {
        let written = SchemaSettings::draft2020_12().for_serialize();
        let schema = written.into_generator().into_root_schema_for::<Event>();
        let kinds = schema.get("anyOf").and_then(Value::as_array).unwrap();
        let samples = samples();
        assert_eq!(kinds.len(), samples.len());
        for (kind, sample) in kinds.iter().zip(samples) {
            assert_eq!(kind["properties"]["event"]["const"], sample.name());
            let written = serde_json::to_value(&sample).unwrap();
            let has = |key: &Value| key == "event" || written.get(key.as_str().unwrap()).is_some();
            assert!(kind["required"].as_array().unwrap().iter().all(has), "{kind}");
        }
    }
}
