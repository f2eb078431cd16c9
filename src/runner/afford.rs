//! Whether the money that a caller allows covers at least one of the first calls.

use super::Runner;
use super::course::Course;
use super::dispatch::Dispatcher;
use super::{CallOptions, PlannedCall, TurnOptions};
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
        course: &Course,
        run: &mut Dispatcher<'_>,
        snapshot: &Snapshot,
        drafts: &[Draft],
    ) -> Result<(), WorkspaceError> {
        let Some(limit) = run.unchecked_limit() else { return Ok(()) };
        let options = course.turn_options(run.options());
        let opens = |draft: &Draft| matches!(draft, Draft::Control(Control::Turn(_)));
        let ahead = if drafts.is_empty() || drafts.iter().any(opens) {
            snapshot.clone()
        } else {
            let text = &snapshot.transcript.text;
            let appended = append(text, drafts);
            Snapshot::new(parse(format!("{text}{appended}")), snapshot.config.clone())
        };
        let calls = self.plan_of(&ahead, &options)?.calls;
        if calls.is_empty() {
            return Ok(());
        }
        self.insist_one_fits(&ahead, &calls, &options.calls, limit)?;
        run.limit_is_checked();
        Ok(())
    }

    /// Refuses calls of which none fits into a limit. `limit` is US dollars, and whether calls of unknown price are allowed.
    ///
    /// The lowest price counts, fallbacks included: the run would go on with that call.
    pub(super) fn insist_one_fits(
        &self,
        snapshot: &Snapshot,
        calls: &[PlannedCall],
        options: &CallOptions,
        (limit, unpriced): (f64, bool),
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

impl Course {
    /// The same first turn as a single turn; `calls` is how a run makes its calls.
    fn turn_options(&self, calls: &CallOptions) -> TurnOptions {
        match self {
            Self::Turn { options, .. } => TurnOptions::clone(options),
            Self::Run { .. } => TurnOptions { calls: calls.clone(), ..TurnOptions::default() },
        }
    }
}
