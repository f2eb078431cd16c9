//! What is wrong in a discussion.

use schemars::JsonSchema;
use serde::Serialize;

use crate::problem;

/// A problem and its place; zeros where it has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// `note`, `warning` or `error`.
    pub severity: &'static str,
    /// A stable word, such as `vote-unknown`.
    pub code: &'static str,
    /// What is wrong and how to mend it, in a sentence.
    pub message: String,
}

impl From<&problem::Problem> for Problem {
    fn from(problem: &problem::Problem) -> Self {
        Self {
            line: problem.line,
            column: problem.column,
            severity: problem.severity.as_str(),
            code: problem.code,
            message: problem.message.clone(),
        }
    }
}
