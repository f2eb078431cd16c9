//! The `DiscussionResult`, with exactly the fields that programs expect of a multi-model discussion, and the outcome
//! for readers who have to act on it.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::text_review::TextReview;
use crate::codes::{ResultError, StopCode};
use crate::state::{self, Item};
use crate::view::decided::{DecisionFacts, StatedDecision};
use crate::view::item::Condition;
use crate::view::notes::DecisionNotes;
use crate::view::sentence::without_decision;
use crate::view::status::{Cost, round};

/// The result of a discussion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscussionResult {
    /// True if it ended in the way that its rules require.
    pub success: bool,
    /// The template's id.
    pub pattern: String,
    /// The question.
    pub topic: String,
    /// Aliases of participants with at least one answer.
    pub participating_providers: Vec<String>,
    /// Aliases of participants with a failed last call.
    pub failed_providers: Vec<String>,
    /// The rounds, from 1.
    pub rounds: Vec<Round>,
    // INV-DISC-002, INV-DISC-009.
    /// The final text.
    pub synthesis: String,
    /// The outcome to act on.
    pub outcome: FinalOutcome,
    /// The review of the final text.
    #[serde(flatten)]
    pub review: TextReview,
    /// The details of the consensus.
    pub consensus: ConsensusPart,
    /// The tally, if there were deciding votes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voting_results: Option<VotingResults>,
    /// How each ballot went, oldest first; absent if there was at most one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consensus_history: Vec<EarlierBallot>,
    // INV-DISC-501.
    /// Answering time in milliseconds, rounds one after the other.
    pub total_duration_ms: u64,
    /// Times and cost.
    pub metadata: Metadata,
    /// Why it ended, or for what kind of act of a person it waits.
    #[schemars(schema_with = "stopping_reasons")]
    pub stopping_reason: &'static str,
    /// The agreed solution, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_consensus: Option<FinalConsensus>,
    /// Why it did not succeed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ResultError>,
    /// The people it waits for: aliases, names, or `human` for any person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting_for: Vec<String>,
    /// The discussion's file.
    pub file: String,
}

/// The discussion ended with consensus.
pub(super) const CONSENSUS_REACHED: &str = "consensus_reached";
/// It ended with a text that was not voted on.
pub(super) const COMPLETED: &str = "completed";
/// Its rounds are over, and the votes reached no consensus.
pub(super) const ROUNDS_ARE_OVER: &str = "max_iterations";
/// Too few participants could answer.
pub(super) const MODELS_UNAVAILABLE: &str = "model_unavailable";
/// Anything else, which the error describes.
pub(super) const STOPPED_BY_ERROR: &str = "error";

/// Returns the schema of the reason: its words that the file alone gives, and those of a stopped run.
fn stopping_reasons(_: &mut SchemaGenerator) -> Schema {
    let by_file =
        [CONSENSUS_REACHED, COMPLETED, ROUNDS_ARE_OVER, MODELS_UNAVAILABLE, STOPPED_BY_ERROR];
    let by_run = StopCode::ALL.iter().filter_map(|code| code.result_word());
    let words: BTreeSet<&str> = by_file.into_iter().chain(by_run).collect();
    schemars::json_schema!({ "type": "string", "enum": words })
}

impl DiscussionResult {
    /// Returns the result of a discussion that could not be created, at the time `at` (RFC 3339).
    pub(crate) fn failed(pattern: &str, topic: &str, at: &str, error: ResultError) -> Self {
        let (started_at, completed_at) = (at.to_owned(), at.to_owned());
        Self {
            pattern: pattern.to_owned(),
            topic: topic.to_owned(),
            metadata: Metadata { started_at, completed_at, ..Metadata::default() },
            stopping_reason: STOPPED_BY_ERROR,
            error: Some(error),
            ..Self::default()
        }
    }
}

/// One round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Round {
    /// Counted from 1.
    pub round_number: u32,
    /// Its answers, in file order.
    pub responses: Vec<Response>,
    /// What the moderator summed up, if a phase of the round has `summary: true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Milliseconds: turns one after the other, the calls of a parallel turn at once.
    pub duration_ms: u64,
}

/// An answer, or the reason why there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// The participant's alias, or a person's name.
    pub provider: String,
    /// The text, without the vote.
    pub content: String,
    /// The round it belongs to.
    pub round: u32,
    /// The phase of the answer.
    pub phase: String,
    /// The participant's role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The confidence, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vote: Option<String>,
    /// When it was recorded; absent if a person wrote it into the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// Duration in milliseconds.
    pub duration_ms: u64,
    /// Tokens of prompts and answer, for an answer of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The error, if there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The details of the consensus.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsensusPart {
    /// The method.
    pub method: &'static str,
    /// The author of the final text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthesizer: Option<String>,
    /// Share of weighted votes for the outcome, 0 to 1; absent without votes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement_score: Option<f64>,
    /// True if consensus was reached.
    pub reached: bool,
    /// The voters whose REJECT blocks it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocked_by: Vec<String>,
    /// True if some calls failed.
    pub degraded: bool,
    // INV-DISC-201.
    /// Minority positions with their authors.
    pub dissent: Vec<Dissent>,
}

/// A minority position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Dissent {
    /// The participant.
    pub provider: String,
    /// The vote and the first sentence of the reason; the ballot has the whole reason. For a declined finding: the
    /// quoted words and the first sentence of the proof.
    pub position: String,
    /// Line of the vote or the finding in the file, from 1.
    pub line: usize,
}

// INV-DISC-202.
/// The tally.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VotingResults {
    /// The option that won; empty on a tie.
    pub winner: String,
    /// True if several options are tied for first.
    pub tied: bool,
    /// The participant that decided the tie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tie_broken_by: Option<String>,
    /// Votes by option.
    pub votes: IndexMap<String, usize>,
    /// Votes times confidence and weight, by option.
    pub weighted_votes: IndexMap<String, f64>,
    /// Each vote.
    pub ballots: Vec<Ballot>,
}

/// One vote.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ballot {
    /// The participant.
    pub provider: String,
    /// The option.
    pub vote: String,
    /// The confidence, 0 to 1; if not stated, 1 for a person and 0.5 for a model.
    pub confidence: f64,
    /// The reason.
    pub reason: String,
    /// The solution that was proposed with the vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<String>,
    /// True if the answer states no readable vote, and the phase counts that as this option.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unreadable: bool,
}

/// The votes that one turn of a ballot asked for. A ballot that is repeated has one for each time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EarlierBallot {
    /// The number of the turn in the file.
    pub turn: u32,
    /// The round it belongs to.
    pub round: u32,
    /// The phase.
    pub phase: String,
    /// The option of each participant that answered, by alias.
    pub votes: IndexMap<String, String>,
    /// The participants without a readable vote, if the phase counts that as a vote.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
}

/// The agreed solution, and what each participant contributed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinalConsensus {
    /// The solution.
    pub solution: String,
    /// The round in which it was agreed.
    pub achieved_at_round: u32,
    /// The first participant's last word before the vote.
    pub model_a_contribution: String,
    /// The second participant's last word before the vote.
    pub model_b_contribution: String,
}

/// Times and cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// When the discussion was created.
    pub started_at: String,
    /// When the last block with a time was written; comments with only notes about the decision are not counted.
    pub completed_at: String,
    /// Tokens of prompts and answers.
    pub total_tokens: u64,
    /// US dollars, to the millionth, for calls with a known price; null if calls were made and no price is known.
    pub estimated_cost: Option<f64>,
    /// Some of the tokens or costs were not reported.
    pub estimated: bool,
    // INV-DISC-644.
    /// Sums over all calls, and by provider.
    pub cost_summary: Cost,
    /// True if votes were skipped because they could not change the outcome.
    pub early_exit: EarlyExit,
}

impl DiscussionResult {
    /// Sets the cost to that of the whole tree of sub-discussions, and adds their duration in milliseconds.
    #[must_use]
    pub(crate) fn with_cost(mut self, cost: &state::Cost, within_ms: u64) -> Self {
        self.total_duration_ms = self.total_duration_ms.saturating_add(within_ms);
        let metadata = &mut self.metadata;
        metadata.total_tokens = cost.tokens;
        metadata.estimated_cost = cost.known_usd().map(round);
        metadata.estimated = cost.estimated;
        metadata.cost_summary = cost.into();
        self
    }
}

/// Calls that were skipped because they could not change the outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EarlyExit {
    /// True if calls were skipped.
    pub triggered: bool,
    /// The participants that were skipped.
    pub skipped: Vec<String>,
}

/// The outcome of a discussion: the text first, then the details.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinalOutcome {
    /// The final text, or the proposal that was voted on; empty while there is none.
    pub text: String,
    /// What was decided.
    #[serde(flatten)]
    pub facts: DecisionFacts,
    /// The reason for a ballot's outcome, in a sentence; absent if no ballot among answers decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The line in the file where the text's comment begins, from 1.
    pub line: Option<usize>,
    /// The requests of participants that did not accept the text.
    pub conditions: Vec<Condition>,
    /// Tasks in file order.
    pub tasks: Vec<Item>,
    /// Open questions.
    pub open_questions: Vec<Item>,
    /// Votes against the outcome, a line each.
    pub dissent: Vec<Condition>,
    /// When people look at it again, the files that it is about, and what became of it.
    #[serde(flatten)]
    pub notes: DecisionNotes,
}

impl FinalOutcome {
    /// Returns the text without the line that only states the decision, for front ends that show the decision
    /// separately.
    pub fn text_alone(&self) -> String {
        let stated =
            |text: String, one: &StatedDecision| without_decision(&text, Some(one.stated_text()));
        self.facts.decisions.iter().fold(self.text.clone(), stated).trim().to_owned()
    }
}
