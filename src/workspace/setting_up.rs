//! Makes a folder a project, and sets its git repository up for discussions.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;

use super::Workspace;
use super::error::WorkspaceError;
use crate::config::Project;
use crate::store::{self, SetUpStep};
use crate::transcript::visible_line;
use crate::view::{FolderSetUp, SetUp};

impl Workspace {
    /// Makes a folder a project if it is none. `starter` is the text of its new configuration.
    ///
    /// # Errors
    /// Fails for git's own folder, or if the configuration cannot be written.
    pub fn initialize(folder: &Path, starter: &str) -> Result<FolderSetUp, WorkspaceError> {
        let in_repository = in_work_tree(folder)?;
        let made = Project::find(folder).is_none();
        if made {
            let path = folder.join(Project::FILE);
            create(&path, starter)
                .map_err(|source| WorkspaceError::Unwritten { path: path.clone(), source })?;
        }
        Ok(FolderSetUp { made, in_repository })
    }

    /// Returns true if a folder contains a `providers.yaml` that is not read, because the folder is in no project.
    pub fn passes_over_providers(folder: &Path) -> bool {
        folder.join("providers.yaml").is_file() && Project::find(folder).is_none()
    }

    /// Returns true in a git repository that is not set up for discussions.
    pub fn lacks_set_up(&self) -> bool {
        self.setup.project.is_none() && matches!(in_work_tree(&self.setup.cwd), Ok(true))
    }

    /// Sets up the repository around the working folder for discussions. With `hook`, also checks them before every
    /// commit. Returns the changes, and the steps that are left to a person.
    ///
    /// # Errors
    /// Fails outside of a repository, if the folder of discussions is outside of it, or if a file cannot be written.
    pub fn set_up_git(&self, hook: bool) -> Result<Vec<SetUp>, WorkspaceError> {
        let (folder, output) = (&self.setup.cwd, &self.output_directory());
        let done = store::init(store::GitSetup { folder, output, hook })?;
        Ok(done.into_iter().map(|done| self.shown_set_up(done)).collect())
    }

    fn shown_set_up(&self, done: SetUpStep) -> SetUp {
        let whole = |path: &Path| visible_line(&path.to_string_lossy());
        match done {
            SetUpStep::Added { path, line } => SetUp::Added { file: self.shown_path(&path), line },
            SetUpStep::Configured { key } => SetUp::Configured { key },
            SetUpStep::Hooked { path } => SetUp::Hooked { file: self.shown_path(&path) },
            SetUpStep::Foreign { path, line } => {
                SetUp::Foreign { file: self.shown_path(&path), line }
            }
            SetUpStep::Shared { hooks, own } => {
                SetUp::Shared { hooks: whole(&hooks), own: whole(&own) }
            }
            SetUpStep::Overridden { path, line, probe, merge } => {
                SetUp::Overridden { file: self.shown_path(&path), line, probe, merge }
            }
        }
    }
}

/// Returns true if a folder is in a work tree, as git decides: the nearest repository upwards counts.
fn in_work_tree(folder: &Path) -> Result<bool, WorkspaceError> {
    for above in folder.ancestors() {
        if above.join(".git").exists() {
            return Ok(true);
        }
        let is_gits = ["objects", "refs"].iter().all(|part| above.join(part).is_dir())
            && above.join("HEAD").is_file();
        if is_gits {
            let folder = visible_line(&folder.to_string_lossy());
            return Err(WorkspaceError::NoWorkTree { folder });
        }
    }
    Ok(false)
}

fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}
