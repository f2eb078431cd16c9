//! Which provider speaks for whom.

use super::candidate::{Candidate, Link};
use super::{CallOptions, Runner};
use crate::engine::Snapshot;
use crate::provider::{Availability, OpenError, ProviderName};
use crate::transcript::Alias;
use crate::view::PassedOver;
use crate::workspace::WorkspaceError;

/// Whom to ask for a participant.
pub(super) struct Chain {
    /// In order; never empty but where nothing at all is installed.
    pub(super) candidates: Vec<Candidate>,
    pub(super) passed_over: Option<PassedOver>,
}

/// The names of a chain's providers, in order.
pub(super) fn names<'c>(names: impl Iterator<Item = &'c ProviderName>) -> Vec<String> {
    names.map(|name| name.as_str().to_owned()).collect()
}

impl Runner {
    /// The providers that are asked for a participant, in order: the first that a rule names, then the fallback chain.
    ///
    /// The rules: the command line; the head; the persona's own wishes, where installed; the configured default; the
    /// first that is installed. A built-in stand-in is never taken unless it is named.
    pub(super) fn chain(
        &self,
        snapshot: &Snapshot,
        alias: &Alias,
        options: &CallOptions,
    ) -> Result<Chain, WorkspaceError> {
        let persona = snapshot.config.persona(alias);
        let configured = &self.workspace.setup.config.providers;
        let by_head =
            snapshot.transcript.head.as_ref().and_then(|head| head.providers.get(alias.as_str()));
        let mut chain = Vec::new();
        let mut wished = None;
        if let Some(named) = options.provider.as_ref().or(by_head) {
            self.link(named, &mut chain)?;
        } else {
            let wishes = persona
                .map(|persona| persona.providers(Some(&snapshot.template().id)))
                .unwrap_or_default();
            for wish in wishes {
                self.link(wish, &mut chain)?;
                match self.pop_absent(&mut chain)? {
                    None => break,
                    absent => wished = wished.or(absent),
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
        let first = chain.first().cloned().or(wished);
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
            return Ok(Chain { candidates: first.into_iter().collect(), passed_over: None });
        }
        Ok(Chain { candidates: ready, passed_over })
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
        persona: Option<&crate::participant::Persona>,
        chain: &mut Vec<Candidate>,
    ) -> Result<(), WorkspaceError> {
        for entry in self.workspace.registry.entries() {
            let name = entry.definition.common.name.as_str();
            let excluded = persona.is_some_and(|persona| persona.provider_affinity.excludes(name));
            if entry.definition.kind.is_model() && !excluded {
                self.link(name, chain)?;
                if self.pop_absent(chain)?.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn link(&self, name: &str, chain: &mut Vec<Candidate>) -> Result<(), WorkspaceError> {
        let open = self.lock_opened().get(name).cloned();
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

    fn is_ready(&self, candidate: &Candidate) -> Result<bool, OpenError> {
        Ok(self.availability(candidate)?.is_ready())
    }

    /// Refuses to begin a turn for which fewer than `least` of those it asks have a provider (INV-DISC-100).
    pub(super) fn enough_can_answer(
        &self,
        snapshot: &Snapshot,
        asks: &[Alias],
        least: usize,
        options: &CallOptions,
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
            0 if tried.is_empty() => Err(WorkspaceError::NoProvider { tried: self.absent() }),
            0 => Err(WorkspaceError::NoProvider { tried }),
            _ => Err(WorkspaceError::TooFewProviders { ready, needed, tried }),
        }
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
        options: &CallOptions,
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
