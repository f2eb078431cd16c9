//! From phase to phase, and what a phase's expressions come to.

use super::scope::Scope;
use super::snapshot::{Snapshot, SnapshotError};
use super::step::{Step, Stop};
use crate::state::{Outcome, Tally, Turn};
use crate::template::{Condition, Expr, Int, Order, Phase, TextTemplate, Trigger};
use crate::transcript::{Alias, Control, Draft, PhaseLine};

/// How far the current phase has come, worked out once a step; what failed counts where it is used.
pub(super) struct Progress {
    /// Those of the unfinished turn whose votes can change nothing any more.
    pub(super) spared: Vec<Alias>,
    /// Whether it can be gone through at all.
    pub(super) open: Result<bool, SnapshotError>,
    /// How many rounds one visit has.
    pub(super) rounds: Result<u32, SnapshotError>,
    /// How many of them have begun, turns for mentions and repeated ones aside.
    pub(super) begun: u32,
    /// Whether it ends by itself now.
    pub(super) over: bool,
}

impl Progress {
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let spared = snapshot.spared();
        let rounds = snapshot.number(&snapshot.phase().rounds);
        let last = last_whole(snapshot, &spared);
        let over = last.zip(rounds.as_ref().ok());
        Self {
            open: first_is_open(snapshot),
            begun: begun(snapshot),
            over: over.is_some_and(|(last, rounds)| ends(snapshot, last, *rounds)),
            spared,
            rounds,
        }
    }
}

/// Whether the phase ends by itself now. Never before one whole turn of the visit.
///
/// # Errors
/// When an expression of the template fails.
pub(crate) fn may_advance(snapshot: &Snapshot) -> Result<bool, SnapshotError> {
    let Some(last) = last_whole(snapshot, &snapshot.spared()) else { return Ok(false) };
    Ok(ends(snapshot, last, snapshot.number(&snapshot.phase().rounds)?))
}

/// The last turn of this visit that is not for calls only, when nobody is to be asked in it any more.
fn last_whole<'s>(snapshot: &'s Snapshot, spared: &[Alias]) -> Option<&'s Turn> {
    let whole = snapshot.state.unfinished().is_none() || !spared.is_empty();
    snapshot.state.turns_here().rfind(|turn| !turn.line.is_aside()).filter(|_| whole)
}

fn ends(snapshot: &Snapshot, last: &Turn, rounds: u32) -> bool {
    let state = &snapshot.state;
    let phase = snapshot.phase();
    match phase.auto_trigger {
        None => false,
        Some(Trigger::RoundsDone) => begun(snapshot) >= rounds || phase.speakers.is_mentioned(),
        Some(Trigger::AllResponded) => {
            last.outcomes.values().all(|outcome| matches!(outcome, Outcome::Answered(_)))
        }
        Some(Trigger::AllMentionedResponded) => {
            let visit = state.place.number();
            let spoke =
                |said: &crate::state::Said| said.visit == visit && said.speaker.takes_part();
            state.pending.is_empty() && state.said.iter().any(spoke)
        }
        Some(Trigger::Consensus) => snapshot.tally().is_some_and(|tally| tally.carries),
    }
}

fn begun(snapshot: &Snapshot) -> u32 {
    let rounds = snapshot.state.turns_here().filter(|turn| turn.is_round).count();
    u32::try_from(rounds).unwrap_or(u32::MAX)
}

/// Whether a phase may be entered now.
fn enterable(snapshot: &Snapshot, index: usize) -> Result<bool, SnapshotError> {
    let phase = &snapshot.template().phases[index];
    let asks_somebody = phase.report.is_some()
        || phase.discuss.is_some()
        || phase.run.is_some()
        || phase.speakers.is_mentioned()
        || !snapshot.config.speakers(index).is_empty();
    Ok(asks_somebody
        && snapshot.number(&phase.rounds)? > 0
        && snapshot.state.place.entered[index] < snapshot.number(&phase.visits)?
        && snapshot.holds(&phase.when)?)
}

/// The phase that follows the current one: its `next` in order, then those below; none is the end.
///
/// # Errors
/// When an expression of the template fails.
pub(crate) fn first_enterable(snapshot: &Snapshot) -> Result<Option<usize>, SnapshotError> {
    let current = snapshot.state.place.phase();
    for id in &snapshot.template().phases[current].next {
        match snapshot.template().phase(id) {
            None => return Ok(None),
            Some((index, _)) if enterable(snapshot, index)? => return Ok(Some(index)),
            Some(_) => {}
        }
    }
    for index in current + 1..snapshot.template().phases.len() {
        if enterable(snapshot, index)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// Leaves the current phase: into the next one, or to the end.
pub(super) fn leave(snapshot: &Snapshot) -> Result<Step, SnapshotError> {
    if let Some(index) = first_enterable(snapshot)? {
        return Ok(Step::Write(advance_to(snapshot, index, None)));
    }
    let person = snapshot.tally().is_some_and(|tally| tally.human_required);
    Ok(Step::Stop(if person { Stop::PersonVote } else { Stop::Finished }))
}

/// Why the phase goes on though nobody is to be asked.
///
/// # Errors
/// When an expression of the template fails.
pub(super) fn stay(snapshot: &Snapshot) -> Result<Step, SnapshotError> {
    Ok(Step::Stop(match snapshot.phase().auto_trigger {
        None if snapshot.tally().is_some_and(|tally| tally.human_required) => Stop::PersonVote,
        // Nobody can lead on from the last phase.
        None if first_enterable(snapshot)?.is_none() => Stop::Finished,
        None => Stop::PhaseEnd,
        Some(Trigger::AllMentionedResponded) if !snapshot.state.pending.is_empty() => {
            let pending = snapshot.state.pending.iter();
            let mut handles: Vec<String> =
                pending.map(|mention| mention.whom.handle().to_owned()).collect();
            handles.sort_unstable();
            handles.dedup();
            Stop::Mentions(handles)
        }
        Some(_) => Stop::Trigger,
    }))
}

/// What a writer appends to enter a phase; entering one where votes decide resets them.
pub fn advance_to(snapshot: &Snapshot, index: usize, by: Option<String>) -> Vec<Draft> {
    let phase = &snapshot.template().phases[index];
    let line = Draft::Control(Control::Phase(PhaseLine { id: phase.id.clone(), by }));
    match phase.voting_mode {
        true => vec![line, Draft::Control(Control::VoteReset)],
        false => vec![line],
    }
}

/// Whether the current phase can be gone through at all; the first one is never entered by a line, so it is asked here.
fn first_is_open(snapshot: &Snapshot) -> Result<bool, SnapshotError> {
    if snapshot.state.place.visit().from.is_some() {
        return Ok(true);
    }
    let phase = &snapshot.template().phases[0];
    Ok(snapshot.number(&phase.rounds)? > 0 && snapshot.holds(&phase.when)?)
}

impl Snapshot {
    /// Whether a condition holds.
    pub(super) fn holds(&self, condition: &Condition) -> Result<bool, SnapshotError> {
        match condition {
            Condition::Fixed(value) => Ok(*value),
            Condition::Expr(expr) => Ok(self.eval(expr)?.is_true()),
        }
    }

    /// The number that an int gives; negative ones are 0.
    pub(super) fn number(&self, int: &Int) -> Result<u32, SnapshotError> {
        match int {
            Int::Number(number) => Ok(*number),
            Int::Expr(expr) => {
                let number = i64::try_from(self.eval(expr)?)
                    .map_err(|error| self.failed(expr.place(), expr.source(), &error))?;
                Ok(u32::try_from(number.max(0)).unwrap_or(u32::MAX))
            }
        }
    }

    /// The first phase whose votes may come to decide: one whose condition does not exclude it by method and parameters.
    pub(crate) fn ballot_ahead(&self) -> Option<usize> {
        let may_be = |when: &Condition| match when {
            Condition::Fixed(holds) => *holds,
            Condition::Expr(expr) => {
                let fixed = expr.names().iter().all(|name| name == "consensus" || name == "params");
                !fixed || self.holds(when).unwrap_or(true)
            }
        };
        self.template().phases.iter().position(|phase| phase.voting_mode && may_be(&phase.when))
    }

    /// How many words an answer of a phase is to have, as its template says; none where it does not.
    ///
    /// # Errors
    /// When the template's expression fails.
    pub fn words(&self, phase: usize) -> Result<Option<u32>, SnapshotError> {
        let words = self.template().phases.get(phase).and_then(|phase| phase.words.as_ref());
        let words = words.map(|words| self.number(words)).transpose()?;
        Ok(words.filter(|words| *words > 0))
    }

    pub(super) fn eval(&self, expr: &Expr) -> Result<minijinja::Value, SnapshotError> {
        let names = Scope::new(self, None).values(expr.names());
        let value = names.and_then(|names| expr.eval(names));
        value.map_err(|error| self.failed(expr.place(), expr.source(), &error))
    }

    pub(super) fn render(
        &self,
        text: &TextTemplate,
        me: Option<&Alias>,
    ) -> Result<String, SnapshotError> {
        let names = Scope::new(self, me).values(text.names());
        let rendered = names.and_then(|names| text.render(names));
        rendered.map_err(|error| self.failed(text.place(), "", &error))
    }

    /// What the votes come to, those left aside whom an early exit does not ask any more.
    pub(crate) fn tally(&self) -> Option<Tally> {
        let (ballot, phase) = self.state.deciding(&self.config)?;
        let mut ballot = ballot.clone();
        if phase == self.state.place.phase() {
            ballot.silent.extend(self.spared());
        }
        Some(Tally::of(&ballot, &self.config, &self.config.options[phase]))
    }

    /// Participants of the unfinished turn whose votes can no longer change the outcome, where the phase allows it.
    ///
    /// In a parallel phase only between two waves, of which each is begun at once: whether a run was stopped within one must
    /// not change the result.
    pub fn spared(&self) -> Vec<Alias> {
        let Some(turn) = self.state.unfinished() else { return Vec::new() };
        let phase = &self.template().phases[turn.phase];
        let missing: Vec<Alias> = turn.missing().cloned().collect();
        let enough = turn.answered() >= self.config.min_answers;
        // A person's vote is waited for, and nothing is decided meanwhile.
        let models = missing.iter().all(|alias| self.config.is_model(alias));
        let allowed = enough
            && models
            && self.spares(phase)
            && (phase.order == Order::Sequential || self.is_between_waves(turn));
        let options = &self.config.options[turn.phase];
        let (ballot, config) = (&self.state.ballot, &self.config);
        let is_decided = || {
            crate::state::settled(ballot, config, options, &missing)
                || crate::state::agreed(ballot, config, options, &missing)
        };
        if allowed && is_decided() { missing } else { Vec::new() }
    }

    /// Whether a phase asks for no vote that can change nothing.
    fn spares(&self, phase: &Phase) -> bool {
        phase.voting_mode && self.holds(&phase.early_exit).unwrap_or(false)
    }

    /// Those who are asked at once in a parallel turn, wave after wave: all, but where votes may be spared so few that one
    /// of them may fail.
    pub(crate) fn waves<'t>(&self, turn: &'t Turn) -> std::slice::Chunks<'t, Alias> {
        let asks = &turn.line.asks;
        let all = asks.len().max(1);
        let few = self.config.min_answers.saturating_add(1);
        asks.chunks(if self.spares(&self.template().phases[turn.phase]) { few } else { all })
    }

    /// Whether whole waves of a turn are over, and nobody of the next has answered.
    fn is_between_waves(&self, turn: &Turn) -> bool {
        let is_over = |wave: &&[Alias]| wave.iter().all(|alias| turn.outcomes.contains_key(alias));
        let over: usize = self.waves(turn).take_while(is_over).map(<[Alias]>::len).sum();
        over > 0 && over == turn.outcomes.len()
    }

    fn failed(&self, place: &str, text: &str, error: &minijinja::Error) -> SnapshotError {
        SnapshotError::Expression {
            template: self.template().id.clone(),
            place: place.to_owned(),
            expression: text.trim().to_owned(),
            reason: error.to_string(),
        }
    }
}
