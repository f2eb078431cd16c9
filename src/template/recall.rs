//! The number of earlier decisions that a new discussion receives.

use serde::{Deserialize, Serialize};

use crate::duration;

/// The number and the maximum age of the earlier decisions that a new discussion receives: `3`, `{since: 30d}`, or
/// `{n: 3, since: 30d}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawRecall", into = "RawRecall")]
pub struct Recall {
    /// The maximum number, 0 to [`Recall::MOST`]; 0: none.
    pub n: u32,
    /// The maximum age in seconds; none: any age.
    pub within: Option<f64>,
}

/// The form in YAML.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "write `3`, `{since: 30d}` or `{n: 3, since: 30d}`")]
enum RawRecall {
    Count(u32),
    Rule(Rule),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    #[serde(default = "nearest")]
    n: u32,
    since: Option<String>,
}

/// The number of decisions if only an age is given.
fn nearest() -> u32 {
    3
}

impl Recall {
    /// The largest allowed number; more decisions would distract from the question itself.
    pub const MOST: u32 = 10;

    /// Creates a rule for up to `n` decisions of any age.
    ///
    /// # Errors
    /// Fails if `n` is larger than [`Recall::MOST`].
    pub fn of(n: u32) -> Result<Self, String> {
        if n <= Self::MOST {
            Ok(Self { n, within: None })
        } else {
            Err(format!("at most {} decisions can be recalled, not {n}", Self::MOST))
        }
    }
}

impl TryFrom<RawRecall> for Recall {
    type Error = String;

    fn try_from(written: RawRecall) -> Result<Self, String> {
        match written {
            RawRecall::Count(n) => Self::of(n),
            RawRecall::Rule(Rule { n, since }) => {
                let read = |text: String| {
                    duration::age(&text)
                        .ok_or_else(|| format!("`{text}` is not an age; write 30d or 2w"))
                };
                Ok(Self { within: since.map(read).transpose()?, ..Self::of(n)? })
            }
        }
    }
}

impl From<Recall> for RawRecall {
    fn from(recall: Recall) -> Self {
        match recall.within {
            None => Self::Count(recall.n),
            Some(seconds) => Self::Rule(Rule { n: recall.n, since: Some(format!("{seconds}s")) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_alone_recalls_the_nearest_three() {
        let read = |text: &str| crate::yaml::read::<Recall>(text, "x.yaml").unwrap();
        let month = Some(30.0 * 24.0 * 3600.0);
        assert_eq!(read("{since: 30d}"), Recall { n: 3, within: month });
        assert_eq!(read("{n: 5, since: 30d}"), Recall { n: 5, within: month });
        assert_eq!(read("2"), Recall { n: 2, within: None });
    }
}
