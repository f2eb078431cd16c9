//! Reads the changes between commits, as a patch.

use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use thiserror::Error;

use super::command::git;
use super::place;
use crate::transcript::visible_line;

/// The reason why there is no patch.
#[derive(Debug, Error)]
pub enum PatchError {
    /// The folder is in no repository.
    #[error("{}: changes can be shown only in a git repository, and this folder is not in one", visible_line(.range))]
    NoRepository {
        /// The requested range.
        range: String,
    },
    /// Git failed.
    #[error("{}: git cannot show these changes: {}", visible_line(.range), visible_line(.reason))]
    Refused {
        /// The requested range.
        range: String,
        /// Git's message.
        reason: String,
    },
    /// The changes are not valid UTF-8.
    #[error("{}: the changes are not UTF-8 text", visible_line(.range))]
    NoText {
        /// The requested range.
        range: String,
    },
    /// Git cannot be started, or its output cannot be read.
    #[error("cannot run git: {0}")]
    Io(#[from] std::io::Error),
}

/// Returns the patch of a range of commits, or of one commit against the working tree, in the repository around a
/// folder. A longer patch is cut to `most` + 1 bytes, so that the caller can see that it is too long.
///
/// # Errors
/// Fails without a repository, for unknown commits, or if the changes are not text.
pub fn patch(folder: &Path, range: &str, most: usize) -> Result<String, PatchError> {
    let refused =
        |reason: &str| PatchError::Refused { range: range.to_owned(), reason: reason.to_owned() };
    let Some((top, _)) = place::of(folder) else {
        return Err(PatchError::NoRepository { range: range.to_owned() });
    };
    let mut command = git(&top);
    // Attributes can name filters, and a repository's configuration can assign programs to them.
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

/// Returns the settings with which a repository names programs that git would run on files of the working tree.
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
