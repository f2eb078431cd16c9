//! The current task of a participant that is not called by the program.

use schemars::JsonSchema;
use serde::Serialize;

/// The prompt for a participant that answers for itself, as a model would get it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct YourTurn {
    /// The participant's alias, under which the answer is written.
    pub participant: String,
    /// The title of the phase.
    pub phase: String,
    /// The turn's number.
    pub turn: u32,
    /// Line of the turn in the file, from 1; later comments may be hidden from this participant.
    pub line: usize,
    /// Whether answers in this turn are hidden until the participant has answered.
    pub unseen: bool,
    /// The rules, and the part of the record that the participant may see.
    pub record: String,
    /// The participant's role and task.
    pub task: String,
    /// The options; empty if there is no vote.
    pub options: Vec<String>,
}
