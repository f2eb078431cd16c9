//! `status --json`, which `turn --json` and `run --json` end with.

use std::collections::BTreeSet;

use discussions::engine::Situation;
use discussions::participant::Kind;
use discussions::state::{Outcome, QuestionStatus, Speaker, TaskStatus};
use indexmap::IndexMap;
use serde::Serialize;

use super::ProblemDocument;

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

/// Somebody who takes part, or took part without a seat.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Participant {
    pub(crate) name: String,
    /// None for a person without a persona.
    pub(crate) alias: Option<String>,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) vote: Option<String>,
    /// Whether they spoke in the last turn.
    pub(crate) responded: bool,
    /// Index of their last comment in the state, for people.
    #[serde(skip)]
    pub(crate) last: Option<usize>,
}

/// A question.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Question {
    pub(crate) number: u32,
    pub(crate) text: String,
    pub(crate) author: String,
    pub(crate) status: &'static str,
    line: usize,
}

/// A task.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Task {
    pub(crate) number: u32,
    pub(crate) text: String,
    pub(crate) author: String,
    pub(crate) assignee: Option<String>,
    pub(crate) status: &'static str,
    line: usize,
}

/// A decision.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Decision {
    pub(crate) number: u32,
    pub(crate) text: String,
    pub(crate) author: String,
    pub(crate) supporters: Vec<String>,
    line: usize,
}

/// A concern.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Concern {
    pub(crate) text: String,
    pub(crate) author: String,
    line: usize,
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

/// What the answers cost.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cost {
    pub(crate) total_calls: u64,
    pub(crate) total_tokens: u64,
    #[serde(rename = "estimatedCostUsd")]
    pub(crate) usd: f64,
    pub(crate) by_provider: IndexMap<String, ProviderCost>,
}

/// What one provider's answers cost.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProviderCost {
    pub(crate) calls: u64,
    pub(crate) tokens: u64,
    #[serde(rename = "costUsd")]
    pub(crate) usd: f64,
}

/// Votes by option, in the phase's order.
pub(crate) fn tally(situation: &Situation<'_>) -> IndexMap<String, usize> {
    let (ballot, phase) = deciding(situation);
    let options = &situation.charter.options[phase];
    options.iter().map(|option| (option.to_string(), ballot.count(option))).collect()
}

/// The ballot to show: the one that decides, else that of the current phase.
fn deciding<'s>(situation: &'s Situation<'_>) -> (&'s discussions::state::Ballot, usize) {
    let here = (&situation.state.ballot, situation.state.place.phase());
    if !here.0.votes.is_empty() {
        return here;
    }
    situation.state.deciding(situation.charter).unwrap_or(here)
}

impl StatusDocument {
    /// Where a discussion stands.
    pub(crate) fn new(file: String, situation: &Situation<'_>) -> Self {
        let state = &situation.state;
        let charter = situation.charter;
        let standing = situation.standing();
        let consensus = standing.consensus;
        let (ballot, _) = deciding(situation);
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
            questions: state.questions.iter().map(question).collect(),
            tasks: state.tasks.iter().map(task).collect(),
            decisions: state.decisions.iter().map(decision).collect(),
            concerns: state
                .concerns
                .iter()
                .map(|concern| Concern {
                    text: concern.text.clone(),
                    author: concern.author.to_string(),
                    line: concern.line,
                })
                .collect(),
            pending_mentions: pending,
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
            cost: cost(&state.cost),
            problems: state.problems.iter().map(ProblemDocument::from).collect(),
        }
    }
}

/// Whoever has a seat, then whoever spoke without one.
fn participants(situation: &Situation<'_>) -> Vec<Participant> {
    let charter = situation.charter;
    let mut speakers: Vec<Speaker> = charter.seats().cloned().map(Speaker::Persona).collect();
    let mut known: BTreeSet<String> =
        speakers.iter().map(|speaker| speaker.handle().to_owned()).collect();
    for said in &situation.state.said {
        if said.speaker.counts() && known.insert(said.speaker.handle().to_owned()) {
            speakers.push(said.speaker.clone());
        }
    }
    let background = charter.background.iter().map(|alias| alias.as_str()).collect::<Vec<_>>();
    speakers
        .into_iter()
        .map(|speaker| {
            let alias = speaker.alias().cloned();
            let kind = match &alias {
                None => Kind::Human,
                Some(alias) if background.contains(&alias.as_str()) => Kind::Background,
                Some(alias) => charter.persona(alias).map_or(Kind::Voting, |known| known.kind),
            };
            Participant {
                name: name(situation, &speaker),
                alias: alias.map(|alias| alias.to_string()),
                kind: kind.as_str(),
                vote: deciding(situation).0.of(&speaker).map(|vote| vote.choice.to_string()),
                responded: responded(situation, &speaker),
                last: situation.state.said.iter().rposition(|said| said.speaker == speaker),
            }
        })
        .collect()
}

/// Whether somebody answered the last turn, or spoke after it began without being asked.
fn responded(situation: &Situation<'_>, speaker: &Speaker) -> bool {
    let state = &situation.state;
    let asked = state.turns.last().and_then(|turn| turn.outcomes.get(speaker.alias()?));
    if let Some(outcome) = asked {
        return matches!(outcome, Outcome::Answered(_));
    }
    let begins = state.turns.last().map_or(0, |turn| turn.entry);
    state.said.iter().any(|said| said.speaker == *speaker && said.entry >= begins)
}

fn name(situation: &Situation<'_>, speaker: &Speaker) -> String {
    match speaker.alias() {
        Some(alias) => situation.charter.name_of(alias).to_owned(),
        None => speaker.handle().to_owned(),
    }
}

fn question(question: &discussions::state::Question) -> Question {
    Question {
        number: question.number,
        text: question.text.clone(),
        author: question.author.to_string(),
        status: match question.status {
            QuestionStatus::Open => "open",
            QuestionStatus::Answered => "answered",
        },
        line: question.line,
    }
}

fn task(task: &discussions::state::Task) -> Task {
    Task {
        number: task.number,
        text: task.text.clone(),
        author: task.author.to_string(),
        assignee: task.assignee.clone(),
        status: match task.status {
            TaskStatus::Open => "open",
            TaskStatus::Assigned => "assigned",
            TaskStatus::Done => "done",
        },
        line: task.line,
    }
}

fn decision(decision: &discussions::state::Decision) -> Decision {
    Decision {
        number: decision.number,
        text: decision.text.clone(),
        author: decision.author.to_string(),
        supporters: decision.supporters.iter().map(ToString::to_string).collect(),
        line: decision.line,
    }
}

fn cost(cost: &discussions::state::Cost) -> Cost {
    let of = |one: &discussions::state::ProviderCost| {
        let spent = ProviderCost { calls: one.calls, tokens: one.tokens, usd: one.usd };
        (one.provider.clone(), spent)
    };
    Cost {
        total_calls: cost.calls,
        total_tokens: cost.tokens,
        usd: cost.usd,
        by_provider: cost.by_provider.iter().map(of).collect(),
    }
}
