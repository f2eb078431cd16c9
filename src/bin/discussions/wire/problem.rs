//! One problem.

use discussions::problem::Problem;
use serde::Serialize;

/// A problem and its place; zeros where it has none.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProblemDocument {
    line: usize,
    column: usize,
    severity: &'static str,
    code: &'static str,
    message: String,
}

impl From<&Problem> for ProblemDocument {
    fn from(problem: &Problem) -> Self {
        Self {
            line: problem.line,
            column: problem.column,
            severity: problem.severity.as_str(),
            code: problem.code,
            message: problem.message.clone(),
        }
    }
}
