//! What a project brings along to be called, and what somebody agreed to.

use schemars::JsonSchema;
use serde::Serialize;

/// A provider that the project defines, with all that consent to it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Foreign {
    /// The provider's name.
    pub provider: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// The file that defines it, as it is shown.
    pub file: String,
    /// The line there.
    pub line: usize,
    /// What it takes the place of, each in words.
    pub replaces: Vec<String>,
    /// What would run, in few words.
    pub runs: String,
    /// All that decides what would run.
    pub facts: Vec<Fact>,
    /// Files of the project that it names.
    pub files: Vec<NamedFile>,
    /// Somebody would be asked through it first, so that nothing goes without it; else it is called only where others fail.
    pub first: bool,
    /// What consent to exactly this is remembered by.
    pub fingerprint: String,
}

impl Foreign {
    /// The same with whether somebody agreed to it.
    pub fn judged(self, trusted: bool) -> super::TrustedProvider {
        super::TrustedProvider { foreign: self, trusted }
    }
}

/// Something that consent is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    /// What it is, in a word.
    pub what: &'static str,
    /// The thing itself, as it is written; may hold anything.
    pub text: String,
}

/// A file of the project that a definition names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedFile {
    /// Its path in the project.
    pub path: String,
    /// Where it leads, where that is out of the project.
    pub target: Option<String>,
}

/// What the project brings along, as far as it can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BroughtAlong {
    /// What can be agreed to.
    pub foreign: Vec<Foreign>,
    /// Why others cannot be read, each in a sentence.
    pub broken: Vec<String>,
}

/// Something that somebody agreed to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// The provider's name.
    pub provider: String,
    /// The project's folder.
    pub project: String,
    /// What runs there.
    pub runs: String,
    /// When it was given, in RFC 3339.
    pub at: String,
}
