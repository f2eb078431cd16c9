//! What was decided: the one computation from a snapshot to the outcome of its discussion. Every output takes from it.
//!
//! Two acts decide. A ballot that meets the rule adopts the option that won, the text that was voted on, or the
//! proposals above it. A person who closes the discussion adopts the proposals that people wrote or supported below the
//! ballot, and else confirms what the ballot adopted, or adopts the answer. One act undoes: a person withdraws a
//! decision. Everything else is a proposal, an answer or a verdict, and decides nothing.
//!
//! Read `acts` first, then `adoption`, `links`, `notes` and `words`.

mod acts;
mod adoption;
mod links;
mod notes;
mod sentence;
mod superseding;
#[cfg(test)]
mod tests;
mod texts;
mod verdict;
mod words;

use std::collections::HashMap;

use super::consensus::{ConsensusState, DecisionStatus};
use super::snapshot::Snapshot;
use crate::codes::words;
use crate::problem::Problem;
use crate::state::Lifecycle;
use crate::transcript::Name;
pub(crate) use acts::{Acts, asks_for_more};
pub(crate) use links::{SupersedingLink, UncountedLink};
pub(crate) use sentence::{first_sentence, in_line};
pub(crate) use superseding::{LinkedDiscussion, ProjectLink, Superseding};

/// The maximum number of patterns of affected files that a decision takes over from those it replaced.
const MAX_INHERITED_PATTERNS: usize = 100;

words! {
    /// How the outcome of a discussion stands.
    pub enum Standing {
        /// Nothing is decided yet.
        Open = "open",
        /// The discussion ended in a text that nobody voted on.
        Answered = "answered",
        /// A decision is in force.
        InForce = "in-force",
        /// A ballot blocks, or the discussion was closed without a decision.
        NotAdopted = "not-adopted",
        /// Other decisions replaced all of its decisions.
        Replaced = "replaced",
        /// People withdrew all of its decisions.
        Withdrawn = "withdrawn",
        /// The template computed a verdict about a text.
        Verdict = "verdict",
    }
}

words! {
    /// The state of a decision, a proposal or an answer.
    pub enum ItemState {
        /// It is a proposal: the discussion is open, or it stands below the last act.
        Proposed = "proposed",
        /// It is an answer that nobody voted on.
        Answered = "answered",
        /// It is a decision in force.
        InForce = "in-force",
        /// An act decided without it, or against it.
        NotAdopted = "not-adopted",
        /// Another decision replaced it.
        Replaced = "replaced",
        /// It was withdrawn.
        Withdrawn = "withdrawn",
    }
}

#[expect(
    clippy::derivable_impls,
    reason = "the macro that defines the enum takes no attribute of a variant"
)]
impl Default for Standing {
    fn default() -> Self {
        Self::Open
    }
}

/// Who decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decider {
    /// A ballot.
    Vote,
    /// The person who closed the discussion; `None` if the closing names nobody.
    Person(Option<Name>),
}

/// A decision of another discussion, or of a record of another tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherDecision {
    /// The file, as it is shown.
    pub file: String,
    /// The name that finds the discussion.
    pub name: String,
    /// The title of the discussion.
    pub title: String,
    /// The number of the decision; `None` stands for the outcome as a whole.
    pub number: Option<u32>,
}

/// What ended a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// A decision of the same discussion replaced it.
    Item(u32),
    /// A decision of another discussion replaced it.
    Other(OtherDecision),
    /// The person or participant withdrew it.
    Name(Name),
}

/// A proposal, with its state; also an option or a text without a number that was adopted or answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The number of its `DECISION:` line; `None` for an option or a text.
    pub number: Option<u32>,
    /// The sentence: the text of the line, the option that won, or the first sentence of the text.
    pub text: String,
    /// If an option won, the sentence with which its text explains it, unless that is the option itself.
    pub reason: Option<String>,
    /// The author; `None` for an option.
    pub author: Option<Name>,
    /// The others who stated it too, or wrote `+1 D1`.
    pub supporters: Vec<Name>,
    /// The line in the file.
    pub line: usize,
    /// The state.
    pub state: ItemState,
    /// What ended it, if it was replaced or withdrawn.
    pub by: Option<By>,
    /// The line in which it ended, if this line is in the same file.
    pub ended_in_line: Option<usize>,
    /// The act that adopted it, also if it was replaced or withdrawn later.
    pub decided_by: Option<Decider>,
    /// True if an act adopted it, or if it was the answer.
    pub(crate) stood: bool,
    /// True if a person stands behind the act that adopted it: who closed, or voted for it.
    pub(crate) is_of_people: bool,
    /// The numbers of the decisions that its `(replaces D1)` names.
    pub replaces: Vec<u32>,
    /// The notes of people about it that count.
    pub notes: Lifecycle,
    /// The patterns of affected files that it takes over from the decisions that it replaced, in any discussion.
    pub inherited_affects: Vec<String>,
    /// The index of the entry that states it.
    pub(crate) entry: Option<usize>,
}

impl Decision {
    /// Returns true if it is in force.
    pub fn is_in_force(&self) -> bool {
        self.state == ItemState::InForce
    }

    /// Returns true if it is in force or answered.
    pub fn stands(&self) -> bool {
        matches!(self.state, ItemState::InForce | ItemState::Answered)
    }

    /// Returns true if it is in force or answered, or may still be adopted.
    pub fn is_current(&self) -> bool {
        self.stands() || self.state == ItemState::Proposed
    }

    /// Returns the number as it is written: `D2`; `None` for an option or a text.
    pub fn label(&self) -> Option<String> {
        self.number.map(|number| format!("D{number}"))
    }
}

/// The text that was adopted, answered or judged; while nothing is decided, the text to decide about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeText {
    /// The text.
    pub text: String,
    /// The line of its comment in the file; `None` if it is in no single comment.
    pub line: Option<usize>,
}

/// What was decided in a discussion.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The status of the discussion.
    pub status: DecisionStatus,
    /// How the outcome stands.
    pub standing: Standing,
    /// Who decided; `None` if nothing was decided.
    pub decided_by: Option<Decider>,
    /// The proposals, and an option or a text without a number, in file order.
    pub items: Vec<Decision>,
    /// The text, if there is one.
    pub text: Option<OutcomeText>,
    /// The verdict in a sentence, if the template computed one.
    pub verdict: Option<String>,
    /// The count of the votes, and what follows from it.
    pub consensus: ConsensusState,
    /// The notes of people about the outcome as a whole that count.
    pub notes: Lifecycle,
    /// The numbers of the proposals below the last act that a person stated or supports: closing adopts them.
    pub(crate) proposals_to_close: Vec<u32>,
    /// The acts.
    pub(crate) acts: Acts,
    /// The links that supersede decisions of other discussions.
    pub(crate) links: Vec<SupersedingLink>,
    /// The links that supersede nothing, with the reasons.
    pub(crate) uncounted_links: Vec<UncountedLink>,
    /// The lines that count for nothing.
    pub(crate) problems: Vec<Problem>,
}

impl Outcome {
    /// Computes what was decided, from the file alone.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let consensus = ConsensusState::of(snapshot);
        let acts = Acts::of(snapshot, &consensus);
        let adopted = adoption::adopt(snapshot, &consensus, &acts);
        let verdict = verdict::judged(snapshot, consensus.verdict.as_ref());
        let mut outcome = Self {
            status: consensus.status,
            standing: Standing::Open,
            decided_by: None,
            items: adopted.items,
            text: None,
            verdict: verdict.as_ref().map(|verdict| verdict.sentence.clone()),
            consensus,
            notes: snapshot.state.lifecycle.clone(),
            proposals_to_close: Vec::new(),
            acts,
            links: Vec::new(),
            uncounted_links: Vec::new(),
            problems: Vec::new(),
        };
        outcome.inherit_affects();
        outcome.stand();
        outcome.text = match verdict {
            Some(verdict) if outcome.standing == Standing::Verdict => Some(verdict.text),
            _ => adopted.text,
        };
        outcome.judge_links(snapshot, &adopted.comments);
        outcome.judge_notes(snapshot);
        outcome
    }

    /// Hands the patterns of affected files to the decisions of this discussion that replaced their own.
    fn inherit_affects(&mut self) {
        let numbers = self.items.iter().enumerate();
        let places: HashMap<u32, usize> =
            numbers.filter_map(|(index, item)| Some((item.number?, index))).collect();
        for index in 0..self.items.len() {
            let item = &self.items[index];
            let Some(By::Item(number)) = item.by else { continue };
            let own = item.notes.affects.iter().map(|one| one.pattern.clone());
            let patterns: Vec<String> = own.chain(item.inherited_affects.iter().cloned()).collect();
            let Some(place) = places.get(&number).filter(|place| **place != index) else {
                continue;
            };
            let heir = &mut self.items[*place];
            for pattern in patterns {
                let is_known = heir.notes.affects.iter().any(|one| one.pattern == pattern)
                    || heir.inherited_affects.contains(&pattern);
                if !is_known && heir.inherited_affects.len() < MAX_INHERITED_PATTERNS {
                    heir.inherited_affects.push(pattern);
                }
            }
        }
    }

    /// Computes the standing from the states of the items.
    pub(crate) fn stand(&mut self) {
        let has = |state: ItemState| self.items.iter().any(|item| item.state == state);
        let ended = |state: ItemState| {
            let mut items = self.items.iter();
            items.any(|item| item.state == state && item.stood)
        };
        let is_over = self.acts.closed
            || matches!(self.acts.ballot, Some(acts::Ballot { is_blocked: true, .. }));
        self.standing = if has(ItemState::InForce) {
            Standing::InForce
        } else if has(ItemState::Answered) {
            Standing::Answered
        } else if ended(ItemState::Replaced) {
            Standing::Replaced
        } else if ended(ItemState::Withdrawn) {
            Standing::Withdrawn
        } else if self.verdict.is_some() {
            Standing::Verdict
        } else if is_over {
            Standing::NotAdopted
        } else {
            Standing::Open
        };
        let first = self.items.iter().find(|item| item.is_in_force());
        self.decided_by = first.and_then(|item| item.decided_by.clone());
    }

    /// Returns the decision: the first item in force, or else the answer.
    pub fn decision(&self) -> Option<&Decision> {
        let in_force = self.items.iter().find(|item| item.is_in_force());
        in_force.or_else(|| self.items.iter().find(|item| item.state == ItemState::Answered))
    }

    /// Returns the items in force.
    pub fn in_force(&self) -> impl Iterator<Item = &Decision> {
        self.items.iter().filter(|item| item.is_in_force())
    }

    /// Returns the items in force, or else the answers.
    pub fn standing_items(&self) -> impl Iterator<Item = &Decision> {
        self.items.iter().filter(|item| item.stands())
    }

    /// Returns the item with a number.
    pub fn numbered(&self, number: u32) -> Option<&Decision> {
        self.items.iter().find(|item| item.number == Some(number))
    }

    /// Returns true if the discussion once decided or answered something.
    pub fn was_decided(&self) -> bool {
        matches!(
            self.standing,
            Standing::InForce | Standing::Answered | Standing::Replaced | Standing::Withdrawn
        )
    }

    /// Returns the decisions in force in `base`, an earlier version of this discussion, that are not in force now; each
    /// with its item now, if it still exists.
    pub fn ended_since<'o>(&'o self, base: &'o Self) -> Vec<(&'o Decision, Option<&'o Decision>)> {
        let now = |old: &Decision| {
            let fits = |item: &&Decision| {
                item.text == old.text && item.number.is_some() == old.number.is_some()
            };
            let mut items = self.items.iter();
            items.clone().find(|item| fits(item) && item.is_in_force()).or_else(|| items.find(fits))
        };
        let pairs = base.in_force().map(|old| (old, now(old)));
        pairs.filter(|(_, now)| now.is_none_or(|item| !item.is_in_force())).collect()
    }
}
