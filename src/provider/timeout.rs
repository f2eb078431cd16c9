//! How long a call may take.

use std::fmt;
use std::time::Duration;

use crate::duration;
use serde::{Deserialize, Serialize};

/// How long a call may take when the definition does not say.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);
/// The shortest timeout a definition may ask for.
pub(crate) const SHORTEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest timeout a definition may ask for.
pub(crate) const LONGEST_TIMEOUT: Duration = Duration::from_secs(3600);
/// How long a call may take, `SHORTEST_TIMEOUT` to `LONGEST_TIMEOUT`, written `90s`, `2m`, `1h`, or a number of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "WrittenTimeout")]
pub struct Timeout(Duration);

impl Timeout {
    /// A timeout within the bounds.
    ///
    /// # Errors
    ///
    /// A sentence for people when it is shorter or longer than that.
    pub fn new(time: Duration) -> Result<Self, String> {
        if (SHORTEST_TIMEOUT..=LONGEST_TIMEOUT).contains(&time) {
            return Ok(Self(time));
        }
        Err(format!(
            "a timeout must be {} to {}, not {}",
            duration::write(SHORTEST_TIMEOUT),
            duration::write(LONGEST_TIMEOUT),
            duration::write(time)
        ))
    }

    /// Reads `90s`, `2m`, `1h` or `120`.
    ///
    /// # Errors
    ///
    /// A sentence for people when it is none of these or out of bounds.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let time = duration::parse(text)
            .map_err(|_| format!("`{text}` is not a timeout; write it like `90s` or `2m`"))?;
        Self::new(time)
    }

    /// The time itself.
    pub(crate) fn get(self) -> Duration {
        self.0
    }
}

impl Default for Timeout {
    fn default() -> Self {
        Self(DEFAULT_TIMEOUT)
    }
}

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&duration::write(self.0))
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenTimeout {
    Seconds(u32),
    Words(String),
}

impl TryFrom<WrittenTimeout> for Timeout {
    type Error = String;

    fn try_from(written: WrittenTimeout) -> Result<Self, String> {
        match written {
            WrittenTimeout::Seconds(seconds) => Self::new(Duration::from_secs(seconds.into())),
            WrittenTimeout::Words(words) => Self::parse(&words),
        }
    }
}
