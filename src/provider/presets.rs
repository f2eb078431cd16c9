//! The services that are known by name, each with everything that a request needs except a key.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::definition::{Common, ProviderDefinition};
use super::http::{
    Base, DEFAULT_CONCURRENCY, DEFAULT_MAX_TOKENS, Dialect, HttpDefinition, Url, Wire,
};
use super::{DEFAULT_RETRIES, Price, ProviderKind, ProviderName, Timeout};
use crate::yaml;

const BUNDLED: &str = include_str!("presets.yaml");

/// One service.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Preset {
    /// The name of the service in definitions.
    pub(super) api: String,
    /// The provider's name; the name of the service if absent.
    name: Option<ProviderName>,
    /// Other names of the provider.
    #[serde(default)]
    aliases: Vec<ProviderName>,
    description: String,
    /// The protocol of requests and answers.
    speaks: Wire,
    url: String,
    /// The variable that can name another address.
    base: Option<Base>,
    /// The variable that holds a key.
    pub(super) key: Option<String>,
    /// The place where users get a key or the service itself.
    get: Option<String>,
    /// The model that is called if the definition names none.
    model: Option<String>,
    #[serde(default)]
    dialect: Dialect,
    /// The known prices of its models.
    #[serde(default)]
    prices: BTreeMap<String, Price>,
    /// The tasks that it is good at, in words that may occur in a persona's role.
    #[serde(default)]
    strengths: Vec<String>,
    /// True if all its models cost nothing.
    #[serde(default)]
    free: bool,
}

/// All presets. An invalid `presets.yaml` panics at first use; a test reads it.
static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct File {
        presets: Vec<Preset>,
    }
    let file: File = yaml::read_embedded(BUNDLED, "presets.yaml")
        .unwrap_or_else(|error| unreachable!("presets.yaml: {error}"));
    file.presets
});

/// Returns all services that are known by name.
pub(super) fn presets() -> &'static [Preset] {
    &PRESETS
}

impl Preset {
    /// Finds a service by the name that definitions use, or by the name or an alias of its provider.
    pub(super) fn find(api: &str) -> Option<&'static Self> {
        let is = |preset: &&Self| {
            let names = preset.name.iter().chain(&preset.aliases);
            preset.api == api || names.into_iter().any(|name| name.as_str() == api)
        };
        PRESETS.iter().find(is)
    }

    /// Returns the price of one of its models, if it is known.
    pub(super) fn price(&self, model: Option<&str>) -> Option<Price> {
        let free = self.free.then_some(Price {
            input: 0.0,
            output: 0.0,
            cached: Some(0.0),
            written: None,
        });
        free.or_else(|| self.prices.get(model?).copied())
    }

    /// Returns the definition of the service without any changes.
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

    /// Returns the built-in provider for this service.
    pub(super) fn definition(&self) -> ProviderDefinition {
        let name = self.name.clone().or_else(|| ProviderName::parse(&self.api).ok());
        ProviderDefinition {
            common: Common {
                name: name.unwrap_or_else(|| unreachable!("presets.yaml: {}", self.api)),
                aliases: self.aliases.clone(),
                description: self.description.clone(),
                timeout: Timeout::default(),
                retries: DEFAULT_RETRIES,
                price: self.price(self.model.as_deref()),
                strengths: self.strengths.clone(),
            },
            kind: ProviderKind::Http(Box::new(self.http())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_complete() {
        for preset in presets() {
            let definition = preset.definition();
            let ProviderKind::Http(http) = &definition.kind else { panic!("{}", preset.api) };
            assert!(http.url.is_loopback() || http.key.is_some(), "{}", preset.api);
            assert!(http.get.is_some(), "{}", preset.api);
            assert!(http.model.is_some() || http.dialect.probe, "{}", preset.api);
            assert!(definition.common.price.is_some(), "{}: its default has no price", preset.api);
            assert!(!definition.common.description.is_empty());
        }
    }

    #[test]
    fn prices_state_when_they_were_checked() {
        let lines: Vec<&str> = BUNDLED.lines().map(str::trim).collect();
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| **line == "prices:") {
            let said = lines[at - 1];
            let told = said.starts_with("# checked 20") || said.starts_with("# unverified");
            assert!(told, "line {}: {said}", at + 1);
        }
    }

    #[test]
    fn service_is_found_by_either_name() {
        assert_eq!(Preset::find("gemini").unwrap().api, "gemini");
        assert_eq!(Preset::find("google").unwrap().api, "gemini");
        assert!(Preset::find("gemin").is_none());
        assert_eq!(Preset::find("openai").unwrap().price(Some("gpt-new")), None);
        assert!(Preset::find("ollama").unwrap().price(None).is_some());
    }
}
