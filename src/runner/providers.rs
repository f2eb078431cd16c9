//! The providers that a run may call: finds them by name, and opens them if the user trusts their definitions.

use std::collections::HashMap;
use std::sync::Arc;

use crate::participant::Persona;
use crate::provider::{
    Availability, Consents, OpenError, Provider, ProviderDefinition, ProviderName, RegistryEntry,
    ToolPermissions, TrustError,
};
use crate::view::PassedOver;
use crate::workspace::{Workspace, WorkspaceError};
use parking_lot::{Mutex, MutexGuard};

/// The providers of a workspace, as far as the user trusts them.
pub(super) struct Providers {
    pub(super) workspace: Arc<Workspace>,
    pub(super) consents: Consents,
    /// Open providers by name, those that the caller passed in included. A provider stays open for the whole run,
    /// because it remembers its calls.
    opened: Mutex<HashMap<String, Arc<dyn Provider>>>,
}

/// The providers for one participant.
pub(super) struct Chain {
    /// In order: the first one, then its fallbacks. Empty only if nothing at all is installed.
    pub(super) candidates: Vec<Candidate>,
    pub(super) passed_over: Option<PassedOver>,
    /// True if the runner assigned the first one because the user chose none.
    pub(super) is_assigned: bool,
    /// True if the template keeps vendors apart, and the first one is the author's, because no other vendor is ready.
    pub(super) is_author_again: bool,
    /// The maximum number of tokens of an answer, if the run sets one.
    pub(super) max_tokens: Option<u32>,
}

/// A provider of a chain, open and ready to be called.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) provider: Arc<dyn Provider>,
    /// Its definition; none for a provider that the caller passed in.
    pub(super) definition: Option<ProviderDefinition>,
}

/// A provider of a chain, before it is opened.
#[derive(Clone)]
pub(super) enum Candidate {
    /// It is open.
    Open(Box<Link>),
    /// It is defined. The user may not trust the definition.
    Defined(Box<RegistryEntry>),
}

impl Candidate {
    /// Returns its definition, if there is one.
    pub(super) fn definition(&self) -> Option<&ProviderDefinition> {
        match self {
            Self::Open(link) => link.definition.as_ref(),
            Self::Defined(entry) => Some(&entry.definition),
        }
    }

    pub(super) fn name(&self) -> &ProviderName {
        match self {
            Self::Open(link) => link.provider.name(),
            Self::Defined(entry) => &entry.definition.common.name,
        }
    }

    /// Returns the tools that it can grant among those that a person allowed.
    pub(super) fn grant(&self, wish: ToolPermissions) -> ToolPermissions {
        self.definition()
            .map_or(ToolPermissions::default(), |definition| definition.kind.grant(wish))
    }
}

/// Returns the names of a chain's providers, in order.
pub(super) fn names<'c>(names: impl Iterator<Item = &'c ProviderName>) -> Vec<String> {
    names.map(|name| name.as_str().to_owned()).collect()
}

impl Providers {
    pub(super) fn new(workspace: Arc<Workspace>, consents: Consents) -> Self {
        Self { workspace, consents, opened: Mutex::default() }
    }

    /// Adds an open provider.
    #[cfg(any(test, not(discussions_sealed)))]
    pub(super) fn add(&self, provider: Arc<dyn Provider>) {
        self.lock_opened().insert(provider.name().as_str().to_owned(), provider);
    }

    /// Checks that a provider of this name exists.
    pub(super) fn ensure_exists(&self, name: &str) -> Result<(), WorkspaceError> {
        if self.lock_opened().contains_key(name) {
            return Ok(());
        }
        self.workspace.providers().insist_on_provider(name)
    }

    /// Adds the provider of this name to a chain, unless the chain has it.
    pub(super) fn link(
        &self,
        name: &str,
        chain: &mut Vec<Candidate>,
    ) -> Result<(), WorkspaceError> {
        let open = self.lock_opened().get(name).cloned();
        let entry = self.workspace.registry().find(name);
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

    /// Opens a chain. The user has to trust its first provider; an untrusted fallback is skipped.
    pub(super) fn open(&self, chain: &Chain) -> Result<Vec<Link>, WorkspaceError> {
        let mut links = Vec::new();
        for candidate in &chain.candidates {
            match self.open_one(candidate, chain.max_tokens) {
                Ok(link) => links.push(link),
                Err(WorkspaceError::NotTrusted(_)) if !links.is_empty() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(links)
    }

    fn open_one(
        &self,
        candidate: &Candidate,
        max_tokens: Option<u32>,
    ) -> Result<Link, WorkspaceError> {
        let entry = match candidate {
            Candidate::Open(link) => return Ok(Link::clone(link)),
            Candidate::Defined(entry) => entry,
        };
        let name = entry.definition.common.name.as_str().to_owned();
        let known = self.lock_opened().get(&name).cloned();
        let provider = match known {
            Some(provider) => provider,
            None => {
                let (env, project) =
                    (self.workspace.call_environment(), self.workspace.setup.base());
                let trusted = self.consents.trust(entry, env, project)?;
                trusted.at_most(max_tokens).open(env).map_err(TrustError::from)?
            }
        };
        self.lock_opened().insert(name, Arc::clone(&provider));
        let definition = entry.definition.clone();
        let definition = match max_tokens {
            Some(tokens) => definition.at_most(tokens),
            None => definition,
        };
        Ok(Link { provider, definition: Some(definition) })
    }

    pub(super) fn availability(&self, candidate: &Candidate) -> Result<Availability, OpenError> {
        let env = self.workspace.call_environment();
        match candidate {
            Candidate::Open(link) => Ok(link.provider.availability(env)),
            Candidate::Defined(entry) => entry.availability(env, self.workspace.setup.base()),
        }
    }

    pub(super) fn is_ready(&self, candidate: &Candidate) -> Result<bool, OpenError> {
        Ok(self.availability(candidate)?.is_ready())
    }

    /// Returns whether a persona excludes a provider, by its name or one of its aliases.
    pub(super) fn excludes(&self, persona: &Persona, provider: &str) -> bool {
        persona.provider_affinity.exclude.iter().any(|excluded| {
            let found = self.workspace.registry().find(excluded);
            let name = found.as_ref().map(|it| it.definition.common.name.as_str());
            name.unwrap_or(excluded.as_str()) == provider
        })
    }

    fn lock_opened(&self) -> MutexGuard<'_, HashMap<String, Arc<dyn Provider>>> {
        // A panic elsewhere cannot leave the map half changed.
        self.opened.lock()
    }
}
