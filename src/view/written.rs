//! What a change to a discussion came to.

use schemars::JsonSchema;
use serde::Serialize;

use super::next_step::NextStep;

/// A change that stands in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// The file, as it is shown.
    pub file: String,
    /// Whether anything had to be written.
    pub changed: bool,
    /// Who said it, by the name that stands in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Whether that is a person, and no persona for whom a model speaks.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_person: bool,
    /// The vote that counts, where one was cast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vote: Option<String>,
    /// The phase that was entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// Why the summary beside it could not be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What is worth knowing about it, in sentences: why a vote in the text does not count, what has no effect.
    pub notes: Vec<String>,
    /// The vote counts; why else not is among `uncounted`.
    #[serde(skip)]
    pub vote_counts: bool,
    /// Whose votes agree, by name, if consensus is reached.
    #[serde(skip)]
    pub agreed: Vec<String>,
    /// Whose votes block, by name.
    #[serde(skip)]
    pub blocked_by: Vec<String>,
    /// The file is long, so only its beginning and its end were read: what stands between them is in none of this.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub end_only: bool,
    /// The discussion is closed, so what was said is in the file and asks nobody.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
    /// What looks as if it counted and does not, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncounted: Vec<String>,
    /// What looks like a secret in what was said, in sentences. It is in the file all the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What the votes come to now, where one was cast and consensus is reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consensus: Option<String>,
    /// What one can do now; nothing where telling it would take reading the whole file.
    pub next: Vec<NextStep>,
}
