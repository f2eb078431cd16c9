//! Problems in a discussion.

use schemars::JsonSchema;
use serde::Serialize;

use crate::codes::{Fix, ProblemCode};
use crate::problem::{self, Severity};
use crate::yaml::LoadError;

/// A problem and its place; line and column are zero if it has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The severity.
    pub severity: Severity,
    /// A stable word, like `vote-unknown`.
    pub code: ProblemCode,
    /// The problem in a sentence.
    pub message: String,
    /// The fix, if it is a separate step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

impl From<&problem::Problem> for Problem {
    fn from(problem: &problem::Problem) -> Self {
        Self {
            line: problem.line,
            column: problem.column,
            severity: problem.severity,
            code: problem.code,
            message: problem.message.clone(),
            fix: problem.fix,
        }
    }
}

impl Problem {
    /// Returns the problem with its location and source line, in the format of errors in files: `words` describe the
    /// problem, `file` is the path to show, and `line` is the text of the line.
    pub fn located(&self, words: &str, file: &str, line: &str) -> String {
        let message = format!("{}: {words} [{}]", self.severity, self.code);
        let place = (self.line.min(1), self.column.max(1));
        LoadError::at(file, line, self.line, place, message).to_string()
    }
}
