//! Remembers the file that a name meant when it was first used, because another file may have that name later.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use discussions::workspace::Workspace;
use parking_lot::Mutex;

use super::act::Act;
use super::message::ActionError;

/// The file of each name that was used.
#[derive(Debug, Default)]
pub(super) struct Meant(Mutex<BTreeMap<String, PathBuf>>);

impl Meant {
    /// Returns the file of a discussion. If that file is gone, no other file with a matching name is used in its place.
    pub(super) fn path(&self, workspace: &Workspace, name: &str) -> Result<PathBuf, ActionError> {
        let mut known = self.0.lock();
        match known.get(name) {
            Some(path) if path.is_file() => Ok(path.clone()),
            Some(_) => Err(missing_discussion(name)),
            None => {
                let path = exactly(workspace, name)?;
                known.insert(name.to_owned(), path.clone());
                Ok(path)
            }
        }
    }

    /// Returns the file of a name that was looked up before.
    pub(super) fn known_path(&self, name: &str) -> Option<PathBuf> {
        self.0.lock().get(name).cloned()
    }

    /// Returns the change with the discussion's current name.
    pub(super) fn now(&self, workspace: &Workspace, mut act: Act) -> Result<Act, ActionError> {
        if let Some(name) = act.file() {
            *name = workspace.name(&self.path(workspace, name)?);
        }
        Ok(act)
    }
}

/// Returns the file that has exactly this name now.
pub(super) fn exactly(workspace: &Workspace, name: &str) -> Result<PathBuf, ActionError> {
    let path = workspace.find(Path::new(name))?;
    if workspace.name(&path) == name { Ok(path) } else { Err(missing_discussion(name)) }
}

fn missing_discussion(name: &str) -> ActionError {
    let message = format!("{name}: the file no longer exists");
    ActionError { message, ..ActionError::default() }
}
