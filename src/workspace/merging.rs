//! Merges two versions of a discussion as a merge driver of git.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::Workspace;
use super::error::WorkspaceError;
use super::folder::is_summary;
use crate::provider::guard_calls;
use crate::store;
use crate::transcript::{Head, visible_line};
use crate::view::{Merged, Renumbered};

impl Workspace {
    /// Returns true if the repository of a discussion, or of the folder of discussions, needs a merge driver that this
    /// clone lacks.
    pub fn lacks_merge_driver(&self, path: Option<&Path>) -> bool {
        let own = self.output_directory();
        let folder = path.and_then(Path::parent).unwrap_or(&own);
        let folder = if folder.is_dir() { folder } else { &self.setup.cwd };
        store::lacks_merge_driver(folder)
    }

    /// Waits until `input` ends, then ends the programs of a killed run; see
    /// [`Environment::guarded_by`](crate::provider::Environment::guarded_by). The marks of the run's calls begin with
    /// `run`.
    pub fn guard(input: impl std::io::BufRead, run: &str) {
        guard_calls(input, run);
    }

    /// Merges two versions with a common base into the file of `ours`. `named` is the file's path in the repository, if
    /// git passes it. If a person must resolve something, the file contains conflict lines. After an error, `ours` is
    /// unchanged.
    ///
    /// # Errors
    /// Fails if a version cannot be read, is not text or is not a regular file, or if `ours` cannot be written.
    pub fn merge(
        base: &Path,
        ours: &Path,
        theirs: &Path,
        named: Option<&Path>,
    ) -> Result<Merged, WorkspaceError> {
        let shown = |path: &Path| visible_line(&path.to_string_lossy());
        let mut merged = Merged { file: shown(named.unwrap_or(ours)), ..Merged::default() };
        if named.is_some_and(is_summary) {
            merged.is_summary = true;
            return Ok(merged);
        }
        let read = |path| read(path, &shown(named.unwrap_or(path)));
        let (base, our_text, their_text) = (read(base)?, read(ours)?, read(theirs)?);
        let text = match store::merge(&base, &our_text, &their_text) {
            Ok(text) => {
                // A comment on both sides is reported once.
                let sides = [&our_text, &their_text];
                let moved: BTreeSet<store::Renumbered> =
                    sides.iter().flat_map(|side| store::renumbered(side, &text)).collect();
                merged.renumbered = moved.into_iter().map(renumbered).collect();
                text
            }
            Err(conflict) => {
                merged.conflict = Some(conflict.to_string());
                conflict.marked
            }
        };
        // The write is atomic, so that git never merges an incomplete version later.
        store::replace(ours, &text)
            .map_err(|source| WorkspaceError::Unwritten { path: ours.to_owned(), source })?;
        Ok(merged)
    }
}

fn renumbered(one: store::Renumbered) -> Renumbered {
    let store::Renumbered { line, name, before, after } = one;
    Renumbered { line, name, before, after }
}

/// Reads one version. Git passes an empty file for a side that has no version.
fn read(path: &Path, shown: &str) -> Result<String, WorkspaceError> {
    let unread = |source| WorkspaceError::Unread { path: path.to_owned(), source };
    let refused = |what| WorkspaceError::NotMergeable { file: shown.to_owned(), what };
    // Checked before opening, because opening a pipe would block.
    let found = path.metadata().map_err(unread)?;
    if !found.is_file() && !found.is_dir() {
        return Err(refused("not a regular file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unread)?;
    file.take(store::LARGEST + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() as u64 > store::LARGEST {
        return Err(refused("larger than 1 GiB"));
    }
    let text = String::from_utf8(bytes).map_err(|_| refused("not UTF-8"))?;
    match Head::newer_format(&text) {
        Some(_) => Err(refused("of a newer format than this program knows")),
        None => Ok(text),
    }
}
