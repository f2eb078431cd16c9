//! The one place that turns the library's typed errors into words, hints and exit codes.

use std::path::Path;
use std::process::ExitCode;

use anstyle::AnsiColor;
use discussions::workspace::{ErrorKind, WorkspaceError};

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
            ui.note(Line::hint("help", short(help)));
        }
        self.exit
    }
}

impl From<WorkspaceError> for Failure {
    fn from(error: WorkspaceError) -> Self {
        let exit = match error.kind() {
            ErrorKind::Input => Exit::Input,
            ErrorKind::NoAnswer => Exit::NoAnswer,
            ErrorKind::System => Exit::Io,
        };
        let (message, help) = words::told(error.message(), &error.help());
        Self { exit, message, help }
    }
}
