//! The decision log of a project: each decision with its date and votes.

use std::collections::HashMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::compute::Builder;
use super::record::RecordFacts;
use crate::engine::{DecisionStatus, Snapshot, Standing};
use crate::view::decided::DecisionFacts;
use crate::view::item::Condition;
use crate::view::notes::DecisionNotes;
use crate::view::{DueReview, Parent, Sighted, status};

/// A link between two discussions' decisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionLink {
    /// The other discussion's file, as it is shown.
    pub file: String,
    /// The other discussion's decision, like `D2`; null: all its decisions.
    pub decision: Option<String>,
    /// This discussion's decision, like `D1`; null: all its decisions.
    pub own: Option<String>,
    /// The name that finds the other discussion.
    pub name: String,
}

/// A discussion with a decision.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// The file, as it is shown.
    pub file: String,
    /// The first heading.
    pub title: String,
    /// The time of its last block with a time, in RFC 3339; empty if there is none. Comments with only notes about the
    /// decision are not counted.
    pub at: String,
    /// Its status.
    pub status: DecisionStatus,
    /// What was decided.
    #[serde(flatten)]
    pub facts: DecisionFacts,
    /// The final text.
    pub text: String,
    /// Votes by option, in the phase's order.
    pub votes: IndexMap<String, usize>,
    /// The decisions of other discussions that it replaces.
    pub replaces: Vec<DecisionLink>,
    /// The decisions of other discussions that replace it, or a part of it.
    pub replaced_by: Vec<DecisionLink>,
    /// Its parent; null if it has none.
    pub parent: Option<Parent>,
    /// True if its parent in this list has an identical decision.
    pub repeats_parent: bool,
    /// The changes that the dissenting participants ask for.
    pub conditions: Vec<Condition>,
    /// Votes against the outcome.
    pub dissent: Vec<Condition>,
    /// When people look at it again, the files that it is about, and what became of it.
    #[serde(flatten)]
    pub notes: DecisionNotes,
    /// The days by which people want to look at its decisions in force again, the earliest first.
    pub reviews: Vec<DueReview>,
    /// Facts of a decision record that another tool made; null for a discussion.
    pub record: Option<RecordFacts>,
    /// The name that finds it.
    pub name: String,
    /// Seconds since `at`; if no block has a time, seconds since the file was changed.
    #[serde(skip)]
    pub age: Option<u64>,
}

impl Decided {
    /// Returns the entry of a discussion; `None` while nothing is decided. A blocked ballot and a closing without a
    /// decision are entries too.
    pub(crate) fn of(snapshot: &Snapshot, sighted: &Sighted) -> Option<Self> {
        let outcome = snapshot.outcome();
        if outcome.standing == Standing::Open {
            return None;
        }
        let builder = Builder::new(snapshot);
        let result = builder.outcome();
        let at = builder.completed();
        let then = at.parse().ok().or_else(|| sighted.updated(snapshot));
        Some(Self {
            file: sighted.file.clone(),
            title: snapshot.state.title.clone(),
            at,
            status: outcome.status,
            facts: DecisionFacts::of(outcome),
            text: result.text,
            votes: status::tally(snapshot).into_iter().filter(|(_, count)| *count > 0).collect(),
            replaces: Vec::new(),
            replaced_by: Vec::new(),
            parent: sighted.parent.clone(),
            repeats_parent: false,
            conditions: result.conditions,
            dissent: result.dissent,
            notes: result.notes,
            reviews: DueReview::all(outcome, sighted.now.date_naive()),
            record: None,
            name: sighted.name.clone(),
            age: sighted.age(then),
        })
    }

    /// Returns true if a list of decisions shows it by default: something was decided once. A record without a status
    /// may have been accepted.
    pub fn is_shown_by_default(&self) -> bool {
        self.facts.was_decided() || self.record.is_some() && self.facts.decisions.is_empty()
    }

    /// Returns the outcome in one sentence, if there is one.
    fn sentence(&self) -> Option<String> {
        Some(self.facts.sentence().trim().to_owned()).filter(|sentence| !sentence.is_empty())
    }

    /// Marks each sub-discussion with the outcome sentence of its parent, because the parent's
    /// entry already shows it.
    pub(crate) fn tell_repeated(all: &mut [Self]) {
        let said: HashMap<String, String> =
            all.iter().filter_map(|one| Some((one.file.clone(), one.sentence()?))).collect();
        for one in all {
            let above = one.parent.as_ref().and_then(|parent| said.get(&parent.file));
            one.repeats_parent = above.is_some_and(|above| one.sentence().as_ref() == Some(above));
        }
    }
}
