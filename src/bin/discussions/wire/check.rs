//! `check --json`.

use serde::Serialize;

use super::ProblemDocument;

/// What is wrong with one file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CheckDocument {
    pub(crate) file: String,
    pub(crate) problems: Vec<ProblemDocument>,
}
