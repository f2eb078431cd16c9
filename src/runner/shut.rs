//! Providers that cannot answer anybody for the rest of a run, so that only the first call finds that out.

use std::collections::BTreeSet;
use std::sync::Arc;

use parking_lot::Mutex;

use super::candidate::Link;
use crate::provider::{CallError, FailureCode, ProviderName};

/// Their names, shared by all calls of a run. The next run asks them again: somebody may have logged in.
#[derive(Clone, Debug, Default)]
pub(super) struct Shut(Arc<Mutex<BTreeSet<String>>>);

impl Shut {
    /// Remembers whose failure has nothing to do with what was asked.
    pub(super) fn learn(&self, provider: &ProviderName, error: &CallError) {
        if is_for_everybody(error.code) {
            self.0.lock().insert(provider.as_str().to_owned());
        }
    }

    /// A chain without them; the whole one where nobody would be left, so that there is a reason to tell.
    pub(super) fn without(&self, chain: Vec<Link>) -> Vec<Link> {
        let shut = self.0.lock();
        let is_open = |link: &Link| !shut.contains(link.provider.name().as_str());
        if chain.iter().any(is_open) { chain.into_iter().filter(is_open).collect() } else { chain }
    }
}

/// Whether any other prompt would fail so too.
fn is_for_everybody(code: FailureCode) -> bool {
    use FailureCode as F;
    match code {
        F::NotInstalled | F::Misconfigured | F::SpendLimit | F::Unauthorized | F::UnknownModel => {
            true
        }
        F::CannotStart
        | F::Exit
        | F::Empty
        | F::Timeout
        | F::OutputTooLong
        | F::Unreadable
        | F::CutStream
        | F::Unreachable
        | F::RateLimited
        | F::Overloaded
        | F::Server
        | F::OverBudget
        | F::BudgetSpent
        | F::ContentFilter
        | F::PromptTooLong
        | F::Stopped => false,
    }
}
