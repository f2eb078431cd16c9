//! How long a call may take.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long a call may take when the definition does not say.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);
/// The shortest timeout a definition may ask for.
pub const SHORTEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest timeout a definition may ask for.
pub const LONGEST_TIMEOUT: Duration = Duration::from_secs(300);
/// How long a call may take: 5-300 seconds, written `90s`, `2m`, or a number of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "WrittenTimeout")]
pub struct Timeout(Duration);

impl Timeout {
    /// A timeout within the bounds.
    ///
    /// # Errors
    ///
    /// A sentence for people when it is shorter than 5 or longer than 300 seconds.
    pub fn new(duration: Duration) -> Result<Self, String> {
        if (SHORTEST_TIMEOUT..=LONGEST_TIMEOUT).contains(&duration) {
            return Ok(Self(duration));
        }
        Err(format!(
            "a timeout is {} to {} seconds, this one is {:?}",
            SHORTEST_TIMEOUT.as_secs(),
            LONGEST_TIMEOUT.as_secs(),
            duration
        ))
    }

    /// Reads `90s`, `2m` or `120`.
    ///
    /// # Errors
    ///
    /// A sentence for people when it is none of these or out of bounds.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (number, unit) = match text.strip_suffix('m') {
            Some(minutes) => (minutes, 60),
            None => (text.strip_suffix('s').unwrap_or(text), 1),
        };
        let number: u32 = number
            .trim()
            .parse()
            .map_err(|_| format!("`{text}` is no timeout; write it like `90s` or `2m`"))?;
        Self::new(Duration::from_secs(u64::from(number) * unit))
    }

    /// The time itself.
    pub fn get(self) -> Duration {
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
        write!(f, "{}s", self.0.as_secs())
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
