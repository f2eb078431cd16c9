//! A decision record of another tool as an entry of the decision log.

use schemars::JsonSchema;
use serde::Serialize;

use super::log::{Decided, DecisionLink};
use crate::adr::{Record, StatusKind};
use crate::engine::{DecisionStatus, ItemState};
use crate::transcript::Time;
use crate::view::Sighted;
use crate::view::decided::DecisionFacts;

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
        let at = midnight(record);
        let RecordLinks { replaces, replaced_by } = links;
        record.is_decided().then(|| Self {
            file: sighted.file.clone(),
            title: record.title.clone(),
            at: at.map(crate::transcript::time).unwrap_or_default(),
            status: record_status(record),
            facts: record_facts(record, &replaced_by),
            text: record.text.clone(),
            votes: indexmap::IndexMap::new(),
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
pub(crate) fn record_status(record: &Record) -> DecisionStatus {
    match record.kind() {
        Some(StatusKind::Proposed) => DecisionStatus::Open,
        Some(StatusKind::Rejected) => DecisionStatus::Blocked,
        _ => DecisionStatus::Closed,
    }
}

/// Returns the state of a record; `None` if it names no status. The words of records are those of the table in
/// `format.md`, read backwards.
pub(crate) fn record_state(record: &Record, is_replaced: bool) -> Option<ItemState> {
    Some(match record.kind()? {
        // Words that this program does not know say nothing about the decision.
        StatusKind::Unknown => return None,
        StatusKind::Proposed => ItemState::Proposed,
        StatusKind::Accepted if is_replaced => ItemState::Replaced,
        StatusKind::Accepted => ItemState::InForce,
        StatusKind::Rejected => ItemState::NotAdopted,
        StatusKind::Superseded => ItemState::Replaced,
        StatusKind::Deprecated => ItemState::Withdrawn,
    })
}

/// Returns what a record says was decided; `replaced_by` are the records and discussions that replaced it.
fn record_facts(record: &Record, replaced_by: &[DecisionLink]) -> DecisionFacts {
    let state = record_state(record, !replaced_by.is_empty());
    let by = replaced_by.first();
    let words = match (state, by) {
        (None, _) => match &record.status {
            Some(status) => status.words.clone(),
            None => "no status".to_owned(),
        },
        (Some(ItemState::Replaced), Some(by)) => format!("replaced by {}", by.name),
        (Some(ItemState::Replaced), None) => "replaced".to_owned(),
        (Some(ItemState::Withdrawn), _) => "withdrawn".to_owned(),
        (Some(ItemState::NotAdopted), _) => "not adopted".to_owned(),
        (Some(ItemState::InForce), _) => "in force".to_owned(),
        (Some(ItemState::Proposed | ItemState::Answered), _) => "proposed".to_owned(),
    };
    DecisionFacts::of_record(
        record.chosen.as_ref().unwrap_or(&record.decision),
        state,
        by.map(|by| by.file.clone()),
        words,
    )
}
