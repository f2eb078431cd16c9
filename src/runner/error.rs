//! Why a run cannot begin or go on.

use thiserror::Error;

use crate::codes::ErrorCode;
use crate::engine::SnapshotError;
use crate::provider::{NotTrusted, OpenError, TrustError, UnknownProvider};
use crate::store::StoreError;
use crate::workspace::WorkspaceError;

/// Why a run cannot begin or go on. What one participant's call does wrong is no such error: it is recorded.
#[derive(Debug, Error)]
pub enum RunError {
    /// The workspace or the discussion.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The template.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// A provider that does not exist.
    #[error(transparent)]
    Provider(#[from] UnknownProvider),
    /// A provider that cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A provider that the project brought along, and to which nobody agreed.
    #[error(transparent)]
    NotTrusted(#[from] NotTrusted),
    /// None of the providers that would be asked is installed.
    #[error("no model program is installed that could answer: {}", .tried.join("; "))]
    NoProvider {
        /// What was looked for, each with its fix.
        tried: Vec<String>,
    },
    /// Fewer participants have a provider that is installed than the discussion needs.
    #[error("only {ready} participant(s) can be asked, {needed} are needed: {}", .tried.join("; "))]
    TooFewProviders {
        /// How many can be asked.
        ready: usize,
        /// How many are needed.
        needed: usize,
        /// What was looked for, each with its fix.
        tried: Vec<String>,
    },
    /// A limit of the head or the configuration that cannot be read.
    #[error("the limit `{0}` cannot be read: {1}")]
    Limit(&'static str, String),
    /// A question needs somebody who asks it.
    #[error("a question needs the name of whoever asks it")]
    NoAsker,
    /// Somebody is asked who is no persona.
    #[error("`{0}` is a person: nobody can ask them but you")]
    Person(String),
}

impl RunError {
    /// The standard code (README, "Exit codes and error codes").
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NoProvider { .. } | Self::TooFewProviders { .. } => {
                ErrorCode::InsufficientProviders
            }
            Self::NotTrusted(_) => ErrorCode::NotTrusted,
            Self::Workspace(error) => error.code(),
            _ => ErrorCode::InvalidState,
        }
    }

    /// Whether trying again may help without changing anything.
    pub fn retryable(&self) -> bool {
        matches!(self, Self::Store(StoreError::Locked { .. }))
    }
}

impl From<TrustError> for RunError {
    fn from(error: TrustError) -> Self {
        match error {
            TrustError::NotTrusted(error) => error.into(),
            TrustError::Open(error) => error.into(),
        }
    }
}
