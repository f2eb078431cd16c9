//! The table of decisions in the README of a folder, so that a forge shows outcomes first.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Workspace;
use super::environment::link_between;
use super::error::WorkspaceError;
use crate::store::{self, LineEnd, StoreError};
use crate::transcript::parse;
use crate::view::{FileChange, decision_table, page_with_table};

/// The page that a forge shows with the folder.
const PAGE: &str = "README.md";

impl Workspace {
    /// Writes the decisions below a folder as a table into the folder's README, between two marks. Text outside of the
    /// marks stays; a missing page is created. Without a folder, uses the folder of new discussions.
    ///
    /// # Errors
    /// Fails like [`Workspace::list`], if the page is a discussion or not a text, if its marks are incomplete, for a
    /// merge conflict outside of the marks, and if the page cannot be written.
    pub fn write_decision_table(
        &self,
        folder: Option<&Path>,
    ) -> Result<FileChange, WorkspaceError> {
        let below = folder.map_or_else(|| self.output_directory(), |it| self.setup.cwd.join(it));
        let log = self.decisions(folder)?;
        let page = page_in(&below);
        let file = self.exactly(&page);
        let refused = |line: usize, reason: &str| WorkspaceError::NotOurs {
            place: format!("{}:{line}", self.shown_path(&page)),
            reason: reason.to_owned(),
        };
        let (real, old) = match self.open_with(&page, |place| {
            let read = store::read_at(place)?;
            Ok((place.real().to_owned(), Some(read)))
        }) {
            Err(WorkspaceError::Store(StoreError::NotFound { .. })) => {
                (self.place(&page)?.real().to_owned(), None)
            }
            read => read?,
        };
        let text = match &old {
            None => "",
            Some(read) => {
                read.insist_exact()?;
                read.text.as_str()
            }
        };
        let line_end = LineEnd::of(text).end("\n".to_owned());
        let table =
            decision_table(&log.decided, |to| link_between(&below, &self.setup.cwd.join(to)));
        let new = page_with_table(text, &table, &line_end)
            .map_err(|wrong| refused(wrong.line, &wrong.reason))?;
        // A conflict in the old table would look like a part of a discussion, so the new page is examined.
        if parse(new.as_str()).is_discussion() {
            return Err(refused(1, "this is a discussion; give it another name"));
        }
        let changed = old.is_none() || new != text;
        if changed {
            let failed =
                |source: io::Error| WorkspaceError::Unwritten { path: page.clone(), source };
            store::replace_at(&real, &new).map_err(failed)?;
        }
        Ok(FileChange { file, changed })
    }
}

/// Returns the README of a folder in whatever case its name is written, or else the path of a new one.
fn page_in(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let mut names: Vec<_> = names.filter(|name| name.eq_ignore_ascii_case(PAGE)).collect();
    names.sort();
    // Capital letters come first, so `README.md` is chosen if there are several.
    folder.join(names.first().map_or(Path::new(PAGE), Path::new))
}
