//! Why a workspace or a discussion in it cannot be used.

use thiserror::Error;

use super::create::CreateError;
use super::seats::SeatError;
use crate::boundary::Outside;
use crate::codes::{ErrorCode, Fix};
use crate::config::ConfigError;
use crate::engine::SnapshotError;
use crate::state::DiscussionConfigError;
use crate::store::StoreError;
use crate::transcript::{Choice, Name};
use crate::yaml::LoadError;

/// Why a workspace or a discussion in it cannot be used.
#[derive(Debug, Error)]
pub enum WorkspaceError {
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A YAML file is wrong.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A folder cannot be watched for changes.
    #[error("the folder cannot be watched: {0}")]
    Watch(#[from] notify::Error),
    /// A folder cannot be read.
    #[error("{folder}: cannot be read: {reason}")]
    Folder {
        /// The folder, spelt so that it can be shown.
        folder: String,
        /// What the system says.
        reason: String,
    },
    /// The system gives no thread.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A file cannot be found, read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A link out of the project.
    #[error(transparent)]
    Outside(#[from] Outside),
    /// Head and template do not fit together, or the template fails.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// A participant that does not exist, or too few or too many.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// What was asked for makes no discussion.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// No such template.
    #[error("there is no template `{asked}`{}", near(.nearest))]
    Template {
        /// What was asked for.
        asked: String,
        /// Similar ids.
        nearest: Vec<String>,
    },
    /// Text that is longer than allowed.
    #[error("{what} has {length} {unit}; at most {most} are allowed")]
    TooLong {
        /// What.
        what: &'static str,
        /// What is counted.
        unit: &'static str,
        /// How long it is.
        length: usize,
        /// How long it may be.
        most: usize,
    },
    /// No such phase.
    #[error("there is no phase `{asked}`; the phases are: {}", .known.join(", "))]
    Phase {
        /// What was asked for.
        asked: String,
        /// The phases of the template, in order.
        known: Vec<String>,
    },
    /// No phase follows.
    #[error("no phase follows `{phase}`")]
    LastPhase {
        /// The current one.
        phase: String,
    },
    /// A person closed the discussion.
    #[error("the discussion is closed")]
    Closed,
    /// An empty comment.
    #[error("there is nothing to write: the comment is empty")]
    NothingSaid,
    /// A vote for what nobody offers.
    #[error("`{asked}` cannot be voted for; the options are: {}", .options.join(", "))]
    Vote {
        /// What was voted for.
        asked: String,
        /// What may be voted for in this phase.
        options: Vec<String>,
    },
    /// A vote beside a text that votes otherwise.
    #[error("the vote is {given}, but the text votes {found}")]
    TwoVotes {
        /// The vote that was given apart.
        given: Choice,
        /// The vote in the text.
        found: Choice,
    },
    /// A person whose name passes for a participant's.
    #[error(
        "the name `{name}` looks like the participant {persona}, so nothing said under it would count"
    )]
    LookAlike {
        /// The person's name.
        name: Name,
        /// The participant's.
        persona: Name,
    },
    /// A name that only the program gives.
    #[error("`{0}` is a name of the program's own, so nothing said under it would count")]
    Reserved(Name),
}

impl WorkspaceError {
    /// The standard code (README, "Exit codes and error codes").
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Template { .. } => ErrorCode::InvalidPattern,
            Self::Create(error) => error.code(),
            // The system's or the discussion's own, where nobody asked for anything wrong.
            Self::Watch(_) | Self::Folder { .. } | Self::Io(_) => ErrorCode::InvalidState,
            Self::Closed | Self::LastPhase { .. } => ErrorCode::InvalidState,
            Self::Store(error) if !error.is_input() => ErrorCode::InvalidState,
            _ => ErrorCode::InvalidInput,
        }
    }

    /// What mends it, where that is a step of its own.
    pub fn fix(&self) -> Option<Fix> {
        match self {
            Self::Load(error) | Self::Config(ConfigError::Load(error)) => error.fix,
            Self::Template { .. } => Some(Fix::ListTemplates),
            Self::Seat(SeatError::Unknown { .. }) => Some(Fix::ListParticipants),
            Self::Seat(SeatError::Provider(_)) => Some(Fix::ListProviders),
            _ => None,
        }
    }
}

impl From<DiscussionConfigError> for WorkspaceError {
    fn from(error: DiscussionConfigError) -> Self {
        Self::Snapshot(error.into())
    }
}

/// `; did you mean `x`?`, when something is near.
pub(super) fn near(nearest: &[String]) -> String {
    nearest.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
