//! Whether the money that a caller allows covers at least one of the first calls.

use super::Runner;
use super::dispatch::Dispatcher;
use super::mode::RunMode;
use super::options::CallSettings;
use super::plan::PlannedCall;
use crate::engine::Snapshot;
use crate::provider::{Unaffordable, highest_price};
use crate::transcript::{Control, Draft, append, parse};
use crate::workspace::WorkspaceError;

impl Runner {
    /// Refuses a run before it writes anything, if its limit covers none of its first calls.
    ///
    /// `drafts` is what the run would append before those calls, a `PHASE` line for instance. A run that makes no call
    /// yet keeps its limit for the step that does.
    pub(super) fn insist_affordable(
        &self,
        mode: &RunMode,
        run: &mut Dispatcher<'_>,
        snapshot: &Snapshot,
        drafts: &[Draft],
    ) -> Result<(), WorkspaceError> {
        let Some(limit) = run.unchecked_limit() else { return Ok(()) };
        let first_turn = mode.single_turn().cloned().unwrap_or_default();
        let opens = |draft: &Draft| matches!(draft, Draft::Control(Control::Turn(_)));
        let ahead = if drafts.is_empty() || drafts.iter().any(opens) {
            snapshot.clone()
        } else {
            let text = &snapshot.transcript.text;
            let appended = append(text, drafts);
            Snapshot::new(parse(format!("{text}{appended}")), snapshot.config.clone())
        };
        let calls = self.plan_of(&ahead, &first_turn, run.options())?.calls;
        if calls.is_empty() {
            return Ok(());
        }
        self.insist_one_fits(&ahead, &calls, run.options(), limit, run.may_ask_unpriced())?;
        run.limit_is_checked();
        Ok(())
    }

    /// Refuses calls of which none fits into a limit. `limit` is US dollars; `unpriced` allows calls of unknown price.
    ///
    /// The lowest price counts, fallbacks included: the run would go on with that call.
    pub(super) fn insist_one_fits(
        &self,
        snapshot: &Snapshot,
        calls: &[PlannedCall],
        options: &CallSettings,
        limit: f64,
        unpriced: bool,
    ) -> Result<(), WorkspaceError> {
        let (mut lowest, mut unknown) = (None::<f64>, None);
        for call in calls {
            for candidate in self.chain(snapshot, &call.participant, options)?.candidates {
                let definition = candidate.definition().cloned();
                let definition = match options.max_tokens {
                    Some(tokens) => definition.map(|definition| definition.at_most(tokens)),
                    None => definition,
                };
                let (price, _) = highest_price(definition.as_ref(), call.prompt.len());
                let uses_tools = !candidate.grant(options.reach).is_none();
                match price.filter(|_| !uses_tools) {
                    Some(price) => lowest = Some(lowest.map_or(price, |known| known.min(price))),
                    None if unpriced => return Ok(()),
                    None => {
                        let provider = candidate.name().as_str().to_owned();
                        unknown.get_or_insert(Unaffordable::NoPrice { provider, uses_tools });
                    }
                }
            }
        }
        match (lowest, unknown) {
            (Some(price), _) if price <= limit => Ok(()),
            (Some(price), _) => Err(Unaffordable::TooDear { cents: (price * 100.0).ceil() }.into()),
            (None, Some(unknown)) => Err(unknown.into()),
            (None, None) => Ok(()),
        }
    }
}
