//! Which provider speaks for whom.

use super::Runner;
use super::candidate::{Candidate, Link};
use super::options::CallSettings;
use crate::engine::Snapshot;
use crate::participant::Persona;
use crate::provider::{Availability, OpenError, ProviderName};
use crate::transcript::Alias;
use crate::view::PassedOver;
use crate::workspace::WorkspaceError;

/// Whom to ask for a participant.
pub(super) struct Chain {
    /// In order; never empty but where nothing at all is installed.
    pub(super) candidates: Vec<Candidate>,
    pub(super) passed_over: Option<PassedOver>,
    /// Nobody chose the first; it was dealt to the seat.
    pub(super) dealt: bool,
    /// Most tokens of an answer, where the run says so.
    pub(super) max_tokens: Option<u32>,
}

/// The names of a chain's providers, in order.
pub(super) fn names<'c>(names: impl Iterator<Item = &'c ProviderName>) -> Vec<String> {
    names.map(|name| name.as_str().to_owned()).collect()
}

impl Runner {
    /// The providers that are asked for a participant, in order: whom a rule names, then the fallback chain.
    ///
    /// The rules: the command line; the head; the persona's own wishes, one after the other; the configured default, or the
    /// fallback if the persona excludes it; the vendors that are usable, dealt over the seats. What a persona excludes is never taken, whoever names it, and a
    /// built-in stand-in only where it is named.
    pub(super) fn chain(
        &self,
        snapshot: &Snapshot,
        alias: &Alias,
        options: &CallSettings,
    ) -> Result<Chain, WorkspaceError> {
        let persona = snapshot.config.persona(alias);
        let configured = &self.workspace.setup.config.providers;
        let by_head =
            snapshot.transcript.head.as_ref().and_then(|head| head.providers.get(alias.as_str()));
        let own = persona.and_then(|persona| persona.provider_affinity.fallback.as_ref());
        let fallback: Vec<&String> =
            own.into_iter().chain(configured.fallback.iter().flatten()).collect();
        let mut chain = Vec::new();
        let mut wished = None;
        if let Some(named) = options.provider.as_ref().or(by_head) {
            self.link_unless_excluded(named, persona, &mut chain)?;
        }
        let named = !chain.is_empty();
        if !named {
            let wishes = persona
                .map(|persona| persona.providers(Some(&snapshot.template().id)))
                .unwrap_or_default();
            for wish in wishes {
                let known = chain.len();
                self.link_unless_excluded(wish, persona, &mut chain)?;
                if chain.len() > known {
                    wished = wished.or(self.pop_absent(&mut chain)?);
                }
            }
            if chain.is_empty()
                && let Some(default) = &configured.default
            {
                self.link_unless_excluded(default, persona, &mut chain)?;
                // Whoever configured a fallback meant it to stand in, not whatever else is installed.
                if chain.is_empty() {
                    for name in &fallback {
                        let known = chain.len();
                        self.link_unless_excluded(name, persona, &mut chain)?;
                        if chain.len() > known {
                            wished = wished.or(self.pop_absent(&mut chain)?);
                        }
                    }
                }
            }
        }
        let chosen = !chain.is_empty();
        let vendors = self.vendors(persona)?;
        if !chosen {
            match self.dealt(snapshot, alias, &vendors) {
                Some(provider) => self.link(provider, &mut chain)?,
                None => self.first_installed(persona, &mut chain)?,
            }
        }
        for name in fallback {
            self.link_unless_excluded(name, persona, &mut chain)?;
        }
        // Where nobody says who is asked when one vendor fails, the other vendors are.
        if !named && configured.fallback.is_none() {
            for vendor in self.after(&vendors, &chain) {
                self.link(vendor, &mut chain)?;
            }
        }
        // The first stays even when it is missing, so that its fix is told; others are only taken where they are there.
        let first = chain.first().cloned().or(wished.clone());
        // A persona's wish may go unheard; whoever is named or configured was meant.
        let passed_over = match chain.first() {
            Some(candidate) => self.passed_over(candidate)?,
            None => None,
        };
        let mut ready = Vec::new();
        for candidate in chain {
            if self.is_ready(&candidate)? {
                ready.push(candidate);
            }
        }
        if ready.is_empty() {
            return Ok(Chain {
                candidates: first.into_iter().collect(),
                passed_over: None,
                dealt: false,
                max_tokens: options.max_tokens,
            });
        }
        let max_tokens = options.max_tokens;
        Ok(Chain { candidates: ready, passed_over, dealt: !chosen, max_tokens })
    }

    fn link_unless_excluded(
        &self,
        name: &str,
        persona: Option<&Persona>,
        chain: &mut Vec<Candidate>,
    ) -> Result<(), WorkspaceError> {
        let own = self.workspace.registry.find(name).ok();
        let own = own.as_ref().map_or(name, |entry| entry.definition.common.name.as_str());
        if persona.is_some_and(|persona| self.excludes(persona, own)) {
            Ok(())
        } else {
            self.link(name, chain)
        }
    }

    /// Whether a persona excludes a provider, by its name or one of its aliases.
    pub(super) fn excludes(&self, persona: &Persona, provider: &str) -> bool {
        persona.provider_affinity.exclude.iter().any(|excluded| {
            let found = self.workspace.registry.find(excluded);
            let name = found.as_ref().map(|it| it.definition.common.name.as_str());
            name.unwrap_or(excluded.as_str()) == provider
        })
    }

    fn passed_over(&self, candidate: &Candidate) -> Result<Option<PassedOver>, OpenError> {
        Ok(match self.availability(candidate)? {
            Availability::Ready { .. } => None,
            Availability::Missing { reason, fix } => {
                let provider = candidate.name().as_str().to_owned();
                Some(PassedOver { provider, reason, fix })
            }
        })
    }

    /// Takes away the last one where it is not installed.
    fn pop_absent(&self, chain: &mut Vec<Candidate>) -> Result<Option<Candidate>, OpenError> {
        match chain.last() {
            Some(last) if !self.is_ready(last)? => Ok(chain.pop()),
            _ => Ok(None),
        }
    }

    fn first_installed(
        &self,
        persona: Option<&Persona>,
        chain: &mut Vec<Candidate>,
    ) -> Result<(), WorkspaceError> {
        for entry in self.workspace.registry.entries() {
            let name = entry.definition.common.name.as_str();
            let excluded = persona.is_some_and(|persona| self.excludes(persona, name));
            if entry.definition.kind.is_model() && !excluded {
                self.link(name, chain)?;
                if self.pop_absent(chain)?.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    pub(super) fn link(
        &self,
        name: &str,
        chain: &mut Vec<Candidate>,
    ) -> Result<(), WorkspaceError> {
        let open = self.opened.lock().get(name).cloned();
        let entry = self.workspace.registry.find(name);
        let candidate = match open {
            Some(provider) => {
                let definition = entry.ok().map(|entry| entry.definition.clone());
                Candidate::Open(Box::new(Link { provider, definition }))
            }
            None => Candidate::Defined(Box::new(entry?.into_owned())),
        };
        if !chain.iter().any(|known| known.name() == candidate.name()) {
            chain.push(candidate);
        }
        Ok(())
    }

    pub(super) fn is_ready(&self, candidate: &Candidate) -> Result<bool, OpenError> {
        Ok(self.availability(candidate)?.is_ready())
    }

    /// Refuses to begin a turn for which fewer than `least` of those it asks have a provider (INV-DISC-100).
    pub(super) fn enough_can_answer(
        &self,
        snapshot: &Snapshot,
        asks: &[Alias],
        least: usize,
        options: &CallSettings,
    ) -> Result<(), WorkspaceError> {
        let mut tried: Vec<String> = Vec::new();
        let (models, people): (Vec<&Alias>, Vec<&Alias>) =
            asks.iter().partition(|alias| snapshot.config.is_model(alias));
        let mut ready = 0;
        for alias in &models {
            let mut missing = Vec::new();
            let mut is_ready = false;
            let chain = self.chain(snapshot, alias, options)?;
            for link in self.open(&chain)? {
                match link.provider.availability(&self.workspace.environment) {
                    Availability::Ready { .. } => is_ready = true,
                    Availability::Missing { reason, fix } => {
                        missing.push(format!("{reason} ({fix})"));
                    }
                }
            }
            if is_ready {
                ready += 1;
            } else {
                tried.extend(
                    missing.into_iter().filter(|text| !tried.contains(text)).collect::<Vec<_>>(),
                );
            }
        }
        let needed = least.min(asks.len()).saturating_sub(people.len());
        match ready {
            _ if ready >= needed || self.somebody_stands_in(snapshot, options)? => Ok(()),
            0 if tried.is_empty() => {
                Err(WorkspaceError::NoProvider { tried: self.absent(), ready: Vec::new() })
            }
            0 => Err(WorkspaceError::NoProvider { tried, ready: self.available() }),
            _ => Err(WorkspaceError::TooFewProviders { ready, needed, tried }),
        }
    }

    /// Returns the names of all models' providers that could be called.
    fn available(&self) -> Vec<String> {
        let entries = self.workspace.registry.entries().iter();
        let models = entries.filter(|entry| entry.definition.kind.is_model());
        let names = models.map(|entry| entry.definition.common.name.as_str());
        let is_there = |name: &&str| {
            let mut link = Vec::new();
            let known = self.link(name, &mut link).is_ok();
            known && link.first().is_some_and(|one| self.is_ready(one).unwrap_or(false))
        };
        names.filter(is_there).map(str::to_owned).collect()
    }

    /// Every model program that is known and not installed, each once.
    fn absent(&self) -> Vec<String> {
        let mut programs: Vec<String> = Vec::new();
        let mut absent = Vec::new();
        for entry in self.workspace.registry.entries() {
            let mut link = Vec::new();
            if self.link(entry.definition.common.name.as_str(), &mut link).is_err() {
                continue;
            }
            let there = link.first().and_then(|candidate| self.availability(candidate).ok());
            // Several definitions may call one program.
            if let Some(Availability::Missing { reason, fix }) = there
                && !programs.contains(&reason)
            {
                absent.push(format!("{reason} ({fix})"));
                programs.push(reason);
            }
        }
        absent
    }

    /// Whether this is a phase in which others stand in for whoever fails, and one of them could be asked.
    fn somebody_stands_in(
        &self,
        snapshot: &Snapshot,
        options: &CallSettings,
    ) -> Result<bool, WorkspaceError> {
        for alias in snapshot.stand_ins() {
            let chain = self.chain(snapshot, &alias, options)?;
            for candidate in &chain.candidates {
                if self.is_ready(candidate)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
