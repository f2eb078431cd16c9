//! The consensus methods and their meaning.

use serde::{Deserialize, Serialize};

use super::consensus::ConsensusConfig;

/// The method that finds the outcome (the table of methods in `docs/patterns.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Compares the shares of READY and REJECT with two thresholds.
    #[default]
    Thresholds,
    /// The synthesis is the result.
    Synthesis,
    /// The leading share, weighted by confidence and persona weight, must reach a threshold.
    Voting,
    /// The participant that writes the synthesis or judges makes the decision.
    Moderator,
    /// All votes are equal and none is missing.
    Unanimous,
    /// One option has more than half of the votes cast.
    Majority,
}

/// The thing that decides a discussion under a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecidedBy {
    /// The votes of a ballot.
    Votes,
    /// A final text that is not empty.
    Text,
    /// A stated `DECISION:` (INV-DISC-003).
    StatedDecision,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 6] = [
        Self::Thresholds,
        Self::Synthesis,
        Self::Voting,
        Self::Moderator,
        Self::Unanimous,
        Self::Majority,
    ];

    /// Returns the word in YAML and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Thresholds => "thresholds",
            Self::Synthesis => "synthesis",
            Self::Voting => "voting",
            Self::Moderator => "moderator",
            Self::Unanimous => "unanimous",
            Self::Majority => "majority",
        }
    }

    /// Returns what decides a discussion under this method.
    pub(crate) fn decided_by(self) -> DecidedBy {
        match self {
            Self::Thresholds | Self::Voting | Self::Unanimous | Self::Majority => DecidedBy::Votes,
            Self::Synthesis => DecidedBy::Text,
            Self::Moderator => DecidedBy::StatedDecision,
        }
    }

    /// Returns the rules of this method for everything that is not set elsewhere.
    pub fn defaults(self) -> ConsensusConfig {
        let shares = match self {
            Self::Thresholds => ConsensusConfig {
                threshold_ready: Some(0.67),
                threshold_reject: Some(0.01),
                ..ConsensusConfig::default()
            },
            _ => ConsensusConfig { threshold: Some(0.5), ..ConsensusConfig::default() },
        };
        // If votes are compared with thresholds, a person's vote must be among them; a pattern runs without people.
        ConsensusConfig { human_required: Some(self == Self::Thresholds), ..shares }
    }
}
