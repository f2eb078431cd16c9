//! The services that are known by name, each with what a request to it needs besides a key.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::definition::{Common, Definition};
use super::http::{
    Base, DEFAULT_CONCURRENCY, DEFAULT_MAX_TOKENS, Dialect, HttpDefinition, Url, Wire,
};
use super::{DEFAULT_RETRIES, Kind, Price, ProviderName, Timeout};
use crate::yaml;

const BUNDLED: &str = include_str!("presets.yaml");

/// One service.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Preset {
    /// What definitions call it.
    pub(super) api: String,
    /// The provider's name; that of the service when absent.
    name: Option<ProviderName>,
    /// Other names of the provider.
    #[serde(default)]
    aliases: Vec<ProviderName>,
    description: String,
    /// How it is asked and how it answers.
    speaks: Wire,
    url: String,
    /// The variable that names another address.
    base: Option<Base>,
    /// The variable that holds a key.
    pub(super) key: Option<String>,
    /// Where a key, or the service itself, is had.
    get: Option<String>,
    /// The model that is asked where nobody names one.
    model: Option<String>,
    #[serde(default)]
    dialect: Dialect,
    /// What is known of its models' prices.
    #[serde(default)]
    prices: BTreeMap<String, Price>,
    /// What it is taken for, in words that may stand in a persona's role.
    #[serde(default)]
    strengths: Vec<String>,
    /// It costs nothing, whatever the model.
    #[serde(default)]
    free: bool,
}

/// All of them, or a panic at first use should one be wrong; a test reads them.
static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct File {
        presets: Vec<Preset>,
    }
    let file: File = yaml::read(BUNDLED, "presets.yaml")
        .unwrap_or_else(|error| unreachable!("presets.yaml: {error}"));
    file.presets
});

/// All services that are known by name.
pub(super) fn presets() -> &'static [Preset] {
    &PRESETS
}

impl Preset {
    /// The service of this name, as definitions or as providers are named.
    pub(super) fn find(api: &str) -> Option<&'static Self> {
        let is = |preset: &&Self| {
            let names = preset.name.iter().chain(&preset.aliases);
            preset.api == api || names.into_iter().any(|name| name.as_str() == api)
        };
        PRESETS.iter().find(is)
    }

    /// What it costs to ask one of its models, where that is known.
    pub(super) fn price(&self, model: Option<&str>) -> Option<Price> {
        let free = self.free.then_some(Price {
            input: 0.0,
            output: 0.0,
            cached: Some(0.0),
            written: None,
        });
        free.or_else(|| self.prices.get(model?).copied())
    }

    /// How it is asked where nothing else is said.
    pub(super) fn http(&self) -> HttpDefinition {
        HttpDefinition {
            api: self.api.clone(),
            wire: self.speaks,
            dialect: self.dialect.clone(),
            url: Url::parse(&self.url)
                .unwrap_or_else(|error| unreachable!("presets.yaml: {error}")),
            base: self.base.clone(),
            url_from: None,
            unusable_url: None,
            model: self.model.clone(),
            key: self.key.clone(),
            get: self.get.clone(),
            effort: None,
            max_tokens: DEFAULT_MAX_TOKENS,
            temperature: None,
            concurrency: DEFAULT_CONCURRENCY,
        }
    }

    /// The provider that it is by itself.
    pub(super) fn definition(&self) -> Definition {
        let name = self.name.clone().or_else(|| ProviderName::parse(&self.api).ok());
        Definition {
            common: Common {
                name: name.unwrap_or_else(|| unreachable!("presets.yaml: {}", self.api)),
                aliases: self.aliases.clone(),
                description: self.description.clone(),
                timeout: Timeout::default(),
                retries: DEFAULT_RETRIES,
                price: self.price(self.model.as_deref()),
                strengths: self.strengths.clone(),
            },
            kind: Kind::Http(Box::new(self.http())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_whole() {
        for preset in presets() {
            let definition = preset.definition();
            let Kind::Http(http) = &definition.kind else { panic!("{}", preset.api) };
            assert!(http.url.is_loopback() || http.key.is_some(), "{}", preset.api);
            assert!(http.get.is_some(), "{}", preset.api);
            assert!(http.model.is_some() || http.dialect.probe, "{}", preset.api);
            assert!(definition.common.price.is_some(), "{}: its default has no price", preset.api);
            assert!(!definition.common.description.is_empty());
        }
    }

    #[test]
    fn prices_say_when_they_were_checked_or_that_they_were_not() {
        let lines: Vec<&str> = BUNDLED.lines().map(str::trim).collect();
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| **line == "prices:") {
            let said = lines[at - 1];
            let told = said.starts_with("# checked 20") || said.starts_with("# unverified");
            assert!(told, "line {}: {said}", at + 1);
        }
    }

    #[test]
    fn a_service_is_found_by_either_name() {
        assert_eq!(Preset::find("gemini").unwrap().api, "gemini");
        assert_eq!(Preset::find("google").unwrap().api, "gemini");
        assert!(Preset::find("gemin").is_none());
        assert_eq!(Preset::find("openai").unwrap().price(Some("gpt-new")), None);
        assert!(Preset::find("ollama").unwrap().price(None).is_some());
    }
}
