//! The parameters of the tools.

use schemars::JsonSchema;
use serde::Deserialize;

/// The provider, the waiting time and the limits of a tool call.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    pub(super) provider: Option<String>,
    pub(super) wait: Option<u32>,
    pub(super) max_calls: Option<u32>,
    pub(super) max_usd: Option<f64>,
}

/// The parameters of `discuss`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DiscussParams {
    /// The question, in one sentence
    pub(super) topic: String,
    /// synthesis (default), second-look, solo, round-robin, debate, critique, voting, dialogue, or one of the project's own
    pub(super) pattern: Option<String>,
    /// Personas (architect, security, ...), providers (claude, codex, ...), persona=provider, or `me`: you answer yourself, at no cost
    #[serde(default)]
    pub(super) participants: Vec<String>,
    pub(super) rounds: Option<u32>,
    /// synthesis, voting, moderator, unanimous or majority, instead of the pattern's own
    pub(super) consensus: Option<String>,
    /// Options to vote on, with voting
    #[serde(default)]
    pub(super) options: Vec<String>,
    /// Background information, as Markdown: participants see only this and `files`
    pub(super) context: Option<String>,
    /// If a discussion is asking you now: its file; the new one becomes its sub-discussion
    pub(super) within: Option<String>,
    /// With `within`: the turn in which you are asked
    pub(super) turn: Option<u32>,
    /// With `within`: your alias there
    #[serde(rename = "as")]
    pub(super) by: Option<String>,
    /// Files, folders or globs (src/**/*.rs) shown to all
    #[serde(default)]
    pub(super) files: Vec<String>,
    /// Provider for all participants, instead of their own
    pub(super) provider: Option<String>,
    /// Seconds to wait, 0 to 240 (default)
    pub(super) wait: Option<u32>,
    /// Maximum number of model calls
    pub(super) max_calls: Option<u32>,
    /// Maximum cost in US dollars
    pub(super) max_usd: Option<f64>,
}

/// The parameters of `review`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewParams {
    /// File to review; or give `changes`
    pub(super) file: Option<String>,
    /// Commits to review, for example main...HEAD
    pub(super) changes: Option<String>,
    /// File with its source, for example requirements
    pub(super) context: Option<String>,
    /// More files, folders or globs shown to all
    #[serde(default)]
    pub(super) files: Vec<String>,
    /// Personas that review; default: the template's
    #[serde(default)]
    pub(super) perspectives: Vec<String>,
    /// Provider for all participants, instead of their own
    pub(super) provider: Option<String>,
    /// Seconds to wait, 0 to 240 (default)
    pub(super) wait: Option<u32>,
    pub(super) max_calls: Option<u32>,
    pub(super) max_usd: Option<f64>,
}

/// The parameters of `continue`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ContinueParams {
    /// The discussion: its file or name
    pub(super) discussion: String,
    /// Provider for all participants, instead of their own
    pub(super) provider: Option<String>,
    /// Seconds to wait, 0 to 240 (default)
    pub(super) wait: Option<u32>,
    pub(super) max_calls: Option<u32>,
    pub(super) max_usd: Option<f64>,
}

/// The parameters of `say`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Say {
    /// The discussion: its file or name
    pub(super) discussion: String,
    /// Markdown; @alias mentions a participant
    #[serde(default)]
    pub(super) text: String,
    /// Your vote, one of `options`
    pub(super) vote: Option<String>,
}

/// The parameters of `show`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Show {
    /// The discussion: its file or name
    pub(super) discussion: String,
    /// Also the comments after this entry; 0: all that fit
    pub(super) since: Option<u32>,
}

/// The parameters of `search`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchParams {
    /// Words that must all occur in a discussion
    pub(super) words: String,
    /// title, decision, outcome, question, task, concern, comment or context
    pub(super) kind: Option<String>,
    /// Author
    pub(super) by: Option<String>,
    /// A start date or a time span: 2026-11-20, 30d
    pub(super) since: Option<String>,
}

/// The parameters of `recall`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecallParams {
    /// The question, in any words
    pub(super) question: String,
    /// A start date or a time span: 2026-11-20, 30d
    pub(super) since: Option<String>,
}

/// The parameters of `list`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListParams {
    /// OPEN, CONSENSUS, ANSWERED, BLOCKED or CLOSED
    pub(super) status: Option<String>,
}

macro_rules! bounds {
    ($($kind:ty),*) => {$(
        impl $kind {
            /// Returns the provider, the waiting time and the limits of the call.
            pub(super) fn bounds(&self) -> Bounds {
                Bounds {
                    provider: self.provider.clone(),
                    wait: self.wait,
                    max_calls: self.max_calls,
                    max_usd: self.max_usd,
                }
            }
        }
    )*};
}
bounds!(DiscussParams, ReviewParams, ContinueParams);
