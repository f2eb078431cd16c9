//! What somebody who speaks for themselves is asked now.

use schemars::JsonSchema;
use serde::Serialize;

/// What somebody who speaks for themselves is asked now: the words that a model in their seat would be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct YourTurn {
    /// Who is asked, by alias; the answer stands under this name.
    pub participant: String,
    /// What the phase is called.
    pub phase: String,
    /// The turn's number.
    pub turn: u32,
    /// Line of the turn in the file, from 1: what others say behind it they may not have seen.
    pub line: usize,
    /// Others answer in the same turn, and nobody is to see them before having answered.
    pub unseen: bool,
    /// The rules, and the record as far as they may see it.
    pub record: String,
    /// Who they are, and what they are to do.
    pub task: String,
    /// What may be voted for; empty where nothing is voted on.
    pub options: Vec<String>,
}
