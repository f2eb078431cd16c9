//! `status --json`, which `turn --json` and `run --json` end with.

use discussions::engine::Situation;
use discussions::state::Ballot;
use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::ProblemDocument;
use super::cost::Cost;
use super::item::{Concern, Decision, Question, Task};
use super::participant::{Participant, name, participants};

/// Where a discussion stands.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusDocument {
    file: String,
    pub(crate) title: String,
    template: String,
    pub(crate) phase: String,
    turn: u32,
    pub(crate) status: &'static str,
    votes: IndexMap<String, String>,
    pub(crate) tally: IndexMap<String, usize>,
    pub(crate) consensus: Consensus,
    pub(crate) participants: Vec<Participant>,
    pub(crate) questions: Vec<Question>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) concerns: Vec<Concern>,
    pub(crate) pending_mentions: Vec<String>,
    pub(crate) failures: Vec<Failure>,
    pub(crate) cost: Cost,
    pub(crate) problems: Vec<ProblemDocument>,
}

/// What the votes come to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Consensus {
    pub(crate) reached: bool,
    pub(crate) outcome: Option<String>,
    pub(crate) blocked_by: Vec<String>,
    pub(crate) missing: Vec<String>,
    pub(crate) human_required: bool,
    pub(crate) degraded: bool,
}

/// A call that gave no answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Failure {
    pub(crate) participant: String,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) retryable: bool,
}

/// Votes by option, in the phase's order.
pub(crate) fn tally(situation: &Situation<'_>) -> IndexMap<String, usize> {
    let (ballot, phase) = deciding(situation);
    let options = &situation.charter.options[phase];
    options.iter().map(|option| (option.to_string(), ballot.count(option))).collect()
}

/// The ballot to show, and the phase whose options it is about: that of the current phase, or the one that decided
/// where nobody has voted since.
pub(super) fn deciding<'s>(situation: &'s Situation<'_>) -> (&'s Ballot, usize) {
    let here = (&situation.state.ballot, situation.state.place.phase());
    match situation.state.deciding(situation.charter) {
        Some(decided) if here.0.votes.is_empty() || here.0.votes == decided.0.votes => decided,
        _ => here,
    }
}

impl StatusDocument {
    /// Where a discussion stands.
    pub(crate) fn new(file: String, situation: &Situation<'_>) -> Self {
        let state = &situation.state;
        let charter = situation.charter;
        let standing = situation.standing();
        let consensus = standing.consensus;
        let (ballot, _) = deciding(situation);
        let mut pending: IndexSet<&str> = IndexSet::new();
        for mention in &state.pending {
            pending.insert(mention.whom.handle());
        }
        Self {
            file,
            title: state.title.clone(),
            template: situation.template().id.clone(),
            phase: situation.template().phases[state.place.phase()].id.clone(),
            turn: state.turns.last().map_or(0, |turn| turn.line.number),
            status: standing.status.as_str(),
            votes: ballot
                .votes
                .iter()
                .map(|vote| (name(situation, &vote.speaker), vote.choice.to_string()))
                .collect(),
            tally: tally(situation),
            consensus: Consensus {
                reached: consensus.reached,
                outcome: consensus.outcome.map(|choice| choice.to_string()),
                blocked_by: consensus.blocked_by,
                missing: consensus.missing,
                human_required: consensus.human_required,
                degraded: consensus.degraded,
            },
            participants: participants(situation),
            questions: state.questions.iter().map(Question::from).collect(),
            tasks: state.tasks.iter().map(Task::from).collect(),
            decisions: state.decisions.iter().map(Decision::from).collect(),
            concerns: state.concerns.iter().map(Concern::from).collect(),
            pending_mentions: pending.into_iter().map(str::to_owned).collect(),
            failures: state
                .failures
                .iter()
                .map(|failed| Failure {
                    participant: charter.name_of(&failed.who).to_owned(),
                    code: failed.code.clone(),
                    message: failed.message.clone(),
                    retryable: failed.retryable,
                })
                .collect(),
            cost: Cost::from(&state.cost),
            problems: state.problems.iter().map(ProblemDocument::from).collect(),
        }
    }
}
