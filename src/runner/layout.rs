//! Who shares a model, and so what comes first in a prompt: caches are per model.

use std::collections::HashMap;

use super::Runner;
use super::choose::Chain;
use super::options::CallSettings;
use crate::engine::{Layout, Snapshot};

/// How many seats speak through each provider, as long as none fails.
pub(super) struct Sharing(HashMap<String, usize>);

impl Sharing {
    /// What the prompts of one who has this chain begin with.
    pub(super) fn layout(&self, chain: &Chain) -> Layout {
        match first(chain).and_then(|name| self.0.get(name)) {
            Some(0 | 1) => Layout::PersonaFirst,
            _ => Layout::RecordFirst,
        }
    }
}

fn first(chain: &Chain) -> Option<&str> {
    chain.candidates.first().map(|candidate| candidate.name().as_str())
}

impl Runner {
    /// Looks at all seats, also those that are not asked now: somebody's prompts are laid out alike in every turn.
    pub(super) fn sharing(&self, snapshot: &Snapshot, options: &CallSettings) -> Sharing {
        let config = &snapshot.config;
        let mut seats: Vec<_> = config.seats().chain(config.roles.values().flatten()).collect();
        seats.sort_unstable();
        seats.dedup();
        let mut through = HashMap::new();
        for alias in seats.into_iter().filter(|alias| config.is_model(alias)) {
            // Whose provider is unknown is told when they are asked.
            if let Ok(chain) = self.chain(snapshot, alias, options)
                && let Some(name) = first(&chain)
            {
                *through.entry(name.to_owned()).or_default() += 1;
            }
        }
        Sharing(through)
    }
}
