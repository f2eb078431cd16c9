//! What the answers cost.

use std::collections::HashMap;

use crate::transcript::Spent;

/// Sums over all recorded answers, passes and failures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Model calls, repeated ones too.
    pub calls: u64,
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// US dollars.
    pub usd: f64,
    /// Some of it is estimated.
    pub estimated: bool,
    /// By provider, in the order of first use.
    pub by_provider: Vec<ProviderCost>,
    /// Where in `by_provider` each stands.
    places: HashMap<String, usize>,
}

/// What one provider cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProviderCost {
    /// Its name.
    pub provider: String,
    /// Model calls.
    pub calls: u64,
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// US dollars.
    pub usd: f64,
    /// Some of it is estimated.
    pub estimated: bool,
}

impl Cost {
    pub(super) fn add(&mut self, spent: &Spent) {
        let calls = u64::from(spent.calls.unwrap_or(1));
        let tokens = spent.tokens.map_or(0, |tokens| tokens.input.saturating_add(tokens.output));
        let usd = spent.usd.map_or(0.0, |usd| usd.amount);
        self.calls += calls;
        self.tokens = self.tokens.saturating_add(tokens);
        self.usd += usd;
        let estimated =
            spent.tokens.is_some_and(|t| t.estimated) || spent.usd.is_some_and(|u| u.estimated);
        self.estimated |= estimated;
        let Some(name) = &spent.provider else { return };
        let entry = match self.places.get(name) {
            Some(&index) => &mut self.by_provider[index],
            None => {
                self.places.insert(name.clone(), self.by_provider.len());
                self.by_provider
                    .push(ProviderCost { provider: name.clone(), ..ProviderCost::default() });
                let last = self.by_provider.len() - 1;
                &mut self.by_provider[last]
            }
        };
        entry.calls += calls;
        entry.tokens = entry.tokens.saturating_add(tokens);
        entry.usd += usd;
        entry.estimated |= estimated;
    }
}
