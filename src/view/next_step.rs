//! The possible next steps of a discussion, as data, which each front end puts into its own words.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::{Snapshot, Standing, Step, Stop, first_enterable, next};
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
    /// The participants for which a model answers, to name one in a command.
    #[serde(skip)]
    pub models: Vec<String>,
    /// True if another phase may follow the current one.
    #[serde(skip)]
    pub may_advance: bool,
    /// The phase of the last ballot, if it is over; entering it again starts another vote.
    #[serde(skip)]
    pub ballot: Option<String>,
    /// The models that the step calls first, by alias, if that is known.
    #[serde(skip)]
    pub calls: Vec<String>,
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
        let facts = CommandFacts::of(snapshot);
        steps.iter_mut().for_each(|step| facts.add_to(&mut step.arguments));
        steps
    }
}

/// What the commands of next steps need to know of a discussion.
struct CommandFacts {
    models: Vec<String>,
    may_advance: bool,
    ballot: Option<String>,
}

impl CommandFacts {
    fn of(snapshot: &Snapshot) -> Self {
        let config = &snapshot.config;
        let models = config.seats().filter(|alias| config.is_model(alias));
        let is_over = snapshot.state.ballot_over.is_some() || snapshot.phase().voting_mode;
        let ballot = snapshot.ballot_phase().filter(|_| is_over);
        Self {
            models: models.map(ToString::to_string).collect(),
            may_advance: matches!(first_enterable(snapshot), Ok(Some(_))),
            ballot: ballot.map(|phase| snapshot.template().phases[phase].id.clone()),
        }
    }

    fn add_to(&self, arguments: &mut Arguments) {
        arguments.models.clone_from(&self.models);
        arguments.may_advance = self.may_advance;
        arguments.ballot.clone_from(&self.ballot);
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
            Stop::Waiting(who) if snapshot.phase().voting_mode => {
                let asked = Arguments { vote: first_option(snapshot), ..to(names(who)) };
                (Verb::Comment, asked, Why::PersonVotes)
            }
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
                let vote = first_option(snapshot);
                (Verb::Comment, Arguments { vote, ..Arguments::default() }, Why::PersonVotes)
            }
            Stop::TooFew => (Verb::Run, Arguments::default(), Why::TooFewAnswered),
            Stop::Nobody => (Verb::Turn, Arguments::default(), Why::NobodyToAsk),
        },
    };
    let calls = participants_called_first(step).iter().map(ToString::to_string).collect();
    let arguments = Arguments { calls, ..arguments };
    Some(NextStep { verb, file: file.to_owned(), arguments, why })
}

/// Returns the first option of the ballot.
fn first_option(snapshot: &Snapshot) -> Option<String> {
    snapshot.state.options(&snapshot.config).first().map(ToString::to_string)
}

/// Returns the participants that a step calls first.
fn participants_called_first(step: &Step) -> &[Alias] {
    match step {
        Step::Ask(who) => who,
        Step::Write(drafts) => {
            let turn = drafts.iter().find_map(|draft| match draft {
                Draft::Control(Control::Turn(line)) => Some(line.asks.as_slice()),
                _ => None,
            });
            turn.unwrap_or_default()
        }
        Step::Child(_) | Step::Tool(_) | Step::Stop(_) => &[],
    }
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
