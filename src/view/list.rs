//! One discussion among others.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::result::Decided;
use super::status::tally;
use crate::codes::Fix;
use crate::engine::{Decision, Snapshot, Status};

/// The discussions of a folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct List {
    /// The folder, as it is shown.
    pub folder: String,
    /// Those that could be read, by path.
    pub discussions: Vec<Listed>,
    /// Those that could not.
    pub unreadable: Vec<Unreadable>,
}

/// What was decided in the discussions of a folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionLog {
    /// The folder, as it is shown.
    pub folder: String,
    /// What was decided, newest first.
    pub decided: Vec<Decided>,
    /// Discussions that could not be read.
    pub unreadable: Vec<Unreadable>,
}

/// A discussion that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unreadable {
    /// Which and why, in a sentence.
    pub message: String,
    /// What mends it.
    pub fix: Option<Fix>,
}

/// One discussion in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// The file, as it is shown.
    pub file: String,
    /// The first heading.
    pub title: String,
    /// The template's id.
    pub template: String,
    /// The current phase's id.
    pub phase: String,
    /// The last turn's number; 0 before the first.
    pub turn: u32,
    /// What it has come to.
    pub status: Status,
    /// Votes by option, in the phase's order.
    pub tally: IndexMap<String, usize>,
}

impl Listed {
    /// What a list says about a discussion.
    pub(crate) fn of(snapshot: &Snapshot, file: String) -> Self {
        let state = &snapshot.state;
        Self {
            file,
            title: state.title.clone(),
            template: snapshot.template().id.clone(),
            phase: snapshot.phase().id.clone(),
            turn: state.turns.last().map_or(0, |turn| turn.line.number),
            status: Decision::of(snapshot).status,
            tally: tally(snapshot),
        }
    }
}
