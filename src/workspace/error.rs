//! The error of a workspace.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::create::CreateError;
pub use super::failure::ErrorKind;
use super::failure::suggestion;
use super::nest::NestError;
use super::participants::SeatError;
use super::records::RecordFileError;
use super::resources::ToolError;
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
use crate::transcript::{Choice, Name, NameError, visible_line};
use crate::yaml::LoadError;

/// The reason why an operation of a workspace failed. All operations return this error.
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
    /// A folder cannot be read.
    #[error("{folder}: cannot be read: {reason}")]
    Folder {
        /// The folder, spelt so that it can be shown.
        folder: String,
        /// The system's message.
        reason: String,
    },
    /// The operation needs git, but the folder is in no repository.
    #[error("{folder}: not in a git repository")]
    NoRepository {
        /// The folder, spelt so that it can be shown.
        folder: String,
    },
    /// The system cannot start a thread.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A name that fits several discussions.
    #[error("`{asked}` matches several discussions: {}", super::failure::listed(.fit))]
    Several {
        /// The requested name, spelt so that it can be shown.
        asked: String,
        /// Their names, each of which matches only one.
        fit: Vec<String>,
    },
    /// A file that is not Markdown, so that the program must not write to it.
    #[error("{file}: this is not a Markdown file, so it is not a discussion")]
    NoMarkdown {
        /// The file, spelt so that it can be shown.
        file: String,
    },
    /// A Markdown file that agents must not change, because other agents may obey it; and the reason.
    #[error("{0}: {1}, so agents and web pages can neither read nor change it as one")]
    NotForAgents(String, &'static str),
    /// A file cannot be found, read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A link that leads out of the project.
    #[error(transparent)]
    Outside(#[from] EscapesProject),
    /// Head and template do not fit together, or the template fails.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// A participant does not exist, or there are too few or too many.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// A file or a diff cannot be used as material.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A discussion cannot be created from the request.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// The command of a template's phase cannot be run.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A discussion cannot be a sub-discussion of another one.
    #[error(transparent)]
    Nest(#[from] NestError),
    /// There is no such template.
    #[error("{}{}", super::resources::no_template(.asked, .page.as_deref()), suggestion(.nearest))]
    Template {
        /// The requested id.
        asked: String,
        /// A file of that name beside the templates that is not a template.
        page: Option<String>,
        /// Similar ids.
        nearest: Vec<String>,
    },
    /// Text that is longer than allowed.
    #[error("{what} has {length} {unit}, but at most {most} are allowed")]
    TooLong {
        /// The kind of text.
        what: &'static str,
        /// The unit of the length.
        unit: &'static str,
        /// The length of the text.
        length: usize,
        /// The maximum length.
        most: usize,
    },
    /// A template that computes no verdict, where a verdict is needed.
    #[error("the template `{template}` computes no verdict")]
    NoVerdict {
        /// The template.
        template: String,
    },
    /// The template has no such phase.
    #[error("there is no phase `{asked}`; the phases are: {}", .known.join(", "))]
    Phase {
        /// The requested phase.
        asked: String,
        /// The phases of the template, in order.
        known: Vec<String>,
    },
    /// There is no next phase.
    #[error("`{phase}` is the last phase")]
    LastPhase {
        /// The current phase.
        phase: String,
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
    /// A text that names no day, or a day in the past.
    #[error("{0}")]
    Day(String),
    /// An empty comment.
    #[error("there is nothing to write: the comment is empty")]
    NothingSaid,
    /// A vote for an option that does not exist.
    #[error("`{asked}` is not an option; the options are: {}", .options.join(", "))]
    Vote {
        /// The option that was voted for.
        asked: String,
        /// The options of this phase.
        options: Vec<String>,
    },
    /// A vote in a phase without a ballot; its options are not those of the ballot.
    #[error("no vote counts in the phase `{phase}`; the ballot is in the phase `{ballot}`")]
    NoBallot {
        /// The title of the current phase.
        phase: String,
        /// The title of the phase with the ballot.
        ballot: String,
    },
    /// A vote that contradicts the text beside it.
    #[error("the vote is {given}, but the text votes {found}")]
    TwoVotes {
        /// The vote beside the text.
        given: Choice,
        /// The vote in the text.
        found: Choice,
    },
    /// The name of a person that looks like a participant's.
    #[error("the name `{name}` looks like participant {persona}, so it would not count")]
    LookAlike {
        /// The person's name.
        name: Name,
        /// The participant's name.
        persona: Name,
    },
    /// A name that looks like the name of another author in the discussion.
    #[error(
        "the name `{name}` looks like `{other}` in this discussion, but would count as a different person"
    )]
    Confusable {
        /// The name that was given.
        name: Name,
        /// The name of the other author.
        other: Name,
    },
    /// A name that is reserved for the program.
    #[error("`{0}` is reserved for the program, so its comments would not count")]
    Reserved(Name),
    /// An invalid name.
    #[error("`{asked}` cannot be {what}: {reason}")]
    Name {
        /// The intended use of the name.
        what: &'static str,
        /// The name.
        asked: String,
        /// The reason.
        reason: NameError,
    },
    /// No participant has this name, or its definition is broken.
    #[error(transparent)]
    Persona(#[from] ResolveError),
    /// A persona's file cannot be added, changed or removed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The text defines another alias than the expected one.
    #[error("{file} describes `{found}`, not `{wanted}`")]
    OtherAlias {
        /// The definition's file, spelt so that it can be shown.
        file: String,
        /// The alias in the definition.
        found: String,
        /// The expected alias.
        wanted: String,
    },
    /// A provider that does not exist.
    #[error(transparent)]
    Provider(#[from] UnknownProvider),
    /// A name that is not valid for a provider.
    #[error(transparent)]
    ProviderName(#[from] ProviderNameError),
    /// A provider that cannot be removed.
    #[error(transparent)]
    Remove(#[from] RemoveError),
    /// The user has no folder for configuration that applies to all projects.
    #[error("there is no folder for your configuration")]
    NoUserFolder,
    /// A provider that cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A provider that the project defines and the user does not trust.
    #[error(transparent)]
    NotTrusted(#[from] NotTrusted),
    /// The trust decisions cannot be read or written.
    #[error(transparent)]
    Consent(#[from] LedgerError),
    /// The trust decisions would be in the project, which could bring its own, so they would prove nothing.
    #[error("your trust decisions would be stored in the project itself")]
    ConsentsInProject,
    /// There is no folder for trust decisions.
    #[error("there is no folder to store your trust decisions in")]
    NoConsentFolder,
    /// The folder is not in a project, so there are no commands to trust.
    #[error("this folder is not in a project, so there is nothing to trust")]
    NoProject,
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
    /// A head that cannot be read, so that its limits are unknown. The fields are its place in a file, and the fault.
    #[error("{0}: {1}; not run, because the limits in the head cannot be enforced")]
    HeadUnreadable(String, String),
    /// A limit of the head or the configuration that cannot be read.
    #[error("the limit `{0}` cannot be read: {1}")]
    Limit(&'static str, String),
    /// A model's program, started for the first name, tried to act under the second.
    #[error("{}", super::environment::refusal(.0, .1))]
    NotOwnName(String, Name),
    /// A question lacks the name of the person who asks it.
    #[error("a question needs the name of the person who asks it")]
    NoAsker,
    /// A turn was to ask a person, but it can ask only models.
    #[error("`{0}` is a person; only you can ask them")]
    Person(String),
    /// A number is out of its limits.
    #[error("{what} must be {bounds}")]
    OutOfBounds {
        /// The setting.
        what: &'static str,
        /// The limits, in words.
        bounds: String,
    },
    /// There is no such method to find the outcome.
    #[error("there is no method `{asked}`; the methods are: {}", .known.join(", "))]
    Method {
        /// The requested method.
        asked: String,
        /// The existing methods.
        known: Vec<&'static str>,
    },
    /// An artifact without a text.
    #[error("{artifact}: there is nothing to review")]
    NothingToReview {
        /// The artifact, spelt so that it can be shown.
        artifact: String,
    },
    /// A text that the user passed cannot be read.
    #[error("{}: {}", visible_line(&.path.to_string_lossy()), unread(.source))]
    Unread {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A device or another file that never ends.
    #[error("{}: this is not a regular file; only regular files, pipes and standard input can be read", visible_line(&.path.to_string_lossy()))]
    Endless {
        /// The path.
        path: PathBuf,
    },
    /// A text that is longer than the maximum that is read.
    #[error("{what} is longer than the limit of {most} bytes")]
    TooMuch {
        /// The name of the text, spelt so that it can be shown.
        what: String,
        /// The maximum number of bytes.
        most: usize,
    },
    /// A folder or a page of a person that the program must not overwrite.
    #[error("{place}: {reason}")]
    NotOurs {
        /// The folder, or the file and its line, spelt so that it can be shown.
        place: String,
        /// The reason, with the fix.
        reason: String,
    },
    /// A decision record cannot have this number or file.
    #[error(transparent)]
    RecordFile(#[from] RecordFileError),
    /// A file cannot be written.
    #[error("{}: cannot be written: {source}", visible_line(&.path.to_string_lossy()))]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A version that only git can merge.
    #[error("{file}: this version is {what}, so git has to merge it")]
    NotMergeable {
        /// The file, spelt so that it can be shown.
        file: String,
        /// The state of the version.
        what: &'static str,
    },
    /// A folder without a work tree.
    #[error("{folder}: this is git's own folder, without a work tree; keep discussions elsewhere")]
    NoWorkTree {
        /// The folder, spelt so that it can be shown.
        folder: String,
    },
    /// A folder for temporary files cannot be created.
    #[error("cannot create a temporary folder: {0}")]
    NoTemporary(io::Error),
}

impl WorkspaceError {
    /// Returns the standard code (`docs/scripting.md`, the table of error codes).
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Template { .. } => ErrorCode::InvalidPattern,
            Self::Create(error) => error.code(),
            Self::Unrecorded { error, .. } => error.code(),
            Self::Nest(error) => error.code(),
            Self::NoProvider { .. } | Self::TooFewProviders { .. } => {
                ErrorCode::InsufficientProviders
            }
            Self::NotTrusted(_) => ErrorCode::NotTrusted,
            Self::Unaffordable(_) => ErrorCode::CostBudgetExceeded,
            // The system or the discussion caused these, not a mistake of the caller.
            Self::Watch(_) | Self::Folder { .. } | Self::Io(_) => ErrorCode::InvalidState,
            Self::Closed | Self::StillOpen { .. } | Self::LastPhase { .. } => {
                ErrorCode::InvalidState
            }
            other if other.kind() == ErrorKind::System => ErrorCode::InvalidState,
            _ => ErrorCode::InvalidInput,
        }
    }

    /// Returns the kind of failure.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NoProvider { .. } | Self::TooFewProviders { .. } => ErrorKind::NoAnswer,
            Self::Unaffordable(_) => ErrorKind::Limit,
            Self::Unrecorded { error, .. } => error.kind(),
            Self::Store(error) if error.is_input() => ErrorKind::Input,
            // The caller passed a wrong name or a wrong text.
            Self::Unread { source, .. } => match source.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::InvalidData => ErrorKind::Input,
                _ => ErrorKind::System,
            },
            Self::Store(_)
            | Self::Config(ConfigError::Read { .. })
            | Self::Edit(EditError::File { .. })
            | Self::Consent(_)
            | Self::NoConsentFolder
            | Self::NoUserFolder
            | Self::Unwritten { .. }
            | Self::NoTemporary(_) => ErrorKind::System,
            _ => ErrorKind::Input,
        }
    }

    /// Returns true if a retry may succeed without any change.
    pub fn retryable(&self) -> bool {
        matches!(self, Self::Store(StoreError::Locked { .. } | StoreError::Running { .. }))
    }

    /// Returns true if the name of a provider or of a participant is unknown.
    pub fn names_nobody(&self) -> bool {
        matches!(
            self,
            Self::Provider(_) | Self::Seat(SeatError::Provider(_) | SeatError::Unknown { .. })
        )
    }

    /// Returns the message without [`WorkspaceError::help`], for callers that word the help themselves.
    pub fn message(&self) -> String {
        match self {
            Self::Load(error) | Self::Config(ConfigError::Load(error)) => bare(error),
            Self::Seat(SeatError::Persona(error)) | Self::Persona(error) => nobody(error),
            Self::Edit(error) => match error {
                EditError::Unknown(error) => nobody(error),
                EditError::Write(error) | EditError::Wrong { error, .. } => bare(error),
                other => other.to_string(),
            },
            Self::Seat(SeatError::Unknown { asked, .. }) => {
                format!("no participant or provider is called `{asked}`")
            }
            Self::Seat(SeatError::Provider(error)) | Self::Provider(error) => error.message(),
            Self::Store(StoreError::NotFound { path, .. }) => {
                format!("{}: no such discussion", visible_line(&path.to_string_lossy()))
            }
            Self::Store(StoreError::Denied { path }) => {
                format!("{}: permission denied", visible_line(&path.to_string_lossy()))
            }
            Self::Template { asked, page, .. } => {
                super::resources::no_template(asked, page.as_deref())
            }
            Self::Create(CreateError::UnknownParameter { template, asked, .. }) => {
                format!("the template `{template}` has no parameter `{asked}`")
            }
            Self::Phase { asked, .. } => format!("there is no phase `{asked}`"),
            Self::Vote { asked, .. } => format!("`{asked}` is not an option"),
            Self::NotTrusted(error) => format!("{error} ({})", self.code().as_str()),
            Self::NoProvider { tried, ready } => super::failure::no_model(tried, ready),
            other => other.to_string(),
        }
    }
}

/// Returns the reason why a text could not be read.
fn unread(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        _ => format!("cannot be read: {source}"),
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
