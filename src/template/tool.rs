//! A phase that runs a command.

use serde::Deserialize;

/// The settings of `run:`, a command. The phase records its output instead of asking participants. Its words are
/// passed on unchanged: no shell interprets them, and no comment of a discussion can be part of them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "RawTool")]
pub struct Tool {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The time limit, 5 s to 1 h, such as `10m`; none: the general limit for calls.
    pub timeout: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a list of words, or `command` and `timeout`")]
enum RawTool {
    Words(Vec<String>),
    Whole(Whole),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    command: Vec<String>,
    #[serde(default)]
    timeout: Option<String>,
}

impl From<RawTool> for Tool {
    fn from(written: RawTool) -> Self {
        match written {
            RawTool::Words(command) => Self { command, timeout: None },
            RawTool::Whole(Whole { command, timeout }) => Self { command, timeout },
        }
    }
}

impl Tool {
    /// Returns the mistake in the command, if there is one.
    pub(super) fn fault(&self) -> Option<&'static str> {
        match &self.command[..] {
            [] => Some("a command must begin with a program"),
            [program, ..] if program.trim().is_empty() => {
                Some("a command must begin with a program")
            }
            words if words.iter().any(|word| word.contains('\0')) => {
                Some("a command must not contain a NUL")
            }
            _ => None,
        }
    }
}
