//! The available providers, and the results of testing them.

use schemars::JsonSchema;
use serde::Serialize;

/// A provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provider {
    /// Its name.
    pub name: String,
    /// Its command or model as the definition says; untrusted text.
    pub runs: String,
    /// What it is, in a sentence.
    pub description: String,
    /// The strengths that decide which personas it answers for.
    pub strengths: Vec<String>,
    /// Where it is defined.
    pub origin: String,
    /// Whether it may be called; a project's own provider must be trusted first.
    pub trusted: bool,
}

/// A provider, and whether it can be called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckedProvider {
    /// Its name.
    pub name: String,
    /// Whether it can be called.
    pub state: ProviderState,
}

/// Whether a provider can be called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProviderState {
    /// Its definition cannot be used.
    Broken {
        /// Why, in a sentence.
        reason: String,
    },
    /// It is available.
    Ready {
        /// The program or address, unless it is built in.
        through: Option<String>,
        /// Whether the program was found or the service reached. False if only a call could tell: then nothing but the
        /// configuration was checked.
        #[serde(skip)]
        tested: bool,
    },
    /// Something that it needs is missing.
    Missing {
        /// What is missing.
        reason: String,
        /// What to do about it.
        fix: String,
    },
    /// The project defines it, and the user does not trust it.
    NotTrusted,
    /// It answered a test question.
    Answers {
        /// Its answer.
        text: String,
        /// Duration in milliseconds.
        ms: u64,
    },
    /// It did not answer a test question.
    Fails {
        /// The reason.
        message: String,
    },
}
