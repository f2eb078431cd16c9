//! The possible next steps of a discussion, as data, which each front end puts into its own words; and the people and
//! models that it waits for, with the reasons.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::notes::Deadline;
use crate::engine::{DecisionStatus, Outcome, Snapshot, Standing, Step, Stop, next};
use crate::transcript::{Alias, Control, Draft};

/// An action on a discussion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Verb {
    /// Ask each participant of a turn once.
    Turn,
    /// Go on turn by turn.
    Run,
    /// Enter a phase.
    Advance,
    /// Add a comment.
    Comment,
    /// End the discussion.
    Close,
    /// Reopen a closed discussion.
    Reopen,
}

impl Verb {
    /// Returns the stable word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Run => "run",
            Self::Advance => "advance",
            Self::Comment => "comment",
            Self::Close => "close",
            Self::Reopen => "reopen",
        }
    }
}

/// Why a step is the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Why {
    /// Some models of the last turn have not been asked yet.
    StillToBeAsked,
    /// The next phase may be entered.
    PhaseBegins,
    /// The next turn may begin.
    TurnBegins,
    /// A command of the template runs.
    CommandRuns,
    /// A sub-discussion begins or continues.
    DiscussionWithin,
    /// A person closed it.
    Closed,
    /// Nothing is left to do.
    Finished,
    /// People are asked in the turn.
    PeopleAreAsked,
    /// A person ends the phase.
    PersonEndsPhase,
    /// The phase is over, but its condition does not hold.
    ConditionNotMet,
    /// A mentioned participant has not answered yet.
    MentionsPending,
    /// A person's vote is needed.
    PersonVotes,
    /// Too few participants answered, so the turn does not count.
    TooFewAnswered,
    /// No participant is left to ask.
    NobodyToAsk,
    /// Open questions name a person.
    QuestionsToPerson,
    /// The phase is over, and questions to people are open.
    AnswersAwaited,
    /// A mentioned participant has not answered yet.
    CallsWait,
    /// The vote ended without consensus; a new comment starts another vote.
    EndedWithoutConsensus,
    /// There is a new comment since a vote without consensus.
    VoteAgain,
    /// A ballot ended without votes.
    NobodyVoted,
}

/// A possible next step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NextStep {
    /// The action.
    pub verb: Verb,
    /// The file of the discussion, as it is shown.
    pub file: String,
    /// The arguments.
    pub arguments: Arguments,
    /// The reason.
    pub why: Why,
}

/// The arguments of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    /// The participants to ask or to answer, by alias or name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<String>,
    /// The phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The title of the phase.
    #[serde(skip)]
    pub phase_title: Option<String>,
    /// The options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vote: Option<String>,
    /// The number of waiting questions, or of open ones at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<usize>,
    /// The number of open tasks at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<usize>,
    /// At the end: a decision is in force.
    #[serde(skip)]
    pub is_decided: bool,
    /// At the end: there is an answer that nobody voted on; closing the discussion decides it.
    #[serde(skip)]
    pub is_answered: bool,
    /// The number of the first of them, for `answer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<u32>,
}

impl Arguments {
    /// Returns the open items at the end: `3 questions, 1 task`; `None` if there are none.
    pub fn left_open(&self) -> Option<String> {
        let counted = |count: Option<usize>, one: &str| {
            let count = count.filter(|count| *count > 0)?;
            Some(format!("{count} {one}{}", if count == 1 { "" } else { "s" }))
        };
        let open = [counted(self.questions, "question"), counted(self.tasks, "task")];
        let open: Vec<String> = open.into_iter().flatten().collect();
        (!open.is_empty()).then(|| open.join(", "))
    }

    /// Returns the number of the first question in the form that an answer uses, such as `Q1`.
    pub fn question_word(&self) -> String {
        self.question.map_or_else(|| "Q1".to_owned(), |number| format!("Q{number}"))
    }
}

impl NextStep {
    /// Returns the possible next steps, those for people first.
    pub(crate) fn all(snapshot: &Snapshot, file: &str) -> Vec<Self> {
        // Nothing can be written to the file before the conflict is resolved, so there is no step.
        if snapshot.has_conflict() {
            return Vec::new();
        }
        let mut steps = asked_people(snapshot, file);
        // No model is called before a person has fixed the head.
        if snapshot.unreadable_head().is_some() {
            return steps;
        }
        // No run is known here, so every turn in the file counts as older than the run and may be repeated.
        if let Ok(step) = next(snapshot, snapshot.state.turns.len()) {
            steps.extend(of_step(snapshot, &step, file));
        }
        steps
    }
}

fn of_step(snapshot: &Snapshot, step: &Step, file: &str) -> Option<NextStep> {
    let names = |who: &[Alias]| who.iter().map(ToString::to_string).collect();
    let to = |participants| Arguments { participants, ..Arguments::default() };
    let in_phase = |id: &str, title: &str| Arguments {
        phase: Some(id.to_owned()),
        phase_title: Some(title.to_owned()),
        ..Arguments::default()
    };
    let here = in_phase(&snapshot.phase().id, snapshot.phase().title());
    let (verb, arguments, why) = match step {
        Step::Ask(who) => (Verb::Turn, to(names(who)), Why::StillToBeAsked),
        Step::Write(drafts) => match drafts.first() {
            Some(Draft::Control(Control::Phase(line))) if line.by.is_some() => {
                (Verb::Run, here, Why::VoteAgain)
            }
            Some(Draft::Control(Control::Phase(_))) if snapshot.nobody_voted() => {
                (Verb::Run, here, Why::NobodyVoted)
            }
            Some(Draft::Control(Control::Turn(line))) if line.mentions => {
                (Verb::Turn, to(names(&line.asks)), Why::CallsWait)
            }
            Some(Draft::Control(Control::Phase(line))) => {
                let phase = snapshot.template().phase(&line.id);
                let title = phase.map_or(line.id.as_str(), |(_, phase)| phase.title());
                (Verb::Run, in_phase(&line.id, title), Why::PhaseBegins)
            }
            _ => (Verb::Turn, Arguments::default(), Why::TurnBegins),
        },
        Step::Child(_) => (Verb::Run, here, Why::DiscussionWithin),
        Step::Tool(_) => (Verb::Run, here, Why::CommandRuns),
        Step::Stop(stop) => match stop {
            Stop::Closed => (Verb::Reopen, Arguments::default(), Why::Closed),
            Stop::Finished if snapshot.ended_without_consensus() => {
                (Verb::Comment, here, Why::EndedWithoutConsensus)
            }
            Stop::Finished => (Verb::Close, left_open(snapshot), Why::Finished),
            Stop::Waiting(who) if who.is_empty() => return None,
            Stop::Waiting(who) => (Verb::Comment, to(names(who)), Why::PeopleAreAsked),
            Stop::PhaseEnd => (Verb::Advance, here, Why::PersonEndsPhase),
            Stop::Trigger => (Verb::Turn, here, Why::ConditionNotMet),
            Stop::Mentions(who) => {
                let models: Vec<String> =
                    who.iter().filter(|who| is_model(snapshot, who)).cloned().collect();
                if models.is_empty() {
                    (Verb::Advance, to(who.clone()), Why::MentionsPending)
                } else {
                    (Verb::Turn, to(models), Why::MentionsPending)
                }
            }
            Stop::Questions(open) => {
                let questions = Some(open.len());
                (Verb::Run, Arguments { questions, ..Arguments::default() }, Why::AnswersAwaited)
            }
            Stop::PersonVote => {
                let vote = Some(snapshot.state.options(&snapshot.config).first()?.to_string());
                (Verb::Comment, Arguments { vote, ..Arguments::default() }, Why::PersonVotes)
            }
            Stop::TooFew => (Verb::Run, Arguments::default(), Why::TooFewAnswered),
            Stop::Nobody => (Verb::Turn, Arguments::default(), Why::NobodyToAsk),
        },
    };
    Some(NextStep { verb, file: file.to_owned(), arguments, why })
}

/// Counts the items that are still open after the discussion has ended.
fn left_open(snapshot: &Snapshot) -> Arguments {
    let questions = snapshot.state.questions().iter();
    let questions = questions.filter(|one| one.is_open()).count();
    let tasks = snapshot.state.tasks().iter().filter(|one| one.is_open()).count();
    let some = |count: usize| Some(count).filter(|count| *count > 0);
    Arguments {
        questions: some(questions),
        tasks: some(tasks),
        is_decided: snapshot.outcome().standing == Standing::InForce,
        is_answered: snapshot.outcome().standing == Standing::Answered,
        ..Arguments::default()
    }
}

/// Returns the steps for open questions to people, which no model may answer.
fn asked_people(snapshot: &Snapshot, file: &str) -> Vec<NextStep> {
    let mut asked: IndexMap<String, (usize, u32)> = IndexMap::new();
    for question in snapshot.state.questions().iter().filter(|one| one.waits_for_people()) {
        for person in &question.people {
            asked.entry(person.to_lowercase()).or_insert((0, question.number)).0 += 1;
        }
    }
    let step = |(who, (count, first)): (String, (usize, u32))| NextStep {
        verb: Verb::Comment,
        file: file.to_owned(),
        arguments: Arguments {
            participants: vec![who],
            questions: Some(count),
            question: Some(first),
            ..Arguments::default()
        },
        why: Why::QuestionsToPerson,
    };
    asked.into_iter().map(step).collect()
}

fn is_model(snapshot: &Snapshot, handle: &str) -> bool {
    Alias::parse(handle)
        .ok()
        .and_then(|alias| snapshot.config.persona(&alias))
        .is_some_and(|persona| snapshot.config.is_model(&persona.alias))
}

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
        for question in snapshot.state.questions() {
            if question.waits_for_people() {
                let text = Some(question.text.clone());
                found.person(Wanted::Answer, &question.people, Some(question.number), text);
            }
        }
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

    /// Returns what a discussion that is over waits for: a person after a ballot that blocks, or the closing that adopts
    /// a person's proposal.
    pub(super) fn on_decision(outcome: &Outcome) -> Self {
        let mut found = Self::default();
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
                if !who.is_empty() {
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
                let options = snapshot.state.options(&snapshot.config);
                let options: Vec<String> = options.iter().map(ToString::to_string).collect();
                self.person(Wanted::Vote, &anybody, None, Some(options.join(", ")));
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
