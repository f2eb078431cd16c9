//! The one place that turns the library's typed errors into words, hints and exit codes.

use std::path::Path;
use std::process::ExitCode;

use anstyle::AnsiColor;
use discussions::codes::ErrorCode;
use discussions::workspace::{ErrorKind, Workspace, WorkspaceError};

use crate::cli::json::Wanted;
use crate::cli::ui::{Line, Ui, spelt};
use crate::cli::words;

/// How the program ends (`docs/scripting.md`, the table of exit codes).
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
    code: ErrorCode,
    message: String,
    help: Option<String>,
    /// Whether the same again may help, though its code does not say so.
    passing: bool,
    /// Somebody was named whom a file might define that is not read.
    names_nobody: bool,
}

impl Failure {
    fn new(exit: Exit, message: impl Into<String>) -> Self {
        // The code of what the system refused is that of a state, and of nothing that was asked for.
        let code = if exit == Exit::Io { ErrorCode::InvalidState } else { ErrorCode::InvalidInput };
        Self {
            exit,
            code,
            message: message.into(),
            help: None,
            passing: false,
            names_nobody: false,
        }
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

    /// The same with help, if the error brings none of its own.
    pub(crate) fn help_unless_known(self, help: &str) -> Self {
        Self { help: self.help.or_else(|| Some(help.to_owned())), ..self }
    }

    /// The same with the discussion that it is about, as a shell takes it, where the help leaves that open.
    pub(crate) fn naming(self, name: &str) -> Self {
        Self { help: self.help.map(|help| help.replace("FILE", name)), ..self }
    }

    /// The same with why a definition beside the discussions does not help.
    pub(crate) fn in_folder(self, folder: &Path) -> Self {
        if !(self.names_nobody && Workspace::passes_over_providers(folder)) {
            return self;
        }
        let why = "providers.yaml is ignored because this folder is not a project; `discussions init` makes it one";
        Self { help: Some(why.to_owned()), ..self }
    }

    /// The same in words: what, and what mends it.
    #[cfg(feature = "ui")]
    pub(crate) fn words(self) -> (String, Option<String>) {
        (self.message, self.help)
    }

    /// Tells it as something that stops nothing.
    pub(crate) fn warn(&self, ui: &mut Ui) {
        ui.warning(self.message.as_str());
        if let Some(help) = &self.help {
            ui.hint("help", help.as_str());
        }
    }

    /// Tells it, paths shortened by the working folder, and how the program ends. Where the result was wanted as JSON,
    /// this
    /// is the result.
    pub(crate) fn report(&self, ui: &mut Ui, folder: Option<&Path>, wanted: Wanted) -> Exit {
        let folder = folder.map(spelt);
        let short = |text: &str| match &folder {
            Some(folder) => shortened(text, folder),
            None => text.to_owned(),
        };
        let error = Line::default().colour(AnsiColor::Red, "error").text(": ");
        ui.insist_wrapped(error.then(Line::told(short(&self.message))));
        if let Some(help) = &self.help {
            ui.insist_wrapped(Line::hint("help", Line::told(short(help))));
        }
        if !ui.has_told() {
            let hint = self.help.as_deref().map(short);
            let mut document = self.code.refused(short(&self.message), hint);
            document.error.retryable |= self.passing;
            ui.json_as(wanted, &document);
        }
        self.exit
    }
}

impl From<WorkspaceError> for Failure {
    fn from(error: WorkspaceError) -> Self {
        Self::from(&error)
    }
}

impl From<&WorkspaceError> for Failure {
    fn from(error: &WorkspaceError) -> Self {
        let exit = match error.kind() {
            ErrorKind::Input => Exit::Input,
            ErrorKind::NoAnswer => Exit::NoAnswer,
            ErrorKind::Limit => Exit::No,
            ErrorKind::System => Exit::Io,
        };
        let (code, passing, names_nobody) = (error.code(), error.retryable(), error.names_nobody());
        let (message, help) = words::told(error.message(), &error.help());
        Self { exit, code, message, help, passing, names_nobody }
    }
}

/// A text whose paths below a folder begin there. What only ends like the folder's path is another's.
fn shortened(text: &str, folder: &str) -> String {
    let below = format!("{}/", folder.trim_end_matches('/'));
    if below == "/" {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(&below) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let is_longer = out.ends_with(|c: char| c.is_alphanumeric() || "/.-_~".contains(c));
        out.push_str(if is_longer { &below } else { "" });
        rest = &found[below.len()..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_below_the_folder_are_shortened() {
        let text = "/a/b/c.md: wrong; see `/a/b/d`, /x/a/b/c and https://host/a/b/c";
        let short = "c.md: wrong; see `d`, /x/a/b/c and https://host/a/b/c";
        assert_eq!(shortened(text, "/a/b"), short);
        assert_eq!(shortened(text, "/"), text);
    }
}
