//! The available patterns.

use schemars::JsonSchema;
use serde::Serialize;

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    /// Its id.
    pub id: String,
    /// Its purpose, in a sentence.
    pub summary: String,
    /// Its phases, in order.
    pub phases: Vec<String>,
    /// Its file, as it is shown; none: it is bundled.
    pub file: Option<String>,
    /// Why it cannot be used, with the place; its other values are then unknown.
    pub broken: Option<String>,
    /// Whether participants vote on options that somebody names for each discussion.
    #[serde(skip)]
    pub takes_options: bool,
}
