//! The price of a run before it begins: an estimate for people, and the check that its limit covers one call.

use super::context::RunContext;
use super::mode::RunMode;
use super::options::RunOptions;
use super::providers::Providers;
use crate::engine::{Continue, Snapshot, TurnRequest, ahead_in_agreement, max_calls, resume};
use crate::provider::{USUAL_ANSWER, Unaffordable, highest_price, usual_price};
use crate::transcript::{Alias, Control, Depth, Draft, append, parse};
use crate::view::{Forecast, PlannedAsk};
use crate::workspace::WorkspaceError;

/// The maximum number of bytes of a prompt around the text of the discussion: its header, the task, the persona.
const AROUND: usize = 9 * 1024;
/// The usual bytes of a prompt around the text of the discussion.
const USUALLY_AROUND: usize = 3 * 1024;
/// The maximum number of bytes that a token of an answer adds to later prompts.
const BYTES_PER_TOKEN: usize = 4;

/// The size of the next prompt, and the cost of the calls so far.
struct PromptSizes {
    bytes: usize,
    usd: f64,
}

impl PromptSizes {
    fn of(text: usize, around: usize) -> Self {
        Self { bytes: text.saturating_add(around), usd: 0.0 }
    }

    /// Adds an answer with this many tokens to the size of later prompts.
    fn add(&mut self, tokens: usize) {
        self.bytes = self.bytes.saturating_add(tokens.saturating_mul(BYTES_PER_TOKEN));
    }
}

impl Providers {
    /// Returns the number of calls if a run asks all participants once, their maximum cost and their usual cost.
    ///
    /// Maximum cost: each prompt holds everything that could be said before, and each answer has its maximum length.
    /// Usual cost: answers have [`USUAL_ANSWER`] tokens and the run makes half of the calls that conditions may skip.
    ///
    /// # Errors
    /// Fails if an expression of the template fails.
    pub(super) fn forecast(
        &self,
        snapshot: &Snapshot,
        options: &RunOptions,
    ) -> Result<Forecast, WorkspaceError> {
        let mut asked: Vec<(Snapshot, Alias)> = Vec::new();
        let mut agreed = 0;
        let mut open = vec![(snapshot.clone(), Some(Depth::ROOT))];
        while let Some((one, depth)) = open.pop() {
            let here = max_calls(&one)?;
            agreed += ahead_in_agreement(&one, here.len())?;
            asked.extend(here.into_iter().map(|alias| (one.clone(), alias)));
            let Some(below) = depth.and_then(Depth::next) else { continue };
            // A sub-discussion that is not known yet is not in the estimate.
            let within = one.discussed_ahead().into_iter();
            let within = within.filter_map(|spec| self.workspace.sketch(&one, &spec).ok());
            open.extend(within.map(|child| (child, Some(below))));
        }
        let mut phases = asked.iter().flat_map(|(one, _)| &one.template().phases);
        let may_follow_mentions = phases.any(|phase| phase.follow_mentions > 0);
        Ok(Forecast { may_follow_mentions, ..self.priced(snapshot, &asked, agreed, options) })
    }

    /// Returns how many calls one turn makes and what they cost, in the same way as [`Self::forecast`].
    pub(super) fn forecast_turn(
        &self,
        snapshot: &Snapshot,
        request: &TurnRequest,
        options: &RunOptions,
    ) -> Forecast {
        let asked = match resume(snapshot, request) {
            Continue::Nobody | Continue::Finished => Vec::new(),
            Continue::Last(missing) => missing,
            Continue::New(line) => line.asks,
        };
        let asked: Vec<(Snapshot, Alias)> =
            asked.into_iter().map(|alias| (snapshot.clone(), alias)).collect();
        self.priced(snapshot, &asked, asked.len(), options)
    }

    /// Refuses calls if a limit covers none of them. `limit` is US dollars; `unpriced` allows calls of unknown price.
    ///
    /// The lowest price decides, even that of a fallback, because the run would continue with that call.
    pub(super) fn ensure_covers_one(
        &self,
        snapshot: &Snapshot,
        calls: &[PlannedAsk],
        options: &RunOptions,
        limit: f64,
        unpriced: bool,
    ) -> Result<(), WorkspaceError> {
        let (mut lowest, mut unknown) = (None::<f64>, None);
        for call in calls {
            let Ok(participant) = Alias::parse(&call.participant) else { continue };
            for candidate in self.chain(snapshot, &participant, options)?.candidates {
                let definition = candidate.definition().cloned();
                let definition = match options.max_tokens {
                    Some(tokens) => definition.map(|definition| definition.at_most(tokens)),
                    None => definition,
                };
                let (price, _) = highest_price(definition.as_ref(), call.prompt.len());
                let uses_tools = !candidate.grant(options.reach()).is_none();
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

    /// Adds up the prices of these calls; `agreed` is the smallest likely number of calls.
    fn priced(
        &self,
        snapshot: &Snapshot,
        asked: &[(Snapshot, Alias)],
        agreed: usize,
        options: &RunOptions,
    ) -> Forecast {
        let text = snapshot.transcript.text.as_str().len();
        let (mut most, mut usual) =
            (PromptSizes::of(text, AROUND), PromptSizes::of(text, USUALLY_AROUND));
        let (mut unpriced, mut moved) = (Vec::<String>::new(), Vec::<String>::new());
        for (snapshot, alias) in asked {
            // An unknown provider is reported when its participant is asked.
            let Ok(chain) = self.chain(snapshot, alias, options) else { continue };
            let Some(first) = chain.candidates.first() else { continue };
            let definition = first.definition();
            let notice = definition.and_then(|definition| definition.kind.overridden_host());
            let notice = notice.map(|notice| format!("{} {notice}", first.name().as_str()));
            moved.extend(notice.filter(|notice| !moved.contains(notice)));
            let (price, answer) = highest_price(definition, most.bytes);
            match price.filter(|_| first.grant(options.reach()).is_none()) {
                Some(price) => {
                    most.usd += price;
                    usual.usd += usual_price(definition, usual.bytes).unwrap_or_default();
                }
                None => {
                    let uses_tools = !first.grant(options.reach()).is_none();
                    let tools = if uses_tools { " with tools" } else { "" };
                    let name = format!("{}{tools}", first.name().as_str());
                    if !unpriced.contains(&name) {
                        unpriced.push(name);
                    }
                }
            }
            most.add(answer);
            usual.add(usize::try_from(USUAL_ANSWER).unwrap_or(answer).min(answer));
        }
        // A usual run skips some phases, so assume a number halfway between the fewest calls and all calls.
        let share =
            (asked.len() + agreed.min(asked.len())) as f64 / (2 * asked.len().max(1)) as f64;
        let calls = u32::try_from(asked.len()).unwrap_or(u32::MAX);
        let calls_in_agreement = u32::try_from(agreed).unwrap_or(u32::MAX);
        Forecast {
            calls,
            calls_in_agreement,
            usd: (most.usd * 1e4).ceil() / 1e4,
            usual_usd: (usual.usd * share * 1e4).ceil() / 1e4,
            unpriced,
            moved,
            // Any answer may lack a required marker, and then a repair request follows.
            may_repeat: calls > 0,
            may_follow_mentions: false,
        }
    }
}

/// Refuses a run before it writes anything, if its limit covers none of its first calls.
///
/// `drafts` is the text that the run would append before those calls, a `PHASE` line for example. If no call
/// follows yet, a later step that leads to calls is checked instead.
pub(super) fn ensure_affordable(
    run: &mut RunContext<'_>,
    mode: &RunMode,
    snapshot: &Snapshot,
    drafts: &[Draft],
) -> Result<(), WorkspaceError> {
    let Some(limit) = run.options.max_usd.filter(|_| run.checks_price) else { return Ok(()) };
    let first_turn = mode.single_turn().cloned().unwrap_or_default();
    let opens_turn = |draft: &Draft| matches!(draft, Draft::Control(Control::Turn(_)));
    let ahead = if drafts.is_empty() || drafts.iter().any(opens_turn) {
        snapshot.clone()
    } else {
        let text = &snapshot.transcript.text;
        let appended = append(text, drafts);
        Snapshot::new(parse(format!("{text}{appended}")), snapshot.config.clone())
    };
    let calls = run.providers.plan_of(&ahead, String::new(), &first_turn, &run.options)?.asks;
    if calls.is_empty() {
        return Ok(());
    }
    run.providers.ensure_covers_one(&ahead, &calls, &run.options, limit, run.options.unpriced)?;
    run.checks_price = false;
    Ok(())
}
