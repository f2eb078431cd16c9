//! The people and models that a discussion waits for, with the reasons.

use schemars::JsonSchema;
use serde::Serialize;

use super::notes::Deadline;
use crate::engine::{DecisionStatus, Outcome, Snapshot, Standing, Step, Stop, next};
use crate::transcript::{Alias, Control, Draft};

/// The name that stands for any person.
pub(super) const ANYBODY: &str = "human";

/// The action that a discussion waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Wanted {
    /// The answer to a question.
    Answer,
    /// The resolution of a merge conflict.
    Conflict,
    /// A comment: it is the person's turn, or they were mentioned.
    Comment,
    /// A vote.
    Vote,
    /// The choice of the next phase.
    NextPhase,
    /// A comment on what changed after a vote without consensus; then all vote again.
    Change,
    /// A decision after a ballot that blocks.
    Blocked,
    /// The closing that adopts a person's proposal below the end.
    Closing,
}

impl Wanted {
    /// Returns the stable word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Conflict => "conflict",
            Self::Comment => "comment",
            Self::Vote => "vote",
            Self::NextPhase => "nextPhase",
            Self::Change => "change",
            Self::Blocked => "blocked",
            Self::Closing => "closing",
        }
    }
}

/// A request to people in one discussion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    /// The file, as it is shown.
    pub file: String,
    /// The name that finds it.
    pub name: String,
    /// The first heading.
    pub title: String,
    /// The action that it waits for.
    pub wanted: Wanted,
    /// The names of the people; `human` for any person.
    pub who: Vec<String>,
    /// The number of the question, if it is one.
    pub question: Option<u32>,
    /// The question, or the options.
    pub text: Option<String>,
    /// The day until which people should decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decide_by: Option<Deadline>,
}

/// The participants that an open discussion waits for.
#[derive(Clone, Debug, Default)]
pub(super) struct WaitingFor {
    /// Their handles, people first, each once.
    pub(super) who: Vec<String>,
    /// The details for people: the reason and the subject.
    pub(super) people: Vec<Awaited>,
}

/// People that a discussion waits for.
#[derive(Clone, Debug)]
pub(super) struct Awaited {
    /// The action that it waits for.
    pub(super) wanted: Wanted,
    /// Their names.
    pub(super) who: Vec<String>,
    /// The number of the question.
    pub(super) question: Option<u32>,
    /// The subject.
    pub(super) text: Option<String>,
}

impl WaitingFor {
    /// Collects the questions to people and the next step.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let mut found = Self::default();
        if snapshot.has_conflict() {
            found.person(Wanted::Conflict, &[ANYBODY.to_owned()], None, None);
            return found;
        }
        found.questions(snapshot);
        match next(snapshot, snapshot.state.turns.len()) {
            Ok(Step::Ask(who)) => found.models(&who),
            Ok(Step::Write(drafts)) => {
                if let Some(Draft::Control(Control::Turn(line))) = drafts.first() {
                    found.models(&line.asks);
                }
            }
            Ok(Step::Stop(stop)) => found.stop(snapshot, &stop),
            Ok(Step::Child(_) | Step::Tool(_)) | Err(_) => {}
        }
        found
    }

    /// Adds the open questions to people.
    fn questions(&mut self, snapshot: &Snapshot) {
        for question in snapshot.state.questions() {
            if question.waits_for_people() {
                let text = Some(question.text.clone());
                self.person(Wanted::Answer, &question.people, Some(question.number), text);
            }
        }
    }

    /// Returns what a discussion that is over waits for: answers to questions, a person after a ballot that blocks, or
    /// the closing that adopts a person's proposal.
    pub(super) fn on_decision(snapshot: &Snapshot) -> Self {
        let mut found = Self::default();
        let outcome: &Outcome = snapshot.outcome();
        found.questions(snapshot);
        let anybody = [ANYBODY.to_owned()];
        if let Some(number) = outcome.proposals_to_close.first() {
            let proposal = outcome.numbered(*number).map(|item| item.text.clone());
            found.person(Wanted::Closing, &anybody, None, proposal);
        } else if outcome.standing == Standing::NotAdopted
            && outcome.status == DecisionStatus::Blocked
        {
            found.person(Wanted::Blocked, &anybody, None, Some(outcome.words()));
        }
        found
    }

    fn stop(&mut self, snapshot: &Snapshot, stop: &Stop) {
        let anybody = [ANYBODY.to_owned()];
        match stop {
            Stop::Waiting(who) => {
                let who: Vec<String> = who.iter().map(ToString::to_string).collect();
                if who.is_empty() {
                    return;
                }
                if snapshot.phase().voting_mode {
                    self.person(Wanted::Vote, &who, None, Some(options_in_line(snapshot)));
                } else {
                    self.person(Wanted::Comment, &who, None, None);
                }
            }
            Stop::Mentions(who) => {
                let is_model = |who: &str| {
                    Alias::parse(who).is_ok_and(|alias| snapshot.config.is_model(&alias))
                };
                let (models, people): (Vec<String>, Vec<String>) =
                    who.iter().cloned().partition(|who| is_model(who));
                if !people.is_empty() {
                    self.person(Wanted::Comment, &people, None, None);
                }
                models.iter().for_each(|who| self.add(who));
            }
            Stop::PersonVote => {
                self.person(Wanted::Vote, &anybody, None, Some(options_in_line(snapshot)));
            }
            Stop::PhaseEnd | Stop::Trigger => {
                let phase = Some(snapshot.phase().title().to_owned());
                self.person(Wanted::NextPhase, &anybody, None, phase);
            }
            Stop::Finished if snapshot.ended_without_consensus() => {
                self.person(Wanted::Change, &anybody, None, None);
            }
            Stop::Closed | Stop::Finished | Stop::Questions(_) | Stop::TooFew | Stop::Nobody => {}
        }
    }

    fn models(&mut self, who: &[Alias]) {
        who.iter().for_each(|alias| self.add(alias.as_str()));
    }

    fn person(
        &mut self,
        wanted: Wanted,
        who: &[String],
        question: Option<u32>,
        text: Option<String>,
    ) {
        who.iter().for_each(|who| self.add(who));
        self.people.push(Awaited { wanted, who: who.to_vec(), question, text });
    }

    fn add(&mut self, who: &str) {
        if !self.who.iter().any(|known| known == who) {
            self.who.push(who.to_owned());
        }
    }
}

/// Returns the options of the ballot, separated by commas.
fn options_in_line(snapshot: &Snapshot) -> String {
    let options = snapshot.state.options(&snapshot.config);
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    options.join(", ")
}
