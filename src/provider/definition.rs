//! One entry of `providers.yaml`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{OutputShape, ProviderName, Timeout};
use crate::yaml::Spanned;

/// How often a failed call is made again when the definition does not say.
pub const DEFAULT_RETRIES: u8 = 2;
/// The most retries a definition may ask for.
pub const MOST_RETRIES: u8 = 5;
/// How many bytes of output are read when the definition does not say.
pub const DEFAULT_OUTPUT_LIMIT: usize = 1024 * 1024;
/// The most a definition may allow: an answer is held in memory.
const LARGEST_OUTPUT_LIMIT: usize = 64 * 1024 * 1024;

/// How one provider is called, and what is known about it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "Written")]
pub struct Definition {
    /// Its name.
    pub name: ProviderName,
    /// What answers.
    pub kind: Kind,
    /// A few words for `providers list`.
    pub description: String,
    /// How to get the program, for those who do not have it.
    pub install: Option<String>,
    /// How long one call may take, retries included.
    pub timeout: Timeout,
    /// How often a failed call is made again, 0-5.
    pub retries: u8,
    /// How many bytes of output are read before the call fails.
    pub output_limit: usize,
    /// What its tokens cost.
    pub price: Option<Price>,
    /// How to find the answer in what it prints.
    pub output: OutputShape,
    /// Where a command runs.
    pub workdir: Workdir,
    /// Variables a command sees besides the caller's own.
    pub env: BTreeMap<String, String>,
    /// Other names for it.
    pub aliases: Vec<ProviderName>,
}

/// What answers the prompts of a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Kind {
    /// A program; the words are split as a shell does, but no shell sees them.
    Command(String),
    /// Something within this library.
    Builtin(Builtin),
    /// A YAML file of prepared answers; relative paths start at the definition's folder.
    Script(PathBuf),
}

/// The providers within this library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Builtin {
    /// Answers without any model, and says so.
    Mock,
}

/// The working folder of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workdir {
    /// A new empty folder for each call.
    #[default]
    Empty,
    /// The project's folder, for commands that shall read its files.
    Project,
}

/// USD per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// For tokens of the prompt.
    pub input: f64,
    /// For tokens of the answer.
    pub output: f64,
    /// For tokens of the prompt that come from the service's cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
}

/// The whole of a `providers.yaml`; one that is all comments defines nothing.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProvidersFile {
    pub(super) providers: Option<Vec<Spanned<Definition>>>,
}

/// The keys as people write them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: ProviderName,
    command: Option<String>,
    builtin: Option<Builtin>,
    script: Option<PathBuf>,
    #[serde(default)]
    description: String,
    install: Option<String>,
    #[serde(default)]
    timeout: Timeout,
    #[serde(default = "default_retries")]
    retries: u8,
    #[serde(default = "default_output_limit")]
    output_limit: usize,
    price: Option<Price>,
    #[serde(default)]
    output: OutputShape,
    #[serde(default)]
    workdir: Workdir,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    aliases: Vec<ProviderName>,
}

fn default_retries() -> u8 {
    DEFAULT_RETRIES
}

fn default_output_limit() -> usize {
    DEFAULT_OUTPUT_LIMIT
}

impl TryFrom<Written> for Definition {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let kind = match (written.command, written.builtin, written.script) {
            (Some(command), None, None) => {
                let words = shell_words::split(&command)
                    .map_err(|_| format!("the quotes in `{command}` are not closed"))?;
                if words.is_empty() {
                    return Err("`command` names no program".to_owned());
                }
                Kind::Command(command)
            }
            (None, Some(builtin), None) => Kind::Builtin(builtin),
            (None, None, Some(script)) => Kind::Script(script),
            _ => {
                return Err(format!(
                    "provider `{}` needs exactly one of `command`, `script` and `builtin`",
                    written.name
                ));
            }
        };
        if written.retries > MOST_RETRIES {
            return Err(format!("`retries` is at most {MOST_RETRIES}"));
        }
        if !(1..=LARGEST_OUTPUT_LIMIT).contains(&written.output_limit) {
            return Err(format!("`output_limit` is 1 to {LARGEST_OUTPUT_LIMIT} bytes"));
        }
        if written.price.is_some_and(|price| !price.is_sane()) {
            return Err("a price is a number of USD per million tokens, not below 0".to_owned());
        }
        Ok(Self {
            name: written.name,
            kind,
            description: written.description,
            install: written.install,
            timeout: written.timeout,
            retries: written.retries,
            output_limit: written.output_limit,
            price: written.price,
            output: written.output,
            workdir: written.workdir,
            env: written.env,
            aliases: written.aliases,
        })
    }
}

impl Price {
    fn is_sane(&self) -> bool {
        [Some(self.input), Some(self.output), self.cached]
            .into_iter()
            .flatten()
            .all(|price| price.is_finite() && price >= 0.0)
    }
}

#[cfg(test)]
mod tests;
