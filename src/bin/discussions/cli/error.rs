//! The one place that turns the library's typed errors into words, hints and exit codes.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anstyle::AnsiColor;
use discussions::codes::ErrorCode;
use discussions::config::ConfigError;
use discussions::config::participants::EditError;
use discussions::participant::ResolveError;
use discussions::provider::{LedgerError, NotTrusted, UnknownProvider};
use discussions::runner::RunError;
use discussions::store::StoreError;
use discussions::workspace::{CreateError, SeatError, WorkspaceError};
use discussions::yaml::LoadError;

use crate::cli::denied;
use crate::cli::ui::{Line, Ui, spelt};
use crate::cli::words;

/// How the program ends (README, "Exit codes").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// The answer is no.
    No = 1,
    /// Wrong usage.
    Usage = 2,
    /// Bad input or configuration.
    Input = 3,
    /// No provider could answer.
    NoAnswer = 4,
    /// The system refused.
    Io = 5,
    /// Somebody stopped it.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// What went wrong, for people.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
    help: Option<String>,
}

impl Failure {
    fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), help: None }
    }

    /// Arguments that do not go together.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// Input or configuration that cannot be used.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Exit::Input, message)
    }

    /// The system refused.
    pub(crate) fn io(message: impl Into<String>) -> Self {
        Self::new(Exit::Io, message)
    }

    /// A file that the system does not let be read or written.
    pub(crate) fn file(path: &Path, cannot: &str, error: &io::Error) -> Self {
        let message = format!("{}: cannot be {cannot}: {error}", spelt(path));
        Self { help: denied::help(path, error.kind()), ..Self::io(message) }
    }

    /// The same with a way to mend it.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Tells it as something that stops nothing.
    pub(crate) fn warn(&self, ui: &mut Ui) {
        ui.warning(self.message.as_str());
        if let Some(help) = &self.help {
            ui.hint("help", help.as_str());
        }
    }

    /// Tells it, paths shortened by the working folder, and how the program ends.
    pub(crate) fn report(&self, ui: &mut Ui, folder: Option<&Path>) -> Exit {
        let short = |text: &str| match folder {
            Some(folder) => text.replace(&format!("{}/", spelt(folder)), ""),
            None => text.to_owned(),
        };
        let error = Line::default().colour(AnsiColor::Red, "error").text(": ");
        ui.note(error.text(short(&self.message)));
        if let Some(help) = &self.help {
            ui.hint("help", short(help));
        }
        self.exit
    }
}

fn did_you_mean(nearest: &[String]) -> Option<String> {
    let names: Vec<String> = nearest.iter().take(3).map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        let help = words::hint_of(&error);
        let shown = LoadError { hint: None, ..error };
        Self { help, ..Self::input(shown.to_string()) }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        match error {
            ConfigError::Load(error) => error.into(),
            ConfigError::Outside(_) => Self::input(error.to_string()),
            ConfigError::Read { ref path, ref source } => {
                Self { help: denied::help(path, source.kind()), ..Self::io(error.to_string()) }
            }
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::NotFound { path, near } => {
                let near: Vec<String> = near.iter().map(|path| spelt(path)).collect();
                let help = did_you_mean(&near).unwrap_or_else(|| words::LIST.to_owned());
                Self::input(format!("{}: no such discussion", spelt(path))).help(help)
            }
            error if error.is_input() => Self::input(error.to_string()),
            StoreError::Denied { path } => {
                let message = format!("{}: permission denied", spelt(path));
                Self { help: denied::help_for(&error), ..Self::io(message) }
            }
            error => Self { help: denied::help_for(error), ..Self::io(error.to_string()) },
        }
    }
}

impl From<ResolveError> for Failure {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::Broken(error) => (*error).into(),
            ResolveError::Unknown { asked, nearest } => nobody(&asked, &nearest),
        }
    }
}

/// Nobody is called so.
pub(crate) fn nobody(asked: &str, nearest: &[String]) -> Failure {
    let help = did_you_mean(nearest).unwrap_or_else(|| words::PARTICIPANTS.to_owned());
    Failure::input(format!("nobody is called `{asked}`")).help(help)
}

impl From<UnknownProvider> for Failure {
    fn from(error: UnknownProvider) -> Self {
        let help = did_you_mean(&error.nearest).unwrap_or_else(|| words::PROVIDERS.to_owned());
        Self::input(format!("there is no provider `{}`", error.name)).help(help)
    }
}

impl From<SeatError> for Failure {
    fn from(error: SeatError) -> Self {
        match error {
            SeatError::Unknown { asked, nearest } => nobody(&asked, &nearest),
            SeatError::Persona(error) => error.into(),
            SeatError::Provider(error) => error.into(),
            other => Self::input(other.to_string()),
        }
    }
}

impl From<EditError> for Failure {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Unknown(error) => error.into(),
            EditError::Write(error) => error.into(),
            EditError::Wrong { error, rejected } => {
                let kept = format!(
                    "what was in force stays; your text is kept in {}, and the next edit goes on with it",
                    error.origin
                );
                let hints = words::hint_of(&error).into_iter().chain(rejected.then_some(kept));
                let help = hints.collect::<Vec<_>>().join("\nhelp: ");
                Self { help: Some(help).filter(|help| !help.is_empty()), ..error.into() }
            }
            EditError::File { ref path, ref source } => {
                Self { help: denied::help(path, source.kind()), ..Self::io(error.to_string()) }
            }
            other => Self::input(words::edit(&other)),
        }
    }
}

impl From<WorkspaceError> for Failure {
    fn from(error: WorkspaceError) -> Self {
        match error {
            WorkspaceError::Config(error) => error.into(),
            WorkspaceError::Load(error) => error.into(),
            WorkspaceError::Store(error) => error.into(),
            WorkspaceError::Seat(error) => error.into(),
            WorkspaceError::Template { ref asked, ref nearest } => {
                let help = did_you_mean(nearest).or_else(|| words::workspace_help(&error));
                Self { help, ..Self::input(format!("there is no template `{asked}`")) }
            }
            WorkspaceError::Create(CreateError::UnknownParameter {
                ref template,
                ref asked,
                ref nearest,
            }) => {
                let help = did_you_mean(nearest).or_else(|| words::workspace_help(&error));
                let message = format!("the template `{template}` has no parameter `{asked}`");
                Self { help, ..Self::input(message) }
            }
            WorkspaceError::Phase { ref asked, .. } => Self {
                help: words::workspace_help(&error),
                ..Self::input(format!("there is no phase `{asked}`"))
            },
            WorkspaceError::Vote { ref asked, .. } => Self {
                help: words::workspace_help(&error),
                ..Self::input(format!("`{asked}` cannot be voted for here"))
            },
            other => Self {
                help: words::workspace_help(&other),
                ..Self::input(words::workspace(&other))
            },
        }
    }
}

impl From<NotTrusted> for Failure {
    fn from(error: NotTrusted) -> Self {
        let code = ErrorCode::NotTrusted.as_str();
        Self::input(format!("{error} ({code})")).help(words::TRUST)
    }
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        let help = match &error {
            LedgerError::Unsafe { path, .. } => {
                Some(format!("look at {}, and take it away", path.display()))
            }
            LedgerError::Io { path, error } => denied::help(path, error.kind()),
        };
        Self { help, ..Self::io(error.to_string()) }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Workspace(error) => error.into(),
            RunError::Store(error) => error.into(),
            RunError::Snapshot(error) => WorkspaceError::from(error).into(),
            RunError::Provider(error) => error.into(),
            RunError::Open(error) => Self::input(error.to_string()),
            RunError::NotTrusted(error) => error.into(),
            RunError::NoProvider { tried } => {
                let mut message = "no model program is installed that could answer".to_owned();
                for line in tried {
                    message.push_str(&format!("\n  {line}"));
                }
                Self::new(Exit::NoAnswer, message).help(words::NO_PROVIDER)
            }
            RunError::TooFewProviders { .. } => Self::new(Exit::NoAnswer, error.to_string()),
            RunError::NoAsker | RunError::Person(_) | RunError::Limit(..) => {
                Self::input(error.to_string())
            }
        }
    }
}
