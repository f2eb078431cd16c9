//! Votes since the last reset.

use std::collections::BTreeSet;

use foldhash::HashMap;

use super::speaker::Speaker;
use crate::transcript::{Alias, Choice, Name};

/// One participant's vote.
#[derive(Clone, Debug, PartialEq)]
pub struct Vote {
    /// Who.
    pub speaker: Speaker,
    /// The name as shown.
    pub name: Name,
    /// For what.
    pub choice: Choice,
    /// How sure, 0 to 1; none: not stated.
    pub confidence: Option<f64>,
    /// Index of the comment in [`State::said`](super::State::said); none where nothing was said.
    pub said: Option<usize>,
    /// Line of the vote; 0 where it was not written.
    pub line: usize,
}

/// Votes, and who will not vote any more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ballot {
    /// The latest vote of each participant, in the order of their first.
    pub votes: Vec<Vote>,
    /// Personas that passed, failed or answered without a vote.
    pub silent: BTreeSet<Alias>,
    /// Of those, the ones that failed.
    pub failed: BTreeSet<Alias>,
    /// Where in `votes` each one's is: anybody may vote, so there may be many.
    places: HashMap<Speaker, usize>,
}

impl Ballot {
    pub(super) fn cast(&mut self, vote: Vote) {
        if let Some(alias) = vote.speaker.alias() {
            self.silent.remove(alias);
            self.failed.remove(alias);
        }
        match self.places.get(&vote.speaker) {
            Some(&place) => self.votes[place] = vote,
            None => {
                self.places.insert(vote.speaker.clone(), self.votes.len());
                self.votes.push(vote);
            }
        }
    }

    /// The vote of a speaker.
    pub fn of(&self, speaker: &Speaker) -> Option<&Vote> {
        self.places.get(speaker).map(|&place| &self.votes[place])
    }

    /// How many votes an option has.
    pub(crate) fn count(&self, choice: &Choice) -> usize {
        self.votes.iter().filter(|vote| vote.choice == *choice).count()
    }
}
