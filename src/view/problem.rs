//! What is wrong in a discussion.

use schemars::JsonSchema;
use serde::Serialize;

use crate::codes::{Fix, ProblemCode};
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
    pub code: ProblemCode,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What mends it, where that is a step of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

impl From<&problem::Problem> for Problem {
    fn from(problem: &problem::Problem) -> Self {
        Self {
            line: problem.line,
            column: problem.column,
            severity: problem.severity.as_str(),
            code: problem.code,
            message: problem.message.clone(),
            fix: problem.fix,
        }
    }
}
