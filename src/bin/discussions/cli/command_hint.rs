//! Builds commands for the user to copy. They name the discussion by its shortest name, and the provider if one was
//! chosen.

use std::path::Path;

use discussions::workspace::Workspace;

use crate::cli::shell::Shell;
use crate::cli::words::typed::typed;

/// A discussion, as a command names it.
pub(crate) struct CommandHint {
    program: String,
    name: String,
    provider: Option<String>,
}

impl CommandHint {
    /// Uses the shortest name that finds the discussion from the folder in which the program was started.
    pub(crate) fn of(shell: &Shell, workspace: &Workspace, path: &Path) -> Self {
        let name = typed(&workspace.name(path)).into_owned();
        Self { program: shell.outside.program(), name, provider: None }
    }

    /// Adds the provider that answers for all participants, so that it also answers in the next command.
    pub(crate) fn with_provider(self, provider: Option<&str>) -> Self {
        Self { provider: provider.map(|provider| typed(provider).into_owned()), ..self }
    }

    /// Returns the name, quoted for a shell.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the command with this discussion, as the user types it.
    pub(crate) fn command(&self, verb: &str, more: &str) -> String {
        let Self { program, name, provider } = self;
        let blank = if more.is_empty() { "" } else { " " };
        let provider = provider.as_ref().filter(|_| ["run", "turn"].contains(&verb));
        let provider = provider.map(|provider| format!(" --provider {provider}"));
        format!("{program} {verb} {name}{blank}{more}{}", provider.unwrap_or_default())
    }
}
