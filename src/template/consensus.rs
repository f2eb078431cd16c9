//! Consensus rules as a head, a template or a configuration contains them; every key is optional.

use serde::{Deserialize, Serialize};

use super::method::Method;
use crate::transcript::Choice;

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
