//! The weight of a persona's vote.

use serde::{Deserialize, Serialize};

/// A factor for a vote, if votes are weighted: 0.5 to 3 (INV-DISC-642).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Weight(f64);

/// A number that is not a valid [`Weight`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the weight of a vote must be {min} to {max}, not {0}", min = Weight::MIN, max = Weight::MAX)]
pub struct WeightError(f64);

impl Weight {
    /// The minimum weight.
    pub(crate) const MIN: f64 = 0.5;
    /// The maximum weight.
    pub(crate) const MAX: f64 = 3.0;

    /// The weight of a persona next to directly used providers, if its file specifies none: with a task and a character
    /// it is a better judge (INV-DISC-642).
    pub(crate) const AGENT: Self = Self(1.5);

    /// Checks the range.
    ///
    /// # Errors
    ///
    /// Returns [`WeightError`] for a number outside of [`Weight::MIN`] to [`Weight::MAX`], and for NaN.
    pub(crate) fn new(weight: f64) -> Result<Self, WeightError> {
        if (Self::MIN..=Self::MAX).contains(&weight) {
            Ok(Self(weight))
        } else {
            Err(WeightError(weight))
        }
    }

    /// Returns the factor.
    pub(crate) fn get(self) -> f64 {
        self.0
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self(1.0)
    }
}

impl TryFrom<f64> for Weight {
    type Error = WeightError;

    fn try_from(weight: f64) -> Result<Self, WeightError> {
        Self::new(weight)
    }
}

impl From<Weight> for f64 {
    fn from(weight: Weight) -> Self {
        weight.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_limits_are_inclusive() {
        assert!(Weight::new(0.5).is_ok() && Weight::new(3.0).is_ok());
        for outside in [0.49, 3.01, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Weight::new(outside).is_err(), "{outside}");
        }
    }
}
