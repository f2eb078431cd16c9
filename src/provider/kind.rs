//! The kinds of providers. Every difference between two kinds is decided here.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::command::{Command, CommandDefinition, Workdir};
use super::http::{Http, HttpDefinition};
use super::mock::Mock;
use super::presets::Preset;
use super::scripted::{Script, Scripted};
use super::spend_limiter::{MOST_TOKENS, OWN_TOKENS};
use super::{Environment, OpenError, Price, Provider, ProviderName, ToolPermissions};
use crate::view::Fact;

/// The kind of a provider, with everything that only this kind needs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ProviderKind {
    /// A program.
    Command(Box<CommandDefinition>),
    /// A model behind an HTTP API.
    Http(Box<HttpDefinition>),
    /// A YAML file of prepared answers; relative paths start at the definition's folder.
    Script(PathBuf),
    /// The answers that this library makes up. They come from no model, and say so.
    Mock,
}

/// The folders that belong to a definition.
#[derive(Clone, Copy)]
pub(super) struct Folders<'p> {
    /// The project's folder.
    pub(super) project: &'p Path,
    /// The folder that relative paths of the definition start from.
    pub(super) base: &'p Path,
}

impl ProviderKind {
    /// Returns whether a model answers. Only then is the provider chosen automatically if the user names none.
    pub(crate) fn is_model(&self) -> bool {
        match self {
            Self::Command(_) | Self::Http(_) => true,
            Self::Script(_) | Self::Mock => false,
        }
    }

    /// Returns true if the availability check tests more than the configuration: that a program exists, or that a
    /// service on this machine listens. Testing any other service would need a call, which costs money.
    pub(crate) fn is_tested(&self, env: &Environment) -> bool {
        match self {
            Self::Http(http) => http.is_probed(env),
            Self::Command(_) | Self::Script(_) | Self::Mock => true,
        }
    }

    /// Returns the part of the wanted tools that the provider can grant. Only programs have tools of their own.
    pub(crate) fn grant(&self, wish: ToolPermissions) -> ToolPermissions {
        match self {
            Self::Command(command) => command.grant(wish),
            Self::Http(_) | Self::Script(_) | Self::Mock => ToolPermissions::default(),
        }
    }

    /// Returns a note about the address, if the environment names another one than the vendor's.
    pub(crate) fn overridden_host(&self) -> Option<String> {
        match self {
            Self::Http(http) => {
                let variable = http.url_from.as_ref()?;
                Some(format!("is called at {} ({variable})", http.url.host()))
            }
            Self::Command(_) | Self::Script(_) | Self::Mock => None,
        }
    }

    /// Returns why a temperature may not reach the model, or `None` if it does.
    pub(crate) fn heeds_no_temperature(&self) -> Option<&'static str> {
        match self {
            Self::Command(command) => (!command.names("TEMPERATURE")).then_some(
                "the temperature is passed as DISCUSSIONS_TEMPERATURE, which few programs read",
            ),
            Self::Http(http) => {
                http.effort.map(|_| "it gets no temperature, because its `effort` is set")
            }
            Self::Script(_) | Self::Mock => None,
        }
    }

    /// Returns why a length limit may not reach the model, or `None` if it does.
    pub(crate) fn heeds_no_length(&self) -> Option<&'static str> {
        match self {
            Self::Command(command) => (!command.names("{max_tokens}")).then_some(
                "it gets no limit for its answer, because its command has no `{max_tokens}`",
            ),
            Self::Http(_) | Self::Script(_) | Self::Mock => None,
        }
    }

    /// Returns the thing that answers, as the definition writes it.
    pub(crate) fn as_written(&self) -> Cow<'_, str> {
        match self {
            Self::Command(command) => command.reaching(ToolPermissions::default()).line.into(),
            Self::Http(http) => http.one_line().into(),
            Self::Script(path) => path.to_string_lossy(),
            Self::Mock => "(built in)".into(),
        }
    }

    /// Returns the thing that answers, in one unambiguous line.
    pub(crate) fn runs(&self) -> String {
        match self {
            Self::Command(command) => command.runs(),
            Self::Http(_) | Self::Script(_) | Self::Mock => self.as_written().into_owned(),
        }
    }

    /// Returns true if a command starts in the project's folder, or could find it by the variables of a call.
    pub(super) fn can_reach_project(&self) -> bool {
        match self {
            Self::Command(command) => {
                command.workdir == Workdir::Project || command.names("DISCUSSIONS_")
            }
            Self::Http(_) | Self::Script(_) | Self::Mock => false,
        }
    }

    /// Limits its answers to this many tokens, if they can be limited.
    pub(super) fn limit_answers(&mut self, tokens: u32) {
        match self {
            Self::Http(http) => http.max_tokens = http.max_tokens.min(tokens),
            Self::Command(command) => {
                command.max_tokens = Some(command.longest_answer().min(tokens));
            }
            Self::Script(_) | Self::Mock => {}
        }
    }

    /// Returns the maximum number of tokens of an answer, and that of the tokens that the provider adds to a prompt.
    pub(super) fn most_tokens(&self) -> (u64, u64) {
        match self {
            Self::Http(http) => (http.max_tokens.into(), 0),
            Self::Command(command) => (command.longest_answer().into(), OWN_TOKENS),
            Self::Script(_) | Self::Mock => (MOST_TOKENS, 0),
        }
    }

    /// Chooses another model. Returns its price, which depends on whether this program defines the provider; `None` if
    /// the provider takes no model.
    pub(super) fn choose_model(
        &mut self,
        model: &str,
        is_built_in: bool,
        price: Option<Price>,
    ) -> Option<Option<Price>> {
        match self {
            Self::Http(http) => {
                // Another model has another price.
                let is_same = http.model.as_deref() == Some(model);
                let listed = Preset::find(&http.api);
                let listed = listed.filter(|_| is_built_in && http.url_from.is_none());
                **http = http.with_model(model);
                let price_of = |preset: &Preset| preset.price(Some(model));
                Some(if is_same { price } else { listed.and_then(price_of) })
            }
            Self::Command(command) => {
                **command = command.with_model(model)?;
                Some(None)
            }
            Self::Script(_) | Self::Mock => None,
        }
    }

    /// Returns the program, if the provider is one.
    pub(crate) fn command(&self) -> Option<&CommandDefinition> {
        match self {
            Self::Command(command) => Some(command),
            Self::Http(_) | Self::Script(_) | Self::Mock => None,
        }
    }

    /// Returns the service, if the provider is one, to change its address.
    pub(super) fn service(&mut self) -> Option<&mut HttpDefinition> {
        match self {
            Self::Http(http) => Some(http),
            Self::Command(_) | Self::Script(_) | Self::Mock => None,
        }
    }

    /// Returns the path of its prepared answers, if it has some.
    pub(super) fn script(&self) -> Option<&Path> {
        match self {
            Self::Script(path) => Some(path),
            Self::Command(_) | Self::Http(_) | Self::Mock => None,
        }
    }

    /// Returns true if it runs nothing and sends nothing, so that a definition of the project needs no trust.
    pub(super) fn is_harmless(&self) -> bool {
        match self {
            Self::Mock => true,
            Self::Command(_) | Self::Http(_) | Self::Script(_) => false,
        }
    }

    /// Describes what makes it ready, and what it lacks if it is not; `lacking` is the reason of its availability.
    pub(crate) fn needs(&self, env: &Environment, lacking: &str) -> (String, String) {
        match self {
            Self::Http(http) => http.needs(env, lacking),
            Self::Command(_) => {
                ("its program is installed".to_owned(), "its program is not installed".to_owned())
            }
            Self::Script(_) | Self::Mock => ("built in".to_owned(), "cannot be read".to_owned()),
        }
    }

    /// Returns the names of the variables that hold the provider's keys.
    pub(super) fn keys(&self) -> &[String] {
        match self {
            Self::Command(command) => command.keys.as_deref().unwrap_or_default(),
            Self::Http(http) => http.key.as_slice(),
            Self::Script(_) | Self::Mock => &[],
        }
    }

    /// Returns everything that a user permits by trusting the provider.
    pub(super) fn facts(&self, env: &Environment, folders: Folders<'_>) -> Vec<Fact> {
        match self {
            Self::Command(command) => command.facts(env, folders),
            Self::Http(http) => http.facts(),
            Self::Script(_) => vec![Fact::new("answers", self.runs())],
            Self::Mock => vec![Fact::new("answers", "made up, without a model")],
        }
    }

    /// Returns the path of the program, if the provider runs one and it is installed.
    pub(super) fn program(&self, env: &Environment, base: &Path) -> Option<PathBuf> {
        match self {
            Self::Command(command) => command.program(env, base),
            Self::Http(_) | Self::Script(_) | Self::Mock => None,
        }
    }

    /// Returns texts that may be paths of files that the provider runs or reads.
    pub(super) fn texts(&self, env: &Environment) -> Vec<String> {
        match self {
            Self::Command(command) => command.texts(env),
            // The content of a script is always part of the fingerprint.
            Self::Http(_) | Self::Script(_) | Self::Mock => Vec::new(),
        }
    }

    /// Creates the provider. `script` is the text of the script, if the kind is a script.
    pub(super) fn make(
        &self,
        name: ProviderName,
        env: &Environment,
        folders: Folders<'_>,
        script: Option<&str>,
    ) -> Result<Arc<dyn Provider>, OpenError> {
        Ok(match self {
            Self::Command(command) => {
                Arc::new(Command::new(name, CommandDefinition::clone(command), env, folders))
            }
            Self::Http(http) => Arc::new(Http::new(name, HttpDefinition::clone(http), env)),
            Self::Script(path) => {
                let path = folders.base.join(path);
                let text = script.unwrap_or_default();
                let script = Script::read(text, &path.display().to_string())?;
                Arc::new(Scripted::from_file(name, script, path))
            }
            Self::Mock => Arc::new(Mock::new(name)),
        })
    }
}
