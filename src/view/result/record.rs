//! A decision record of another tool as an entry of the decision log.

use schemars::JsonSchema;
use serde::Serialize;

use super::log::{Decided, DecisionLink};
use crate::adr::{Record, StatusKind};
use crate::engine::DecisionStatus;
use crate::transcript::Time;
use crate::view::Sighted;

/// The facts of a decision record that another tool made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordFacts {
    /// Its number in its folder.
    pub number: Option<u32>,
    /// Its status in its own words; null: it names none.
    pub status: Option<String>,
    /// The people who decided, in its own words.
    pub deciders: Vec<String>,
}

/// The records and discussions that a record replaces or that replaced it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordLinks {
    /// True if the record is accepted and nothing replaced it.
    pub(crate) in_force: bool,
    /// The records that it replaces.
    pub(crate) replaces: Vec<DecisionLink>,
    /// The records and discussions that replaced it.
    pub(crate) replaced_by: Vec<DecisionLink>,
}

impl Decided {
    /// Returns the entry of a record; `None` while it is a proposal.
    pub(crate) fn of_record(
        record: &Record,
        number: Option<u32>,
        links: RecordLinks,
        sighted: &Sighted,
    ) -> Option<Self> {
        let kind = record.kind();
        let status = record_standing(record);
        let at = midnight(record);
        let RecordLinks { in_force, replaces, replaced_by } = links;
        record.is_decided().then(|| Self {
            file: sighted.file.clone(),
            title: record.title.clone(),
            at: at.map(crate::transcript::time).unwrap_or_default(),
            status,
            reached: record.was_accepted(),
            outcome: record.chosen.clone(),
            decision: Some(record.decision.clone()),
            text: record.text.clone(),
            votes: indexmap::IndexMap::new(),
            decisions: Vec::new(),
            in_force: in_force && kind == Some(StatusKind::Accepted),
            replaces,
            replaced_by,
            parent: None,
            repeats_parent: false,
            conditions: Vec::new(),
            dissent: Vec::new(),
            notes: Default::default(),
            reviews: Vec::new(),
            record: Some(RecordFacts {
                number,
                status: record.status.as_ref().map(|status| status.words.clone()),
                deciders: record.deciders.clone(),
            }),
            name: sighted.name.clone(),
            age: sighted.age(at),
        })
    }
}

/// Returns the first second of the day of a record.
pub(crate) fn midnight(record: &Record) -> Option<Time> {
    Some(record.date?.and_hms_opt(0, 0, 0)?.and_utc())
}

/// Returns the status that a discussion with the outcome of this record would have.
pub(crate) fn record_standing(record: &Record) -> DecisionStatus {
    match record.kind() {
        Some(StatusKind::Proposed) => DecisionStatus::Open,
        Some(StatusKind::Rejected) => DecisionStatus::Blocked,
        _ => DecisionStatus::Closed,
    }
}
