//! `turn --dry-run --json`.

use discussions::runner::{Plan, PlannedCall};
use serde::Serialize;

/// What a turn would do.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlanDocument {
    file: String,
    /// The number of the turn that would be asked.
    turn: u32,
    asks: Vec<AskDocument>,
    /// What would be appended before the first call.
    appends: String,
}

/// One participant who would be asked.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AskDocument {
    participant: String,
    /// The one that is asked first.
    provider: Option<String>,
    prompt: String,
}

impl PlanDocument {
    /// What a turn would do.
    pub(crate) fn new(file: String, plan: Plan) -> Self {
        Self {
            file,
            turn: plan.turn,
            asks: plan.calls.into_iter().map(AskDocument::from).collect(),
            appends: plan.appended,
        }
    }
}

impl From<PlannedCall> for AskDocument {
    fn from(call: PlannedCall) -> Self {
        Self {
            participant: call.participant.to_string(),
            provider: call.providers.into_iter().next(),
            prompt: call.prompt,
        }
    }
}
