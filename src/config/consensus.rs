//! The configured part of when a discussion has decided.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A share of votes: above 0, at most 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Share(f64);

/// A number that is no [`Share`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a share of votes is above 0 and at most 1, such as 0.67, not {0}")]
pub struct ShareError(f64);

impl Share {
    /// Checks the bounds.
    ///
    /// # Errors
    ///
    /// [`ShareError`] for a number that is not above 0 and at most 1.
    pub fn new(share: f64) -> Result<Self, ShareError> {
        // A share of zero is always reached, so that nobody's vote would matter.
        if share > 0.0 && share <= 1.0 { Ok(Self(share)) } else { Err(ShareError(share)) }
    }

    /// The share as a fraction.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Share {
    type Error = ShareError;

    fn try_from(share: f64) -> Result<Self, ShareError> {
        Self::new(share)
    }
}

impl From<Share> for f64 {
    fn from(share: Share) -> Self {
        share.0
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How the result of a pattern is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The synthesis is the result.
    Synthesis,
    /// The synthesizer's decision is the result.
    Moderator,
    /// The option with the greatest weighted share, if it reaches the threshold.
    Voting,
    /// The option with more than half of the votes cast.
    Majority,
    /// The option that everybody chose.
    Unanimous,
}

/// The consensus rules as far as one layer of configuration gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConsensusConfig {
    /// Share of READY votes from which consensus is reached.
    pub threshold_ready: Option<Share>,
    /// Share of REJECT votes from which it is blocked.
    pub threshold_reject: Option<Share>,
    /// Whether a person's READY must be among the votes.
    pub human_required: Option<bool>,
    /// Weighted share that the winner of [`Method::Voting`] must reach.
    pub threshold: Option<Share>,
    /// How the result of a pattern is found.
    pub method: Option<Method>,
}

impl ConsensusConfig {
    /// These rules, and where they are silent, those of the layer below.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        Self {
            threshold_ready: self.threshold_ready.or(below.threshold_ready),
            threshold_reject: self.threshold_reject.or(below.threshold_reject),
            human_required: self.human_required.or(below.human_required),
            threshold: self.threshold.or(below.threshold),
            method: self.method.or(below.method),
        }
    }
}
