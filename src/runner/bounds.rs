//! What a whole discussion may cost, by its head and by the configuration, and what of that is left for a run.

use std::time::Duration;

use super::dispatch::Dispatcher;
use crate::duration;
use crate::engine::Snapshot;
use crate::transcript::HeadLimits;
use crate::view::{EventKind, changes};
use crate::workspace::WorkspaceError;

impl Dispatcher<'_> {
    /// Takes in what the file and the configuration allow, less what the file says was spent.
    ///
    /// # Errors
    /// A limit that cannot be read: nothing is asked where a limit that somebody wrote would not hold.
    pub(super) fn bound_by(&mut self, snapshot: &Snapshot) -> Result<(), WorkspaceError> {
        let head = snapshot.transcript.head.as_ref().map(|head| head.limits.clone());
        let configured = self.workspace().setup.config.limits.clone();
        for limits in head.into_iter().chain([configured]) {
            self.narrow(&limits, snapshot)?;
        }
        Ok(())
    }

    fn narrow(&mut self, limits: &HeadLimits, snapshot: &Snapshot) -> Result<(), WorkspaceError> {
        let spent = &snapshot.state.cost;
        if let Some(most) = limits.max_usd {
            if !(most.is_finite() && most >= 0.0) {
                return Err(WorkspaceError::Limit(
                    "max_usd",
                    "it is US dollars, 0 or more".to_owned(),
                ));
            }
            self.purse().narrow((most - spent.usd).max(0.0));
        }
        if let Some(most) = limits.max_calls {
            let made = u32::try_from(spent.calls).unwrap_or(u32::MAX);
            self.allow_calls(most.saturating_sub(made));
        }
        if let Some(time) = &limits.timeout {
            let time =
                duration::parse(time).map_err(|why| WorkspaceError::Limit("timeout", why))?;
            self.allow_time(time.saturating_sub(taken(snapshot)));
        }
        Ok(())
    }
}

/// What all turns took so far, as the file tells: calls one after the other, or all at once. Of a turn that is not
/// over the longest call counts.
fn taken(snapshot: &Snapshot) -> Duration {
    let (mut whole, mut open) = (0, 0);
    for change in changes(None, snapshot) {
        match change.kind {
            EventKind::TurnStart { .. } => {
                whole += std::mem::take(&mut open);
            }
            EventKind::AnswerEnd { ms, .. } => open = open.max(ms),
            EventKind::TurnEnd { ms, .. } => (whole, open) = (whole + ms, 0),
            _ => {}
        }
    }
    Duration::from_millis(whole + open)
}
