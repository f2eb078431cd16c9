//! Creates a provider that can be called from a definition.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::{Layer, RegistryEntry};
use crate::boundary::{self, EscapesProject, ProjectPlace, Purpose};
use crate::provider::kind::Folders;
use crate::provider::presets::presets;
use crate::provider::{Availability, Environment, Provider, ProviderDefinition, ProviderKind};
use crate::transcript::visible_line;
use crate::yaml::LoadError;

/// The largest script that is read, in bytes.
const LARGEST_SCRIPT: u64 = 16 * 1024 * 1024;

/// The reason why a definition could not be made into a provider.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The script could not be read.
    #[error("cannot read the script {}: {error}", visible_line(&.path.to_string_lossy()))]
    NoScript {
        /// The path of the script.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The script of a project is outside of the project, so it must not be read.
    #[error(transparent)]
    Outside(#[from] EscapesProject),
    /// The file is not a valid script.
    #[error(transparent)]
    BadScript(#[from] LoadError),
}

impl RegistryEntry {
    /// Checks if the provider could be called, without running anything and without giving the caller a provider that
    /// can be called. `env` holds the variables for its command; `project` is the folder for `workdir: project`.
    ///
    /// # Errors
    ///
    /// Returns [`OpenError`] if its script is missing or broken.
    pub(crate) fn availability(
        &self,
        env: &Environment,
        project: &Path,
    ) -> Result<Availability, OpenError> {
        let script = self.script(project)?;
        Ok(self.make(env, project, script.as_deref())?.availability(env))
    }

    /// Returns the text of its script, if the provider is a script.
    pub(in crate::provider) fn script(&self, project: &Path) -> Result<Option<String>, OpenError> {
        let ProviderKind::Script(path) = &self.definition.kind else { return Ok(None) };
        let path = self.base(project).join(path);
        let place = match self.origin {
            Layer::Project(_) => boundary::ensure_within(&path, self.base(project))?,
            Layer::BuiltIn | Layer::User(_) => ProjectPlace::follow(&path),
        };
        text(&place).map(Some).map_err(|error| OpenError::NoScript { path: path.clone(), error })
    }

    /// Returns the folder that relative paths of the definition start from: the folder of its file.
    pub(in crate::provider) fn base<'p>(&'p self, project: &'p Path) -> &'p Path {
        self.origin.folder().unwrap_or(project)
    }

    /// Creates the provider. The caller must have proof that it may be called. `script` is the text of its script that
    /// the user trusted.
    pub(in crate::provider) fn make(
        &self,
        env: &Environment,
        project: &Path,
        script: Option<&str>,
    ) -> Result<Arc<dyn Provider>, OpenError> {
        let ProviderDefinition { common, kind } = &self.definition;
        let env = &self.visible_environment(env);
        kind.make(common.name.clone(), env, self.folders(project), script)
    }

    /// Returns the environment for a program of this definition: it holds only the keys that the definition says it
    /// needs. A program of the user's own definition gets all keys unless it sets `keys`.
    fn visible_environment(&self, env: &Environment) -> Environment {
        let ProviderKind::Command(command) = &self.definition.kind else { return env.clone() };
        let presets = presets().iter().filter_map(|preset| preset.key.as_ref());
        let env = env.clone().keeping(presets);
        match (&command.keys, &self.origin) {
            (None, Layer::User(_)) => env,
            _ => env.with_keys(|name| command.needs_key(name)),
        }
    }

    /// Returns the folders that belong to the definition.
    pub(in crate::provider) fn folders<'p>(&'p self, project: &'p Path) -> Folders<'p> {
        Folders { project, base: self.base(project) }
    }
}

/// Reads a script's text. Never opens a pipe or a device.
fn text(place: &ProjectPlace) -> io::Result<String> {
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
    /// Returns the folder of the file that contains the definition.
    fn folder(&self) -> Option<&Path> {
        match self {
            Self::BuiltIn => None,
            Self::User(path) | Self::Project(path) => path.parent(),
        }
    }
}
