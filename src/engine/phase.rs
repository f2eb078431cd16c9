//! Transitions between phases, and the evaluation of a phase's expressions.

use super::next::{Step, Stop};
use super::scope::ExpressionScope;
use super::snapshot::{Snapshot, SnapshotError};
use crate::state::{Tally, Turn, TurnOutcome};
use crate::template::{Condition, Expr, Int, Order, Phase, TextTemplate, Trigger};
use crate::transcript::{Alias, Choice, Control, Draft, PhaseLine};

/// The progress of the current phase, computed once per step. An error in a value is raised only
/// when that value is used.
pub(super) struct PhaseProgress {
    /// Participants of the unfinished turn that can no longer change the outcome with their votes.
    pub(super) spared: Vec<Alias>,
    /// True if the condition of the phase holds and it has at least one round.
    pub(super) open: Result<bool, SnapshotError>,
    /// Number of rounds of one visit.
    pub(super) rounds: Result<u32, SnapshotError>,
    /// Number of rounds that have begun, without turns for mentions and repeated turns.
    pub(super) begun: u32,
    /// True if the phase ends by itself now.
    pub(super) over: bool,
}

impl PhaseProgress {
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let spared = snapshot.skippable_voters();
        let rounds = snapshot.number(&snapshot.phase().rounds);
        let last = last_whole(snapshot, &spared);
        let over = last.zip(rounds.as_ref().ok());
        Self {
            open: first_is_open(snapshot),
            begun: turns_begun(snapshot),
            over: over.is_some_and(|(last, rounds)| ends(snapshot, last, *rounds)),
            spared,
            rounds,
        }
    }
}

/// Returns the last regular turn of this visit (not one for mentions only), if it has no participant left to ask.
fn last_whole<'s>(snapshot: &'s Snapshot, spared: &[Alias]) -> Option<&'s Turn> {
    let whole = snapshot.state.unfinished().is_none() || !spared.is_empty();
    snapshot.state.turns_here().rfind(|turn| !turn.line.is_aside()).filter(|_| whole)
}

fn ends(snapshot: &Snapshot, last: &Turn, rounds: u32) -> bool {
    let state = &snapshot.state;
    let phase = snapshot.phase();
    match phase.auto_trigger {
        None => false,
        Some(Trigger::RoundsDone) => {
            turns_begun(snapshot) >= rounds || phase.speakers.is_mentioned()
        }
        Some(Trigger::AllResponded) => {
            last.outcomes.values().all(|outcome| matches!(outcome, TurnOutcome::Answered(_)))
        }
        Some(Trigger::AllMentionedResponded) => {
            let visit = state.place.number();
            let spoke = |said: &crate::state::CommentFacts| {
                said.visit == visit && said.speaker.takes_part()
            };
            state.pending.is_empty() && state.said.iter().any(spoke)
        }
        Some(Trigger::Consensus) => snapshot.tally().is_some_and(|tally| tally.carries),
    }
}

fn turns_begun(snapshot: &Snapshot) -> u32 {
    let rounds = snapshot.state.turns_here().filter(|turn| turn.is_round).count();
    u32::try_from(rounds).unwrap_or(u32::MAX)
}

/// Returns true if a phase can be entered now.
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

/// Returns the phase that follows the current one: the first possible phase of its `next` list, then of the phases
/// below. `None` is the end of the discussion.
///
/// # Errors
/// Fails if an expression of the template fails.
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

/// Returns the step that leaves the current phase: into the next one, or to the end.
pub(super) fn leave(snapshot: &Snapshot) -> Result<Step, SnapshotError> {
    if let Some(index) = first_enterable(snapshot)? {
        return Ok(Step::Write(advance_to(snapshot, index, None)));
    }
    let person = snapshot.tally().is_some_and(|tally| tally.human_required);
    Ok(Step::Stop(if person { Stop::PersonVote } else { Stop::Finished }))
}

/// Returns the reason why a phase does not end although no participant is left to ask.
///
/// # Errors
/// Fails if an expression of the template fails.
pub(super) fn stay(snapshot: &Snapshot) -> Result<Step, SnapshotError> {
    Ok(Step::Stop(match snapshot.phase().auto_trigger {
        None if snapshot.tally().is_some_and(|tally| tally.human_required) => Stop::PersonVote,
        // After the last phase there is nothing for a person to advance to.
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

/// Returns the lines that enter a phase. If votes decide in it, they reset the votes.
pub fn advance_to(snapshot: &Snapshot, index: usize, by: Option<String>) -> Vec<Draft> {
    let phase = &snapshot.template().phases[index];
    let line = Draft::Control(Control::Phase(PhaseLine { id: phase.id.clone(), by }));
    if phase.voting_mode { vec![line, Draft::Control(Control::VoteReset)] } else { vec![line] }
}

/// Returns true if the current phase can run at all. Only the first phase needs this check, because
/// no control line enters it.
fn first_is_open(snapshot: &Snapshot) -> Result<bool, SnapshotError> {
    if snapshot.state.place.visit().from.is_some() {
        return Ok(true);
    }
    let phase = &snapshot.template().phases[0];
    Ok(snapshot.number(&phase.rounds)? > 0 && snapshot.holds(&phase.when)?)
}

impl Snapshot {
    /// Evaluates a condition.
    pub(super) fn holds(&self, condition: &Condition) -> Result<bool, SnapshotError> {
        match condition {
            Condition::Fixed(value) => Ok(*value),
            Condition::Expr(expr) => Ok(self.eval(expr)?.is_true()),
        }
    }

    /// Evaluates a number; a negative one becomes 0.
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

    /// Returns the first voting phase that may run. Skips phases with a condition that the consensus method and the
    /// parameters make false for the whole discussion.
    pub(crate) fn ballot_ahead(&self) -> Option<usize> {
        let phases = &self.template().phases;
        (0..phases.len()).find(|phase| phases[*phase].voting_mode && self.may_be(*phase))
    }

    /// Returns false if a phase can never be entered: its condition is false and depends on nothing but the method and
    /// the parameters.
    fn may_be(&self, phase: usize) -> bool {
        let when = &self.template().phases[phase].when;
        match when {
            Condition::Fixed(holds) => *holds,
            Condition::Expr(expr) => {
                let fixed = expr.names().iter().all(|name| name == "consensus" || name == "params");
                !fixed || self.holds(when).unwrap_or(true)
            }
        }
    }

    /// Returns the phase with the options of the latest ballot: of the current ballot, or else of
    /// the last ballot that was entered, or else of the next one. Returns `None` if no phase ever
    /// counts votes.
    pub(crate) fn ballot_phase(&self) -> Option<usize> {
        let is_ballot = |phase: &usize| self.template().phases[*phase].voting_mode;
        let entered = self.state.place.visits.iter().rev().map(|visit| visit.phase);
        entered.into_iter().find(is_ballot).or_else(|| self.ballot_ahead())
    }

    /// Returns the options to vote on now: those of the current phase, if it counts votes or a ballot with these
    /// options is still ahead. Empty in a closed discussion and after a ballot.
    pub(crate) fn open_options(&self) -> &[Choice] {
        let (phases, here) = (&self.template().phases, self.state.place.phase());
        let options = &self.config.options[here];
        let may_follow = |phase: &usize| phases[*phase].voting_mode && self.may_be(*phase);
        let mut ahead = (self.first_ahead()..phases.len()).filter(may_follow);
        let is_over = self.state.closed || self.state.ballot_over.is_some();
        let counts =
            phases[here].voting_mode || ahead.any(|phase| self.config.options[phase] == *options);
        if counts && !is_over { options } else { &[] }
    }

    /// Returns the first phase that can follow the current one. It may be an earlier one, because `next` may lead back.
    fn first_ahead(&self) -> usize {
        let (template, here) = (self.template(), self.state.place.phase());
        let mut first = here + 1;
        loop {
            let leaving = template.phases.iter().skip(first.min(here));
            let targets = leaving.flat_map(|phase| &phase.next);
            let targets = targets.filter_map(|id| Some(template.phase(id)?.0));
            match targets.min().filter(|target| *target < first) {
                Some(target) => first = target,
                None => return first,
            }
        }
    }

    /// Returns the maximum number of words for an answer in this phase, or `None` if the template sets none.
    ///
    /// # Errors
    /// Fails if the template's expression fails.
    pub fn words(&self, phase: usize) -> Result<Option<u32>, SnapshotError> {
        let words = self.template().phases.get(phase).and_then(|phase| phase.words.as_ref());
        let words = words.map(|words| self.number(words)).transpose()?;
        Ok(words.filter(|words| *words > 0))
    }

    pub(super) fn eval(&self, expr: &Expr) -> Result<minijinja::Value, SnapshotError> {
        let known = self.known_values();
        if let Some(value) = known.expression(expr.source()) {
            return Ok(value);
        }
        let names = ExpressionScope::new(self, None).values(expr.names());
        let value = names
            .and_then(|names| expr.eval(names))
            .map_err(|error| self.failed(expr.place(), expr.source(), &error))?;
        known.keep_expression(expr.source(), value.clone());
        Ok(value)
    }

    pub(super) fn render(
        &self,
        text: &TextTemplate,
        me: Option<&Alias>,
    ) -> Result<String, SnapshotError> {
        let names = ExpressionScope::new(self, me).values(text.names());
        let rendered = names.and_then(|names| text.render(names));
        rendered.map_err(|error| self.failed(text.place(), "", &error))
    }

    /// Counts the votes. Participants that an early exit skips are not missing.
    pub(crate) fn tally(&self) -> Option<Tally> {
        let (ballot, phase) = self.state.deciding(&self.config)?;
        let mut ballot = ballot.clone();
        if phase == self.state.place.phase() {
            ballot.silent.extend(self.skippable_voters());
        }
        Some(Tally::of(&ballot, &self.config, &self.config.options[phase]))
    }

    /// Returns the participants of the unfinished turn that can no longer change the outcome with their votes, if the
    /// phase may skip them.
    ///
    /// In a parallel phase this happens only between two waves, because all calls of a wave start at once: the result
    /// must not depend on the moment at which a run was stopped.
    pub fn skippable_voters(&self) -> Vec<Alias> {
        let Some(turn) = self.state.unfinished() else { return Vec::new() };
        let phase = &self.template().phases[turn.phase];
        let missing: Vec<Alias> = turn.missing().cloned().collect();
        let enough = turn.answer_count() >= self.config.min_answers;
        // A person's vote is always awaited, so no vote is skipped while one is missing.
        let models = missing.iter().all(|alias| self.config.is_model(alias));
        let allowed = enough
            && models
            && self.spares(phase)
            && (phase.order == Order::Sequential || self.is_between_waves(turn));
        let options = &self.config.options[turn.phase];
        let (ballot, config) = (&self.state.ballot, &self.config);
        let is_decided = || {
            crate::state::settled(ballot, config, options, &missing)
                || crate::state::is_agreed(ballot, config, options, &missing)
        };
        if allowed && is_decided() { missing } else { Vec::new() }
    }

    /// Returns true if a phase skips votes that cannot change the outcome.
    fn spares(&self, phase: &Phase) -> bool {
        phase.voting_mode && self.holds(&phase.early_exit).unwrap_or(false)
    }

    /// Splits a parallel turn into waves of participants that are asked at once. If the phase may skip votes, a wave
    /// has `min_answers` participants and one more, in case one call fails; otherwise there is a single wave.
    pub(crate) fn waves<'t>(&self, turn: &'t Turn) -> std::slice::Chunks<'t, Alias> {
        let asks = &turn.line.asks;
        let all = asks.len().max(1);
        let few = self.config.min_answers.saturating_add(1);
        asks.chunks(if self.spares(&self.template().phases[turn.phase]) { few } else { all })
    }

    /// Returns true if complete waves of a turn are over and no participant of the next wave has answered.
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
