//! From a provider that is named to one that can be asked, with the user's consent between the two.

use std::sync::Arc;

use super::Runner;
use super::choose::Chain;
use crate::provider::{
    Availability, Definition, Entry, OpenError, Provider, ProviderName, TrustError,
};
use crate::workspace::WorkspaceError;

/// One provider of a participant's chain, ready to be asked.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) provider: Arc<dyn Provider>,
    /// How it is called; none for a provider that the caller brought along.
    pub(super) definition: Option<Definition>,
}

/// One provider of a participant's chain, as it is known before it is opened.
#[derive(Clone)]
pub(super) enum Candidate {
    /// It is open already.
    Open(Box<Link>),
    /// It is defined, and perhaps nobody agreed to that.
    Defined(Box<Entry>),
}

impl Candidate {
    /// How it is called, where that is known.
    pub(super) fn definition(&self) -> Option<&Definition> {
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
}

impl Runner {
    /// Opens a chain: the first of it has to be trusted, a later one that is not is left out.
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
        let own = entry.definition.common.name.as_str().to_owned();
        let known = self.opened.lock().get(&own).cloned();
        let provider = match known {
            Some(provider) => provider,
            None => {
                let (env, project) = (&self.workspace.environment, self.workspace.setup.base());
                let trusted = self.consents.trust(entry, env, project)?;
                trusted.at_most(max_tokens).open(env).map_err(TrustError::from)?
            }
        };
        // Kept, so that what a provider remembers of its calls lasts for the whole run.
        self.opened.lock().insert(own, Arc::clone(&provider));
        let own = entry.definition.clone();
        let definition = match max_tokens {
            Some(tokens) => own.at_most(tokens),
            None => own,
        };
        Ok(Link { provider, definition: Some(definition) })
    }

    pub(super) fn availability(&self, candidate: &Candidate) -> Result<Availability, OpenError> {
        let env = &self.workspace.environment;
        match candidate {
            Candidate::Open(link) => Ok(link.provider.availability(env)),
            Candidate::Defined(entry) => entry.availability(env, self.workspace.setup.base()),
        }
    }
}
