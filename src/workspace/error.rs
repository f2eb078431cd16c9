//! Why a workspace or a discussion in it cannot be used.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::create::CreateError;
pub use super::error_kind::ErrorKind;
use super::help::near;
use super::nest::NestError;
use super::seats::SeatError;
use super::tools::ToolError;
use crate::boundary::Outside;
use crate::codes::ErrorCode;
use crate::config::ConfigError;
use crate::config::participants::EditError;
use crate::engine::SnapshotError;
use crate::material::MaterialError;
use crate::participant::ResolveError;
use crate::provider::{
    LedgerError, NotTrusted, OpenError, ProviderNameError, TrustError, Unaffordable,
    UnknownProvider,
};
use crate::state::DiscussionConfigError;
use crate::store::StoreError;
use crate::transcript::{Choice, Name, NameError, visible_line};
use crate::yaml::LoadError;

/// Why something cannot be done in a workspace: the one error of everything that it offers.
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
        /// What the system says.
        reason: String,
    },
    /// No git where git is asked.
    #[error("{folder}: not in a git repository")]
    NoRepository {
        /// The folder, spelt so that it can be shown.
        folder: String,
    },
    /// The system gives no thread.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A name that fits several discussions.
    #[error("`{asked}` matches several discussions: {}", super::error_kind::listed(.fit))]
    Several {
        /// What was asked for, spelt so that it can be shown.
        asked: String,
        /// Their names, each of which names only one.
        fit: Vec<String>,
    },
    /// A file that is no Markdown, so that nothing may be written to it.
    #[error("{file}: this is not a Markdown file, so it is not a discussion")]
    NoMarkdown {
        /// The file, spelt so that it can be shown.
        file: String,
    },
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
    /// A file or a diff that cannot be shown to everybody.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// What was asked for makes no discussion.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// The command of a template's phase cannot be run.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A discussion that cannot stand within another one.
    #[error(transparent)]
    Nest(#[from] NestError),
    /// No such template.
    #[error("{}{}", super::templates::no_template(.asked, .page.as_deref()), near(.nearest))]
    Template {
        /// What was asked for.
        asked: String,
        /// A file of that name beside the templates that is none.
        page: Option<String>,
        /// Similar ids.
        nearest: Vec<String>,
    },
    /// Text that is longer than allowed.
    #[error("{what} has {length} {unit}, but at most {most} are allowed")]
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
    /// A template that computes no verdict where one is needed.
    #[error("the template `{template}` computes no verdict")]
    NoVerdict {
        /// The template.
        template: String,
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
    #[error("`{phase}` is the last phase")]
    LastPhase {
        /// The title of the current one.
        phase: String,
    },
    /// A person closed the discussion.
    #[error("the discussion is closed")]
    Closed,
    /// An empty comment.
    #[error("there is nothing to write: the comment is empty")]
    NothingSaid,
    /// A vote for what nobody offers.
    #[error("`{asked}` is not an option; the options are: {}", .options.join(", "))]
    Vote {
        /// What was voted for.
        asked: String,
        /// What may be voted for in this phase.
        options: Vec<String>,
    },
    /// A vote in a phase without a ballot, whose options are not those of the ballot.
    #[error("no vote counts in the phase `{phase}`; the ballot is in the phase `{ballot}`")]
    NoBallot {
        /// The title of the current phase.
        phase: String,
        /// The title of the phase with the ballot.
        ballot: String,
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
    #[error("the name `{name}` looks like participant {persona}, so it would not count")]
    LookAlike {
        /// The person's name.
        name: Name,
        /// The participant's.
        persona: Name,
    },
    /// A name that passes for that of somebody who speaks in the discussion.
    #[error(
        "the name `{name}` looks like `{other}` in this discussion, but would count as a different person"
    )]
    Confusable {
        /// The name that was given.
        name: Name,
        /// Whose name it looks like.
        other: Name,
    },
    /// A name that only the program gives.
    #[error("`{0}` is reserved for the program, so its comments would not count")]
    Reserved(Name),
    /// A name that nobody can have.
    #[error("`{asked}` cannot be {what}: {reason}")]
    Name {
        /// What it was to be.
        what: &'static str,
        /// The name.
        asked: String,
        /// Why not.
        reason: NameError,
    },
    /// Nobody is called so, or their definition is broken.
    #[error(transparent)]
    Persona(#[from] ResolveError),
    /// A persona's file cannot be added, changed or removed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A text that describes somebody else than was meant.
    #[error("{file} describes `{found}`, not `{wanted}`")]
    OtherAlias {
        /// The text's file, as it is shown.
        file: String,
        /// Whom it describes.
        found: String,
        /// Who was meant.
        wanted: String,
    },
    /// A provider that does not exist.
    #[error(transparent)]
    Provider(#[from] UnknownProvider),
    /// A name that no provider can have.
    #[error(transparent)]
    ProviderName(#[from] ProviderNameError),
    /// There is no place for what the user configures for all of their projects.
    #[error("there is no folder for your configuration")]
    NoUserFolder,
    /// A provider that cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A provider that the project brought along, and to which nobody agreed.
    #[error(transparent)]
    NotTrusted(#[from] NotTrusted),
    /// What was agreed to cannot be read or kept.
    #[error(transparent)]
    Consent(#[from] LedgerError),
    /// What was agreed to would come with the project, and prove nothing.
    #[error("your trust decisions would be stored in the project itself")]
    ConsentsInProject,
    /// Nobody said where to keep what is agreed to.
    #[error("there is no folder to store your trust decisions in")]
    NoConsentFolder,
    /// Only a project brings anything along.
    #[error("this folder is not in a project, so there is nothing to trust")]
    NoProject,
    /// None of the providers that would be asked is there, or has its key.
    #[error("{}: {}", super::error_kind::unavailable(.ready), .tried.join("; "))]
    NoProvider {
        /// What was looked for, each with its fix.
        tried: Vec<String>,
        /// Other providers that could be called, by name.
        ready: Vec<String>,
    },
    /// Fewer participants have a provider that is installed than the discussion needs.
    #[error("only {ready} participant(s) have an available model, but {needed} are needed: {}", .tried.join("; "))]
    TooFewProviders {
        /// How many can be asked.
        ready: usize,
        /// How many are needed.
        needed: usize,
        /// What was looked for, each with its fix.
        tried: Vec<String>,
    },
    /// No call fits into the money that the caller allows.
    #[error(transparent)]
    Unaffordable(#[from] Unaffordable),
    /// Answers that could not be recorded.
    #[error("{why}; {} of {} {kept}", super::error_kind::answers(.who.len()), .who.join(", "))]
    Unrecorded {
        /// What is wrong with the file.
        why: String,
        /// The same, as it was met.
        error: Box<Self>,
        /// Whose answers, by alias.
        who: Vec<String>,
        /// What became of them.
        kept: String,
    },
    /// A head that cannot be read, so that nobody knows what limits it sets: its place in a file, and what is wrong.
    #[error("{0}: {1}; not run, because the limits in the head cannot be enforced")]
    HeadUnreadable(String, String),
    /// A limit of the head or the configuration that cannot be read.
    #[error("the limit `{0}` cannot be read: {1}")]
    Limit(&'static str, String),
    /// A model's program, started for this participant, wants to act under this name.
    #[error("{}", super::author::refusal(.0, .1))]
    NotOwnName(String, Name),
    /// A question needs somebody who asks it.
    #[error("a question needs the name of the person who asks it")]
    NoAsker,
    /// Somebody is asked who is no persona.
    #[error("`{0}` is a person; only you can ask them")]
    Person(String),
    /// A number out of its bounds.
    #[error("{what} must be {bounds}")]
    OutOfBounds {
        /// What.
        what: &'static str,
        /// The bounds, in words.
        bounds: String,
    },
    /// No such way to find the outcome.
    #[error("there is no method `{asked}`; the methods are: {}", .known.join(", "))]
    Method {
        /// What was asked for.
        asked: String,
        /// Those there are.
        known: Vec<&'static str>,
    },
    /// An artifact without a text.
    #[error("{artifact}: there is nothing to review")]
    NothingToReview {
        /// The artifact, as it is shown.
        artifact: String,
    },
    /// A text that somebody brought along cannot be read.
    #[error("{}: {}", visible_line(&.path.to_string_lossy()), unread(.source))]
    Unread {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A device or another thing that never ends.
    #[error("{}: this is not a regular file; only regular files, pipes and standard input can be read", visible_line(&.path.to_string_lossy()))]
    Endless {
        /// The thing.
        path: PathBuf,
    },
    /// A text that is longer than is read at all.
    #[error("{what} is longer than the limit of {most} bytes")]
    TooMuch {
        /// What, as it is shown.
        what: String,
        /// How much is read.
        most: usize,
    },
    /// A file cannot be written.
    #[error("{}: cannot be written: {source}", visible_line(&.path.to_string_lossy()))]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A version that git has to merge.
    #[error("{file}: this version is {what}, so git has to merge it")]
    NotMergeable {
        /// The file, as it is shown.
        file: String,
        /// What it is.
        what: &'static str,
    },
    /// A folder in which nothing is checked out.
    #[error("{folder}: this is git's own folder, without a work tree; keep discussions elsewhere")]
    NoWorkTree {
        /// The folder, as it is shown.
        folder: String,
    },
    /// No folder for what need not be kept.
    #[error("cannot create a temporary folder: {0}")]
    NoTemporary(io::Error),
}

impl WorkspaceError {
    /// The standard code (`docs/scripting.md`, the table of error codes).
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
            // The system's or the discussion's own, where nobody asked for anything wrong.
            Self::Watch(_) | Self::Folder { .. } | Self::Io(_) => ErrorCode::InvalidState,
            Self::Closed | Self::LastPhase { .. } => ErrorCode::InvalidState,
            other if other.kind() == ErrorKind::System => ErrorCode::InvalidState,
            _ => ErrorCode::InvalidInput,
        }
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NoProvider { .. } | Self::TooFewProviders { .. } => ErrorKind::NoAnswer,
            Self::Unaffordable(_) => ErrorKind::Limit,
            Self::Unrecorded { error, .. } => error.kind(),
            Self::Store(error) if error.is_input() => ErrorKind::Input,
            // A wrong name or a wrong text is the caller's.
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

    /// Whether trying again may help without changing anything.
    pub fn retryable(&self) -> bool {
        matches!(self, Self::Store(StoreError::Locked { .. } | StoreError::Running { .. }))
    }

    /// Whether somebody named a provider, or somebody to take part, whom nobody knows.
    pub fn names_nobody(&self) -> bool {
        matches!(
            self,
            Self::Provider(_) | Self::Seat(SeatError::Provider(_) | SeatError::Unknown { .. })
        )
    }

    /// What is wrong, without [`WorkspaceError::help`], for who tells that in words of their own.
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
                super::templates::no_template(asked, page.as_deref())
            }
            Self::Create(CreateError::UnknownParameter { template, asked, .. }) => {
                format!("the template `{template}` has no parameter `{asked}`")
            }
            Self::Phase { asked, .. } => format!("there is no phase `{asked}`"),
            Self::Vote { asked, .. } => format!("`{asked}` is not an option"),
            Self::NotTrusted(error) => format!("{error} ({})", self.code().as_str()),
            Self::NoProvider { tried, ready } => super::error_kind::no_model(tried, ready),
            other => other.to_string(),
        }
    }
}

/// Why something could not be read.
fn unread(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        _ => format!("cannot be read: {source}"),
    }
}

/// An error in a text without its hint.
fn bare(error: &LoadError) -> String {
    LoadError { hint: None, ..error.clone() }.to_string()
}

fn nobody(error: &ResolveError) -> String {
    match error {
        ResolveError::Broken(error) => bare(error),
        ResolveError::Unknown { asked, .. } => format!("no participant is called `{asked}`"),
    }
}

impl From<TrustError> for WorkspaceError {
    fn from(error: TrustError) -> Self {
        match error {
            TrustError::NotTrusted(error) => error.into(),
            TrustError::Open(error) => error.into(),
        }
    }
}

impl From<DiscussionConfigError> for WorkspaceError {
    fn from(error: DiscussionConfigError) -> Self {
        Self::Snapshot(error.into())
    }
}
