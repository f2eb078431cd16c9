//! `--events`: one object a line.

use chrono::SecondsFormat;
use discussions::runner::{CallOutcome, Event, EventKind};
use discussions::transcript::Time;
use serde_json::{Map, Value, json};

/// An event as one JSON object; `file` is the path as shown.
pub(crate) fn event(event: &Event, file: &str) -> Value {
    let mut fields = Map::new();
    fields.insert("event".to_owned(), event.kind.name().into());
    fields.insert("file".to_owned(), file.into());
    fields.insert("at".to_owned(), time(event.at).into());
    if let Some(round) = event.round {
        fields.insert("round".to_owned(), round.into());
    }
    if let Some(participant) = event.kind.participant() {
        fields.insert("participant".to_owned(), participant.as_str().into());
    }
    if let Value::Object(more) = details(&event.kind) {
        fields.extend(more);
    }
    Value::Object(fields)
}

/// A time as it is written everywhere.
pub(super) fn time(at: Time) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn details(kind: &EventKind) -> Value {
    match kind {
        EventKind::DiscussionStart | EventKind::ConsensusStart | EventKind::Aborted => json!({}),
        EventKind::DiscussionEnd { stopped } => json!({ "stopped": stopped.as_str() }),
        EventKind::RoundStart { turn, phase, asks } => {
            json!({ "turn": turn, "phase": phase, "asks": asks })
        }
        EventKind::RoundEnd { turn, ms } => json!({ "turn": turn, "ms": ms }),
        EventKind::AnswerStart { name, provider, .. } => {
            json!({ "name": name, "provider": provider })
        }
        EventKind::AnswerChunk { text, .. } => json!({ "text": text }),
        EventKind::AnswerEnd { provider, outcome, ms, text, notes, .. } => {
            let mut fields = json!({
                "provider": provider,
                "outcome": outcome.as_str(),
                "ms": ms,
                "text": text,
                "notes": notes,
            });
            if let CallOutcome::Failed { code, message, retryable } = outcome {
                fields["error"] =
                    json!({ "code": code, "message": message, "retryable": retryable });
            }
            fields
        }
        EventKind::Vote { vote, confidence, .. } => {
            json!({ "vote": vote, "confidence": confidence })
        }
        EventKind::Consensus { reached, outcome, blocked_by } => {
            json!({ "reached": reached, "outcome": outcome, "blockedBy": blocked_by })
        }
        EventKind::Error { code, message, retryable } => {
            json!({ "code": code, "message": message, "retryable": retryable })
        }
    }
}
