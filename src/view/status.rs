//! The status of a discussion, with the cost of its answers.

use indexmap::{IndexMap, IndexSet};
use schemars::JsonSchema;
use serde::Serialize;

use super::Problem;
use super::decided::DecisionFacts;
use super::item::{Condition, items};
use super::next_step::NextStep;
use super::notes::Deadline;
use super::notes::DecisionNotes;
use super::participant::{Participant, name, participants};
use super::sentence::without_decision;
use crate::engine::{self, Snapshot};
use crate::state::{self, Ballot, Item, ItemKind, Items};
use crate::transcript::Time;

/// The status of a discussion.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// The file, as it is shown.
    pub file: String,
    /// The first heading.
    pub title: String,
    /// The template's id.
    pub template: String,
    /// The current phase's id.
    pub phase: String,
    /// The last turn's number; 0 before the first.
    pub turn: u32,
    /// Its status.
    pub status: engine::DecisionStatus,
    /// The latest votes, by name.
    pub votes: IndexMap<String, String>,
    /// The title of the current phase.
    #[serde(skip)]
    pub phase_title: String,
    /// The options to vote on now; empty if no more votes count.
    #[serde(skip)]
    pub options: Vec<String>,
    /// Votes by option, in the phase's order.
    pub tally: IndexMap<String, usize>,
    /// The outcome of the votes.
    pub consensus: Consensus,
    /// All participants, then other authors of comments.
    pub participants: Vec<Participant>,
    /// Questions, tasks and other numbered items, each kind in its own list.
    #[serde(flatten)]
    pub items: Items,
    /// What was decided.
    #[serde(flatten)]
    pub decided: DecisionFacts,
    /// The requests of votes for CHANGES, and the reasons of votes for REJECT.
    pub conditions: Vec<Condition>,
    /// Participants that abstained, by name.
    pub abstained: Vec<String>,
    /// The outcome; null if there is none yet.
    pub outcome: Option<Outcome>,
    /// Mentioned participants that have not answered yet, each once.
    pub pending_mentions: Vec<String>,
    /// Calls that gave no answer.
    pub failures: Vec<Failure>,
    /// When people look at the decisions again, the files that they are about, and what became of them.
    #[serde(flatten)]
    pub notes: DecisionNotes,
    /// The day until which people should decide; absent if there is none, or if the discussion is not open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decide_by: Option<Deadline>,
    /// Its cost.
    pub cost: Cost,
    /// Problems of the file.
    pub problems: Vec<Problem>,
    /// The possible next steps.
    #[serde(skip)]
    pub next: Vec<NextStep>,
}

/// The outcome of the votes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consensus {
    /// True if there is consensus.
    pub reached: bool,
    /// The option that won or leads.
    pub outcome: Option<String>,
    /// The names of participants with a blocking vote.
    pub blocked_by: Vec<String>,
    /// Participants without a vote, pass or failure, by name.
    pub missing: Vec<String>,
    /// True if the votes suffice but a person's vote is still needed.
    pub human_required: bool,
    /// True if calls failed, so that the result is incomplete.
    pub degraded: bool,
    /// True if it is reached by a text without a vote.
    #[serde(skip)]
    pub by_text: bool,
}

/// The result of a discussion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// The text that was adopted, answered or judged; while nothing is decided, the text to decide about. If only votes
    /// decide, the winning option.
    pub text: String,
    /// The text without the line that only states the decision.
    #[serde(skip)]
    pub text_alone: String,
    /// The decision in it; null if nothing is in force or answered.
    pub decision: Option<String>,
    /// Line in the file, from 1; none if it is in no single comment.
    pub line: Option<usize>,
    /// True if the decision is the verdict of a review.
    #[serde(skip)]
    pub is_verdict: bool,
}

/// A call that gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The participant's name.
    pub participant: String,
    /// A stable word.
    pub code: String,
    /// The error.
    pub message: String,
    /// True if a retry may help.
    pub retryable: bool,
}

/// Returns the votes by option, in the phase's order. Before the first vote, the options are those of the phase that
/// will decide. Empty if no phase ever decides by votes.
pub(super) fn tally(snapshot: &Snapshot) -> IndexMap<String, usize> {
    let (ballot, phase) = deciding(snapshot);
    if ballot.votes.is_empty() && !snapshot.template().phases[phase].voting_mode {
        return IndexMap::new();
    }
    let options = &snapshot.config.options[phase];
    options.iter().map(|option| (option.to_string(), ballot.count(option))).collect()
}

/// Returns the ballot to show, and the phase with its options: the ballot of the current phase or, if it has no votes,
/// the one that decided.
pub(super) fn deciding(snapshot: &Snapshot) -> (&Ballot, usize) {
    // A phase without a ballot has no options to choose. If a person left a ballot, its phase still gives the options.
    let phase = snapshot.ballot_phase().unwrap_or(snapshot.state.place.phase());
    let here = (&snapshot.state.ballot, phase);
    match snapshot.state.deciding(&snapshot.config) {
        Some(decided) if here.0.votes.is_empty() || here.0.votes == decided.0.votes => decided,
        _ => here,
    }
}

impl Outcome {
    /// Returns the text of the outcome; `None` if there is none, and while nothing is decided about it.
    fn of(outcome: &engine::Outcome) -> Option<Self> {
        let is_verdict = outcome.standing == engine::Standing::Verdict;
        let decision = outcome.decision();
        let stated = decision.map(|item| item.reason.as_ref().unwrap_or(&item.text));
        let sentence = decision.map(|item| item.text.clone());
        let sentence = sentence.or_else(|| outcome.verdict.clone().filter(|_| is_verdict));
        let Some(text) = &outcome.text else {
            let text = sentence.clone()?;
            let text_alone = String::new();
            return Some(Self { text, text_alone, decision: sentence, line: None, is_verdict });
        };
        Some(Self {
            text: text.text.clone(),
            text_alone: without_decision(&text.text, stated.map(String::as_str)),
            decision: sentence,
            line: text.line,
            is_verdict,
        })
    }
}

impl Status {
    /// Returns the questions, in file order.
    pub fn questions(&self) -> &[Item] {
        self.items.of(ItemKind::Question)
    }

    /// Returns the tasks, in file order.
    pub fn tasks(&self) -> &[Item] {
        self.items.of(ItemKind::Task)
    }

    /// Returns the facts that every front end shows in a line each: its words, and true if they are pressing. A new one
    /// needs no change in a front end.
    pub fn facts(&self) -> Vec<(String, bool)> {
        self.decide_by.iter().map(|day| (day.words(), day.overdue)).collect()
    }

    /// Returns the names of the participants that voted for the outcome. They are in the order of the head,
    /// because the order of the answers differs from run to run.
    #[must_use]
    pub fn agreeing_names(&self) -> Vec<String> {
        let outcome = self.consensus.outcome.as_ref();
        let agree = self
            .participants
            .iter()
            .filter(|one| outcome.is_some() && one.vote.as_ref() == outcome);
        agree.map(|one| one.name.clone()).collect()
    }

    /// Returns the status of a discussion at the time `now`; `file` is the path to show. Without a time, the status
    /// does not say until when people should decide.
    pub fn of(snapshot: &Snapshot, file: String, now: impl Into<Option<Time>>) -> Self {
        let (state, config) = (&snapshot.state, &snapshot.config);
        let outcome = snapshot.outcome();
        let engine::ConsensusState { reached, unvoted, tally: counted, .. } = &outcome.consensus;
        let (reached, by_text, status) = (*reached, *unvoted, outcome.status);
        let votes = deciding(snapshot).0.votes.iter();
        let pending: IndexSet<&str> =
            state.pending.iter().map(|mention| mention.whom.handle()).collect();
        Self {
            next: NextStep::all(snapshot, &file),
            file,
            title: state.title.clone(),
            template: snapshot.template().id.clone(),
            phase: snapshot.phase().id.clone(),
            phase_title: snapshot.phase().title().to_owned(),
            options: snapshot.open_options().iter().map(ToString::to_string).collect(),
            turn: state.turns.last().map_or(0, |turn| turn.line.number),
            status,
            votes: votes
                .map(|vote| (name(snapshot, &vote.speaker), vote.choice.to_string()))
                .collect(),
            tally: tally(snapshot),
            consensus: Consensus {
                reached,
                outcome: counted.outcome.as_ref().map(ToString::to_string),
                blocked_by: counted.blocked_by.clone(),
                missing: counted.missing.clone(),
                human_required: counted.human_required,
                degraded: counted.degraded,
                by_text,
            },
            participants: participants(snapshot),
            items: items(snapshot),
            decided: DecisionFacts::of(outcome),
            conditions: snapshot.conditions().into_iter().map(Condition::from).collect(),
            abstained: snapshot
                .abstained()
                .into_iter()
                .map(|alias| config.name_of(alias).to_owned())
                .collect(),
            outcome: Outcome::of(outcome),
            pending_mentions: pending.into_iter().map(str::to_owned).collect(),
            failures: state
                .failures
                .iter()
                .map(|failed| Failure {
                    participant: config.name_of(&failed.who).to_owned(),
                    code: failed.code.clone(),
                    message: failed.message.clone(),
                    retryable: failed.retryable,
                })
                .collect(),
            notes: DecisionNotes::of(outcome),
            decide_by: now
                .into()
                .filter(|_| status == engine::DecisionStatus::Open)
                .and_then(|now| Deadline::of(state, now)),
            cost: Cost::from(&state.cost),
            problems: state.problems.clone(),
        }
    }
}

/// The cost of the answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Model calls, with retries.
    pub total_calls: u64,
    /// Tokens of prompts and answers.
    pub total_tokens: u64,
    /// US dollars, to the millionth, for calls with a known price; null if calls were made and no price is known.
    #[serde(rename = "estimatedCostUsd")]
    pub usd: Option<f64>,
    /// By the provider's name.
    pub by_provider: IndexMap<String, ProviderCost>,
    /// Some of the tokens or costs were not reported.
    pub estimated: bool,
}

/// The cost of one provider's answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderCost {
    /// Model calls.
    pub calls: u64,
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// US dollars, to the millionth; null if no cost was reported and no price is known.
    #[serde(rename = "costUsd")]
    pub usd: Option<f64>,
    /// Some of the tokens or costs were not reported.
    pub estimated: bool,
}

impl From<&state::Cost> for Cost {
    fn from(cost: &state::Cost) -> Self {
        let of = |one: &state::ProviderCost| {
            let spent = ProviderCost {
                calls: one.calls,
                tokens: one.tokens,
                usd: one.priced.then(|| round(one.usd)),
                estimated: one.estimated,
            };
            (one.provider.clone(), spent)
        };
        Self {
            total_calls: cost.calls,
            total_tokens: cost.tokens,
            usd: cost.known_usd().map(round),
            by_provider: cost.by_provider.iter().map(of).collect(),
            estimated: cost.estimated,
        }
    }
}

impl Cost {
    /// Returns the total in words: `~$0.0262`, `cost unknown`, or `$0.0262 and an unknown cost of local`.
    pub fn money(&self) -> String {
        let Some(usd) = self.usd else { return "cost unknown".to_owned() };
        let known = known_money(usd, self.estimated);
        let unknown = self.by_provider.iter().filter(|(_, one)| one.calls > 0 && one.usd.is_none());
        let unknown: Vec<&str> = unknown.map(|(name, _)| name.as_str()).collect();
        if unknown.is_empty() {
            known
        } else {
            format!("{known} and an unknown cost of {}", unknown.join(", "))
        }
    }
}

/// Returns money in words: `~$0.0262`. A cost of zero is never an estimate, however the tokens were counted.
fn known_money(usd: f64, estimated: bool) -> String {
    let about = if estimated { "~" } else { "" };
    if usd > 0.0 { format!("{about}${usd:.4}") } else { "$0".to_owned() }
}

/// Rounds to millionths of a dollar. That is precise enough, and makes sums equal on every machine, in whatever order
/// they are added.
pub(super) fn round(usd: f64) -> f64 {
    (usd * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_cost_is_not_an_estimate() {
        assert_eq!(known_money(0.0, true), "$0");
        assert_eq!(known_money(0.026_2, true), "~$0.0262");
        assert_eq!(known_money(0.026_2, false), "$0.0262");
    }
}
