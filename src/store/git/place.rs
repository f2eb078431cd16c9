//! Which repository a folder belongs to, found without git: only what `.git` names counts.
//!
//! Git itself takes any folder for a repository that is laid out as one, and such a folder can be committed as ordinary
//! files, with a configuration in it. Nothing that is called `.git` can be committed.

use std::fs;
use std::path::{Path, PathBuf};

/// The nearest folder upwards that holds `.git`, canonical, and the way from there, with `/` at its end unless empty.
/// `None` where there is none, and among git's own files.
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

/// Whether a path leads through a folder of git's own.
pub(super) fn is_gits(path: &Path) -> bool {
    path.iter().any(|part| part.eq_ignore_ascii_case(".git"))
}
