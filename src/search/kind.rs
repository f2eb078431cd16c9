//! The kinds of places in a discussion.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::Serialize;

/// The kind of a place in a discussion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FoundKind {
    /// The first heading.
    Title,
    /// A stated decision.
    Decision,
    /// The final text.
    Outcome,
    /// A question.
    Question,
    /// A task.
    Task,
    /// A concern.
    Concern,
    /// Any other text of a comment.
    Comment,
    /// The text before the first comment.
    Context,
}

impl FoundKind {
    const ALL: [Self; 8] = [
        Self::Title,
        Self::Decision,
        Self::Outcome,
        Self::Question,
        Self::Task,
        Self::Concern,
        Self::Comment,
        Self::Context,
    ];

    /// Returns a stable word, also used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Decision => "decision",
            Self::Outcome => "outcome",
            Self::Question => "question",
            Self::Task => "task",
            Self::Concern => "concern",
            Self::Comment => "comment",
            Self::Context => "context",
        }
    }

    /// Returns the weight of a word here, relative to a word in a comment.
    pub(super) fn weight(self) -> f64 {
        match self {
            Self::Title => 4.0,
            Self::Decision => 3.0,
            Self::Outcome => 2.0,
            Self::Task => 1.5,
            // An answered question counts more; `passages` adds that.
            Self::Question | Self::Concern | Self::Comment | Self::Context => 1.0,
        }
    }
}

impl FromStr for FoundKind {
    type Err = String;

    /// Parses a word of [`FoundKind::as_str`] in any case.
    fn from_str(word: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|kind| kind.as_str().eq_ignore_ascii_case(word));
        known.ok_or_else(|| {
            let all: Vec<&str> = Self::ALL.iter().map(|kind| kind.as_str()).collect();
            format!("unknown kind `{word}`; known: {}", all.join(", "))
        })
    }
}
