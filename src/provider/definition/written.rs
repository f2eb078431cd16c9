//! The keys of a definition as people write them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::{Common, DEFAULT_RETRIES, Definition, MOST_RETRIES, Price};
use crate::provider::command::{CommandDefinition, DEFAULT_OUTPUT_LIMIT, Workdir};
use crate::provider::{Kind, OutputShape, ProviderName, Timeout};
use crate::yaml::Spanned;

/// All keys of all kinds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::provider) struct Written {
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

    builtin: Option<Builtin>,
    script: Option<PathBuf>,
    command: Option<String>,

    // Of commands only.
    install: Option<Spanned<String>>,
    output_limit: Option<Spanned<usize>>,
    output: Option<Spanned<OutputShape>>,
    workdir: Option<Spanned<Workdir>>,
    env: Option<Spanned<BTreeMap<String, String>>>,
}

/// The providers within this library.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Builtin {
    Mock,
}

/// A definition that says what cannot be.
#[derive(Debug)]
pub(in crate::provider) struct Wrong {
    /// What.
    pub(in crate::provider) message: String,
    /// Line and column of the key's value; `None` when it is about the whole definition.
    pub(in crate::provider) place: Option<(usize, usize)>,
}

fn default_retries() -> u8 {
    DEFAULT_RETRIES
}

impl TryFrom<Written> for Definition {
    type Error = Wrong;

    fn try_from(written: Written) -> Result<Self, Wrong> {
        let kind = match (&written.command, written.builtin, &written.script) {
            (Some(line), None, None) => Kind::Command(written.command(line)?.into()),
            (None, Some(Builtin::Mock), None) => written.without_command("builtin", Kind::Mock)?,
            (None, None, Some(script)) => {
                written.without_command("script", Kind::Script(script.clone()))?
            }
            _ => {
                return Err(Wrong::whole(format!(
                    "provider `{}` needs exactly one of `command`, `script` and `builtin`",
                    written.name
                )));
            }
        };
        if written.retries > MOST_RETRIES {
            return Err(Wrong::whole(format!("`retries` is at most {MOST_RETRIES}")));
        }
        if written.price.is_some_and(|price| !price.is_sane()) {
            return Err(Wrong::whole(
                "a price is a number of USD per million tokens, not below 0".to_owned(),
            ));
        }
        let common = Common {
            name: written.name,
            aliases: written.aliases,
            description: written.description,
            timeout: written.timeout,
            retries: written.retries,
            price: written.price,
        };
        Ok(Self { common, kind })
    }
}

impl Written {
    fn command(&self, line: &str) -> Result<CommandDefinition, Wrong> {
        let definition = CommandDefinition {
            line: line.to_owned(),
            install: value(&self.install),
            output_limit: value(&self.output_limit).unwrap_or(DEFAULT_OUTPUT_LIMIT),
            output: value(&self.output).unwrap_or_default(),
            workdir: value(&self.workdir).unwrap_or_default(),
            env: value(&self.env).unwrap_or_default(),
        };
        definition.check().map_err(Wrong::whole)?;
        Ok(definition)
    }

    /// A kind beside which nothing stands that only a command has.
    fn without_command(&self, what: &str, kind: Kind) -> Result<Kind, Wrong> {
        let keys = [
            ("install", place(&self.install)),
            ("output_limit", place(&self.output_limit)),
            ("output", place(&self.output)),
            ("workdir", place(&self.workdir)),
            ("env", place(&self.env)),
        ];
        match keys.into_iter().find(|(_, place)| place.is_some()) {
            None => Ok(kind),
            Some((key, place)) => Err(Wrong {
                message: format!("`{key}` belongs to a `command` and means nothing for `{what}`"),
                place,
            }),
        }
    }
}

impl Wrong {
    fn whole(message: String) -> Self {
        Self { message, place: None }
    }
}

fn value<T: Clone>(written: &Option<Spanned<T>>) -> Option<T> {
    written.as_ref().map(|written| written.value.clone())
}

fn place<T>(written: &Option<Spanned<T>>) -> Option<(usize, usize)> {
    let at = written.as_ref()?.referenced;
    Some((usize::try_from(at.line()).ok()?, usize::try_from(at.column()).ok()?))
}
