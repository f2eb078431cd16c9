//! Records the last turn that asked each participant, the last comment of each speaker, and the participants that a
//! round no longer waits for.
//!
//! These indices are stored beside the turns, so that no lookup has to search all turns of a long file.

use std::collections::BTreeSet;

use foldhash::{HashMap, HashSet};

use super::speaker::Speaker;
use crate::transcript::Alias;

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
    /// The part of `gone` that the ballot may not have recorded as failed yet.
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

    /// Removes and returns the participants of a phase that failed permanently, are no longer asked, and may not be
    /// recorded as failed in the ballot.
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
