//! Versions of discussions in git: in the index, or in a commit.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::repository::{Repository, literal};
use crate::store::error::StoreError;
use crate::store::private_files::Sidecar;

/// A file of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Staged {
    /// Its path in the working tree, even if it is not there.
    pub(crate) path: PathBuf,
    /// The content of the next commit, or `None` if it is too large to read.
    pub(crate) text: Option<String>,
}

/// Returns the files in git's index at a path or below it, without links. `index` is another index file than the
/// repository's own; git names one to its hooks. `None` without a repository.
///
/// # Errors
/// Fails if git fails.
pub(crate) fn staged(path: &Path, index: Option<&Path>) -> Result<Option<Vec<Staged>>, StoreError> {
    let fail =
        |source| StoreError::Io { path: path.to_owned(), doing: "reading git's index", source };
    let is_folder = path.is_dir();
    let folder = if is_folder { path } else { path.parent().unwrap_or(Path::new(".")) };
    let Some(repository) = Repository::find_repository(folder) else { return Ok(None) };
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let inner = repository.path_of(if is_folder { "" } else { &name });
    let literal = literal(inner.trim_end_matches('/'));
    let arguments = ["ls-files", "-z", "--cached", "--stage", "--full-name", "--", &literal];
    let listed = repository.ask_with_index(arguments, index).map_err(fail)?;
    let files = listed.split('\0').filter_map(|line| {
        let (about, within) = line.split_once('\t')?;
        let mut words = about.split(' ');
        let (mode, hash, stage) = (words.next()?, words.next()?, words.next()?);
        // Skips links, submodules, and the sides of a conflict, which cannot be committed.
        (mode.starts_with("100") && stage == "0").then(|| (hash.to_owned(), within.to_owned()))
    });
    let (hashes, paths): (Vec<String>, Vec<String>) = files.unzip();
    let mut found = Vec::with_capacity(paths.len());
    let top = repository.top();
    let outer = repository.path_of("");
    let read = repository.contents(&hashes, |at, text| {
        // Builds the path from the folder as the caller named it, not as git does.
        let within = paths[at].strip_prefix(&outer);
        let path = within.map_or_else(|| top.join(&paths[at]), |within| folder.join(within));
        found.push(Staged { path, text });
        ControlFlow::Continue(())
    });
    read.map_err(fail)?;
    Ok(Some(found))
}

/// Returns the commit that a name refers to, and the last commit that it has in common with `HEAD`, if the clone has
/// it.
///
/// # Errors
/// Returns [`StoreError::Revision`] without such a commit or without a repository.
pub(crate) fn revision(folder: &Path, name: &str) -> Result<(String, String), StoreError> {
    let unknown = || StoreError::Revision { revision: name.to_owned() };
    let repository = Repository::find_repository(folder).ok_or_else(unknown)?;
    let wanted = format!("{name}^{{commit}}");
    let asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
    let commit = repository.ask(asked).map_err(|_| unknown())?.trim().to_owned();
    let base = repository.ask(["merge-base", &commit, "HEAD"]).unwrap_or_default();
    let base = Some(base.trim().to_owned()).filter(|base| !base.is_empty());
    Ok((commit.clone(), base.unwrap_or(commit)))
}

/// Returns the content of a discussion in a commit, or `None` if it was not there.
///
/// # Errors
/// Fails if git fails.
pub(crate) fn version_at(path: &Path, commit: &str) -> Result<Option<String>, StoreError> {
    let sidecar = Sidecar::wherever(path)?;
    let folder = sidecar.folder.parent().unwrap_or(Path::new("."));
    let (Some(repository), Some(name)) =
        (Repository::find_repository(folder), sidecar.name().to_str())
    else {
        return Ok(None);
    };
    let mut found = None;
    let object = format!("{commit}:{}", repository.path_of(name));
    let read = repository.contents(&[object], |_, text| {
        found = text;
        ControlFlow::Break(())
    });
    let fail =
        |source| StoreError::Io { path: path.to_owned(), doing: "reading the git history", source };
    read.map_err(fail).map(|()| found)
}
