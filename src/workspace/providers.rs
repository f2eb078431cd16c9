//! What can answer: listed, looked for, asked a small question.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::Workspace;
use super::error::WorkspaceError;
use crate::provider::{Availability, Consents, Entry, Provider, Timeout, TrustError, ping};
use crate::transcript::Alias;
use crate::view::{self, CheckedProvider, Foreign, ProviderState};

/// How long a small question may take at most, whatever longer time a provider has for real ones.
const PATIENCE: Duration = Duration::from_secs(60);

impl Workspace {
    /// All providers: built-in ones first, each where it was first defined.
    pub fn providers(&self, consents: &Consents) -> Vec<view::Provider> {
        let shown = |entry: &Entry| view::Provider {
            name: entry.definition.common.name.to_string(),
            runs: entry.definition.kind.written().into_owned(),
            description: entry.definition.common.description.clone(),
            origin: entry.origin.to_string(),
            trusted: self.covers(entry, consents),
        };
        self.registry.entries().iter().map(shown).collect()
    }

    /// Insists that there is a provider of a name.
    ///
    /// # Errors
    /// When there is none, with similar names.
    pub fn insist_on_provider(&self, name: &str) -> Result<(), WorkspaceError> {
        self.registry.find(name)?;
        Ok(())
    }

    /// Whether each provider could be called. Nothing is run.
    pub fn check_providers(&self) -> Vec<CheckedProvider> {
        let checked = |entry: &Entry| CheckedProvider {
            name: entry.definition.common.name.to_string(),
            state: self.state(entry),
        };
        self.registry.entries().iter().map(checked).collect()
    }

    /// What the project brings along of the providers that [`Workspace::ping_providers`] asks.
    pub fn needed_for_ping(&self) -> Vec<Foreign> {
        let ready = |entry: &&Entry| matches!(self.state(entry), ProviderState::Ready { .. });
        let foreign =
            |entry: &Entry| entry.foreign(&self.environment, self.setup.base()).ok().flatten();
        let all = self.registry.entries().iter().filter(ready).filter_map(foreign);
        all.map(|foreign| self.shown_foreign(&foreign, true)).collect()
    }

    /// As [`Workspace::check_providers`], and each that could be called is asked one small question, all at once; that
    /// costs what a small call costs. Must be called within a tokio runtime.
    pub async fn ping_providers(&self, consents: &Consents) -> Vec<CheckedProvider> {
        let mut all = self.check_providers();
        let mut running = JoinSet::new();
        for (index, entry) in self.registry.entries().iter().enumerate() {
            if !matches!(all[index].state, ProviderState::Ready { .. }) {
                continue;
            }
            let trusted = consents.trust(entry, &self.environment, self.setup.base());
            let opened =
                trusted.and_then(|it| it.open(&self.environment).map_err(TrustError::from));
            match opened {
                Ok(provider) => {
                    let patience = patience(entry.definition.common.timeout);
                    running.spawn(async move { (index, answer(provider, patience).await) });
                }
                Err(TrustError::NotTrusted(_)) => all[index].state = ProviderState::NotTrusted,
                Err(error) => {
                    all[index].state = ProviderState::Broken { reason: error.to_string() }
                }
            }
        }
        for (index, state) in running.join_all().await {
            all[index].state = state;
        }
        all
    }

    fn state(&self, entry: &Entry) -> ProviderState {
        match entry.availability(&self.environment, self.setup.base()) {
            Err(error) => ProviderState::Broken { reason: error.to_string() },
            Ok(Availability::Ready { through }) => ProviderState::Ready { through },
            Ok(Availability::Missing { reason, fix }) => ProviderState::Missing { reason, fix },
        }
    }
}

async fn answer(provider: Arc<dyn Provider>, patience: Duration) -> ProviderState {
    let who = Alias::parse("ping").unwrap_or_else(|error| unreachable!("a constant: {error}"));
    match ping(provider.as_ref(), who, patience).await {
        Ok(ping) => ProviderState::Answers {
            text: ping.reply.text,
            ms: u64::try_from(ping.took.as_millis()).unwrap_or(u64::MAX),
        },
        Err(error) => ProviderState::Fails { message: error.message },
    }
}

fn patience(timeout: Timeout) -> Duration {
    timeout.get().min(PATIENCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ping_waits_no_longer_than_the_provider_allows() {
        assert_eq!(patience(Timeout::parse("5s").unwrap()), Duration::from_secs(5));
        assert_eq!(patience(Timeout::parse("300s").unwrap()), PATIENCE);
    }
}
