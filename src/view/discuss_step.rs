//! The result of a discussion in the form that workflow engines expect from a step.

use schemars::JsonSchema;
use serde::Serialize;

use super::{ConsensusPart, DiscussionResult, Round};
use crate::codes::ResultError;

/// The result of a workflow's step.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscussStepResult {
    /// True if the method's rule was met.
    pub success: bool,
    /// The values for later steps.
    pub output: DiscussStepOutput,
    /// Why it did not succeed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ResultError>,
    /// Duration of its rounds in milliseconds.
    pub duration_ms: u64,
}

/// The values for later steps of a workflow.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscussStepOutput {
    /// The final text.
    pub synthesis: String,
    /// The answers, round by round.
    pub rounds: Vec<Round>,
    /// The details of the consensus.
    pub consensus: ConsensusPart,
    /// The participants, by alias.
    pub participating_providers: Vec<String>,
}

impl DiscussionResult {
    /// Returns the result in the form that workflow engines expect.
    pub fn into_step(self) -> DiscussStepResult {
        let result = self;
        DiscussStepResult {
            success: result.success,
            output: DiscussStepOutput {
                synthesis: result.synthesis,
                rounds: result.rounds,
                consensus: result.consensus,
                participating_providers: result.participating_providers,
            },
            error: result.error,
            duration_ms: result.total_duration_ms,
        }
    }
}
