//! The machine: the one place of the library that looks at the working folder, the environment and the user's folders.

use std::io;
use std::path::{Path, PathBuf};

use directories::{BaseDirs, ProjectDirs};

use super::{Surroundings, Workspace, WorkspaceError};

/// Replaces the user's configuration folder.
const CONFIG_DIR: &str = "DISCUSSIONS_CONFIG_DIR";

/// Replaces the folder that records what the user trusts.
const STATE_DIR: &str = "DISCUSSIONS_STATE_DIR";

impl Surroundings {
    /// Returns the surroundings on this machine: the working folder, the environment variables, the user's
    /// configuration folder (or the one that `DISCUSSIONS_CONFIG_DIR` names) and the clock.
    ///
    /// # Errors
    /// Fails if the working folder was removed or cannot be read.
    pub fn of_machine() -> io::Result<Self> {
        let folder = std::env::current_dir()?;
        let home = BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
        let own = own_folders().map(|dirs| dirs.cache_dir().to_owned());
        let surroundings = Self::new(folder, std::env::vars_os(), home, own.unwrap_or_default());
        let own = || own_folders().map(|dirs| dirs.config_dir().to_owned());
        let user_folder = surroundings.named_folder(CONFIG_DIR).or_else(own);
        Ok(Self { user_folder, ..surroundings })
    }

    /// Returns the folder that records what the user trusts (or the one that `DISCUSSIONS_STATE_DIR` names), if the
    /// machine has a place for it; it need not exist.
    pub fn state_folder(&self) -> Option<PathBuf> {
        let own = || {
            own_folders().map(|dirs| dirs.state_dir().unwrap_or(dirs.data_local_dir()).to_owned())
        };
        self.named_folder(STATE_DIR).or_else(own)
    }

    /// Returns the folder that a variable names; a relative path starts at the working folder.
    fn named_folder(&self, variable: &str) -> Option<PathBuf> {
        let name = self.environment.var(variable).filter(|name| !name.is_empty())?;
        Some(self.folder.join(name))
    }
}

impl Workspace {
    /// Opens the working folder of this machine, with the trust that its user has given.
    ///
    /// # Errors
    /// Fails if the working folder cannot be read, or if a configuration file is invalid or cannot be read.
    pub fn of_machine() -> Result<Self, WorkspaceError> {
        let unreadable =
            |error: io::Error| WorkspaceError::unreadable_folder(Path::new("."), &error);
        let surroundings = Surroundings::of_machine().map_err(unreadable)?;
        let state_folder = surroundings.state_folder();
        let workspace = Self::open(surroundings)?;
        Ok(match state_folder {
            Some(folder) => workspace.with_consents_in(&folder),
            None => workspace,
        })
    }
}

fn own_folders() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "discussions")
}
