//! The time limit of a call.

use std::fmt;
use std::time::Duration;

use crate::duration;
use serde::{Deserialize, Serialize};

/// The default time limit of a call.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);
/// The shortest time limit that a definition may set.
pub(crate) const SHORTEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest time limit that a definition may set.
pub(crate) const LONGEST_TIMEOUT: Duration = Duration::from_secs(3600);
/// The time limit of a call, `SHORTEST_TIMEOUT` to `LONGEST_TIMEOUT`, written `90s`, `2m`, `1h`, or as a number of
/// seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "WrittenTimeout")]
pub struct Timeout(Duration);

impl Timeout {
    /// Creates a timeout within this range.
    ///
    /// # Errors
    ///
    /// Returns a sentence for people if the time is out of range.
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

    /// Parses `90s`, `2m`, `1h` or `120`.
    ///
    /// # Errors
    ///
    /// Returns a sentence for people if the text has another form or the time is out of range.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let time = duration::parse(text)
            .map_err(|_| format!("`{text}` is not a timeout; write it like `90s` or `2m`"))?;
        Self::new(time)
    }

    /// Returns the time.
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
