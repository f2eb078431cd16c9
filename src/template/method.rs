//! The consensus methods, and what each of them means.

use serde::{Deserialize, Serialize};

use super::consensus::ConsensusConfig;

/// How an outcome is found (the table of methods in `docs/patterns.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Shares of READY and REJECT against two thresholds.
    #[default]
    Thresholds,
    /// The synthesis is the result.
    Synthesis,
    /// The top share, weighted by confidence and persona weight, reaches a threshold.
    Voting,
    /// The decision of whoever synthesises or judges.
    Moderator,
    /// All votes equal, none missing.
    Unanimous,
    /// More than half of the votes cast.
    Majority,
}

/// What makes a discussion with a given method a decided one.
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
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Thresholds,
        Self::Synthesis,
        Self::Voting,
        Self::Moderator,
        Self::Unanimous,
        Self::Majority,
    ];

    /// The word in YAML and JSON.
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

    /// What decides under it.
    pub(crate) fn decided_by(self) -> DecidedBy {
        match self {
            Self::Thresholds | Self::Voting | Self::Unanimous | Self::Majority => DecidedBy::Votes,
            Self::Synthesis => DecidedBy::Text,
            Self::Moderator => DecidedBy::StatedDecision,
        }
    }

    /// The rules under it that hold where nobody sets others.
    pub fn defaults(self) -> ConsensusConfig {
        let shares = match self {
            Self::Thresholds => ConsensusConfig {
                threshold_ready: Some(0.67),
                threshold_reject: Some(0.01),
                ..ConsensusConfig::default()
            },
            _ => ConsensusConfig { threshold: Some(0.5), ..ConsensusConfig::default() },
        };
        // Where a person counts votes against thresholds, one has to be among them; a pattern runs without people.
        ConsensusConfig { human_required: Some(self == Self::Thresholds), ..shares }
    }
}
