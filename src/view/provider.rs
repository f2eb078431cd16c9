//! What can answer, and whether it does.

use schemars::JsonSchema;
use serde::Serialize;

/// A provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provider {
    /// Its name.
    pub name: String,
    /// What answers, as it is written in its definition; may hold anything.
    pub runs: String,
    /// What it is, in a sentence.
    pub description: String,
    /// What it is taken for, where vendors are dealt over seats.
    pub strengths: Vec<String>,
    /// Where it is defined.
    pub origin: String,
    /// Whether it may be called: the project may have brought it along.
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
    /// It is there.
    Ready {
        /// What answers, where that is nothing built in.
        through: Option<String>,
    },
    /// What it needs is not there.
    Missing {
        /// What is missing.
        reason: String,
        /// What to do about it.
        fix: String,
    },
    /// The project brought it along, and nobody agreed to it.
    NotTrusted,
    /// It answered a small question.
    Answers {
        /// What it said.
        text: String,
        /// Milliseconds that it took.
        ms: u64,
    },
    /// It did not answer a small question.
    Fails {
        /// Why.
        message: String,
    },
}
