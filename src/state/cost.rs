//! The cost of the answers.

use foldhash::HashMap;

use crate::transcript::Spent;

/// Totals over all recorded answers, passes and failures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Model calls, including retries.
    pub calls: u64,
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// US dollars, for the calls with a known price.
    pub usd: f64,
    /// True if the cost of at least one call is known.
    pub priced: bool,
    /// True if a part of the amounts is estimated.
    pub estimated: bool,
    /// Calls with a recorded price that cannot be parsed, such as `usd: -1000`. They are not part of `usd`.
    pub unreadable: u64,
    /// Cost by provider, in the order of first use.
    pub by_provider: Vec<ProviderCost>,
    /// The index of each provider in `by_provider`.
    places: HashMap<String, usize>,
}

/// The cost of one provider.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProviderCost {
    /// The name of the provider.
    pub provider: String,
    /// Model calls.
    pub calls: u64,
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// US dollars.
    pub usd: f64,
    /// True if some cost was reported, or computed from a price.
    pub priced: bool,
    /// True if a part of the amounts is estimated.
    pub estimated: bool,
}

impl Cost {
    pub(super) fn add(&mut self, spent: &Spent) {
        let calls = u64::from(spent.calls.unwrap_or(1));
        let tokens = spent.tokens.map_or(0, |tokens| tokens.input.saturating_add(tokens.output));
        let usd = spent.usd.map_or(0.0, |usd| usd.amount);
        self.calls += calls;
        self.unreadable += if spent.usd_unreadable { calls.max(1) } else { 0 };
        self.tokens = self.tokens.saturating_add(tokens);
        self.usd += usd;
        self.priced |= spent.usd.is_some();
        let estimated =
            spent.tokens.is_some_and(|t| t.estimated) || spent.usd.is_some_and(|u| u.estimated);
        self.estimated |= estimated;
        // The cost of fallbacks and retries is recorded under the provider that was called.
        let mut own = ProviderCost { calls, tokens, usd, ..ProviderCost::default() };
        (own.priced, own.estimated) = (spent.usd.is_some(), estimated);
        for tried in &spent.tried {
            let of = tried.tokens.map_or(0, |it| it.input.saturating_add(it.output));
            let one = ProviderCost {
                provider: tried.provider.clone(),
                calls: u64::from(tried.calls),
                tokens: of,
                usd: tried.usd.map_or(0.0, |usd| usd.amount),
                priced: tried.usd.is_some(),
                estimated: tried.tokens.is_some_and(|it| it.estimated)
                    || tried.usd.is_some_and(|it| it.estimated),
            };
            own.calls = own.calls.saturating_sub(one.calls);
            own.tokens = own.tokens.saturating_sub(one.tokens);
            own.usd = (own.usd - one.usd).max(0.0);
            self.book(&one);
        }
        if let Some(provider) = &spent.provider {
            own.provider.clone_from(provider);
            self.book(&own);
        }
    }

    /// Adds the cost of a sub-discussion.
    pub fn absorb(&mut self, other: &Self) {
        self.calls += other.calls;
        self.unreadable += other.unreadable;
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.usd += other.usd;
        self.priced |= other.priced;
        self.estimated |= other.estimated;
        other.by_provider.iter().for_each(|one| self.book(one));
    }

    /// Adds calls of a provider that is no longer known.
    pub(crate) fn add_unknown(&mut self, calls: u64, usd: Option<f64>) {
        self.calls += calls;
        self.usd += usd.unwrap_or(0.0);
        self.priced |= usd.is_some();
        self.estimated = true;
    }

    /// Returns US dollars; none if calls were made and the price of none of them is known.
    pub(crate) fn known_usd(&self) -> Option<f64> {
        (self.priced || self.calls == 0).then_some(self.usd)
    }

    fn book(&mut self, spent: &ProviderCost) {
        let place = *self.places.entry(spent.provider.clone()).or_insert_with(|| {
            let provider = spent.provider.clone();
            self.by_provider.push(ProviderCost { provider, ..ProviderCost::default() });
            self.by_provider.len() - 1
        });
        let entry = &mut self.by_provider[place];
        entry.calls += spent.calls;
        entry.tokens = entry.tokens.saturating_add(spent.tokens);
        entry.usd += spent.usd;
        entry.priced |= spent.priced;
        entry.estimated |= spent.estimated;
    }
}
