//! The results of the smaller commands, each as one document.

use schemars::JsonSchema;
use serde::Serialize;

use super::foreign::Foreign;
use super::next_step::NextStep;
use super::recall::Recalled;
use super::set_up::SetUp;

/// A discussion that was created.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    /// Its file, as it is shown.
    pub file: String,
    /// Its title.
    pub title: String,
    /// The template's id.
    pub template: String,
    /// The participants, by alias.
    pub participants: Vec<String>,
    /// The participants that the template adds for a role, by alias, each with the role.
    #[serde(skip)]
    pub added: Vec<(String, String)>,
    /// Participants that are no personas and may be misspelt, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubted: Vec<String>,
    /// The first line, from 1, that still holds a placeholder of the template in place of what the discussion is about;
    /// null where nothing has to be written any more.
    pub placeholder_line: Option<usize>,
    /// What seems to have been decided before that it asks, the nearest first, at most three; empty where its own text
    /// tells of earlier decisions.
    pub decided_before: Vec<Recalled>,
    /// The possible next steps.
    pub next: Vec<NextStep>,
}

/// A file that was changed or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileChange {
    /// The file, as it is shown.
    pub file: String,
    /// Whether the file was changed.
    pub changed: bool,
}

/// A named text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedText {
    /// The name of a template, or of the file format.
    pub name: String,
    /// The file that holds it, as it is shown; none: it is bundled.
    pub file: Option<String>,
    /// The text.
    pub text: String,
    /// How many lines were left out because they still contain template placeholders.
    #[serde(skip)]
    pub left_out: usize,
}

/// The result of preparing a folder for discussions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Initialized {
    /// Whether the configuration was created; otherwise it existed.
    pub made: bool,
    /// Whether the folder is in a git work tree.
    pub in_repository: bool,
    /// What was done to the repository, and what is left to a person.
    pub done: Vec<SetUp>,
}

/// A provider that the project defines, and whether it may be called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrustedProvider {
    /// The provider, and everything that trust in it covers.
    #[serde(flatten)]
    pub foreign: Foreign,
    /// Whether the user trusts it.
    pub trusted: bool,
}
