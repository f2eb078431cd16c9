//! What a whole discussion may cost, by its head and by the configuration, and what of that is left for a run.

use super::dispatch::Dispatcher;
use crate::engine::Snapshot;
use crate::provider::Unaffordable;
use crate::workspace::WorkspaceError;

impl Dispatcher<'_> {
    /// Takes in what the file, those above it and the configuration allow, less what the files say was spent.
    ///
    /// # Errors
    /// A limit that cannot be read: nothing is asked where a limit that somebody wrote would not hold.
    pub(super) fn bound_by(&mut self, snapshot: &Snapshot) -> Result<(), WorkspaceError> {
        let chain = self.workspace().chain(self.path(), snapshot)?;
        let budget = self.workspace().budget(&chain)?;
        self.insist_on_prices(budget.unreadable)?;
        if let Some(usd) = budget.usd {
            self.purse().narrow(usd);
        }
        if let Some(calls) = budget.calls {
            self.allow_calls(calls);
        }
        if let Some(time) = budget.time {
            self.allow_time(time);
        }
        if let Some(until) = budget.until {
            let left = until - self.workspace().now();
            self.allow_time(left.to_std().unwrap_or_default());
        }
        self.set_budget(budget);
        Ok(())
    }

    /// Refuses to spend money under a limit if the file does not tell how much of the limit is spent. A line that
    /// somebody wrote or changed by hand could pass the limit otherwise.
    fn insist_on_prices(&self, unreadable: u64) -> Result<(), WorkspaceError> {
        if unreadable == 0 || self.may_ask_unpriced() {
            return Ok(());
        }
        Err(Unaffordable::UnreadablePrices { calls: unreadable }.into())
    }
}
