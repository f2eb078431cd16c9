//! What changed between commits, as a patch.

use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use thiserror::Error;

use super::command::git;
use super::place;
use crate::transcript::visible_line;

/// Why there is no patch.
#[derive(Debug, Error)]
pub enum PatchError {
    /// The folder is in no repository.
    #[error("{}: changes can be shown only in a git repository, and this folder is not in one", visible_line(.range))]
    NoRepository {
        /// What was asked for.
        range: String,
    },
    /// Git refused.
    #[error("{}: git cannot show these changes: {}", visible_line(.range), visible_line(.reason))]
    Refused {
        /// What was asked for.
        range: String,
        /// What git says.
        reason: String,
    },
    /// Bytes that are no UTF-8.
    #[error("{}: the changes are not UTF-8 text", visible_line(.range))]
    NoText {
        /// What was asked for.
        range: String,
    },
    /// Git cannot be started or read from.
    #[error("cannot run git: {0}")]
    Io(#[from] std::io::Error),
}

/// The patch of a range of commits, or of one commit against the working tree, of the repository around a folder. It is
/// cut above `most` bytes, so that whoever asks can tell that it is too long.
///
/// # Errors
/// No repository there, no such commits, changes that are no text.
pub fn patch(folder: &Path, range: &str, most: usize) -> Result<String, PatchError> {
    let refused =
        |reason: &str| PatchError::Refused { range: range.to_owned(), reason: reason.to_owned() };
    let Some((top, _)) = place::of(folder) else {
        return Err(PatchError::NoRepository { range: range.to_owned() });
    };
    let mut command = git(&top);
    // Attributes name filters, and a repository's configuration says which programs they are.
    for filter in filters(&top)? {
        let driver = filter.rsplit_once('.').map_or("", |(driver, _)| driver);
        command.args(["-c", &format!("{filter}="), "-c", &format!("{driver}.required=false")]);
    }
    command.args([
        "diff",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=dirty",
    ]);
    command.args(["--src-prefix=a/", "--dst-prefix=b/", "--end-of-options", range, "--"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut bytes = Vec::new();
    if let Some(out) = child.stdout.take() {
        out.take(most as u64 + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() > most {
        child.kill()?;
        child.wait()?;
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    let ended = child.wait_with_output()?;
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        return Err(refused(said.lines().next().unwrap_or("git gave no reason")));
    }
    String::from_utf8(bytes).map_err(|_| PatchError::NoText { range: range.to_owned() })
}

/// The settings by which a repository names programs that would be run over the files of its working tree.
fn filters(top: &Path) -> Result<Vec<String>, PatchError> {
    let mut command = git(top);
    command.args([
        "config",
        "--null",
        "--name-only",
        "--get-regexp",
        r"^filter\..*\.(clean|smudge|process)$",
    ]);
    let listed = command.stderr(Stdio::null()).output()?.stdout;
    let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}
