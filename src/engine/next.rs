//! The next step of a run, or the reason to stop, computed as a pure function of the file. A ballot that ended without
//! consensus is repeated if a person has commented since.

use super::child::{ChildStep, reported};
use super::phase::{PhaseProgress, advance_to, leave, stay};
use super::snapshot::{Snapshot, SnapshotError};
use super::turn::{
    TurnRequest, for_mentions, for_people, has_failed_now, still_missing, too_few, turn_line,
};
use crate::codes::StopCode;
use crate::state::{DiscussionConfig, Speaker, State, Tally, Turn, fold_watched};
use crate::template::{DecidedBy, Substitute, TextTemplate, Tool, Trigger};
use crate::transcript::{Alias, Control, Draft, TurnLine};

/// Returns the next step. `started_with` is the number of turns in the file when the run began. If too few participants
/// answered, a turn is repeated only if it is older than the run, so that no run retries without end.
///
/// # Errors
/// Fails if an expression of the template fails.
pub fn next(snapshot: &Snapshot, started_with: usize) -> Result<Step, SnapshotError> {
    step(snapshot, started_with, true)
}

/// Returns the next step of a run that does not stop to wait for people's answers.
///
/// # Errors
/// Fails if an expression of the template fails.
pub fn next_at_once(snapshot: &Snapshot, started_with: usize) -> Result<Step, SnapshotError> {
    step(snapshot, started_with, false)
}

/// Returns the next step. Requests of people come first: models answer people's mentions in any phase, and a person's
/// comment on a ballot without consensus repeats that ballot.
fn step(snapshot: &Snapshot, started_with: usize, waits: bool) -> Result<Step, SnapshotError> {
    let step = by_template(snapshot, started_with, waits)?;
    match &step {
        Step::Ask(_) | Step::Stop(Stop::Closed) => return Ok(step),
        Step::Write(_) | Step::Child(_) | Step::Tool(_) | Step::Stop(_) => {}
    }
    if let Some(calls) = for_people(snapshot, started_with, &step) {
        return Ok(calls);
    }
    match &step {
        Step::Stop(Stop::Finished | Stop::PhaseEnd | Stop::Trigger) => {
            let again = || empty_ballot_again(snapshot, started_with);
            Ok(reopened(snapshot).or_else(again).unwrap_or(step))
        }
        _ => Ok(step),
    }
}

/// Returns the next step according to the template alone. If `waits` is true, a phase that waits for people does not
/// end before people have answered its questions.
///
/// # Errors
/// Fails if an expression of the template fails.
pub(super) fn by_template(
    snapshot: &Snapshot,
    started_with: usize,
    waits: bool,
) -> Result<Step, SnapshotError> {
    if snapshot.state.closed {
        return Ok(Step::Stop(Stop::Closed));
    }
    if_open(snapshot, started_with, waits)
}

/// Returns the next step as if the discussion were not closed: closing must not change the result reached before.
pub(crate) fn if_open(
    snapshot: &Snapshot,
    started_with: usize,
    waits: bool,
) -> Result<Step, SnapshotError> {
    if let Some(step) = in_phase(snapshot, started_with)? {
        return Ok(step);
    }
    let asked = snapshot.state.turns_here().next().is_some();
    if waits && asked && snapshot.phase().waits_for_people {
        let open = snapshot.state.questions().iter().filter(|question| question.waits_for_people());
        let open: Vec<u32> = open.map(|question| question.number).collect();
        if !open.is_empty() {
            return Ok(Step::Stop(Stop::Questions(open)));
        }
    }
    leave(snapshot)
}

/// Returns the next step within the current phase, or `None` if the phase is over.
fn in_phase(snapshot: &Snapshot, started_with: usize) -> Result<Option<Step>, SnapshotError> {
    let phase = snapshot.phase();
    let here = PhaseProgress::of(snapshot);
    // Resumes an open sub-discussion before missing participants are asked. One of them may have requested it just
    // before its run was killed; asking that participant again would cost twice.
    if let Some(child) = snapshot.state.open_child() {
        return Ok(Some(Step::Child(ChildStep::On(child.line.clone()))));
    }
    if let Some(step) = still_missing(snapshot, &here.spared) {
        let stops = has_failed_now(snapshot, started_with);
        return Ok(Some(if stops { Step::Stop(Stop::TooFew) } else { step }));
    }
    // A requested sub-discussion runs before the next participants are asked, so that they know its outcome.
    if let Some(spec) = snapshot.asked_for() {
        return Ok(Some(Step::Child(ChildStep::Open(Box::new(spec)))));
    }
    if !here.open? {
        return Ok(None);
    }
    if phase.discuss.is_some() && snapshot.state.children_here().next().is_some() {
        return Ok(None);
    }
    if let Some(spec) = snapshot.discussed_here()? {
        return Ok(Some(Step::Child(ChildStep::Open(Box::new(spec)))));
    }
    if let Some(tool) = &phase.run {
        return Ok((!is_reported(snapshot)).then(|| Step::Tool(tool.clone())));
    }
    if let Some(report) = &phase.report {
        return if is_reported(snapshot) {
            Ok(None)
        } else {
            write_report(snapshot, report).map(Some)
        };
    }
    if let Some(step) = too_few(snapshot, here.spared.len(), started_with) {
        return Ok(Some(step));
    }
    // A synthesis of too few contributions would waste money.
    if phase.stand_in == Substitute::Neutral
        && here.begun == 0
        && !snapshot.state.turns.is_empty()
        && snapshot.contributors() < snapshot.least_contributors()
    {
        return Ok(Some(Step::Stop(Stop::TooFew)));
    }
    let rounds = here.rounds?;
    if here.over && phase.auto_trigger == Some(Trigger::Consensus) {
        return Ok(None);
    }
    let (rounds, follow) = if phase.speakers.is_mentioned() {
        (0, rounds.max(phase.follow_mentions))
    } else {
        (rounds, phase.follow_mentions)
    };
    if here.begun < rounds {
        let line = turn_line(snapshot, &TurnRequest::default(), started_with);
        return Ok(Some(line.map_or(Step::Stop(Stop::Nobody), Step::open)));
    }
    // Questions of people are not an exchange between models, so `follow_mentions` does not limit them.
    let between_models = |turn: &&Turn| turn.line.mentions && !turn.for_people;
    let followed = snapshot.state.turns_here().filter(between_models).count();
    let mentions =
        (followed < follow as usize).then(|| for_mentions(snapshot, started_with)).flatten();
    match mentions {
        Some(mentions) => Ok(Some(mentions)),
        None if here.over => Ok(None),
        None => stay(snapshot).map(Some),
    }
}

fn is_reported(snapshot: &Snapshot) -> bool {
    let visit = snapshot.state.place.number();
    let mut said = snapshot.state.said.iter();
    said.any(|said| said.visit == visit && said.speaker == Speaker::Report)
}

fn write_report(snapshot: &Snapshot, report: &TextTemplate) -> Result<Step, SnapshotError> {
    let body = snapshot.render(report, None)?;
    let body = if body.trim().is_empty() { "Nothing to report.".to_owned() } else { body };
    Ok(match reported(body) {
        Some(comment) => Step::Write(vec![comment]),
        None => Step::Stop(Stop::Nobody),
    })
}

/// The next step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Append these drafts, then compute the next step. The line of a turn still needs its time.
    Write(Vec<Draft>),
    /// Ask these participants of the last turn, all at once.
    Ask(Vec<Alias>),
    /// Open or run a sub-discussion.
    Child(ChildStep),
    /// Run the command of the current phase and record its output.
    Tool(Tool),
    /// Stop: the program can do nothing by itself.
    Stop(Stop),
}

/// The reason to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A person closed the discussion.
    Closed,
    /// The last phase is over.
    Finished,
    /// The turn waits for participants that no model speaks for.
    Waiting(Vec<Alias>),
    /// A person decides when this phase ends.
    PhaseEnd,
    /// The phase is over, but its condition does not hold.
    Trigger,
    /// Mentions are still pending, and no more turns are allowed for them.
    Mentions(Vec<String>),
    /// The phase is over, but these questions, by number, wait for answers of people.
    Questions(Vec<u32>),
    /// A person's vote is needed.
    PersonVote,
    /// Too few participants answered for the turn to count. A new run may ask the others again.
    TooFew,
    /// There is no participant to ask.
    Nobody,
}

impl Stop {
    /// Returns the stable code.
    pub(crate) fn code(&self) -> StopCode {
        match self {
            Self::Closed => StopCode::Closed,
            Self::Finished => StopCode::Finished,
            Self::Waiting(_) => StopCode::WaitingForPerson,
            Self::PhaseEnd => StopCode::PersonAdvances,
            Self::Trigger => StopCode::ConditionNotMet,
            Self::Mentions(_) => StopCode::MentionsPending,
            Self::Questions(_) => StopCode::QuestionsToPeople,
            Self::PersonVote => StopCode::PersonVotes,
            Self::TooFew => StopCode::TooFewAnswers,
            Self::Nobody => StopCode::NobodyToAsk,
        }
    }
}

impl Step {
    /// Returns the step that opens a turn.
    pub(super) fn open(line: TurnLine) -> Self {
        Self::Write(vec![Draft::Control(Control::Turn(line))])
    }
}

impl Snapshot {
    /// Returns true if all voters took part in a ballot and it ended without consensus.
    pub fn ended_without_consensus(&self) -> bool {
        ballot_failed(&self.state, &self.config)
    }

    /// Returns true if a ballot ended without a single vote.
    pub(crate) fn nobody_voted(&self) -> bool {
        let ballot = self.state.deciding(&self.config).map(|(ballot, _)| ballot);
        ballot.is_some_and(|ballot| ballot.votes.is_empty()) && self.ended_without_consensus()
    }
}

/// Returns true if all voters took part in the deciding ballot and it ended without consensus.
fn ballot_failed(state: &State, config: &DiscussionConfig) -> bool {
    let Some((ballot, phase)) = state.deciding(config) else { return false };
    if config.rules.method.decided_by() != DecidedBy::Votes {
        return false;
    }
    let tally = Tally::of(ballot, config, &config.options[phase]);
    tally.missing.is_empty()
        && !tally.carries
        && !tally.human_required
        && state.turns.iter().any(|turn| turn.phase == phase)
}

/// Repeats the ballot's phase if the ballot has no votes. A run never repeats its own ballot.
fn empty_ballot_again(snapshot: &Snapshot, started_with: usize) -> Option<Step> {
    let (state, config) = (&snapshot.state, &snapshot.config);
    // A sub-discussion never repeats its ballot: if the parent's run was killed before it recorded the result, the
    // next run records this result.
    let is_child = snapshot.transcript.head.as_ref().is_some_and(|head| head.parent.is_some());
    if is_child || !snapshot.nobody_voted() || state.turns.len() > started_with {
        return None;
    }
    let (_, phase) = state.deciding(config)?;
    Some(Step::Write(advance_to(snapshot, phase, None)))
}

/// Repeats the ballot's phase if a person has commented since it ended. The new phase line carries that person's name,
/// so that phases after the ballot can be entered again too.
pub(super) fn reopened(snapshot: &Snapshot) -> Option<Step> {
    let (state, config) = (&snapshot.state, &snapshot.config);
    if !ballot_failed(state, config) {
        return None;
    }
    let (_, phase) = state.deciding(config)?;
    let round = state.turns.iter().rfind(|turn| turn.phase == phase && turn.is_round)?;
    let free =
        |said: &&crate::state::CommentFacts| said.turn.is_none() && config.is_person(&said.speaker);
    let last = state.said.iter().rfind(free).filter(|said| said.entry > round.entry)?;
    let mut was_over = false;
    fold_watched(&snapshot.transcript, config, |index, state| {
        if index + 1 == last.entry {
            was_over = state.unfinished().is_none() && ballot_failed(state, config);
        }
    });
    was_over.then(|| Step::Write(advance_to(snapshot, phase, Some(last.name.to_string()))))
}
