//! The summary of a discussion, as a `.sum.md` file beside it.

use std::path::Path;

use super::Workspace;
use super::error::WorkspaceError;
use crate::store;
use crate::view::ResultDocument;

impl Workspace {
    /// Writes the summary beside a discussion, if the configuration wants one. Every change of a discussion calls this.
    /// The discussion is already stored, so a failure is not an error: returns the reason why there is no summary.
    pub fn summarize(&self, path: &Path) -> Option<String> {
        if self.setup.config.output.summary_files != Some(true) {
            return None;
        }
        let text = match self.page(path) {
            Ok(text) => text,
            Err(error) => return Some(error.to_string()),
        };
        let beside = path.with_extension("sum.md");
        // Links to the folder are followed. A link in the place of the summary itself is replaced and never followed.
        let folder = match self.place(beside.parent().unwrap_or(Path::new("."))) {
            Ok(folder) => folder,
            Err(error) => return Some(error.to_string()),
        };
        let file = folder.real().join(beside.file_name().unwrap_or_default());
        store::replace_at(&file, &text).err().map(|error| error.to_string())
    }

    /// Returns the result of a discussion as Markdown, with the outcome first.
    ///
    /// # Errors
    /// Fails like [`Workspace::status`].
    pub fn page(&self, name: &Path) -> Result<String, WorkspaceError> {
        let path = self.find(name)?;
        let snapshot = self.snapshot(&path)?;
        let result = ResultDocument::of(&snapshot, &self.shown_path(&path))?;
        let (cost, within_ms) = self.tree_spent(&path, &snapshot);
        Ok(result.with_cost(&cost, within_ms).page(&snapshot))
    }
}
