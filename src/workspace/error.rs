//! The error of a workspace.

use std::io;
use std::path::Path;

use thiserror::Error;

pub use super::failure::ErrorKind;
pub(super) use super::failure::Help;
use super::failure::in_message;
use crate::boundary::EscapesProject;
use crate::codes::ErrorCode;
use crate::config::ConfigError;
use crate::config::participants::EditError;
use crate::engine::SnapshotError;
use crate::material::MaterialError;
use crate::participant::ResolveError;
use crate::provider::{
    LedgerError, NotTrusted, OpenError, ProviderNameError, RemoveError, Unaffordable,
    UnknownProvider,
};
use crate::store::StoreError;
use crate::template::ParameterError;
use crate::transcript::{NameError, visible_line};
use crate::yaml::LoadError;

/// The reason why an operation of a workspace failed. All operations return this error. A reason that no program tells
/// from others is [`WorkspaceError::Refused`], with a sentence made where it happens.
#[derive(Debug, Error)]
pub enum WorkspaceError {
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A YAML file is wrong.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A folder cannot be watched for changes.
    #[error("cannot watch the folder: {0}")]
    Watch(#[from] notify::Error),
    /// The system cannot start a thread, or a text cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A file cannot be found, read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A link that leads out of the project.
    #[error(transparent)]
    Outside(#[from] EscapesProject),
    /// Head and template do not fit together, or the template fails.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// A file or a diff cannot be used as material.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The name is neither a participant's nor a provider's.
    #[error("no participant or provider is called `{asked}`{}", super::failure::suggestion(.nearest))]
    UnknownParticipant {
        /// The name that was given.
        asked: String,
        /// Similar names.
        nearest: Vec<String>,
    },
    /// Too few or too many participants for the template (INV-DISC-005, INV-DISC-006).
    #[error("the template `{template}` takes {bounds} participants, but {count} are given")]
    ParticipantCount {
        /// The template.
        template: String,
        /// The allowed number, in words.
        bounds: String,
        /// The number of participants that were named.
        count: usize,
    },
    /// There is no such template.
    #[error("{}{}", super::resources::no_template(.asked, .page.as_deref()), super::failure::suggestion(.nearest))]
    Template {
        /// The requested id.
        asked: String,
        /// A file of that name beside the templates that is not a template.
        page: Option<String>,
        /// Similar ids.
        nearest: Vec<String>,
    },
    /// A template that computes no verdict, where a verdict is needed.
    #[error("the template `{template}` computes no verdict")]
    NoVerdict {
        /// The template.
        template: String,
    },
    /// A person closed the discussion.
    #[error("the discussion is closed")]
    Closed,
    /// A discussion without an outcome, so that there is nothing to look at again.
    #[error("{file} is still open, so it has decided nothing yet")]
    StillOpen {
        /// The discussion, spelt so that it can be shown.
        file: String,
    },
    /// No participant has this name, or its definition is broken.
    #[error(transparent)]
    Persona(#[from] ResolveError),
    /// A persona's file cannot be added, changed or removed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A provider that does not exist.
    #[error(transparent)]
    Provider(#[from] UnknownProvider),
    /// A name that is not valid for a provider.
    #[error(transparent)]
    ProviderName(#[from] ProviderNameError),
    /// A provider that cannot be removed.
    #[error(transparent)]
    Remove(#[from] RemoveError),
    /// A provider that cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A provider that the project defines and the user does not trust.
    #[error(transparent)]
    NotTrusted(#[from] NotTrusted),
    /// The trust decisions cannot be read or written.
    #[error(transparent)]
    Consent(#[from] LedgerError),
    /// No provider is available: none is installed or has its key.
    #[error("{}: {}", super::failure::unavailable(.ready), .tried.join("; "))]
    NoProvider {
        /// The providers that were tried, each with its fix.
        tried: Vec<String>,
        /// Other providers that could be called, by name.
        ready: Vec<String>,
    },
    /// Fewer participants have an installed provider than the discussion needs.
    #[error("only {ready} participant(s) have an available model, but {needed} are needed: {}", .tried.join("; "))]
    TooFewProviders {
        /// The number of participants that can be asked.
        ready: usize,
        /// The number of participants that the discussion needs.
        needed: usize,
        /// The providers that were tried, each with its fix.
        tried: Vec<String>,
    },
    /// The remaining money is not enough for a call.
    #[error(transparent)]
    Unaffordable(#[from] Unaffordable),
    /// Answers that could not be recorded.
    #[error("{why}; {} of {} {kept}", super::failure::answers(.who.len()), .who.join(", "))]
    Unrecorded {
        /// The problem with the file, as a message.
        why: String,
        /// The problem with the file, as an error.
        error: Box<Self>,
        /// The aliases of the answers' authors.
        who: Vec<String>,
        /// A phrase that names the place of the kept answers, or says that they are lost.
        kept: String,
    },
    /// Any other reason.
    #[error("{message}{}", in_message(.help))]
    Refused {
        /// The standard code.
        code: ErrorCode,
        /// The kind of failure.
        kind: ErrorKind,
        /// The message, with names spelt so that they can be shown.
        message: String,
        /// The help; empty if the message says everything.
        help: Vec<Help>,
    },
}

/// Reasons that are made where they happen.
impl WorkspaceError {
    /// Creates the error for a request or a file that is wrong.
    pub(crate) fn refuse(message: impl Into<String>) -> Self {
        let (code, kind) = (ErrorCode::InvalidInput, ErrorKind::Input);
        Self::Refused { code, kind, message: message.into(), help: Vec::new() }
    }

    /// Creates the error for a failure of the system.
    pub(crate) fn fail(message: impl Into<String>) -> Self {
        let (code, kind) = (ErrorCode::InvalidState, ErrorKind::System);
        Self::Refused { code, kind, message: message.into(), help: Vec::new() }
    }

    /// Adds help to a reason that was made here.
    pub(crate) fn with_help(mut self, more: Help) -> Self {
        if let Self::Refused { help, .. } = &mut self {
            help.push(more);
        }
        self
    }

    /// Sets the code of a reason that was made here.
    pub(crate) fn with_code(mut self, standard: ErrorCode) -> Self {
        if let Self::Refused { code, .. } = &mut self {
            *code = standard;
        }
        self
    }

    /// Creates the error for a folder that cannot be read.
    pub(crate) fn unreadable_folder(folder: &Path, reason: &impl ToString) -> Self {
        let (folder, reason) = (visible_line(&folder.to_string_lossy()), reason.to_string());
        Self::refuse(format!("{folder}: cannot be read: {}", visible_line(&reason)))
            .with_code(ErrorCode::InvalidState)
    }

    /// Creates the error for a folder outside of git, where the operation needs git.
    pub(crate) fn no_repository(folder: &str) -> Self {
        Self::refuse(format!("{folder}: not in a git repository"))
    }

    /// Creates the error for a text that the user passed and that cannot be read.
    pub(crate) fn unreadable_file(path: &Path, source: &io::Error) -> Self {
        let shown = visible_line(&path.to_string_lossy());
        // The caller passed a wrong name or a wrong text.
        let error = match source.kind() {
            io::ErrorKind::NotFound => return Self::refuse(format!("{shown}: no such file")),
            io::ErrorKind::InvalidData => {
                Self::refuse(format!("{shown}: cannot be read: {source}"))
            }
            _ => Self::fail(format!("{shown}: cannot be read: {source}")),
        };
        error.with_permissions(path, source)
    }

    /// Creates the error for a file that cannot be written.
    pub(crate) fn unwritable_file(path: &Path, source: &io::Error) -> Self {
        let shown = visible_line(&path.to_string_lossy());
        Self::fail(format!("{shown}: cannot be written: {source}")).with_permissions(path, source)
    }

    fn with_permissions(self, path: &Path, source: &io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::PermissionDenied => self.with_help(Help::Permissions(path.to_owned())),
            _ => self,
        }
    }

    /// Creates the error for a text that is longer than allowed.
    pub(crate) fn too_long(what: &str, length: usize, most: usize, unit: &str) -> Self {
        let error =
            Self::refuse(format!("{what} has {length} {unit}, but at most {most} are allowed"));
        // The long part of a text in bytes can move to a file; a title cannot.
        if unit == "bytes" { error.with_help(Help::Shorten) } else { error }
    }

    /// Creates the error for an invalid name; `what` is its intended use.
    pub(crate) fn invalid_name(what: &str, asked: &str, reason: &NameError) -> Self {
        Self::refuse(format!("`{asked}` cannot be {what}: {reason}"))
    }

    /// Creates the error for a setting out of its limits.
    pub(crate) fn out_of_bounds(what: &str, bounds: &str) -> Self {
        Self::refuse(format!("{what} must be {bounds}"))
    }

    /// Creates the error for an empty comment.
    pub(crate) fn empty_comment() -> Self {
        Self::refuse("there is nothing to write: the comment is empty")
    }

    /// Creates the error for a turn that was to ask a person, but can ask only models.
    pub(crate) fn person_is_asked(name: &str) -> Self {
        Self::refuse(format!("`{name}` is a person; only you can ask them"))
    }

    /// Creates the error for the file of a sub-discussion that belongs to another discussion or the user.
    pub(crate) fn other_file(file: &str, parent: &str) -> Self {
        Self::refuse(format!(
            "{file}: this file is in the way of a sub-discussion of {parent}; move it"
        ))
        .with_code(ErrorCode::InvalidState)
    }

    /// Creates the error for a file that already exists and may belong to the user.
    pub(crate) fn existing_file(file: &str) -> Self {
        Self::refuse(format!("{file} already exists; name another file"))
    }
}

impl From<ParameterError> for WorkspaceError {
    fn from(error: ParameterError) -> Self {
        let refused = Self::refuse(error.to_string());
        match error {
            ParameterError::Missing(name) => refused.with_help(Help::GiveParameter(name)),
            _ => refused,
        }
    }
}

impl WorkspaceError {
    /// Returns the standard code (`docs/scripting.md`, the table of error codes).
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Refused { code, .. } => *code,
            Self::Template { .. } => ErrorCode::InvalidPattern,
            Self::Unrecorded { error, .. } => error.code(),
            Self::NoProvider { .. } | Self::TooFewProviders { .. } => {
                ErrorCode::InsufficientProviders
            }
            Self::NotTrusted(_) => ErrorCode::NotTrusted,
            Self::Unaffordable(_) => ErrorCode::CostBudgetExceeded,
            // The system or the discussion caused these, not a mistake of the caller.
            Self::Watch(_) | Self::Io(_) | Self::Closed | Self::StillOpen { .. } => {
                ErrorCode::InvalidState
            }
            other if other.kind() == ErrorKind::System => ErrorCode::InvalidState,
            _ => ErrorCode::InvalidInput,
        }
    }

    /// Returns the kind of failure.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Refused { kind, .. } => *kind,
            Self::NoProvider { .. } | Self::TooFewProviders { .. } => ErrorKind::NoAnswer,
            Self::Unaffordable(_) => ErrorKind::Limit,
            Self::Unrecorded { error, .. } => error.kind(),
            Self::Store(error) if error.is_input() => ErrorKind::Input,
            Self::Store(_)
            | Self::Config(ConfigError::Read { .. })
            | Self::Edit(EditError::File { .. })
            | Self::Consent(_) => ErrorKind::System,
            _ => ErrorKind::Input,
        }
    }

    /// Returns true if a retry may succeed without any change.
    pub fn retryable(&self) -> bool {
        matches!(self, Self::Store(StoreError::Locked { .. } | StoreError::Running { .. }))
    }

    /// Returns true if the name of a provider or of a participant is unknown.
    pub fn names_nobody(&self) -> bool {
        matches!(self, Self::Provider(_) | Self::UnknownParticipant { .. })
    }

    /// Returns the message without [`WorkspaceError::help`], for callers that word the help themselves.
    pub fn message(&self) -> String {
        match self {
            Self::Refused { message, .. } => message.clone(),
            Self::Load(error) | Self::Config(ConfigError::Load(error)) => bare(error),
            Self::Persona(error) => nobody(error),
            Self::Edit(error) => match error {
                EditError::Unknown(error) => nobody(error),
                EditError::Write(error) | EditError::Wrong { error, .. } => bare(error),
                other => other.to_string(),
            },
            Self::UnknownParticipant { asked, .. } => {
                format!("no participant or provider is called `{asked}`")
            }
            Self::Provider(error) => error.message(),
            Self::Store(StoreError::NotFound { path, .. }) => {
                format!("{}: no such discussion", visible_line(&path.to_string_lossy()))
            }
            Self::Store(StoreError::Denied { path }) => {
                format!("{}: permission denied", visible_line(&path.to_string_lossy()))
            }
            Self::Template { asked, page, .. } => {
                super::resources::no_template(asked, page.as_deref())
            }
            Self::NotTrusted(error) => format!("{error} ({})", self.code().as_str()),
            Self::NoProvider { tried, ready } => super::failure::no_model(tried, ready),
            other => other.to_string(),
        }
    }
}

fn bare(error: &LoadError) -> String {
    LoadError { hint: None, ..error.clone() }.to_string()
}

fn nobody(error: &ResolveError) -> String {
    match error {
        ResolveError::Broken(error) => bare(error),
        ResolveError::Unknown { asked, .. } => format!("no participant is called `{asked}`"),
    }
}
