//! Turns: participants who were called, entries that they saw, and phases.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet};

use super::speaker::Speaker;
use crate::codes::FailureCode;
use crate::template::{Order, Phase, Sees, Template};
use crate::transcript::{Alias, TurnLine};

/// The outcome of asking one participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnOutcome {
    /// Index of the comment in [`State::said`](super::State::said).
    Answered(usize),
    /// The participant had nothing to say.
    Passed,
    /// The call failed.
    Failed {
        /// True if a retry may help.
        retryable: bool,
    },
}

/// One turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The `TURN` line.
    pub line: TurnLine,
    /// Index of its entry.
    pub entry: usize,
    /// Byte offset after the line's LF. Participants that are asked in parallel see the file up to here.
    pub cut: usize,
    /// Index of the phase.
    pub phase: usize,
    /// The index of the visit, counted over all phases in the file.
    pub visit: usize,
    /// The round it belongs to, counted from 1; 0 before the first round.
    pub round: u32,
    /// True if it asks every speaker of its phase, so that it is one of the phase's rounds.
    pub is_round: bool,
    /// True if it only answers mentions, and a person mentioned each participant that is asked.
    pub for_people: bool,
    /// The outcomes so far.
    pub outcomes: BTreeMap<Alias, TurnOutcome>,
}

impl Turn {
    /// Returns the participants that were asked and have no outcome yet.
    pub fn missing(&self) -> impl Iterator<Item = &Alias> {
        self.line.asks.iter().filter(|alias| !self.outcomes.contains_key(alias))
    }

    /// Returns the number of participants that answered or passed.
    pub(crate) fn answer_count(&self) -> usize {
        self.outcomes
            .values()
            .filter(|outcome| !matches!(outcome, TurnOutcome::Failed { .. }))
            .count()
    }
}

/// A recorded failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCall {
    /// The participant that could not answer.
    pub who: Alias,
    /// The failure code as written in the file; another program may have written its own.
    pub code: String,
    /// The error message.
    pub message: String,
    /// True if a retry may help.
    pub retryable: bool,
    /// Line in the file.
    pub line: usize,
}

impl FailedCall {
    /// Returns the failure code; none if the word is not one of this program's.
    pub(crate) fn kind(&self) -> Option<FailureCode> {
        FailureCode::parse(&self.code)
    }
}

/// The latest turns and comments of each participant, as indices.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnIndex {
    /// The last turn that asked each participant.
    last: HashMap<Alias, usize>,
    /// The last turn in which each participant answered, passed or failed.
    outcome: HashMap<Alias, usize>,
    /// The last comment of each speaker.
    said: HashMap<Speaker, usize>,
}

impl TurnIndex {
    /// Records that a turn asks participants.
    pub(super) fn ask(&mut self, turn: usize, asks: &[Alias]) {
        for alias in asks {
            self.last.insert(alias.clone(), turn);
        }
    }

    /// Records that a participant answered, passed or failed in a turn.
    pub(super) fn note_outcome(&mut self, turn: usize, alias: &Alias) {
        self.outcome.insert(alias.clone(), turn);
    }

    /// Records a comment of a speaker.
    pub(super) fn note_comment(&mut self, speaker: &Speaker, said: usize) {
        self.said.insert(speaker.clone(), said);
    }

    /// Returns the last comment of a speaker.
    pub(super) fn said_by(&self, speaker: &Speaker) -> Option<usize> {
        self.said.get(speaker).copied()
    }

    /// Returns the last turn that asks a participant.
    pub(super) fn turn_of(&self, alias: &Alias) -> Option<usize> {
        self.last.get(alias).copied()
    }

    /// Returns the last turn in which a participant answered, passed or failed.
    pub(super) fn outcome_of(&self, alias: &Alias) -> Option<usize> {
        self.outcome.get(alias).copied()
    }
}

/// The speakers of each phase that has had a turn.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    casts: HashMap<usize, TurnCast>,
}

/// The speakers of one phase.
#[derive(Debug, Default)]
struct TurnCast {
    /// The participants that a round must ask.
    awaited: BTreeSet<Alias>,
    /// The participants that failed permanently.
    gone: BTreeSet<Alias>,
    /// Those in `gone` that the ballot perhaps has not yet recorded as failed.
    unnoted: BTreeSet<Alias>,
}

impl Rounds {
    /// Computes the speakers of a phase when the phase has its first turn.
    pub(super) fn learn(
        &mut self,
        phase: usize,
        speakers: impl FnOnce() -> Vec<Alias>,
        is_gone: impl Fn(&Alias) -> bool,
    ) {
        self.casts.entry(phase).or_insert_with(|| {
            let (gone, awaited): (BTreeSet<_>, BTreeSet<_>) =
                speakers().into_iter().partition(|alias| is_gone(alias));
            TurnCast { awaited, unnoted: gone.clone(), gone }
        });
    }

    /// Records whether a participant has failed permanently.
    pub(super) fn outcome(&mut self, alias: &Alias, is_gone: bool) {
        for cast in self.casts.values_mut() {
            if is_gone && cast.awaited.remove(alias) {
                cast.gone.insert(alias.clone());
                cast.unnoted.insert(alias.clone());
            } else if !is_gone && cast.gone.remove(alias) {
                cast.unnoted.remove(alias);
                cast.awaited.insert(alias.clone());
            }
        }
    }

    /// Records that the ballot no longer contains the failure of a participant.
    pub(super) fn forget(&mut self, alias: &Alias) {
        for cast in self.casts.values_mut().filter(|cast| cast.gone.contains(alias)) {
            cast.unnoted.insert(alias.clone());
        }
    }

    /// Returns true if a turn asks every speaker of the phase that has not failed permanently.
    pub(super) fn is_whole(&self, phase: usize, asks: &[Alias]) -> bool {
        self.casts.get(&phase).is_none_or(|cast| {
            let awaited = |alias: &&Alias| cast.awaited.contains(*alias);
            asks.len() >= cast.awaited.len()
                && asks.iter().filter(awaited).collect::<HashSet<_>>().len() == cast.awaited.len()
        })
    }

    /// Returns the participants of a phase that failed permanently, are no longer asked, and are perhaps not yet
    /// recorded as failed in the ballot. Removes them from the list of unrecorded failures.
    pub(super) fn take_gone(&mut self, phase: usize, asks: &[Alias]) -> BTreeSet<Alias> {
        let Some(cast) = self.casts.get_mut(&phase).filter(|cast| !cast.unnoted.is_empty()) else {
            return BTreeSet::new();
        };
        let asked: BTreeSet<Alias> =
            asks.iter().filter(|alias| cast.unnoted.contains(*alias)).cloned().collect();
        let mut gone = std::mem::replace(&mut cast.unnoted, asked);
        gone.retain(|alias| !cast.unnoted.contains(alias));
        gone
    }
}

/// The number of entries that the next prompt of each turn shows.
#[derive(Debug, Default)]
pub(super) struct VisibleEntries {
    turns: Vec<ShownTurn>,
    /// Index of the `PHASE` line of this visit; 0 before the first.
    visit: usize,
}

#[derive(Debug)]
struct ShownTurn {
    entries: usize,
    /// True if each participant sees the answers given before it in this turn.
    grows: bool,
}

impl VisibleEntries {
    /// Records that a visit of a phase begins with an entry.
    pub(super) fn visit(&mut self, entry: usize) {
        self.visit = entry;
    }

    /// Records that a turn begins with an entry. In a turn that answers mentions, the prompt quotes the mentions,
    /// even if the phase shows less of the discussion.
    pub(super) fn turn(&mut self, entry: usize, phase: &Phase, for_calls: bool) {
        let entries = match phase.sees {
            _ if for_calls => entry,
            Sees::Everything => entry,
            Sees::EarlierPhases => self.visit,
            Sees::Topic => 0,
        };
        let grows = phase.order == Order::Sequential && phase.sees == Sees::Everything;
        self.turns.push(ShownTurn { entries, grows });
    }

    /// Records an outcome in a turn; the participant that is asked next sees it.
    pub(super) fn note_outcome(&mut self, turn: usize, entry: usize) {
        if let Some(turn) = self.turns.get_mut(turn).filter(|turn| turn.grows) {
            turn.entries = entry + 1;
        }
    }

    /// Returns the number of entries that the next prompt of a turn shows.
    pub(super) fn of(&self, turn: usize) -> usize {
        self.turns.get(turn).map_or(0, |turn| turn.entries)
    }
}

/// One visit of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Index of the phase.
    pub phase: usize,
    /// Byte offset of its `PHASE` line; none for the first visit, which has no line.
    pub from: Option<usize>,
    /// True if a person chose this phase.
    pub by_person: bool,
    /// True if the visit contains a `VOTE-RESET` before any comment.
    pub reset: bool,
}

/// The current phase and all earlier visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhasePlace {
    /// All visits in order; the last is the current one.
    pub visits: Vec<Visit>,
    /// For each phase, the number of times it was entered since a person last chose a phase.
    pub entered: Vec<u32>,
}

impl PhasePlace {
    pub(super) fn start(template: &Template) -> Self {
        let mut entered = vec![0; template.phases.len()];
        if let Some(first) = entered.first_mut() {
            *first = 1;
        }
        Self {
            visits: vec![Visit { phase: 0, from: None, by_person: false, reset: false }],
            entered,
        }
    }

    pub(super) fn enter(&mut self, phase: usize, from: usize, by_person: bool) {
        if by_person {
            self.entered.iter_mut().for_each(|count| *count = 0);
        }
        self.entered[phase] += 1;
        self.visits.push(Visit { phase, from: Some(from), by_person, reset: false });
    }

    /// Returns the current visit.
    pub(crate) fn visit(&self) -> &Visit {
        &self.visits[self.visits.len() - 1]
    }

    /// Returns the index of the current visit.
    pub(crate) fn number(&self) -> usize {
        self.visits.len() - 1
    }

    /// Returns the index of the current phase.
    pub fn phase(&self) -> usize {
        self.visit().phase
    }
}
