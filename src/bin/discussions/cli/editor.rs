//! Runs the user's own editor.

use std::fs;
use std::io::IsTerminal as _;
use std::path::Path;

use crate::cli::environment::HostEnvironment;
use crate::cli::error::CommandError;

/// The line below which text is shown to the user but ignored.
const SCISSORS: &str = "------ >8 ------ everything below this line is ignored ------";

/// Ensures that the program runs in a terminal. An editor on a pipe fills logs with codes and waits for keys that never
/// come.
pub(crate) fn insist_on_terminal() -> Result<(), CommandError> {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return Ok(());
    }
    Err(CommandError::usage("cannot open an editor without a terminal")
        .help("give the text on the command line, or pipe it in and give `-`"))
}

/// Opens a file in the editor, and waits until the editor ends.
pub(crate) fn open(outside: &HostEnvironment, path: &Path) -> Result<(), CommandError> {
    insist_on_terminal()?;
    let line = outside.editor();
    let help = "set VISUAL or EDITOR to a text editor";
    let words = shell_words::split(&line).map_err(|error| {
        CommandError::input(format!("the editor command `{line}` is not valid: {error}")).help(help)
    })?;
    let (program, args) =
        words.split_first().ok_or_else(|| CommandError::input("no editor is set").help(help))?;
    let status = outside.command(program).args(args).arg(path).status().map_err(|error| {
        CommandError::io(format!("cannot start the editor `{line}`: {error}")).help(help)
    })?;
    if status.success() {
        return Ok(());
    }
    Err(CommandError::io(format!("the editor `{line}` failed ({status}); nothing was written")))
}

/// Lets the user write a text. `remarks` are shown below it and are not part of the text.
pub(crate) fn write(
    outside: &HostEnvironment,
    text: &str,
    remarks: &str,
) -> Result<String, CommandError> {
    let text = format!("{text}\n\n{SCISSORS}\n{remarks}");
    let edited = edit(outside, Path::new("comment.md"), &text)?;
    let end = edited.find(SCISSORS).unwrap_or(edited.len());
    Ok(edited[..end].trim().to_owned())
}

/// Lets the user edit a text in a temporary file of this name.
pub(crate) fn edit(
    outside: &HostEnvironment,
    name: &Path,
    text: &str,
) -> Result<String, CommandError> {
    let failed = |error: std::io::Error| {
        CommandError::io(format!("cannot create a temporary file: {error}"))
    };
    let folder = outside.temporary_folder().map_err(failed)?;
    let path = folder.as_ref().join(name);
    fs::write(&path, text).map_err(failed)?;
    open(outside, &path)?;
    fs::read_to_string(&path)
        .map_err(|error| CommandError::io(format!("cannot read the edited file: {error}")))
}
