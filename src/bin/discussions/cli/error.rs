//! The only place that converts the library's typed errors into messages, hints and exit codes. It also explains
//! missing permissions.

use std::path::Path;
use std::process::ExitCode;

use anstyle::AnsiColor;
use discussions::codes::ErrorCode;
use discussions::workspace::{ErrorKind, Workspace, WorkspaceError};

use crate::cli::flags::OutputRequest;
use crate::cli::ui::{Line, Ui, spelt};
use crate::cli::words;

/// The exit codes of the program (`docs/scripting.md`, the table of exit codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success.
    Done = 0,
    /// The answer is no.
    No = 1,
    /// Wrong usage.
    Usage = 2,
    /// Wrong input or configuration.
    Input = 3,
    /// No provider could answer.
    NoAnswer = 4,
    /// The system failed.
    Io = 5,
    /// The user or a signal interrupted the command.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A failure, as it is reported to people.
#[derive(Debug)]
pub(crate) struct CommandError {
    exit: Exit,
    code: ErrorCode,
    message: String,
    help: Option<String>,
    /// A retry may succeed, although the code does not say so.
    passing: bool,
    /// An unknown participant or provider was named, which an ignored file might define.
    names_nobody: bool,
}

impl CommandError {
    fn new(exit: Exit, message: impl Into<String>) -> Self {
        // A failure of the system has the code `InvalidState`, because the user's input was not wrong.
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

    /// Returns a failure for wrong usage, such as arguments that exclude each other.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// Returns a failure for input or configuration that cannot be used.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Exit::Input, message)
    }

    /// Returns a failure of the system.
    pub(crate) fn io(message: impl Into<String>) -> Self {
        Self::new(Exit::Io, message)
    }

    /// Returns the failure as wrong usage.
    pub(crate) fn into_usage(self) -> Self {
        Self { exit: Exit::Usage, ..self }
    }

    /// Adds a fix to the failure.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Returns the error with this help, if it has no help yet.
    pub(crate) fn help_unless_known(self, help: &str) -> Self {
        Self { help: self.help.or_else(|| Some(help.to_owned())), ..self }
    }

    /// Puts the name of the discussion, quoted for a shell, in place of `FILE` in the help.
    pub(crate) fn naming(self, name: &str) -> Self {
        Self { help: self.help.map(|help| help.replace("FILE", name)), ..self }
    }

    /// Adds the reason why a definition beside the discussions is ignored.
    pub(crate) fn in_folder(self, folder: &Path) -> Self {
        if !(self.names_nobody && Workspace::passes_over_providers(folder)) {
            return self;
        }
        let why = "providers.yaml is ignored because this folder is not a project; `discussions init` makes it one";
        Self { help: Some(why.to_owned()), ..self }
    }

    /// Returns the message and the fix.
    #[cfg(feature = "ui")]
    pub(crate) fn words(self) -> (String, Option<String>) {
        (self.message, self.help)
    }

    /// Prints the failure as a warning, because the command continues.
    pub(crate) fn warn(&self, ui: &mut Ui) {
        ui.warning(self.message.as_str());
        if let Some(help) = &self.help {
            ui.hint("help", help.as_str());
        }
    }

    /// Prints the failure, with paths relative to the working folder, and returns the exit code. If the user wants
    /// JSON, prints it as the result.
    pub(crate) fn report(&self, ui: &mut Ui, folder: Option<&Path>, wanted: OutputRequest) -> Exit {
        let folder = folder.map(spelt);
        let short = |text: &str| match &folder {
            Some(folder) => shortened(text, folder),
            None => text.to_owned(),
        };
        let error = Line::default().colour(AnsiColor::Red, "error").text(": ");
        ui.insist_wrapped(error.then(Line::with_commands(short(&self.message))));
        if let Some(help) = &self.help {
            ui.insist_wrapped(Line::hint("help", Line::with_commands(short(help))));
        }
        if !ui.has_told() {
            let hint = self.help.as_deref().map(short);
            let mut document = self.code.into_refused(short(&self.message), hint);
            document.error.retryable |= self.passing;
            ui.json_as(wanted, &document);
        }
        self.exit
    }
}

impl From<WorkspaceError> for CommandError {
    fn from(error: WorkspaceError) -> Self {
        Self::from(&error)
    }
}

impl From<&WorkspaceError> for CommandError {
    fn from(error: &WorkspaceError) -> Self {
        let exit = match error.kind() {
            ErrorKind::Input => Exit::Input,
            ErrorKind::NoAnswer => Exit::NoAnswer,
            ErrorKind::Limit => Exit::No,
            ErrorKind::System => Exit::Io,
        };
        let (code, passing, names_nobody) = (error.code(), error.retryable(), error.names_nobody());
        let (message, help) = words::help::message_and_hint(error.message(), &error.help());
        Self { exit, code, message, help, passing, names_nobody }
    }
}

/// Shortens the paths below a folder in a text. A path that only ends like the folder's stays as it is.
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

/// Returns a command that shows the owners of a path, or of its existing part, and of its folder.
pub(crate) fn who_may(path: &Path) -> String {
    let there = path.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    let folder = there.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut command = "check the permissions: ls -ld".to_owned();
    for path in [folder.unwrap_or(Path::new(".")), there] {
        command.push(' ');
        command.push_str(&shell_words::quote(&path.to_string_lossy()));
    }
    command
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

    #[test]
    fn nearest_existing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().display();
        let file = folder.path().join("not/there.md");
        let shown = who_may(&file);
        assert!(shown.ends_with(&format!(" {root}")), "{shown}");
        std::fs::create_dir(folder.path().join("not")).unwrap();
        std::fs::write(&file, "").unwrap();
        let shown = who_may(&file);
        assert_eq!(shown, format!("check the permissions: ls -ld {root}/not {root}/not/there.md"));
    }
}
