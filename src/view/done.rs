//! What smaller commands made or changed, each as one document.

use schemars::JsonSchema;
use serde::Serialize;

use super::foreign::Foreign;
use super::next_step::NextStep;
use super::recall::Recalled;
use super::set_up::SetUp;

/// A discussion that was made.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    /// Its file, as it is shown.
    pub file: String,
    /// Its title.
    pub title: String,
    /// The template's id.
    pub template: String,
    /// Who takes part, by alias.
    pub participants: Vec<String>,
    /// The first line, from 1, that still holds a placeholder of the template in place of what the discussion is about;
    /// null where nothing has to be written any more.
    pub placeholder_line: Option<usize>,
    /// What seems to have been decided before that it asks, the nearest first, at most three; empty where its own text
    /// tells of earlier decisions.
    pub decided_before: Vec<Recalled>,
    /// What one can do now.
    pub next: Vec<NextStep>,
}

/// A file that was changed or taken away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileChange {
    /// The file, as it is shown.
    pub file: String,
    /// Whether anything had to be done.
    pub changed: bool,
}

/// A text under a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedText {
    /// The name: that of a template, or of the form in which a discussion is written.
    pub name: String,
    /// The file that it stands in or was made from, as it is shown; none: it comes with the program.
    pub file: Option<String>,
    /// The text.
    pub text: String,
    /// How many lines were left out because they still hold what the template asks for.
    #[serde(skip)]
    pub left_out: usize,
}

/// What making a folder fit for discussions came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Initialized {
    /// The configuration was made; else there was one.
    pub made: bool,
    /// The folder lies in a work tree of git.
    pub in_repository: bool,
    /// What was done to the repository, or is left to a person.
    pub done: Vec<SetUp>,
}

/// What a project brings along, and whether it may be called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrustedProvider {
    /// What would be called, and all that consent to it is about.
    #[serde(flatten)]
    pub foreign: Foreign,
    /// Whether somebody agreed to it.
    pub trusted: bool,
}
