//! Which provider speaks for whom.

use std::sync::Arc;

use super::error::RunError;
use super::{CallOptions, Runner};
use crate::engine::Situation;
use crate::provider::{Availability, Definition, Kind, Provider};
use crate::transcript::Alias;

/// One provider of a participant's chain.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) provider: Arc<dyn Provider>,
    /// How it is called; none for a provider that the caller brought along.
    pub(super) definition: Option<Definition>,
}

impl Runner {
    /// The providers that are asked for a participant, in order: the first that a rule names, then the fallback chain.
    ///
    /// The rules: the command line; the head; the persona's own wishes, where installed; the configured default; the
    /// first that is installed. A built-in stand-in is never taken unless it is named.
    pub(super) fn chain(
        &self,
        situation: &Situation<'_>,
        alias: &Alias,
        options: &CallOptions,
    ) -> Result<Vec<Link>, RunError> {
        let persona = situation.charter.persona(alias);
        let configured = &self.workspace.setup.config.providers;
        let by_head =
            situation.transcript.head.as_ref().and_then(|head| head.providers.get(alias.as_str()));
        let mut chain = Vec::new();
        if let Some(named) = options.provider.as_ref().or(by_head) {
            self.link(named, &mut chain)?;
        } else {
            let wishes = persona
                .map(|persona| persona.providers(Some(&situation.template().id)))
                .unwrap_or_default();
            for wish in wishes {
                self.link(wish, &mut chain)?;
                if chain.pop_if(|link| !self.is_ready(link)).is_none() {
                    break;
                }
            }
            if chain.is_empty()
                && let Some(default) = &configured.default
            {
                self.link(default, &mut chain)?;
            }
            if chain.is_empty() {
                self.first_installed(persona, &mut chain)?;
            }
        }
        let own = persona.and_then(|persona| persona.provider_affinity.fallback.as_ref());
        for name in own.into_iter().chain(configured.fallback.iter().flatten()) {
            if !persona.is_some_and(|persona| persona.provider_affinity.excludes(name)) {
                self.link(name, &mut chain)?;
            }
        }
        // The first stays even when it is missing, so that its fix is told; others are only taken where they are there.
        let first = chain.first().cloned();
        chain.retain(|link| self.is_ready(link));
        Ok(if chain.is_empty() { first.into_iter().collect() } else { chain })
    }

    fn first_installed(
        &self,
        persona: Option<&crate::participant::Persona>,
        chain: &mut Vec<Link>,
    ) -> Result<(), RunError> {
        for entry in self.workspace.registry.entries() {
            let name = entry.definition.name.as_str();
            let excluded = persona.is_some_and(|persona| persona.provider_affinity.excludes(name));
            if matches!(entry.definition.kind, Kind::Command(_)) && !excluded {
                self.link(name, chain)?;
                if chain.pop_if(|link| !self.is_ready(link)).is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn link(&self, name: &str, chain: &mut Vec<Link>) -> Result<(), RunError> {
        let brought = self.lock_opened().get(name).cloned();
        let entry = self.workspace.registry.find(name);
        let link = match (brought, entry) {
            (Some(provider), entry) => {
                Link { provider, definition: entry.ok().map(|entry| entry.definition.clone()) }
            }
            (None, entry) => {
                let entry = entry?;
                let own = entry.definition.name.as_str().to_owned();
                let known = self.lock_opened().get(&own).cloned();
                let provider = match known {
                    Some(provider) => provider,
                    None => entry.open(&self.workspace.environment, self.workspace.setup.base())?,
                };
                // Kept, so that what a provider remembers of its calls lasts for the whole run.
                self.lock_opened().insert(own, Arc::clone(&provider));
                Link { provider, definition: Some(entry.definition.clone()) }
            }
        };
        if !chain.iter().any(|known: &Link| known.provider.name() == link.provider.name()) {
            chain.push(link);
        }
        Ok(())
    }

    fn is_ready(&self, link: &Link) -> bool {
        link.provider.availability(&self.workspace.environment).is_ready()
    }

    /// Refuses to begin a turn of which nobody could be asked.
    pub(super) fn somebody_can_answer(
        &self,
        situation: &Situation<'_>,
        asks: &[Alias],
        options: &CallOptions,
    ) -> Result<(), RunError> {
        let mut tried: Vec<String> = Vec::new();
        let models: Vec<&Alias> =
            asks.iter().filter(|alias| situation.charter.is_model(alias)).collect();
        for alias in &models {
            for link in self.chain(situation, alias, options)? {
                match link.provider.availability(&self.workspace.environment) {
                    Availability::Ready { .. } => return Ok(()),
                    Availability::Missing { reason, fix } => {
                        let text = format!("{reason} ({fix})");
                        if !tried.contains(&text) {
                            tried.push(text);
                        }
                    }
                }
            }
        }
        if models.is_empty() {
            return Ok(());
        }
        if tried.is_empty() {
            tried = self.absent();
        }
        Err(RunError::NoProvider { tried })
    }

    /// Every model program that is known and not installed, each once.
    fn absent(&self) -> Vec<String> {
        let mut absent: Vec<String> = Vec::new();
        for entry in self.workspace.registry.entries() {
            let mut link = Vec::new();
            let missing =
                self.link(entry.definition.name.as_str(), &mut link).ok().and_then(|()| match link
                    .first()?
                    .provider
                    .availability(&self.workspace.environment)
                {
                    Availability::Missing { reason, fix } => Some(format!("{reason} ({fix})")),
                    Availability::Ready { .. } => None,
                });
            absent.extend(missing.filter(|text| !absent.contains(text)));
        }
        absent
    }
}
