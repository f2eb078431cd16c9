//! Finds the repository of a folder without git. Only a `.git` entry counts.
//!
//! Git itself accepts any folder with the layout of a repository, and such a folder can be committed as ordinary files,
//! together with a configuration. But nothing named `.git` can be committed.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the canonical path of the nearest folder at or above `folder` that contains `.git`, and the path from there
/// to `folder`, ending in `/` unless empty. `None` without a `.git`, or if `folder` is among git's own files.
pub(super) fn of(folder: &Path) -> Option<(PathBuf, String)> {
    let folder = fs::canonicalize(folder).ok()?;
    let top =
        folder.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok())?;
    let within = folder.strip_prefix(top).ok()?;
    if is_gits(within) {
        return None;
    }
    let prefix = within.iter().map(|part| format!("{}/", part.to_string_lossy())).collect();
    Some((top.to_owned(), prefix))
}

/// Returns true if a path leads through a folder named `.git`.
pub(super) fn is_gits(path: &Path) -> bool {
    path.iter().any(|part| part.eq_ignore_ascii_case(".git"))
}
