//! What every tool goes through: the library's door, confined to one folder and to what is allowed.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use discussions::runner::Trust;
use discussions::store::StoreError;
use discussions::workspace::{Workspace, WorkspaceError};

use super::Allowed;
use super::elicit::Questions;
use super::root::Root;
use super::runs::Runs;
use super::trouble::Trouble;
use crate::cli::error::Failure;
use crate::cli::surroundings::{Asked, Outside};

/// The folder that is served.
pub(super) struct Door {
    outside: Outside,
    root: Root,
    pub(super) allowed: Allowed,
    pub(super) runs: Arc<Runs>,
    /// Questions for people that clients were given.
    pub(super) questions: Questions,
}

impl Door {
    pub(super) fn new(outside: Outside, allowed: Allowed) -> Result<Self, Failure> {
        let root = Root::of(&outside.folder)
            .map_err(|error| Failure::io(format!("cannot serve the folder: {error}")))?;
        let (runs, questions) = (Arc::new(Runs::new(allowed.max_usd)), Questions::default());
        Ok(Self { outside, root, allowed, runs, questions })
    }

    /// The workspace as it is now: people change configuration and personas while the server runs.
    pub(super) fn open(&self) -> Result<Arc<Workspace>, Trouble> {
        Ok(Arc::new(self.outside.open()?.for_agents(Some(self.root.folder().to_owned()))))
    }

    /// The same for whoever asks models or writes.
    pub(super) fn open_to_write(&self) -> Result<Arc<Workspace>, Trouble> {
        if self.allowed.read_only {
            return Err(Trouble::read_only());
        }
        let workspace = self.open()?;
        self.root.insist(&workspace.output_directory())?;
        Ok(workspace)
    }

    /// The discussion that is meant.
    pub(super) fn find(&self, workspace: &Workspace, name: &str) -> Result<PathBuf, Trouble> {
        // Before it is looked for: what is said of a name outside would tell what is there.
        self.root.insist(&self.outside.folder.join(name))?;
        let kept = workspace.output_directory();
        if self.root.insist(&kept).is_ok() {
            self.root.insist(&kept.join(name))?;
        }
        let found = workspace.find(Path::new(name)).map_err(|error| self.without_others(error));
        self.root.insist(&found?)
    }

    /// The error without names of files outside of the folder.
    fn without_others(&self, error: WorkspaceError) -> WorkspaceError {
        match error {
            WorkspaceError::Store(StoreError::NotFound { path, mut near }) => {
                near.retain(|one| self.root.insist(&self.outside.folder.join(one)).is_ok());
                WorkspaceError::Store(StoreError::NotFound { path, near })
            }
            other => other,
        }
    }

    /// A file that somebody named, which need not be there, as a path from the folder: what is recorded of it means the same
    /// on every machine.
    pub(super) fn file(&self, name: &str) -> Result<PathBuf, Trouble> {
        let real = self.root.insist(&self.outside.folder.join(name))?;
        Ok(self.root.within(&real))
    }

    /// In which discussion whoever started this server is asked at this moment.
    pub(super) fn asked(&self) -> Option<Asked> {
        self.outside.asked()
    }

    /// Files, folders and patterns that somebody named.
    pub(super) fn files(&self, patterns: Vec<String>) -> Result<Vec<String>, Trouble> {
        for pattern in &patterns {
            let whole = self.outside.folder.join(pattern);
            let is_path = whole.symlink_metadata().is_ok();
            let plain = |part: &Component<'_>| {
                is_path || !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{'])
            };
            if whole.components().any(|part| part == Component::ParentDir) {
                return Err(Trouble::input(format!("`{pattern}` leads out of the served folder"))
                    .help("name files inside the served folder"));
            }
            // What a pattern finds is no link, so where it begins decides.
            self.root.insist(&whole.components().take_while(plain).collect::<PathBuf>())?;
        }
        Ok(patterns)
    }

    /// Which definitions of the project may be called: nobody can be asked here.
    pub(super) fn trust(&self) -> Trust {
        self.outside.trust()
    }
}
