//! The votes since the last reset.

use std::collections::BTreeSet;

use foldhash::HashMap;

use super::speaker::Speaker;
use crate::transcript::{Alias, Choice, Name};

/// One participant's vote.
#[derive(Clone, Debug, PartialEq)]
pub struct Vote {
    /// The voter.
    pub speaker: Speaker,
    /// The voter's name as displayed.
    pub name: Name,
    /// The option that was chosen.
    pub choice: Choice,
    /// The voter's confidence, 0 to 1; none if not stated.
    pub confidence: Option<f64>,
    /// Index of the comment in [`State::said`](super::State::said); none for a vote without a comment.
    pub said: Option<usize>,
    /// Line of the vote; 0 for a vote that is not in the file.
    pub line: usize,
}

/// The votes of one ballot, and the participants that will not vote.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ballot {
    /// The latest vote of each participant, ordered by their first votes.
    pub votes: Vec<Vote>,
    /// Personas that passed, failed or answered without a vote.
    pub silent: BTreeSet<Alias>,
    /// The personas in `silent` that failed.
    pub failed: BTreeSet<Alias>,
    /// The index of each speaker's vote in `votes`. Anyone may vote, so there may be many.
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

    /// Returns the vote of a speaker.
    pub fn of(&self, speaker: &Speaker) -> Option<&Vote> {
        self.places.get(speaker).map(|&place| &self.votes[place])
    }

    /// Returns the number of votes for an option.
    pub(crate) fn count(&self, choice: &Choice) -> usize {
        self.votes.iter().filter(|vote| vote.choice == *choice).count()
    }
}
