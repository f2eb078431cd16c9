//! A person's own editor.

use std::fs;
use std::io::IsTerminal as _;
use std::path::Path;
use std::process::Command;

use crate::cli::error::Failure;
use crate::cli::surroundings::Outside;

/// What stands below this line is for the writer's eyes only.
const SCISSORS: &str = "------ >8 ------ everything below this line is ignored ------";

/// Insists that somebody sits at a terminal: an editor on a pipe fills logs with codes, and waits for keys that nobody
/// presses.
pub(crate) fn insist_on_terminal() -> Result<(), Failure> {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return Ok(());
    }
    Err(Failure::usage("cannot open an editor without a terminal")
        .help("give the text on the command line, or pipe it in and give `-`"))
}

/// Opens a file and waits until the editor ends.
pub(crate) fn open(outside: &Outside, path: &Path) -> Result<(), Failure> {
    insist_on_terminal()?;
    let line = outside.editor();
    let help = "set VISUAL or EDITOR to a text editor";
    let words = shell_words::split(&line).map_err(|error| {
        Failure::input(format!("the editor command `{line}` is not valid: {error}")).help(help)
    })?;
    let (program, args) =
        words.split_first().ok_or_else(|| Failure::input("no editor is set").help(help))?;
    let status = Command::new(program).args(args).arg(path).status().map_err(|error| {
        Failure::io(format!("cannot start the editor `{line}`: {error}")).help(help)
    })?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::io(format!("the editor `{line}` failed ({status}); nothing was written")))
}

/// Lets a person write a text; `remarks` are shown below and not part of it.
pub(crate) fn write(outside: &Outside, text: &str, remarks: &str) -> Result<String, Failure> {
    let text = format!("{text}\n\n{SCISSORS}\n{remarks}");
    let edited = edit(outside, Path::new("comment.md"), &text)?;
    let end = edited.find(SCISSORS).unwrap_or(edited.len());
    Ok(edited[..end].trim().to_owned())
}

/// Lets a person change a text, in a temporary file of this name.
pub(crate) fn edit(outside: &Outside, name: &Path, text: &str) -> Result<String, Failure> {
    let failed =
        |error: std::io::Error| Failure::io(format!("cannot create a temporary file: {error}"));
    let folder = tempfile::Builder::new()
        .prefix("discussions-")
        .tempdir_in(outside.temp())
        .map_err(failed)?;
    let path = folder.path().join(name);
    fs::write(&path, text).map_err(failed)?;
    open(outside, &path)?;
    fs::read_to_string(&path)
        .map_err(|error| Failure::io(format!("cannot read the edited file: {error}")))
}
