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
    pub(crate) fn workspace(&mut self) -> Result<Arc<Workspace>, Failure> {
        let workspace = Arc::new(self.outside.open()?);
        if let Err(error) = workspace.insist_on_providers() {
            let error = error.to_string();
            let first = error.lines().next().unwrap_or_default();
            self.ui.warning(format!("nobody can be asked until this is mended: {first}"));
        }
        Ok(workspace)
    }

    /// The same for a verb that asks models, or is about who they are.
    pub(crate) fn asking_workspace(&mut self) -> Result<Arc<Workspace>, Failure> {
        let workspace = Arc::new(self.outside.open()?);
        workspace.insist_on_providers()?;
        if let Some(file) = workspace.ignored_providers() {
            self.ui.warning(format!(
                "{file} is not read: `discussions init` makes this folder a project, whose file it is then"
            ));
        }
        Ok(workspace)
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
