//! The numbered items of a discussion, and the conditions of votes.

use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::{self, ItemState, Snapshot};
use crate::state::{Item, ItemKind, Items};

/// What a vote asks for, or why it is against the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The participant's name.
    pub participant: String,
    /// The vote.
    pub vote: String,
    /// The text given with the vote; of dissent, its first sentence.
    pub text: String,
    /// Line of the vote in the file, from 1.
    pub line: usize,
    /// True if it came after the decision and is not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub afterwards: bool,
}

impl Condition {
    /// Returns the vote, in words that fit into a sentence.
    pub fn vote_in_words(&self) -> String {
        if self.afterwards { format!("{} afterwards", self.vote) } else { self.vote.clone() }
    }
}

/// Returns the items of a snapshot, with the numbered decisions among them.
pub(super) fn items(snapshot: &Snapshot) -> Items {
    let mut items = snapshot.state.items.clone();
    let decided = snapshot.outcome().items.iter().filter_map(|one| {
        let mut item =
            Item::new(ItemKind::Decision, one.number?, &one.text, one.author.clone()?, one.line);
        if matches!(one.state, ItemState::NotAdopted | ItemState::Replaced | ItemState::Withdrawn) {
            item.status = ItemKind::Decision.closed();
        }
        item.words = Some(one.words());
        Some(item)
    });
    items.extend(decided);
    items
}

impl From<engine::Condition<'_>> for Condition {
    fn from(condition: engine::Condition<'_>) -> Self {
        Self {
            participant: condition.vote.name.to_string(),
            vote: condition.vote.choice.to_string(),
            text: condition.text,
            line: condition.vote.line,
            afterwards: false,
        }
    }
}
