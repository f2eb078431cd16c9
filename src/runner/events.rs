//! The events of one run: changes of the file, and facts that the file does not contain.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use super::context::RunContext;
use crate::codes::{ResultError, StopCode};
use crate::engine::Snapshot;
use crate::participant::ParticipantKind;
use crate::state::Speaker;
use crate::transcript::{Alias, time};
use crate::view::{Call, Change, Event, EventKind, Status, changes};
use crate::workspace::{Workspace, WorkspaceError};

/// The receiver of events.
pub(crate) type Observer<'o> = &'o mut (dyn FnMut(Event) + Send);

/// The turn and the round that have a reported start and no reported end.
#[derive(Default)]
struct OpenSpans {
    turn: Option<u32>,
    round: Option<u32>,
    /// Milliseconds of the round's turns, as far as this run reported them.
    round_ms: u64,
}

/// Reports the events of one run to its observer.
pub(super) struct EventEmitter<'r> {
    observer: Observer<'r>,
    workspace: Arc<Workspace>,
    path: PathBuf,
    open: OpenSpans,
    /// The last snapshot that was compared to report changes.
    last: Option<Snapshot>,
    /// Notes about calls by participant, reported with their answers. The file does not hold them.
    notes: HashMap<String, Vec<String>>,
    /// Votes of people that arrived during the run, by name.
    person_votes: BTreeMap<String, String>,
}

impl<'r> EventEmitter<'r> {
    pub(super) fn new(run: &RunContext<'_>, observer: Observer<'r>) -> Self {
        Self {
            observer,
            workspace: Arc::clone(run.workspace()),
            path: run.path.clone(),
            open: OpenSpans::default(),
            last: None,
            notes: HashMap::new(),
            person_votes: BTreeMap::new(),
        }
    }

    /// Returns the observer, for the run of a sub-discussion.
    pub(super) fn observer(&mut self) -> Observer<'_> {
        &mut *self.observer
    }

    /// Returns the last reading of the file.
    pub(super) fn last_snapshot(&self) -> Option<&Snapshot> {
        self.last.as_ref()
    }

    /// Adds the votes of people that arrived in a sub-discussion.
    pub(super) fn add_person_votes(&mut self, votes: BTreeMap<String, String>) {
        self.person_votes.extend(votes);
    }

    /// Returns the votes of people that arrived during the run, by name.
    pub(super) fn into_person_votes(self) -> BTreeMap<String, String> {
        self.person_votes
    }

    /// Keeps notes about a participant's calls until the answer is reported.
    pub(super) fn note(&mut self, participant: &Alias, notes: Vec<String>) {
        self.notes.insert(participant.to_string(), notes);
    }

    /// Reports an event that concerns no participant.
    pub(super) fn emit(&mut self, kind: EventKind) {
        self.emit_for(None, kind);
    }

    /// Reports an event about a participant.
    pub(super) fn emit_for(&mut self, participant: Option<&Alias>, kind: EventKind) {
        let round = self.open.round.filter(|_| self.open.turn.is_some());
        let participant = participant.map(ToString::to_string);
        self.send(Change { at: None, round, participant, kind });
    }

    /// Reports an error that ends the run.
    pub(super) fn emit_error(&mut self, error: &WorkspaceError) {
        self.emit(EventKind::Error {
            code: error.code(),
            message: error.to_string(),
            retryable: error.retryable(),
        });
    }

    /// Reports the end of the run, and before it the ends of an open turn and round.
    pub(super) fn emit_end(&mut self, stopped: StopCode) {
        if stopped == StopCode::Aborted {
            self.emit(EventKind::Aborted {});
        }
        self.close_spans();
        if let Some(ResultError { code, message, retryable, .. }) = stopped.error() {
            self.emit(EventKind::Error { code, message, retryable });
        }
        let file = self.workspace.exactly(&self.path);
        let now = self.workspace.now();
        let status = self.last.as_ref().map(|snapshot| Status::of(snapshot, file, now));
        self.emit(EventKind::DiscussionEnd {
            stopped: stopped.as_str(),
            status: status.as_ref().map(|status| status.status.as_str()),
            decision: status
                .filter(|status| status.consensus.reached)
                .and_then(|status| status.outcome?.decision),
            person_votes: self.person_votes.clone(),
        });
    }

    /// Reports what changed in the file since it was last read. The first call reports the start of the turn that the
    /// run continues, because the observer has not seen that start.
    pub(super) fn emit_changes(&mut self, run: &mut RunContext<'_>, snapshot: &Snapshot) {
        let changes = match &self.last {
            Some(last) => changes(Some(last), snapshot),
            None => continued_turn(snapshot),
        };
        for mut change in changes {
            if let EventKind::TurnStart { asks, left_out, .. } = &mut change.kind {
                *left_out = skipped_speakers(&run.reports, snapshot, asks);
                run.turns += 1;
            }
            self.emit_change(change);
        }
        if let Some(last) = &self.last {
            self.person_votes.extend(new_person_votes(last, snapshot));
        }
        self.last = Some(snapshot.clone());
    }

    fn emit_change(&mut self, mut change: Change) {
        match &mut change.kind {
            EventKind::RoundStart {} => {
                (self.open.round, self.open.round_ms) = (change.round, 0);
            }
            // If no round is open here, the run that reported the round's start has also reported its end.
            EventKind::RoundEnd { .. } if self.open.round.take().is_none() => return,
            EventKind::TurnStart { turn, .. } => {
                self.open.turn = Some(*turn);
                if self.open.round.is_none() {
                    let (at, round) = (change.at, change.round);
                    self.emit_change(Change {
                        at,
                        round,
                        participant: None,
                        kind: EventKind::RoundStart {},
                    });
                }
            }
            EventKind::TurnEnd { turn, ms } => {
                if self.open.turn.take_if(|open| open == turn).is_none() {
                    return;
                }
                self.open.round_ms += *ms;
            }
            EventKind::AnswerEnd { notes, .. } => {
                let participant = change.participant.as_deref().unwrap_or_default();
                *notes = self.notes.remove(participant).unwrap_or_default();
            }
            _ => {}
        }
        self.send(change);
    }

    /// Reports the ends of a turn and a round that the run leaves unfinished.
    fn close_spans(&mut self) {
        if let Some(turn) = self.open.turn {
            self.emit(EventKind::TurnEnd { turn, ms: 0 });
            self.open.turn = None;
        }
        if let Some(round) = self.open.round.take() {
            let kind = EventKind::RoundEnd { ms: self.open.round_ms };
            self.send(Change { at: None, round: Some(round), participant: None, kind });
        }
    }

    fn send(&mut self, change: Change) {
        let Change { round, participant, kind, .. } = change;
        let (file, at) = (self.workspace.exactly(&self.path), time(self.workspace.now()));
        (self.observer)(Event { event: kind.name(), file, at, round, participant, kind });
    }
}

/// Returns the participants that the last turn would ask too, if their calls had not failed for good in this run.
fn skipped_speakers(reports: &[Call], snapshot: &Snapshot, asks: &[String]) -> Vec<String> {
    let Some(turn) = snapshot.state.turns.last().filter(|turn| !turn.line.is_aside()) else {
        return Vec::new();
    };
    let has_failed = |alias: &Alias| {
        let last = reports.iter().rev().find(|call| call.participant == alias.as_str());
        last.is_some_and(|call| call.is_for_good)
    };
    let speakers = snapshot.config.speakers(turn.phase).into_iter();
    let failed = speakers.filter(|alias| has_failed(alias)).map(|alias| alias.to_string());
    failed.filter(|alias| !asks.contains(alias)).collect()
}

/// Returns the votes of people that are in `now` but not in `before`.
fn new_person_votes(before: &Snapshot, now: &Snapshot) -> Vec<(String, String)> {
    let votes = |snapshot: &Snapshot| -> Vec<(String, String)> {
        let votes = snapshot.state.said.iter().filter(|said| is_person(snapshot, &said.speaker));
        let votes =
            votes.filter_map(|said| Some((said.name.to_string(), said.vote.as_ref()?.to_string())));
        votes.collect()
    };
    let mut known = votes(before);
    let mut new = votes(now);
    new.retain(|vote| match known.iter().position(|one| one == vote) {
        Some(index) => {
            known.swap_remove(index);
            false
        }
        None => true,
    });
    new
}

fn is_person(snapshot: &Snapshot, speaker: &Speaker) -> bool {
    match speaker {
        Speaker::Person(_) => true,
        Speaker::Persona(alias) => {
            !snapshot.config.is_agent(alias)
                && snapshot
                    .config
                    .persona(alias)
                    .is_some_and(|it| it.kind == ParticipantKind::Human)
        }
        Speaker::Agent(_) | Speaker::Report | Speaker::Lookalike(_) => false,
    }
}

/// Returns the start of the unfinished turn that a run continues, with the participants that are still missing.
fn continued_turn(snapshot: &Snapshot) -> Vec<Change> {
    let Some(turn) = snapshot.state.unfinished() else { return Vec::new() };
    let number = turn.line.number;
    let mut all = changes(None, snapshot);
    let start = all.iter().rposition(
        |change| matches!(change.kind, EventKind::TurnStart { turn, .. } if turn == number),
    );
    all.drain(..start.unwrap_or(all.len()));
    all.retain(|change| {
        matches!(change.kind, EventKind::TurnStart { .. } | EventKind::ConsensusStart {})
    });
    for change in &mut all {
        if let EventKind::TurnStart { asks, .. } = &mut change.kind {
            // The run asks only these, so an observer that counts answers must not wait for the others.
            *asks = turn.missing().map(ToString::to_string).collect();
        }
    }
    all
}
