//! The words for outcomes and their parts. No other module words them.

use super::{By, Decider, Decision, ItemState, Outcome, Standing};
use crate::transcript::visible_line;

/// The name of a person who closed without one.
const NAMELESS: &str = "a person";

impl Decider {
    /// Returns the word for programs and people: `vote`, or the name of the person.
    pub fn name(&self) -> String {
        match self {
            Self::Vote => "vote".to_owned(),
            Self::Person(Some(name)) => name.to_string(),
            Self::Person(None) => NAMELESS.to_owned(),
        }
    }
}

impl By {
    /// Returns the decision or the name: `D2`, `Title of the other discussion (D1)`, `Rob`.
    pub fn words(&self) -> String {
        match self {
            Self::Item(number) => format!("D{number}"),
            Self::Other(other) => {
                let title =
                    visible_line(if other.title.is_empty() { &other.name } else { &other.title });
                match other.number {
                    Some(number) => format!("{title} (D{number})"),
                    None => title,
                }
            }
            Self::Name(name) => name.to_string(),
        }
    }

    /// Returns the short form for programs: `D2`, `other.md#D1`, `Rob`.
    pub fn reference(&self) -> String {
        match self {
            Self::Item(number) => format!("D{number}"),
            Self::Other(other) => match other.number {
                Some(number) => format!("{}#D{number}", other.file),
                None => other.file.clone(),
            },
            Self::Name(name) => name.to_string(),
        }
    }
}

impl Decision {
    /// Returns the state in words: `replaced by D2`.
    pub fn words(&self) -> String {
        let by = || self.by.as_ref().map(By::words).unwrap_or_default();
        match self.state {
            ItemState::Proposed => "proposed".to_owned(),
            ItemState::Answered => "answered, not voted on".to_owned(),
            ItemState::InForce => "in force".to_owned(),
            ItemState::NotAdopted => "not adopted".to_owned(),
            ItemState::Replaced => format!("replaced by {}", by()),
            ItemState::Withdrawn => format!("withdrawn by {}", by()),
        }
    }
}

impl Outcome {
    /// Returns how the outcome stands, in words: `decided by vote`.
    pub fn words(&self) -> String {
        let ended = |state: ItemState| {
            let mut items = self.items.iter().filter(|item| item.state == state && item.stood);
            items.next_back().map(Decision::words).unwrap_or_else(|| state.as_str().to_owned())
        };
        match self.standing {
            Standing::Open => "open".to_owned(),
            Standing::Answered => "answered, not voted on".to_owned(),
            Standing::InForce => {
                let by = self.decided_by.as_ref().map(Decider::name);
                format!("decided by {}", by.unwrap_or_else(|| NAMELESS.to_owned()))
            }
            Standing::Replaced => ended(ItemState::Replaced),
            Standing::Withdrawn => ended(ItemState::Withdrawn),
            Standing::NotAdopted if self.acts.closed => "closed without a decision".to_owned(),
            Standing::NotAdopted => {
                let names = &self.consensus.tally.blocked_by;
                if names.is_empty() {
                    "blocked".to_owned()
                } else {
                    format!("blocked by {}", names.join(", "))
                }
            }
            Standing::Verdict => self.verdict.clone().unwrap_or_default(),
        }
    }
}
