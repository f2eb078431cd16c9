//! From a definition to something that can be called.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::{Entry, Layer};
use crate::boundary::{self, Outside, Place, Purpose};
use crate::provider::kind::Folders;
use crate::provider::presets::presets;
use crate::provider::{Availability, Definition, Environment, Kind, Provider};
use crate::transcript::visible_line;
use crate::yaml::LoadError;

/// The largest script that is read, in bytes.
const LARGEST_SCRIPT: u64 = 16 * 1024 * 1024;

/// Why a definition could not be made into a provider.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Its script could not be read.
    #[error("cannot read the script {}: {error}", visible_line(&.path.to_string_lossy()))]
    NoScript {
        /// Where it should be.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A project's script is somebody else's file, which nobody shall see.
    #[error(transparent)]
    Outside(#[from] Outside),
    /// Its script is no script.
    #[error(transparent)]
    BadScript(#[from] LoadError),
}

impl Entry {
    /// Whether the provider could be called, for looking only: nothing is run, and what can be
    /// called is not given away. `env` is what its commands would see; `project` is the folder of
    /// `workdir: project`.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when its script is missing or broken.
    pub(crate) fn availability(
        &self,
        env: &Environment,
        project: &Path,
    ) -> Result<Availability, OpenError> {
        let script = self.script(project)?;
        Ok(self.make(env, project, script.as_deref())?.availability(env))
    }

    /// The text of its script, if it is one.
    pub(in crate::provider) fn script(&self, project: &Path) -> Result<Option<String>, OpenError> {
        let Kind::Script(path) = &self.definition.kind else { return Ok(None) };
        let path = self.base(project).join(path);
        let place = match self.origin {
            Layer::Project(_) => boundary::within(&path, self.base(project))?,
            Layer::BuiltIn | Layer::User(_) => Place::follow(&path),
        };
        text(&place).map(Some).map_err(|error| OpenError::NoScript { path: path.clone(), error })
    }

    /// The folder at which relative paths of the definition start: that of the file it stands in.
    pub(in crate::provider) fn base<'p>(&'p self, project: &'p Path) -> &'p Path {
        self.origin.folder().unwrap_or(project)
    }

    /// The provider itself, for whoever has proof that it may be called; `script` is the text of
    /// its script as it was judged.
    pub(in crate::provider) fn make(
        &self,
        env: &Environment,
        project: &Path,
        script: Option<&str>,
    ) -> Result<Arc<dyn Provider>, OpenError> {
        let Definition { common, kind } = &self.definition;
        let env = &self.seen(env);
        kind.make(common.name.clone(), env, self.folders(project), script)
    }

    /// What a program of this definition sees: of keys no more than it says it needs. One of the user's own sees what
    /// the user sees, unless it says so itself.
    fn seen(&self, env: &Environment) -> Environment {
        let Kind::Command(command) = &self.definition.kind else { return env.clone() };
        let presets = presets().iter().filter_map(|preset| preset.key.as_ref());
        let env = env.clone().keeping(presets);
        match (&command.keys, &self.origin) {
            (None, Layer::User(_)) => env,
            _ => env.with_keys(|name| command.needs_key(name)),
        }
    }

    /// The folders that the definition is about.
    pub(in crate::provider) fn folders<'p>(&'p self, project: &'p Path) -> Folders<'p> {
        Folders { project, base: self.base(project) }
    }
}

/// A script's text. A pipe or device is never opened.
fn text(place: &Place) -> io::Result<String> {
    let (mut file, found) = place.open(Purpose::Read)?;
    if !found.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if found.len() > LARGEST_SCRIPT {
        return Err(io::Error::other("it is larger than 16 MiB"));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(text)
}

impl Layer {
    /// The folder of the file the definition stands in.
    fn folder(&self) -> Option<&Path> {
        match self {
            Self::BuiltIn => None,
            Self::User(path) | Self::Project(path) => path.parent(),
        }
    }
}
