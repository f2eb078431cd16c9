//! Providers with another model than their own: `openrouter:deepseek/deepseek-chat`, `claude:opus`.

use std::borrow::Cow;

use super::{Registry, RegistryEntry, UnknownProvider};
use crate::provider::http::is_model;
use crate::provider::presets::Preset;
use crate::provider::{Layer, ProviderKind, ProviderName};

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
        match &mut entry.definition.kind {
            ProviderKind::Http(http) => {
                let priced = Preset::find(&http.api)
                    .filter(|_| entry.origin == Layer::BuiltIn && http.url_from.is_none());
                // Another model has another price.
                if http.model.as_deref() != Some(model) {
                    common.price = priced.and_then(|preset| preset.price(Some(model)));
                }
                **http = http.with_model(model);
            }
            ProviderKind::Command(command) => {
                **command = command.with_model(model).ok_or_else(unknown)?;
                common.price = None;
            }
            ProviderKind::Script(_) | ProviderKind::Mock => return Err(unknown()),
        }
        common.name = asked.with_model(model);
        common.aliases.clear();
        Ok(Cow::Owned(entry))
    }
}
