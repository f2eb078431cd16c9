//! What every verb is given.

use std::path::Path;
use std::sync::Arc;

use discussions::workspace::Workspace;

use crate::cli::error::Failure;
use crate::cli::notices::Notices;
use crate::cli::surroundings::Outside;
use crate::cli::ui::{Ui, spelt};

/// The terminal and the machine.
pub(crate) struct Shell {
    pub(crate) ui: Ui,
    pub(crate) outside: Outside,
    pub(crate) notices: Notices,
}

impl Shell {
    /// Configuration, personas, templates and providers of the working folder.
    pub(crate) fn workspace(&self) -> Result<Arc<Workspace>, Failure> {
        Ok(Arc::new(self.outside.open()?))
    }

    /// Who writes: the one named on the command line, else the person at the keyboard.
    pub(crate) fn author(
        &self,
        workspace: &Workspace,
        named: Option<&str>,
    ) -> Result<String, Failure> {
        Ok(workspace.author(named, || self.outside.login())?)
    }

    /// A path as people should see it.
    pub(crate) fn shown(&self, path: &Path) -> String {
        spelt(self.below(path))
    }

    fn below<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.outside.folder).unwrap_or(path)
    }

    /// Tells why the summary beside a discussion could not be written. The discussion itself is safe by then.
    pub(crate) fn summary(&mut self, failed: Option<&str>) {
        if let Some(reason) = failed {
            self.ui.warning(format!("the summary was not written: {reason}"));
        }
    }
}
