//! Definitions of a project that need the user's trust, and the user's trust decisions.

use schemars::JsonSchema;
use serde::Serialize;

/// A provider that the project defines, with everything that trust in it covers.
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
    /// The definitions that it replaces, each in words.
    pub replaces: Vec<String>,
    /// The command or service that would run, in few words.
    pub runs: String,
    /// All facts that decide it.
    pub facts: Vec<Fact>,
    /// Files of the project that it names.
    pub files: Vec<NamedFile>,
    /// True if a participant needs it first; otherwise it is only called if others fail.
    pub first: bool,
    /// The fingerprint under which trust in exactly this is stored.
    pub fingerprint: String,
}

impl Foreign {
    /// Adds whether the user has trusted the provider.
    pub fn judged(self, trusted: bool) -> super::TrustedProvider {
        super::TrustedProvider { foreign: self, trusted }
    }
}

/// A fact that trust covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    /// The kind, in a word.
    pub what: &'static str,
    /// The value as it is written; untrusted text.
    pub text: String,
}

/// A file of the project that a definition names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedFile {
    /// Its path in the project.
    pub path: String,
    /// Its target, if it is outside the project.
    pub target: Option<String>,
}

/// The project's own definitions, as far as they can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BroughtAlong {
    /// The providers that can be trusted.
    pub foreign: Vec<Foreign>,
    /// Why others cannot be read, each in a sentence.
    pub broken: Vec<String>,
}

/// A provider that the user trusts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// The provider's name.
    pub provider: String,
    /// The project's folder.
    pub project: String,
    /// The command or service that runs there.
    pub runs: String,
    /// When it was given, in RFC 3339.
    pub at: String,
}
