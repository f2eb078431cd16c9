//! The result of a turn or a run, and the result of a discussion in the form that workflow engines
//! expect from a step.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{ConsensusPart, DiscussionResult, Round, RunCost, Status};
use crate::codes::{ResultError, StopCode};
use crate::transcript::{Tokens, Usd};

/// The result of a turn or a run, and the discussion's status.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ran {
    /// The file, as it is shown.
    pub file: String,
    /// The number of turns that it started or continued.
    pub turns: u32,
    /// Each participant that was asked, in the order of their answers.
    pub calls: Vec<Call>,
    /// The sums of all calls.
    pub cost: RunCost,
    /// Why it stopped.
    pub stopped: StopCode,
    /// The sub-discussion that stopped it, as it is shown; absent if none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// The error, if it stopped with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ResultError>,
    /// Votes of people that arrived during the run, by name; absent if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub person_votes: BTreeMap<String, String>,
    /// The discussion's status.
    pub status: Status,
    /// Why the summary file could not be written.
    #[serde(skip)]
    pub summary: Option<String>,
}

impl Ran {
    /// Returns the number of participants that answered or had nothing to add.
    pub fn answer_count(&self) -> usize {
        self.calls.iter().filter(|call| call.outcome != "failed").count()
    }
}

/// One participant that was asked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// The participant's alias.
    pub participant: String,
    /// The provider that was used last.
    pub provider: String,
    /// The turn's number.
    pub turn: u32,
    /// Duration from the start of the first call, in milliseconds.
    pub ms: u64,
    /// Tokens of prompt and answer together.
    pub tokens: Option<u64>,
    /// Bytes of the prompt.
    pub prompt_bytes: usize,
    /// Bytes at its beginning that the same provider has read and answered before in this run, from about 1,024
    /// tokens on.
    pub cached_prefix: usize,
    /// Tokens of prompts that came from a cache, if the provider reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Why the last answer ended, in a stable word, if the provider reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// `answered`, `passed` or `failed`.
    pub outcome: &'static str,
    /// Why it failed, in a stable word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The number of model calls.
    #[serde(skip)]
    pub calls: u32,
    /// True if another call would fail too.
    #[serde(skip)]
    pub(crate) is_for_good: bool,
    /// Tokens of prompts and of answers.
    #[serde(skip)]
    pub(crate) both_tokens: Option<Tokens>,
    /// US dollars.
    #[serde(skip)]
    pub(crate) usd: Option<Usd>,
}

/// A named provider that is not installed; others are called instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PassedOver {
    /// Its name.
    pub provider: String,
    /// Why it cannot be called.
    pub reason: String,
    /// The fix.
    pub fix: String,
}

impl PassedOver {
    /// Returns the reason and how to fix it, in one sentence.
    pub fn why(&self) -> String {
        format!("{}; {}", self.reason, self.fix)
    }
}

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
