//! A discussion in a command that can be copied: by its shortest name, where it is looked for, with who answers.

use std::path::Path;

use discussions::workspace::Workspace;

use crate::cli::shell::Shell;
use crate::cli::words::typed::typed;

/// How a discussion is called.
pub(crate) struct Called {
    program: String,
    name: String,
    provider: Option<String>,
}

impl Called {
    /// By the shortest name that finds it from where the program was started.
    pub(crate) fn of(shell: &Shell, workspace: &Workspace, path: &Path) -> Self {
        let name = typed(&workspace.name(path)).into_owned();
        Self { program: shell.outside.program(), name, provider: None }
    }

    /// The same where one provider answers for everybody: it is to answer the next time too.
    pub(crate) fn through(self, provider: Option<&str>) -> Self {
        Self { provider: provider.map(|provider| typed(provider).into_owned()), ..self }
    }

    /// The name, as a shell takes it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// A verb of the program with this discussion, as it is typed.
    pub(crate) fn command(&self, verb: &str, more: &str) -> String {
        let Self { program, name, provider } = self;
        let blank = if more.is_empty() { "" } else { " " };
        let provider = provider.as_ref().filter(|_| ["run", "turn"].contains(&verb));
        let provider = provider.map(|provider| format!(" --provider {provider}"));
        format!("{program} {verb} {name}{blank}{more}{}", provider.unwrap_or_default())
    }
}
