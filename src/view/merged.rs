//! The result of merging two versions of a discussion.

use schemars::JsonSchema;
use serde::Serialize;

/// The result of merging two versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Merged {
    /// The file, as it is shown.
    pub file: String,
    /// It is a summary, which the discussion's next change makes anew; ours was kept.
    pub is_summary: bool,
    /// Numbers that name something else after the merge, each once.
    pub renumbered: Vec<Renumbered>,
    /// Why a person must finish the merge, if so.
    pub conflict: Option<String>,
}

/// A number that names something else after the merge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Renumbered {
    /// Line of the merged file, from 1.
    pub line: usize,
    /// The number with its letter, such as `Q3`.
    pub name: String,
    /// What it named.
    pub before: String,
    /// What it names now.
    pub after: Option<String>,
}
