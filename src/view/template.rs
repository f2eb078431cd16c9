//! Forms of discussion.

use schemars::JsonSchema;
use serde::Serialize;

/// A form of discussion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    /// Its id.
    pub id: String,
    /// What it is for, in a sentence.
    pub summary: String,
    /// Its phases, in order.
    pub phases: Vec<String>,
    /// Its file, as it is shown; none: it comes with the program.
    pub file: Option<String>,
    /// What is wrong with it, with the place; then nothing else is known of it.
    pub broken: Option<String>,
}
