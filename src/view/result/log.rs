//! The decision log of a project: each decision with its date and votes.

use std::collections::HashMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::compute::Builder;
use super::discussion::Dissenter;
use super::record::RecordFacts;
use crate::engine::{DecisionStatus, Snapshot};
use crate::view::item::{Condition, StatedDecision};
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
    /// True if there is consensus; if not, a participant objected, or a person closed the discussion.
    pub reached: bool,
    /// The option that won, or the verdict.
    pub outcome: Option<String>,
    /// The decision in a sentence.
    pub decision: Option<String>,
    /// The final text.
    pub text: String,
    /// Votes by option, in the phase's order.
    pub votes: IndexMap<String, usize>,
    /// Stated decisions in file order, with what replaced them.
    pub decisions: Vec<StatedDecision>,
    /// True if a part of it is still in force.
    pub in_force: bool,
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
    pub dissent: Vec<Dissenter>,
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
    /// Returns the entry of a discussion; `None` while it is undecided. A blocked proposal is decided too: it will not
    /// be done.
    pub(crate) fn of(snapshot: &Snapshot, sighted: &Sighted) -> Option<Self> {
        let decision = snapshot.outcome().consensus.clone();
        let (status, reached) = (decision.status, decision.reached);
        let blocked = status == DecisionStatus::Blocked || !decision.tally.blocked_by.is_empty();
        let stated = !snapshot.state.decisions.is_empty() && status == DecisionStatus::Closed;
        if !(reached || blocked || stated) {
            return None;
        }
        let verdict = decision.verdict.as_ref().map(|verdict| verdict.is.clone());
        let won = decision.tally.outcome.as_ref().map(ToString::to_string);
        let builder = Builder::new(snapshot, decision);
        let outcome = builder.outcome();
        let at = builder.completed();
        let then = at.parse().ok().or_else(|| sighted.updated(snapshot));
        let mut decided = Self {
            file: sighted.file.clone(),
            title: snapshot.state.title.clone(),
            at,
            status,
            reached,
            outcome: verdict.or(won),
            decision: outcome.decision,
            text: outcome.text,
            votes: status::tally(snapshot).into_iter().filter(|(_, count)| *count > 0).collect(),
            decisions: snapshot.state.decisions.iter().map(StatedDecision::from).collect(),
            in_force: true,
            replaces: Vec::new(),
            replaced_by: Vec::new(),
            parent: sighted.parent.clone(),
            repeats_parent: false,
            conditions: outcome.conditions,
            dissent: outcome.dissent,
            notes: outcome.notes,
            reviews: Vec::new(),
            record: None,
            name: sighted.name.clone(),
            age: sighted.age(then),
        };
        decided.reviews = DueReview::all(snapshot, &decided, sighted.now.date_naive());
        Some(decided)
    }

    /// Returns the outcome in one sentence, if there is one.
    fn sentence(&self) -> Option<&str> {
        let sentence = self.decision.as_deref().or(self.outcome.as_deref());
        sentence.map(str::trim).filter(|sentence| !sentence.is_empty())
    }

    /// Marks each sub-discussion with the outcome sentence of its parent, because the parent's
    /// entry already shows it.
    pub(crate) fn tell_repeated(all: &mut [Self]) {
        let said: HashMap<String, String> = all
            .iter()
            .filter_map(|one| Some((one.file.clone(), one.sentence()?.to_owned())))
            .collect();
        for one in all {
            let above = one.parent.as_ref().and_then(|parent| said.get(&parent.file));
            one.repeats_parent = above.is_some_and(|above| one.sentence() == Some(above));
        }
    }
}
