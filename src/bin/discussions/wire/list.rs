//! `list --json`.

use discussions::engine::{Decision, Snapshot};
use indexmap::IndexMap;
use serde::Serialize;

use super::tally;

/// One discussion in a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListDocument {
    pub(crate) file: String,
    pub(crate) title: String,
    pub(crate) template: String,
    pub(crate) phase: String,
    pub(crate) turn: u32,
    pub(crate) status: &'static str,
    pub(crate) tally: IndexMap<String, usize>,
}

impl ListDocument {
    /// What a list says about a discussion.
    pub(crate) fn new(file: String, snapshot: &Snapshot) -> Self {
        let state = &snapshot.state;
        Self {
            file,
            title: state.title.clone(),
            template: snapshot.template().id.clone(),
            phase: snapshot.template().phases[state.place.phase()].id.clone(),
            turn: state.turns.last().map_or(0, |turn| turn.line.number),
            status: Decision::of(snapshot).status.as_str(),
            tally: tally(snapshot),
        }
    }
}
