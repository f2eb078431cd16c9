//! `status --json`, which `turn --json` and `run --json` end with.

use discussions::engine::{Decision, Snapshot};
use discussions::state::Ballot;
use indexmap::IndexMap;
use serde::Serialize;

use super::ProblemDocument;
use super::cost::Cost;
use super::item::{Concern, Question, StatedDecision, Task};
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
    pub(crate) decisions: Vec<StatedDecision>,
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
pub(crate) fn tally(snapshot: &Snapshot) -> IndexMap<String, usize> {
    let (ballot, phase) = deciding(snapshot);
    let options = &snapshot.config.options[phase];
    options.iter().map(|option| (option.to_string(), ballot.count(option))).collect()
}

/// The ballot to show, and the phase whose options it is about: that of the current phase, or the one that decided
/// where nobody has voted since.
pub(super) fn deciding(snapshot: &Snapshot) -> (&Ballot, usize) {
    let here = (&snapshot.state.ballot, snapshot.state.place.phase());
    match snapshot.state.deciding(&snapshot.config) {
        Some(decided) if here.0.votes.is_empty() || here.0.votes == decided.0.votes => decided,
        _ => here,
    }
}

impl StatusDocument {
    /// Where a discussion stands.
    pub(crate) fn new(file: String, snapshot: &Snapshot) -> Self {
        let state = &snapshot.state;
        let config = &snapshot.config;
        let Decision { reached, status, tally: counted, .. } = Decision::of(snapshot);
        let (ballot, _) = deciding(snapshot);
        let mut pending: Vec<String> = Vec::new();
        for mention in &state.pending {
            let handle = mention.whom.handle();
            if !pending.iter().any(|known| known == handle) {
                pending.push(handle.to_owned());
            }
        }
        Self {
            file,
            title: state.title.clone(),
            template: snapshot.template().id.clone(),
            phase: snapshot.template().phases[state.place.phase()].id.clone(),
            turn: state.turns.last().map_or(0, |turn| turn.line.number),
            status: status.as_str(),
            votes: ballot
                .votes
                .iter()
                .map(|vote| (name(snapshot, &vote.speaker), vote.choice.to_string()))
                .collect(),
            tally: tally(snapshot),
            consensus: Consensus {
                reached,
                outcome: counted.outcome.map(|choice| choice.to_string()),
                blocked_by: counted.blocked_by,
                missing: counted.missing,
                human_required: counted.human_required,
                degraded: counted.degraded,
            },
            participants: participants(snapshot),
            questions: state.questions.iter().map(Question::from).collect(),
            tasks: state.tasks.iter().map(Task::from).collect(),
            decisions: state.decisions.iter().map(StatedDecision::from).collect(),
            concerns: state.concerns.iter().map(Concern::from).collect(),
            pending_mentions: pending,
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
            cost: Cost::from(&state.cost),
            problems: state.problems.iter().map(ProblemDocument::from).collect(),
        }
    }
}
