//! Who was asked last in which turn, who said what last, and whom a round no longer waits for.
//!
//! Kept beside the turns, so that a file of many turns is not searched for each of them again.

use std::collections::BTreeSet;

use foldhash::{HashMap, HashSet};

use super::speaker::Speaker;
use crate::transcript::Alias;

/// The last of each participant, as indices.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// The last turn that asks them.
    last: HashMap<Alias, usize>,
    /// The last turn in which something came of it.
    outcome: HashMap<Alias, usize>,
    /// The last that each said.
    said: HashMap<Speaker, usize>,
}

impl Asked {
    /// A turn begins.
    pub(super) fn ask(&mut self, turn: usize, asks: &[Alias]) {
        for alias in asks {
            self.last.insert(alias.clone(), turn);
        }
    }

    /// Something came of asking in a turn.
    pub(super) fn told(&mut self, turn: usize, alias: &Alias) {
        self.outcome.insert(alias.clone(), turn);
    }

    /// Somebody said something.
    pub(super) fn said(&mut self, speaker: &Speaker, said: usize) {
        self.said.insert(speaker.clone(), said);
    }

    /// The last that somebody said.
    pub(super) fn said_by(&self, speaker: &Speaker) -> Option<usize> {
        self.said.get(speaker).copied()
    }

    /// The last turn that asks a participant.
    pub(super) fn turn_of(&self, alias: &Alias) -> Option<usize> {
        self.last.get(alias).copied()
    }

    /// The last turn in which something came of asking them.
    pub(super) fn outcome_of(&self, alias: &Alias) -> Option<usize> {
        self.outcome.get(alias).copied()
    }
}

/// The speakers of each phase in which a turn began.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    casts: HashMap<usize, Cast>,
}

/// The speakers of one phase.
#[derive(Debug, Default)]
struct Cast {
    /// Those whom a round has to ask.
    awaited: BTreeSet<Alias>,
    /// Those who failed for good.
    gone: BTreeSet<Alias>,
    /// Of those, the ones of whom the ballot may not say so yet.
    unnoted: BTreeSet<Alias>,
}

impl Rounds {
    /// Learns who speaks in a phase, when that is asked for the first time.
    pub(super) fn learn(
        &mut self,
        phase: usize,
        speakers: impl FnOnce() -> Vec<Alias>,
        is_gone: impl Fn(&Alias) -> bool,
    ) {
        self.casts.entry(phase).or_insert_with(|| {
            let (gone, awaited): (BTreeSet<_>, BTreeSet<_>) =
                speakers().into_iter().partition(|alias| is_gone(alias));
            Cast { awaited, unnoted: gone.clone(), gone }
        });
    }

    /// A participant failed for good, or did not.
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

    /// The ballot forgot that a participant failed.
    pub(super) fn forget(&mut self, alias: &Alias) {
        for cast in self.casts.values_mut().filter(|cast| cast.gone.contains(alias)) {
            cast.unnoted.insert(alias.clone());
        }
    }

    /// Whether everybody who speaks in a phase and did not fail for good is asked.
    pub(super) fn is_whole(&self, phase: usize, asks: &[Alias]) -> bool {
        self.casts.get(&phase).is_none_or(|cast| {
            let awaited = |alias: &&Alias| cast.awaited.contains(*alias);
            asks.len() >= cast.awaited.len()
                && asks.iter().filter(awaited).collect::<HashSet<_>>().len() == cast.awaited.len()
        })
    }

    /// Takes those of a phase who failed for good, are not asked any more, and of whom the ballot may not say so yet.
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
