//! The names of a project's files: those that it has now, and those that differ between commits.

use std::io;
use std::path::Path;
use std::process::Stdio;

use super::command::git_without_filters;
use super::range::PatchError;
use super::repository::{self, Repository};
use crate::store::error::StoreError;

/// Returns the files below a folder, as paths from it: those that git tracks, and those that it would add. Leaves out
/// ignored files. `None` without a repository.
///
/// # Errors
/// Fails if git cannot list the files.
pub(crate) fn project_files(folder: &Path) -> Result<Option<Vec<String>>, StoreError> {
    let Some(repository) = Repository::find_repository(folder) else { return Ok(None) };
    let asked = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--full-name"];
    let listed = repository.ask(asked).map_err(|source: io::Error| StoreError::Io {
        path: folder.to_owned(),
        doing: "listing the files of the project",
        source,
    })?;
    Ok(Some(files_below(&listed, &repository.path_of(""))))
}

/// Returns the files below a folder that differ between commits, or between one commit and the working tree, as paths
/// from the folder. Of a renamed file, returns both names.
///
/// # Errors
/// Fails without a repository, or for unknown commits.
pub(crate) fn changed_files(folder: &Path, range: &str) -> Result<Vec<String>, PatchError> {
    let Some((top, prefix)) = repository::place_of(folder) else {
        return Err(PatchError::NoRepository { range: range.to_owned() });
    };
    let mut command = git_without_filters(&top)?;
    command.args([
        "diff",
        "-z",
        "--name-only",
        // A rename is then a removed file and a new one, so both names are listed.
        "--no-renames",
        "--no-relative",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=dirty",
        "--end-of-options",
        range,
        "--",
    ]);
    let ended = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        let reason = said.lines().next().unwrap_or("git gave no reason").to_owned();
        return Err(PatchError::Refused { range: range.to_owned(), reason });
    }
    Ok(files_below(&String::from_utf8_lossy(&ended.stdout), &prefix))
}

/// Returns the paths below a folder, relative to it.
fn files_below(listed: &str, prefix: &str) -> Vec<String> {
    let paths = listed.split('\0').filter_map(|path| path.strip_prefix(prefix));
    paths.filter(|path| !path.is_empty()).map(str::to_owned).collect()
}
