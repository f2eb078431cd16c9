//! The dispatcher: asks several at once, appends each answer as it arrives whole, and keeps count.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tokio::time::Instant;

use super::abort::Abort;
use super::mode::Waiting;
use super::once::Once;
use super::options::{CallSettings, Limits, Settings};
use super::prefix::Prefixes;
use super::report::{CallReport, Limit, RunReport, Stopped};
use super::shut::Shut;
use super::{FinishedRun, Observer, Runner, since};
use crate::engine::{Prompt, Snapshot};
use crate::participant::Kind;
use crate::provider::Purse;
use crate::state::Speaker;
use crate::transcript::{Alias, time};
use crate::view::{Change, Event, EventKind, changes};
use crate::workspace::{Budget, Workspace};

/// What began and was told, and not yet its end.
#[derive(Default)]
struct Begun {
    /// The turn's number.
    turn: Option<u32>,
    /// The round's number.
    round: Option<u32>,
    /// Milliseconds that the round's turns took, as far as this run told of them.
    ms: u64,
}

/// Owns a run's counters and its observer.
pub(super) struct Dispatcher<'r> {
    runner: &'r Runner,
    path: PathBuf,
    options: CallSettings,
    limits: Limits,
    observer: Observer<'r>,
    abort: Abort,
    start: Instant,
    turns: u32,
    purse: Purse,
    told: Once,
    shut: Shut,
    calls: Vec<CallReport>,
    prefixes: Prefixes,
    begun: Begun,
    /// The last reading whose changes were told.
    seen: Option<Snapshot>,
    /// What went wrong on the way to an answer; the file does not hold it.
    notes: HashMap<String, Vec<String>>,
    given_up: Arc<AtomicBool>,
    /// What heads and configuration leave, when the run began.
    budget: Budget,
    waiting: Waiting,
    /// The limit of money has to cover one call before anything is written.
    checks_price: bool,
    /// What was asked in discussions within this one.
    within: Vec<CallReport>,
    /// Votes of people that arrived during the run, by name.
    person_votes: BTreeMap<String, String>,
}

impl<'r> Dispatcher<'r> {
    /// Whether this run asked one of them in the last turn already.
    pub(super) fn was_asked(&self, snapshot: &Snapshot, aliases: &[Alias]) -> bool {
        let turn = snapshot.state.turns.last().map(|turn| turn.line.number);
        self.calls.iter().any(|call| Some(call.turn) == turn && aliases.contains(&call.participant))
    }

    pub(super) fn new(
        runner: &'r Runner,
        path: &Path,
        settings: &Settings,
        observer: Observer<'r>,
        abort: Abort,
    ) -> Self {
        let (limits, mode) = (settings.limits.clone(), &settings.mode);
        Self {
            runner,
            path: path.to_owned(),
            options: settings.calls.clone(),
            purse: Purse::new(limits.max_usd, limits.unpriced),
            told: Once::default(),
            shut: Shut::default(),
            limits,
            observer,
            abort,
            start: Instant::now(),
            turns: 0,
            calls: Vec::new(),
            prefixes: Prefixes::default(),
            begun: Begun::default(),
            seen: None,
            notes: HashMap::new(),
            given_up: Arc::default(),
            budget: Budget::default(),
            waiting: mode.waiting(),
            checks_price: settings.checks_price,
            within: Vec::new(),
            person_votes: BTreeMap::new(),
        }
    }

    pub(super) fn path(&self) -> &PathBuf {
        &self.path
    }

    pub(super) fn options(&self) -> &CallSettings {
        &self.options
    }

    /// Set when nobody waits for a lock any more.
    pub(super) fn given_up(&self) -> &Arc<AtomicBool> {
        &self.given_up
    }

    pub(super) fn workspace(&self) -> &Arc<Workspace> {
        &self.runner.workspace
    }

    pub(super) fn abort(&self) -> Abort {
        self.abort.clone()
    }

    /// When this run's time is up.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.limits.timeout.map(|timeout| self.start + timeout)
    }

    /// Bytes at the beginning of a prompt that each provider may have kept from an earlier one of this run.
    pub(super) fn kept_prefixes(&self, prompt: &Prompt) -> Vec<(String, usize)> {
        self.prefixes.kept(prompt)
    }

    /// Remembers a prompt that a provider has answered.
    pub(super) fn answered(&mut self, provider: String, prompt: Prompt) {
        self.prefixes.answered(provider, prompt);
    }

    /// What went wrong on the way to somebody's answer, to be told with it.
    pub(super) fn note(&mut self, who: &str, notes: Vec<String>) {
        self.notes.insert(who.to_owned(), notes);
    }

    /// Counts what somebody's calls came to.
    pub(super) fn add(&mut self, report: CallReport) {
        self.calls.push(report);
    }

    pub(super) fn aborted(&self) -> bool {
        self.abort.is_set()
    }

    /// Returns the limit of money that has to cover one call, until that is known.
    pub(super) fn unchecked_limit(&self) -> Option<f64> {
        self.limits.max_usd.filter(|_| self.checks_price)
    }

    /// Notes that the limit covers a call.
    pub(super) fn limit_is_checked(&mut self) {
        self.checks_price = false;
    }

    /// Returns how sub-discussions treat people.
    pub(super) fn waiting(&self) -> Waiting {
        self.waiting.clone()
    }

    /// What heads and configuration leave for this run.
    pub(super) fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Returns whether providers of unknown price may be asked under a limit of money.
    pub(super) fn may_ask_unpriced(&self) -> bool {
        self.limits.unpriced
    }

    /// What heads and configuration leave now.
    pub(super) fn budget(&self) -> Budget {
        let calls = self.budget.calls.map(|calls| calls.saturating_sub(self.made()));
        let usd = self.budget.usd.map(|usd| (usd - self.purse.spent()).max(0.0));
        let time = self.budget.time.map(|time| time.saturating_sub(self.start.elapsed()));
        Budget { calls, usd, time, ..self.budget.clone() }
    }

    /// What is left of all limits, for a discussion within this one.
    pub(super) fn left(&self) -> Limits {
        Limits {
            max_turns: self.limits.max_turns.saturating_sub(self.turns),
            max_calls: self.limits.max_calls.saturating_sub(self.made()),
            max_usd: self.purse.left(),
            unpriced: self.limits.unpriced,
            timeout: self
                .limits
                .timeout
                .map(|timeout| timeout.saturating_sub(self.start.elapsed())),
        }
    }

    /// Whoever watches this run watches those within it too.
    pub(super) fn observer(&mut self) -> Observer<'_> {
        &mut *self.observer
    }

    /// Counts what a discussion within this one spent.
    pub(super) fn spent_within(&mut self, gone: FinishedRun) {
        self.turns = self.turns.saturating_add(gone.report.turns);
        self.within.extend(gone.report.calls);
        self.person_votes.extend(gone.report.person_votes);
        self.purse.charge(gone.usd);
    }

    pub(super) fn report(mut self, stopped: Stopped) -> RunReport {
        self.calls.append(&mut self.within);
        RunReport {
            file: self.path,
            turns: self.turns,
            calls: self.calls,
            ms: since(self.start),
            stopped,
            person_votes: self.person_votes,
            summary: None,
        }
    }

    /// Tells what is not in the file.
    pub(super) fn emit(&mut self, kind: EventKind) {
        self.emit_of(None, kind);
    }

    pub(super) fn emit_of(&mut self, participant: Option<String>, kind: EventKind) {
        let round = self.begun.round.filter(|_| self.begun.turn.is_some());
        self.send(Change { at: None, round, participant, kind });
    }

    fn send(&mut self, change: Change) {
        let Change { round, participant, kind, .. } = change;
        let workspace = &self.runner.workspace;
        let (file, at) = (workspace.exactly(&self.path), time(workspace.now()));
        (self.observer)(Event { event: kind.name(), file, at, round, participant, kind });
    }

    /// No more calls than this either.
    pub(super) fn allow_calls(&mut self, most: u32) {
        self.limits.max_calls = self.limits.max_calls.min(most);
    }

    /// No more time than this either.
    pub(super) fn allow_time(&mut self, most: Duration) {
        self.limits.timeout = Some(self.limits.timeout.map_or(most, |known| known.min(most)));
    }

    /// What the calls of this run are paid out of.
    pub(super) fn purse(&self) -> &Purse {
        &self.purse
    }

    /// What was told once already.
    pub(super) fn told(&self) -> &Once {
        &self.told
    }

    /// Whom nobody needs to ask any more.
    pub(super) fn shut(&self) -> &Shut {
        &self.shut
    }

    /// Whether another turn may begin.
    pub(super) fn turn_limit(&self) -> Option<Limit> {
        let late = self.limits.timeout.is_some_and(|timeout| self.start.elapsed() >= timeout);
        if self.turns >= self.limits.max_turns {
            Some(Limit::Turns)
        } else if self.purse.is_empty() {
            Some(Limit::Usd)
        } else if self.made() >= self.limits.max_calls {
            Some(Limit::Calls)
        } else if late {
            Some(Limit::Time)
        } else {
            None
        }
    }

    /// How many of so many participants may be asked.
    pub(super) fn call_limit(&self, wanted: usize) -> Result<usize, Limit> {
        match self.turn_limit() {
            Some(limit) if limit != Limit::Turns => Err(limit),
            _ => Ok(wanted.min(self.limits.max_calls.saturating_sub(self.made()) as usize)),
        }
    }

    /// How many calls are left beyond one for each of so many.
    pub(super) fn calls_beyond(&self, asked: usize) -> u32 {
        let asked = u32::try_from(asked).unwrap_or(u32::MAX);
        self.limits.max_calls.saturating_sub(self.made()).saturating_sub(asked)
    }

    fn made(&self) -> u32 {
        self.calls.iter().chain(&self.within).map(|call| call.calls).sum()
    }

    /// Tells what has changed in the file since it was last read. A turn that was left unfinished begins anew for
    /// whoever watches this run.
    pub(super) fn saw(&mut self, snapshot: &Snapshot) {
        let told = match &self.seen {
            Some(seen) => changes(Some(seen), snapshot),
            None => resumed(snapshot),
        };
        for mut change in told {
            if let EventKind::TurnStart { asks, left_out, .. } = &mut change.kind {
                *left_out = self.left_out(snapshot, asks);
            }
            self.tell(change);
        }
        if let Some(seen) = &self.seen {
            self.person_votes.extend(new_person_votes(seen, snapshot));
        }
        self.seen = Some(snapshot.clone());
    }

    /// Votes of people that arrived since the run began, by name.
    pub(super) fn person_votes(&self) -> &BTreeMap<String, String> {
        &self.person_votes
    }

    /// The last reading of the file.
    pub(super) fn seen(&self) -> Option<&Snapshot> {
        self.seen.as_ref()
    }

    /// Who would be asked in the last turn too, but failed in this run for good.
    fn left_out(&self, snapshot: &Snapshot, asks: &[String]) -> Vec<String> {
        let Some(turn) = snapshot.state.turns.last().filter(|turn| !turn.line.is_aside()) else {
            return Vec::new();
        };
        let failed = |alias: &Alias| {
            let mut calls = self.calls.iter().rev();
            let last = calls.find(|call| call.participant == *alias);
            last.is_some_and(|call| call.outcome.is_for_good())
        };
        let speakers = snapshot.config.speakers(turn.phase).into_iter();
        let out = speakers.filter(|alias| failed(alias)).map(|alias| alias.to_string());
        out.filter(|alias| !asks.contains(alias)).collect()
    }

    fn tell(&mut self, mut change: Change) {
        match &mut change.kind {
            EventKind::RoundStart {} => {
                (self.begun.round, self.begun.ms) = (change.round, 0);
            }
            // One that began before this run was ended by the run before.
            EventKind::RoundEnd { .. } if self.begun.round.take().is_none() => return,
            EventKind::TurnStart { turn, .. } => {
                self.turns += 1;
                self.begun.turn = Some(*turn);
                if self.begun.round.is_none() {
                    let (at, round) = (change.at, change.round);
                    self.tell(Change {
                        at,
                        round,
                        participant: None,
                        kind: EventKind::RoundStart {},
                    });
                }
            }
            EventKind::TurnEnd { turn, ms } => {
                if self.begun.turn.take_if(|begun| begun == turn).is_none() {
                    return;
                }
                self.begun.ms += *ms;
            }
            EventKind::AnswerEnd { notes, .. } => {
                let who = change.participant.as_deref().unwrap_or_default();
                *notes = self.notes.remove(who).unwrap_or_default();
            }
            _ => {}
        }
        self.send(change);
    }

    /// Ends, for whoever watches, the round that this run was in, and a turn that it leaves unfinished.
    pub(super) fn end_round(&mut self) {
        if let Some(turn) = self.begun.turn {
            self.emit(EventKind::TurnEnd { turn, ms: 0 });
            self.begun.turn = None;
        }
        if let Some(round) = self.begun.round.take() {
            let kind = EventKind::RoundEnd { ms: self.begun.ms };
            self.send(Change { at: None, round: Some(round), participant: None, kind });
        }
    }
}

/// Returns the votes of people that the later reading has and the earlier one has not.
fn new_person_votes(before: &Snapshot, now: &Snapshot) -> Vec<(String, String)> {
    let votes = |snapshot: &Snapshot| -> Vec<(String, String)> {
        let votes = snapshot.state.said.iter().filter(|said| is_persons(snapshot, &said.speaker));
        let votes =
            votes.filter_map(|said| Some((said.name.to_string(), said.vote.as_ref()?.to_string())));
        votes.collect()
    };
    let mut known = votes(before);
    let mut new = votes(now);
    new.retain(|vote| match known.iter().position(|one| one == vote) {
        Some(place) => {
            known.swap_remove(place);
            false
        }
        None => true,
    });
    new
}

fn is_persons(snapshot: &Snapshot, speaker: &Speaker) -> bool {
    match speaker {
        Speaker::Person(_) => true,
        Speaker::Persona(alias) => {
            !snapshot.config.is_agent(alias)
                && snapshot.config.persona(alias).is_some_and(|it| it.kind == Kind::Human)
        }
        Speaker::Agent(_) | Speaker::Report | Speaker::Lookalike(_) => false,
    }
}

/// What a run that begins tells of the turn that it goes on with.
fn resumed(snapshot: &Snapshot) -> Vec<Change> {
    let Some(turn) = snapshot.state.unfinished() else { return Vec::new() };
    let number = turn.line.number;
    let mut told = changes(None, snapshot);
    let begins = told.iter().rposition(
        |change| matches!(change.kind, EventKind::TurnStart { turn, .. } if turn == number),
    );
    told.drain(..begins.unwrap_or(told.len()));
    told.retain(|change| {
        matches!(change.kind, EventKind::TurnStart { .. } | EventKind::ConsensusStart {})
    });
    told
}
