//! The consensus methods and their meaning, and consensus rules as a head, a template or a configuration contains them;
//! every key is optional.

use serde::{Deserialize, Serialize};

use crate::transcript::Choice;

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

/// The consensus rules that one place sets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsensusConfig {
    /// The method that finds the outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// Share of READY votes that reaches consensus, 0 to 1.
    #[serde(default, deserialize_with = "share", skip_serializing_if = "Option::is_none")]
    pub threshold_ready: Option<f64>,
    /// Share of REJECT votes that blocks, 0 to 1.
    #[serde(default, deserialize_with = "share", skip_serializing_if = "Option::is_none")]
    pub threshold_reject: Option<f64>,
    /// Weighted share that wins under [`Method::Voting`], 0 to 1.
    #[serde(default, deserialize_with = "share", skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// True if a person's READY must be among the votes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub human_required: Option<bool>,
    /// Options that count as consensus; other options can win without reaching it. None: all options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept: Option<Vec<Choice>>,
}

impl ConsensusConfig {
    /// Returns these rules, with missing values taken from `other`.
    #[must_use]
    pub fn or(self, other: &Self) -> Self {
        Self {
            method: self.method.or(other.method),
            threshold_ready: self.threshold_ready.or(other.threshold_ready),
            threshold_reject: self.threshold_reject.or(other.threshold_reject),
            threshold: self.threshold.or(other.threshold),
            human_required: self.human_required.or(other.human_required),
            accept: self.accept.or_else(|| other.accept.clone()),
        }
    }
}

/// Parses a share of votes (INV-DISC-004).
fn share<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let share = f64::deserialize(deserializer)?;
    if (0.0..=1.0).contains(&share) {
        return Ok(Some(share));
    }
    Err(serde::de::Error::custom(format!(
        "a share of votes must be between 0 and 1, like 0.67, not {share}"
    )))
}
