//! Providers that can be called, created from their definitions: with the address from `OPENAI_BASE_URL` and similar
//! variables, or with another model (`claude:opus`). The command of a template is run like the command of a provider:
//! only with the user's trust, with limits, and never by a shell.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::{Layer, Registry, RegistryEntry, UnknownProvider};
use crate::boundary::{self, EscapesProject, ProjectPlace, Purpose};
use crate::provider::command::{CommandDefinition, Workdir};
use crate::provider::definition::Common;
use crate::provider::http::is_model;
use crate::provider::kind::Folders;
use crate::provider::presets::{Preset, presets};
use crate::provider::{
    Availability, Environment, OutputShape, Provider, ProviderDefinition, ProviderKind,
    ProviderName, ProviderNameError, Timeout, Url,
};
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
        let Some(path) = self.definition.kind.script() else { return Ok(None) };
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
        let Some(command) = self.definition.kind.command() else { return env.clone() };
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

impl Registry {
    /// Sets the address of each service to the value of the variable that its vendor's own programs read, if it is set.
    ///
    /// A definition with a `url` of its own keeps it. The price at another address is unknown. A project's definition
    /// still needs the user's trust, now for this address.
    pub(crate) fn heed_base_urls(&mut self, env: &Environment) {
        for entry in &mut self.entries {
            let Some(http) = entry.definition.kind.service() else { continue };
            let Some(base) = http.base.clone() else { continue };
            let said = env.var(&base.variable).and_then(|said| said.to_str()).map(str::trim);
            let Some(said) = said.filter(|said| !said.is_empty()) else { continue };
            match Url::parse(&base.whole(said)) {
                Ok(url) if url == http.url => {}
                Ok(url) => {
                    (http.url, http.url_from) = (url, Some(base.variable));
                    let listed = Preset::find(&http.api);
                    let listed = listed.and_then(|preset| preset.price(http.model.as_deref()));
                    let price = &mut entry.definition.common.price;
                    *price = price.filter(|price| Some(*price) != listed);
                }
                Err(why) => http.unusable_url = Some(format!("{}: {why}", base.variable)),
            }
        }
    }
}

impl Registry {
    /// Returns the provider before the first colon, with the model after it.
    pub(super) fn with_model(&self, name: &str) -> Result<Cow<'_, RegistryEntry>, UnknownProvider> {
        let Some((provider, model)) = name.trim().split_once(':') else {
            return Err(self.unknown(name));
        };
        let (Some(entry), Ok(asked)) =
            (self.entry_by_name(provider), ProviderName::parse(provider))
        else {
            return Err(self.unknown(name));
        };
        let unknown = || UnknownProvider { name: name.to_owned(), nearest: Vec::new(), why: None };
        if !is_model(model) {
            return Err(unknown());
        }
        let mut entry = entry.clone();
        let common = &mut entry.definition.common;
        let is_built_in = entry.origin == Layer::BuiltIn;
        let priced = entry.definition.kind.choose_model(model, is_built_in, common.price);
        common.price = priced.ok_or_else(unknown)?;
        common.name = asked.with_model(model);
        common.aliases.clear();
        Ok(Cow::Owned(entry))
    }
}

/// The maximum output, in bytes.
const OUTPUT: usize = 256 * 1024;

impl RegistryEntry {
    /// Creates the entry for asking a program about itself, for example for its version. The program runs in an empty
    /// folder, with no input and no API keys.
    ///
    /// # Errors
    /// Fails if the name of the entry is invalid, which a constant never is.
    pub(crate) fn probe(words: &[String]) -> Result<Self, ProviderNameError> {
        let name = ProviderName::parse("probe")?;
        Ok(Self::program(name, words, Timeout::default(), Layer::BuiltIn, Workdir::Empty))
    }

    /// Creates the entry for running these words in the project's folder. The command gets no input and no API keys.
    pub(crate) fn tool(
        name: ProviderName,
        words: &[String],
        timeout: Timeout,
        origin: Layer,
    ) -> Self {
        Self::program(name, words, timeout, origin, Workdir::Project)
    }

    fn program(
        name: ProviderName,
        words: &[String],
        timeout: Timeout,
        origin: Layer,
        workdir: Workdir,
    ) -> Self {
        let command = CommandDefinition {
            line: shell_words::join(words),
            install: None,
            output_limit: OUTPUT,
            max_tokens: None,
            output: OutputShape::default(),
            workdir,
            env: BTreeMap::new(),
            with_model: None,
            keys: Some(Vec::new()),
            budget: None,
            tools: None,
        };
        let common = Common {
            name,
            aliases: Vec::new(),
            description: String::new(),
            timeout,
            retries: 0,
            price: None,
            strengths: Vec::new(),
        };
        let definition =
            ProviderDefinition { common, kind: ProviderKind::Command(Box::new(command)) };
        Self { definition, origin, line: 1, replaces: Vec::new() }
    }
}
