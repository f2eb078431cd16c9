//! A phase that runs a command.

use serde::Deserialize;

/// `run:`: the command whose output a phase records instead of asking anybody. Its words are words: no shell sees them, and
/// nothing that anybody said can stand in them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Written")]
pub struct Tool {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How long it may take, 5 s to 1 h, such as `10m`; none: as long as any call.
    pub timeout: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a list of words, or `command` and `timeout`")]
enum Written {
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

impl From<Written> for Tool {
    fn from(written: Written) -> Self {
        match written {
            Written::Words(command) => Self { command, timeout: None },
            Written::Whole(Whole { command, timeout }) => Self { command, timeout },
        }
    }
}

impl Tool {
    /// What is wrong with it.
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
