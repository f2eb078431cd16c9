//! The result of a discussion as a page of its own beside it, for `.sum.md` files.

use std::path::Path;

use super::Workspace;
use super::error::WorkspaceError;
use crate::store;
use crate::view::ResultDocument;

impl Workspace {
    /// Writes the summary beside a discussion, where the configuration wants one, as every change does by itself. The
    /// discussion is safe by then, so a failure is no error: gives why there is no summary.
    pub fn summarize(&self, path: &Path) -> Option<String> {
        if self.setup.config.output.summary_files != Some(true) {
            return None;
        }
        let text = match self.page(path) {
            Ok(text) => text,
            Err(error) => return Some(error.to_string()),
        };
        let beside = path.with_extension("sum.md");
        // The folder's links are followed; a link in the summary's own place is replaced, never followed.
        let folder = match self.place(beside.parent().unwrap_or(Path::new("."))) {
            Ok(folder) => folder,
            Err(error) => return Some(error.to_string()),
        };
        let file = folder.real().join(beside.file_name().unwrap_or_default());
        store::replace_at(&file, &text).err().map(|error| error.to_string())
    }

    /// What a discussion came to, as a page of Markdown with the outcome first.
    ///
    /// # Errors
    /// As [`Workspace::status`].
    pub fn page(&self, name: &Path) -> Result<String, WorkspaceError> {
        let path = self.find(name)?;
        let snapshot = self.snapshot(&path)?;
        let result = ResultDocument::of(&snapshot, &self.shown(&path))?;
        let (cost, within_ms) = self.tree_spent(&path, &snapshot);
        Ok(result.with_cost(&cost, within_ms).page(&snapshot))
    }
}
