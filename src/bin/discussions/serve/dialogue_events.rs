//! Converts the events of a run with two models into the twelve events of the two-model dialogue
//! interface, which `docs/serve.md` lists.

use chrono::DateTime;
use discussions::codes::ErrorCode;
use discussions::view::{CallOutcome, DiscussionResult, Event, EventKind};
use serde_json::{Value, json};

/// One of the two models.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// The alias of its participant.
    pub(super) alias: String,
    pub(super) model: String,
    pub(super) provider: String,
    pub(super) name: String,
}

/// The recorded details of an answer that its event lacks.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordedAnswer {
    /// The tokens of the prompt and of the answer.
    pub(super) tokens: (u64, u64),
    /// The solution that the answer proposes.
    pub(super) solution: Option<String>,
    /// The reason for its author's vote, without the lines that programs read.
    pub(super) reason: Option<String>,
}

/// The state of the conversion.
#[derive(Debug)]
pub(super) struct DialogueEvents {
    id: String,
    prompt: String,
    models: [Model; 2],
    round: u32,
    is_checking: bool,
    /// The turns of this round, by model.
    turns: [Value; 2],
    votes: [Value; 2],
    check: Value,
    /// The reason and the proposed solution in the last answer of each model.
    said: [(String, Option<String>); 2],
    /// The time of the last event, in milliseconds since 1970.
    last: i64,
}

/// The name of an event and its content.
pub(super) type DialogueEvent = (&'static str, Value);

impl DialogueEvents {
    pub(super) fn new(id: String, prompt: String, models: [Model; 2]) -> Self {
        let (turns, votes, said) = Default::default();
        Self {
            id,
            prompt,
            models,
            round: 0,
            is_checking: false,
            turns,
            votes,
            check: Value::Null,
            said,
            last: 0,
        }
    }

    /// Converts an event of a run. Returns `None` for the many events that the two-model dialogue
    /// interface does not have.
    pub(super) fn tell(
        &mut self,
        event: &Event,
        recorded: &RecordedAnswer,
    ) -> Option<DialogueEvent> {
        let at = self.not_before(&event.at);
        let who = event.participant.as_deref();
        let index = self.models.iter().position(|model| Some(model.alias.as_str()) == who);
        let round = self.round;
        let (name, content) = match &event.kind {
            EventKind::DiscussionStart { .. } => {
                let participants = self.models.each_ref().map(|model| {
                    json!({ "modelId": model.model, "providerId": model.provider, "displayName": model.name })
                });
                let [a, b] = participants;
                let participants = json!({ "modelA": a, "modelB": b });
                (
                    "discussion-started",
                    json!({ "prompt": self.prompt, "participants": participants }),
                )
            }
            EventKind::RoundStart {} => {
                self.round = event.round.unwrap_or(round + 1);
                (self.turns, self.votes, self.check) = Default::default();
                ("round-started", json!({ "roundNumber": self.round }))
            }
            EventKind::TurnStart { .. } => {
                self.is_checking = false;
                return None;
            }
            EventKind::ConsensusStart {} => {
                self.is_checking = true;
                ("consensus-check-started", json!({ "roundNumber": round }))
            }
            EventKind::AnswerStart { .. } if !self.is_checking => {
                let model = &self.models[index?];
                let content =
                    json!({ "role": role(index?), "modelId": model.model, "roundNumber": round });
                ("turn-started", content)
            }
            EventKind::AnswerChunk { text } if !self.is_checking => {
                ("turn-chunk", json!({ "role": role(index?), "chunk": text }))
            }
            EventKind::AnswerEnd { outcome, ms, finish, text, .. } => {
                let index = index?;
                let reason = recorded.reason.clone().unwrap_or_else(|| text.clone());
                self.said[index] = (reason, recorded.solution.clone());
                if self.is_checking || !matches!(outcome, CallOutcome::Answered { .. }) {
                    return None;
                }
                let (prompt, answer) = recorded.tokens;
                self.turns[index] = json!({
                    "id": format!("turn_{round}_{}_{at}", role(index)),
                    "role": role(index),
                    "roundNumber": round,
                    "content": text,
                    "timestamp": at,
                    "durationMs": ms,
                    "tokenUsage": { "promptTokens": prompt, "completionTokens": answer },
                    "finishReason": finish.as_deref().unwrap_or("stop"),
                });
                ("turn-completed", json!({ "turn": self.turns[index] }))
            }
            EventKind::Vote { vote, confidence } if self.is_checking => {
                let index = index?;
                let (reasoning, solution) = std::mem::take(&mut self.said[index]);
                // A missing confidence counts as one half.
                let confidence = (confidence.unwrap_or(0.5) * 100.0).round();
                self.votes[index] = json!({
                    "role": role(index),
                    "hasConsensus": vote == "YES",
                    "confidence": confidence,
                    "reasoning": reasoning,
                    "timestamp": at,
                });
                if let Some(solution) = solution {
                    self.votes[index]["proposedSolution"] = solution.into();
                }
                ("consensus-vote", json!({ "vote": self.votes[index] }))
            }
            EventKind::Consensus { reached, .. } => {
                for index in 0..2 {
                    if self.votes[index].is_null() {
                        self.votes[index] = silent(index, at);
                    }
                }
                let [a, b] = &self.votes;
                self.check = json!({
                    "isUnanimous": reached, "modelAVote": a, "modelBVote": b, "roundNumber": round,
                });
                if let Some(solution) = surest(&self.votes).filter(|_| *reached) {
                    self.check["finalSolution"] = solution;
                }
                ("consensus-result", json!({ "result": self.check }))
            }
            EventKind::RoundEnd { .. } => {
                let [a, b] = &self.turns;
                let mut round = json!({ "number": round, "modelATurn": a, "modelBTurn": b });
                if !self.check.is_null() {
                    round["consensusCheck"] = self.check.clone();
                }
                ("round-completed", json!({ "round": round }))
            }
            _ => return None,
        };
        Some((name, self.dated(content, at)))
    }

    /// Returns the final event of a dialogue: completed, aborted or failed.
    pub(super) fn end(&mut self, result: &DiscussionResult) -> DialogueEvent {
        let at = self.not_before(&result.metadata.completed_at);
        let reason = result.stopping_reason;
        let (name, content) = match (reason, &result.error) {
            ("user_abort", _) => ("discussion-aborted", json!({ "stoppingReason": reason })),
            ("consensus_reached" | "max_iterations" | "max_calls" | "max_usd", _) | (_, None) => {
                let mut content =
                    json!({ "stoppingReason": reason, "synthesis": result.synthesis });
                if let Some(consensus) = &result.final_consensus {
                    content["finalConsensus"] = json!(consensus);
                }
                ("discussion-completed", content)
            }
            (_, Some(error)) => {
                let error = json!({
                    "code": code(error.code),
                    "message": error.message,
                    "recoverable": error.retryable,
                });
                ("discussion-error", json!({ "stoppingReason": reason, "error": error }))
            }
        };
        (name, self.dated(content, at))
    }

    /// Returns a time that is never before the time of an earlier event.
    fn not_before(&mut self, at: &str) -> i64 {
        self.last = self.last.max(milliseconds(at));
        self.last
    }

    fn dated(&self, content: Value, at: i64) -> Value {
        let mut dated = json!({ "discussionId": self.id, "timestamp": at });
        if let (Some(dated), Value::Object(content)) = (dated.as_object_mut(), content) {
            dated.extend(content);
        }
        dated
    }
}

fn role(index: usize) -> &'static str {
    if index == 0 { "model-a" } else { "model-b" }
}

/// Returns a vote without consensus, for a model that did not vote. The program does not guess a vote.
fn silent(index: usize, at: i64) -> Value {
    json!({
        "role": role(index), "hasConsensus": false, "confidence": 0,
        "reasoning": "the vote could not be read", "timestamp": at,
    })
}

/// Returns the solution of the more confident model; if both are equally confident, the first one's.
fn surest(votes: &[Value; 2]) -> Option<Value> {
    let sure = |vote: &Value| vote["confidence"].as_f64().unwrap_or(0.0);
    let [a, b] = votes;
    let (first, second) = if sure(b) > sure(a) { (b, a) } else { (a, b) };
    first.get("proposedSolution").or_else(|| second.get("proposedSolution")).cloned()
}

fn milliseconds(at: &str) -> i64 {
    DateTime::parse_from_rfc3339(at).map_or(0, |at| at.timestamp_millis())
}

/// Returns the error code of the two-model dialogue interface.
fn code(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::InvalidInput
        | ErrorCode::InvalidPattern
        | ErrorCode::InvalidRoles
        | ErrorCode::CircularDiscussion
        | ErrorCode::NotTrusted => "INITIALIZATION_FAILED",
        ErrorCode::InsufficientProviders
        | ErrorCode::AllProvidersFailed
        | ErrorCode::SynthesisFailed => "PROVIDER_ERROR",
        ErrorCode::ProviderTimeout => "TURN_TIMEOUT",
        ErrorCode::Timeout => "DISCUSSION_TIMEOUT",
        ErrorCode::ParseFailed => "CONSENSUS_PARSE_FAILED",
        ErrorCode::InvalidState => "STATE_INVALID",
        ErrorCode::CostBudgetExceeded => "TURN_FAILED",
        ErrorCode::ConsensusFailed | ErrorCode::NotShown => "UNKNOWN",
    }
}
