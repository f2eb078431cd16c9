//! The context of all tools: it opens the workspace, confined to one folder and to the actions that the user allows.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use discussions::runner::Trust;
use discussions::workspace::{StoreError, Workspace, WorkspaceError};

use super::Allowed;
use super::elicit::Questions;
use super::error::McpError;
use super::root::Root;
use super::runs::Runs;
use crate::cli::environment::{CallingTurn, HostEnvironment};
use crate::cli::error::CommandError;

/// The served folder, with its permissions and runs.
pub(super) struct ServerContext {
    outside: HostEnvironment,
    root: Root,
    pub(super) allowed: Allowed,
    pub(super) runs: Arc<Runs>,
    /// The questions for people that were sent to clients.
    pub(super) questions: Questions,
}

impl ServerContext {
    pub(super) fn new(outside: HostEnvironment, allowed: Allowed) -> Result<Self, CommandError> {
        let root = Root::of(&outside.folder)
            .map_err(|error| CommandError::io(format!("cannot serve the folder: {error}")))?;
        let (runs, questions) = (Arc::new(Runs::new(allowed.max_usd)), Questions::default());
        Ok(Self { outside, root, allowed, runs, questions })
    }

    /// Opens the workspace with its current files, because people change configuration and personas while the server
    /// runs.
    pub(super) fn open(&self) -> Result<Arc<Workspace>, McpError> {
        Ok(Arc::new(self.outside.open()?.for_agents(Some(self.root.folder().to_owned()))))
    }

    /// Opens the workspace for a tool that calls models or writes.
    pub(super) fn open_to_write(&self) -> Result<Arc<Workspace>, McpError> {
        if self.allowed.read_only {
            return Err(McpError::read_only());
        }
        let workspace = self.open()?;
        self.root.insist(&workspace.output_directory())?;
        Ok(workspace)
    }

    /// Finds the discussion that a client names.
    pub(super) fn find(&self, workspace: &Workspace, name: &str) -> Result<PathBuf, McpError> {
        // Checked before the search: an error about a name outside of the folder would reveal which files exist there.
        self.root.insist(&self.outside.folder.join(name))?;
        let kept = workspace.output_directory();
        if self.root.insist(&kept).is_ok() {
            self.root.insist(&kept.join(name))?;
        }
        let found = workspace.find(Path::new(name)).map_err(|error| self.without_others(error));
        self.root.insist(&found?)
    }

    /// Returns the error without names of files outside of the folder.
    fn without_others(&self, error: WorkspaceError) -> WorkspaceError {
        match error {
            WorkspaceError::Store(StoreError::NotFound { path, mut near }) => {
                near.retain(|one| self.root.insist(&self.outside.folder.join(one)).is_ok());
                WorkspaceError::Store(StoreError::NotFound { path, near })
            }
            other => other,
        }
    }

    /// Returns the path of a file that a client names, relative to the folder, so that the recorded path is valid on
    /// every machine. The file need not exist.
    pub(super) fn file(&self, name: &str) -> Result<PathBuf, McpError> {
        let real = self.root.insist(&self.outside.folder.join(name))?;
        Ok(self.root.relative_path(&real))
    }

    /// Returns the discussion and turn for which the agent that started this server is answering, if any.
    pub(super) fn calling_turn(&self) -> Option<CallingTurn> {
        self.outside.calling_turn()
    }

    /// Checks the files, folders and patterns that a client names.
    pub(super) fn files(&self, patterns: Vec<String>) -> Result<Vec<String>, McpError> {
        for pattern in &patterns {
            let whole = self.outside.folder.join(pattern);
            let is_path = whole.symlink_metadata().is_ok();
            let plain = |part: &Component<'_>| {
                is_path || !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{'])
            };
            if whole.components().any(|part| part == Component::ParentDir) {
                return Err(McpError::input(format!("`{pattern}` leads out of the served folder"))
                    .help("name files inside the served folder"));
            }
            // The search for a pattern follows no links, so checking the folder where it begins is enough.
            self.root.insist(&whole.components().take_while(plain).collect::<PathBuf>())?;
        }
        Ok(patterns)
    }

    /// Returns which definitions of the project may be called. There is no user to ask here.
    pub(super) fn trust(&self) -> Trust {
        self.outside.trust()
    }
}
