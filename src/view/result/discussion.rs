//! The `DiscussionResult`: field for field what programs expect of a multi-model discussion.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::outcome::FinalOutcome;
use crate::codes::ResultError;
use crate::state;
use crate::view::cost::{money, round};

/// What a discussion came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscussionResult {
    /// Whether it ended as its rules ask.
    pub success: bool,
    /// The template's id.
    pub pattern: String,
    /// The question.
    pub topic: String,
    /// Aliases of those who answered at least once.
    pub participating_providers: Vec<String>,
    /// Aliases of those whose last call failed.
    pub failed_providers: Vec<String>,
    /// The rounds, from 1.
    pub rounds: Vec<Round>,
    // INV-DISC-002, INV-DISC-009.
    /// The final text.
    pub synthesis: String,
    /// What there is to act on.
    pub outcome: FinalOutcome,
    /// How it was agreed.
    pub consensus: ConsensusPart,
    /// The tally, where votes were cast in a phase in which they decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voting_results: Option<VotingResults>,
    // INV-DISC-501.
    /// Milliseconds that participants took, rounds one after the other.
    pub total_duration_ms: u64,
    /// Times and cost.
    pub metadata: Metadata,
    /// Why it ended.
    pub stopping_reason: &'static str,
    /// The agreed solution, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_consensus: Option<FinalConsensus>,
    /// Why it did not succeed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ResultError>,
    /// Whom it waits for, if a person's turn has come: aliases, names, or `human` if any person will do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting_for: Vec<String>,
    /// The discussion's file.
    pub file: String,
}

impl DiscussionResult {
    /// The result of a discussion that could not be made, at the time `at` (RFC 3339).
    pub(crate) fn failed(pattern: &str, topic: &str, at: &str, error: ResultError) -> Self {
        let (started_at, completed_at) = (at.to_owned(), at.to_owned());
        Self {
            pattern: pattern.to_owned(),
            topic: topic.to_owned(),
            metadata: Metadata { started_at, completed_at, ..Metadata::default() },
            stopping_reason: "error",
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
    /// What was said in it, in file order.
    pub responses: Vec<Response>,
    /// Milliseconds: turns one after the other, the calls of a parallel turn at once.
    pub duration_ms: u64,
}

/// One answer, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// The participant's alias, or a person's name.
    pub provider: String,
    /// What was said, without the vote.
    pub content: String,
    /// The round it belongs to.
    pub round: u32,
    /// The phase in which it was said.
    pub phase: String,
    /// The participant's role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// How sure, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vote: Option<String>,
    /// When it was recorded; absent for handwriting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// Milliseconds that it took.
    pub duration_ms: u64,
    /// The real error, where there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// How the outcome was agreed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsensusPart {
    /// The method.
    pub method: &'static str,
    /// Who wrote the final text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthesizer: Option<String>,
    /// Share of weighted votes behind the outcome, 0 to 1; absent when nothing was voted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement_score: Option<f64>,
    /// Whether consensus was reached.
    pub reached: bool,
    /// Somebody failed on the way.
    pub degraded: bool,
    // INV-DISC-201.
    /// Minority positions with their authors.
    pub dissent: Vec<Dissent>,
}

/// A minority position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Dissent {
    /// Whose.
    pub provider: String,
    /// Vote and the first sentence of the reason; the whole reason stands in the ballot.
    pub position: String,
    /// Line of the vote in the file, from 1.
    pub line: usize,
}

// INV-DISC-202.
/// The tally.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VotingResults {
    /// The option that won; empty on a tie.
    pub winner: String,
    /// Whether several options lead alike.
    pub tied: bool,
    /// Who decided between them.
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
    /// Whose.
    pub provider: String,
    /// For what.
    pub vote: String,
    /// How sure, 0 to 1; unstated weighs 0.5.
    pub confidence: f64,
    /// Why.
    pub reason: String,
    /// The solution that was proposed with the vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<String>,
}

/// What was agreed, and what each brought to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinalConsensus {
    /// The solution.
    pub solution: String,
    /// The round in which it was agreed.
    pub achieved_at_round: u32,
    /// The first participant's last word before the vote.
    pub model_a_contribution: String,
    /// The second one's.
    pub model_b_contribution: String,
}

/// Times and cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// When the discussion was made.
    pub started_at: String,
    /// When the last block with a time was written.
    pub completed_at: String,
    /// Tokens of prompts and answers.
    pub total_tokens: u64,
    /// US dollars, to the millionth, of the calls whose price is known; null if calls were made and no price is known.
    pub estimated_cost: Option<f64>,
    /// Some of the tokens or the money was not reported.
    pub estimated: bool,
    /// Sums by provider.
    pub cost_summary: CostSummary,
    /// Whether outstanding votes were not asked for any more.
    pub early_exit: EarlyExit,
}

// INV-DISC-644.
/// Sums over all calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CostSummary {
    /// Model calls.
    pub total_calls: u64,
    /// Tokens of prompts and answers.
    pub total_tokens: u64,
    /// US dollars, to the millionth, of the calls whose price is known; null if calls were made and no price is known.
    pub estimated_cost_usd: Option<f64>,
    /// Some of the tokens or the money was not reported.
    pub estimated: bool,
    /// By provider's name.
    pub by_provider: IndexMap<String, CostByProvider>,
}

/// What one provider cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CostByProvider {
    /// Model calls.
    pub calls: u64,
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// US dollars, to the millionth; null where nothing was reported and there is no price.
    pub cost_usd: Option<f64>,
    /// Some of the tokens or the money was not reported.
    pub estimated: bool,
}

impl DiscussionResult {
    /// The same with what the whole tree of discussions within it cost, and how many milliseconds those within it took.
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

impl CostSummary {
    /// The total in words, as [`crate::view::Cost::money`].
    pub fn money(&self) -> String {
        let providers = self.by_provider.iter().map(|(name, one)| (name, one.calls, one.cost_usd));
        money(self.estimated_cost_usd, self.estimated, providers)
    }
}

impl From<&state::Cost> for CostSummary {
    fn from(cost: &state::Cost) -> Self {
        let of = |one: &state::ProviderCost| {
            let spent = CostByProvider {
                calls: one.calls,
                tokens: one.tokens,
                cost_usd: one.priced.then(|| round(one.usd)),
                estimated: one.estimated,
            };
            (one.provider.clone(), spent)
        };
        Self {
            total_calls: cost.calls,
            total_tokens: cost.tokens,
            estimated_cost_usd: cost.known_usd().map(round),
            estimated: cost.estimated,
            by_provider: cost.by_provider.iter().map(of).collect(),
        }
    }
}

/// Calls that were not made because nothing could change any more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EarlyExit {
    /// Whether that happened.
    pub triggered: bool,
    /// Who was not asked.
    pub skipped: Vec<String>,
}
