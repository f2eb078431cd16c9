//! Which file a name means: the one that it meant when it was first used, though another one may have the name by now.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use discussions::workspace::Workspace;
use parking_lot::Mutex;

use super::act::Act;
use super::message::Refused;

/// The files of the names that were used.
#[derive(Debug, Default)]
pub(super) struct Meant(Mutex<BTreeMap<String, PathBuf>>);

impl Meant {
    /// The file that a discussion is called by. Where it is gone, none that its name would fit as well is taken for it.
    pub(super) fn path(&self, workspace: &Workspace, name: &str) -> Result<PathBuf, Refused> {
        let mut known = self.0.lock();
        match known.get(name) {
            Some(path) if path.is_file() => Ok(path.clone()),
            Some(_) => Err(gone(name)),
            None => {
                let path = exactly(workspace, name)?;
                known.insert(name.to_owned(), path.clone());
                Ok(path)
            }
        }
    }

    /// Returns the file of a name that was looked up before.
    pub(super) fn known(&self, name: &str) -> Option<PathBuf> {
        self.0.lock().get(name).cloned()
    }

    /// The same change, of the discussion by what it is called now.
    pub(super) fn now(&self, workspace: &Workspace, mut act: Act) -> Result<Act, Refused> {
        if let Some(name) = act.file() {
            *name = workspace.name(&self.path(workspace, name)?);
        }
        Ok(act)
    }
}

/// The file that is called so now.
pub(super) fn exactly(workspace: &Workspace, name: &str) -> Result<PathBuf, Refused> {
    let path = workspace.find(Path::new(name))?;
    if workspace.name(&path) == name { Ok(path) } else { Err(gone(name)) }
}

fn gone(name: &str) -> Refused {
    let message = format!("{name}: the file no longer exists");
    Refused { message, ..Refused::default() }
}
