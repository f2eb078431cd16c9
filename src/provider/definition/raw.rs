//! The keys of a definition as users write them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::{Common, DEFAULT_RETRIES, MOST_RETRIES, Price, ProviderDefinition};
use crate::provider::command::{CommandDefinition, DEFAULT_OUTPUT_LIMIT, Tools, Workdir};
use crate::provider::http::is_model;
use crate::provider::http::{
    Effort, HttpDefinition, LARGEST_MAX_TOKENS, MOST_CONCURRENCY, Url, Wire,
};
use crate::provider::presets::{Preset, presets};
use crate::provider::{OutputShape, ProviderKind, ProviderName, Timeout};
use crate::similarity::suggest;
use crate::yaml::Spanned;

/// The keys of all kinds together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::provider) struct RawDefinition {
    name: ProviderName,
    #[serde(default)]
    aliases: Vec<ProviderName>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    timeout: Timeout,
    #[serde(default = "default_retries")]
    retries: u8,
    price: Option<Price>,
    #[serde(default)]
    strengths: Vec<String>,

    builtin: Option<Builtin>,
    script: Option<PathBuf>,
    command: Option<String>,
    api: Option<Spanned<String>>,

    // For services and commands.
    max_tokens: Option<Spanned<u32>>,

    // For services only.
    model: Option<Spanned<String>>,
    url: Option<Spanned<String>>,
    key: Option<Spanned<String>>,
    effort: Option<Spanned<Effort>>,
    temperature: Option<Spanned<f64>>,
    concurrency: Option<Spanned<u32>>,

    // For commands only.
    install: Option<Spanned<String>>,
    output_limit: Option<Spanned<usize>>,
    output: Option<Spanned<OutputShape>>,
    workdir: Option<Spanned<Workdir>>,
    env: Option<Spanned<BTreeMap<String, String>>>,
    with_model: Option<Spanned<String>>,
    keys: Option<Spanned<Vec<String>>>,
    budget: Option<Spanned<String>>,
    tools: Option<Spanned<Tools>>,
}

/// The providers that are built into this library.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Builtin {
    Mock,
}

/// An error in a definition.
#[derive(Debug)]
pub(in crate::provider) struct InvalidDefinition {
    /// The message.
    pub(in crate::provider) message: String,
    /// The line and column of the key's value; `None` if the error is about the whole definition.
    pub(in crate::provider) place: Option<(usize, usize)>,
    /// True if the value may be a secret; then no message shows it.
    pub(in crate::provider) hidden: bool,
}

fn default_retries() -> u8 {
    DEFAULT_RETRIES
}

impl TryFrom<RawDefinition> for ProviderDefinition {
    type Error = InvalidDefinition;

    fn try_from(written: RawDefinition) -> Result<Self, InvalidDefinition> {
        let kind = match (&written.command, &written.api, written.builtin, &written.script) {
            (Some(line), None, None, None) => {
                written.ensure_alone("command", &written.of_services(), "an `api`")?;
                ProviderKind::Command(written.command(line)?.into())
            }
            (None, Some(api), None, None) => {
                written.ensure_alone("api", &written.of_commands(), "a `command`")?;
                ProviderKind::Http(written.http(api)?.into())
            }
            (None, None, Some(Builtin::Mock), None) => {
                written.plain("builtin", ProviderKind::Mock)?
            }
            (None, None, None, Some(script)) => {
                written.plain("script", ProviderKind::Script(script.clone()))?
            }
            _ => {
                return Err(InvalidDefinition::whole(format!(
                    "provider `{}` needs exactly one of `command`, `api`, `script` or `builtin`",
                    written.name
                )));
            }
        };
        if written.retries > MOST_RETRIES {
            return Err(InvalidDefinition::whole(format!(
                "`retries` must be at most {MOST_RETRIES}"
            )));
        }
        if written.price.is_some_and(|price| !price.is_sane()) {
            return Err(InvalidDefinition::whole(
                "a price must be a number of USD per million tokens, from 0 to a billion"
                    .to_owned(),
            ));
        }
        let priced = || match &kind {
            ProviderKind::Http(http) if written.url.is_none() => {
                Preset::find(&http.api)?.price(http.model.as_deref())
            }
            _ => None,
        };
        let price = written.price.or_else(priced);
        let common = Common {
            name: written.name,
            aliases: written.aliases,
            description: written.description,
            timeout: written.timeout,
            retries: written.retries,
            price,
            strengths: written.strengths,
        };
        Ok(Self { common, kind })
    }
}

impl RawDefinition {
    fn command(&self, line: &str) -> Result<CommandDefinition, InvalidDefinition> {
        let definition = CommandDefinition {
            line: line.to_owned(),
            install: value(&self.install),
            output_limit: value(&self.output_limit).unwrap_or(DEFAULT_OUTPUT_LIMIT),
            output: value(&self.output).unwrap_or_default(),
            workdir: value(&self.workdir).unwrap_or_default(),
            env: value(&self.env).unwrap_or_default(),
            with_model: value(&self.with_model),
            keys: value(&self.keys),
            budget: value(&self.budget),
            max_tokens: self.max_tokens()?,
            tools: value(&self.tools),
        };
        definition.check().map_err(InvalidDefinition::whole)?;
        Ok(definition)
    }

    /// Returns the definition of a service: a preset with the changes of this definition.
    fn http(&self, api: &Spanned<String>) -> Result<HttpDefinition, InvalidDefinition> {
        let Some(preset) = Preset::find(&api.value) else {
            return Err(unknown_api(api));
        };
        let mut http = preset.http();
        if let Some(url) = &self.url {
            // The address may contain a password.
            let wrong = |message| InvalidDefinition {
                hidden: url.value.contains('@'),
                ..InvalidDefinition::at(url, message)
            };
            http.url = Url::parse(&url.value).map_err(wrong)?;
            // The key, the model and the variables of the preset are only for its own host, not for this one.
            (http.key, http.model, http.get) = (None, None, None);
            (http.dialect.probe, http.dialect.host, http.base) = (false, None, None);
        }
        if let Some(key) = &self.key {
            // Names of variables have no lowercase letters; keys do.
            let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            let is_name = !key.value.is_empty() && key.value.chars().all(fits);
            if !is_name || key.value.starts_with(|c: char| c.is_ascii_digit()) {
                // The value may be the key itself, which no error may show.
                let message = "`key` must be the name of an environment variable in capitals, like `OPENAI_API_KEY`, \
                               not the key itself";
                return Err(InvalidDefinition {
                    hidden: true,
                    ..InvalidDefinition::at(key, message.to_owned())
                });
            }
            http.key = Some(key.value.clone());
        }
        if let Some(model) = &self.model {
            if !is_model(&model.value) {
                return Err(InvalidDefinition::at(
                    model,
                    format!("`{}` is not a valid name of a model", model.value),
                ));
            }
            http.model = Some(model.value.clone());
        }
        if http.model.is_none() && self.url.is_some() && http.wire != Wire::Ollama {
            let message = "a custom `url` also needs a `model`";
            return Err(InvalidDefinition::whole(message.to_owned()));
        }
        http.effort = value(&self.effort);
        if let Some(effort) = self.effort.as_ref().filter(|_| !http.wire.takes_effort()) {
            let message = format!("`effort` has no effect for `{}`", http.api);
            return Err(InvalidDefinition::at(effort, message));
        }
        http.max_tokens = self.max_tokens()?.unwrap_or(http.max_tokens);
        http.concurrency = positive_number("concurrency", &self.concurrency, MOST_CONCURRENCY)?
            .unwrap_or(http.concurrency);
        if let Some(temperature) = &self.temperature {
            if !(0.0..=2.0).contains(&temperature.value) {
                let message = "the temperature must be 0 to 2".to_owned();
                return Err(InvalidDefinition::at(temperature, message));
            }
            http.temperature = Some(temperature.value);
        }
        Ok(http)
    }

    fn max_tokens(&self) -> Result<Option<u32>, InvalidDefinition> {
        positive_number("max_tokens", &self.max_tokens, LARGEST_MAX_TOKENS)
    }

    /// Returns a kind that has no keys of its own.
    fn plain(&self, what: &str, kind: ProviderKind) -> Result<ProviderKind, InvalidDefinition> {
        self.ensure_alone(
            what,
            &[("max_tokens", place(&self.max_tokens))],
            "a `command` or an `api`",
        )?;
        self.ensure_alone(what, &self.of_commands(), "a `command`")?;
        self.ensure_alone(what, &self.of_services(), "an `api`")?;
        Ok(kind)
    }

    /// Rejects keys that only another kind has.
    fn ensure_alone(
        &self,
        what: &str,
        keys: &[RawKey],
        owner: &str,
    ) -> Result<(), InvalidDefinition> {
        match keys.iter().find(|(_, place)| place.is_some()) {
            None => Ok(()),
            Some((key, place)) => Err(InvalidDefinition {
                message: format!("`{key}` works only with {owner}, not with `{what}`"),
                place: *place,
                hidden: false,
            }),
        }
    }

    fn of_commands(&self) -> [RawKey; 9] {
        [
            ("install", place(&self.install)),
            ("output_limit", place(&self.output_limit)),
            ("output", place(&self.output)),
            ("workdir", place(&self.workdir)),
            ("env", place(&self.env)),
            ("with_model", place(&self.with_model)),
            ("keys", place(&self.keys)),
            ("budget", place(&self.budget)),
            ("tools", place(&self.tools)),
        ]
    }

    fn of_services(&self) -> [RawKey; 6] {
        [
            ("model", place(&self.model)),
            ("url", place(&self.url)),
            ("key", place(&self.key)),
            ("effort", place(&self.effort)),
            ("temperature", place(&self.temperature)),
            ("concurrency", place(&self.concurrency)),
        ]
    }
}

/// A key, and its line and column if it is present.
type RawKey = (&'static str, Option<(usize, usize)>);

fn unknown_api(api: &Spanned<String>) -> InvalidDefinition {
    let known: Vec<&str> = presets().iter().map(|preset| preset.api.as_str()).collect();
    let near = suggest(&api.value, known.iter().copied()).into_iter().next();
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known: {}", known.join(", ")),
    };
    InvalidDefinition::at(api, format!("unknown api `{}`; {hint}", api.value))
}

/// Checks that a number is between 1 and `most`.
fn positive_number(
    key: &str,
    number: &Option<Spanned<u32>>,
    most: u32,
) -> Result<Option<u32>, InvalidDefinition> {
    match number {
        Some(number) if !(1..=most).contains(&number.value) => {
            Err(InvalidDefinition::at(number, format!("`{key}` must be 1 to {most}")))
        }
        number => Ok(value(number)),
    }
}

impl InvalidDefinition {
    fn whole(message: String) -> Self {
        Self { message, place: None, hidden: false }
    }

    fn at<T>(written: &Spanned<T>, message: String) -> Self {
        Self { message, place: Some(written.place), hidden: false }
    }
}

fn value<T: Clone>(written: &Option<Spanned<T>>) -> Option<T> {
    written.as_ref().map(|written| written.value.clone())
}

fn place<T>(written: &Option<Spanned<T>>) -> Option<(usize, usize)> {
    Some(written.as_ref()?.place)
}
