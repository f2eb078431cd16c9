//! What a run may come to, before it begins.

use super::Runner;
use super::options::CallSettings;
use crate::engine::{Continue, Snapshot, TurnRequest, ahead, ahead_in_agreement, resume};
use crate::provider::{USUAL_ANSWER, highest_price, usual_price};
use crate::transcript::{Alias, Depth};
use crate::view::Forecast;
use crate::workspace::WorkspaceError;

/// Bytes of a prompt around the record: its header, the task, the persona.
const AROUND: usize = 9 * 1024;
/// The usual size of the same.
const USUALLY_AROUND: usize = 3 * 1024;
/// Bytes that a token of an answer may add to later prompts.
const BYTES_PER_TOKEN: usize = 4;

/// The size of the next prompt, and the cost of the calls so far.
struct Prompts {
    bytes: usize,
    usd: f64,
}

impl Prompts {
    fn of(text: usize, around: usize) -> Self {
        Self { bytes: text.saturating_add(around), usd: 0.0 }
    }

    /// Adds an answer of so many tokens, which later prompts hold.
    fn add(&mut self, tokens: usize) {
        self.bytes = self.bytes.saturating_add(tokens.saturating_mul(BYTES_PER_TOKEN));
    }
}

impl Runner {
    /// Returns how many calls a run makes if everybody is asked once, what they cost at most and what they usually cost.
    ///
    /// At most: prompts hold all that could be said before them, answers are as long as they may be. Usually: answers have
    /// [`USUAL_ANSWER`] tokens, and half of the calls are made that conditions may leave out.
    ///
    /// # Errors
    /// An expression of the template fails.
    pub(super) fn forecast(
        &self,
        snapshot: &Snapshot,
        options: &CallSettings,
    ) -> Result<Forecast, WorkspaceError> {
        let mut asked: Vec<(Snapshot, Alias)> = Vec::new();
        let mut agreed = 0;
        let mut open = vec![(snapshot.clone(), Some(Depth::ROOT))];
        while let Some((one, depth)) = open.pop() {
            let here = ahead(&one)?;
            agreed += ahead_in_agreement(&one, here.len())?;
            asked.extend(here.into_iter().map(|alias| (one.clone(), alias)));
            let Some(below) = depth.and_then(Depth::below) else { continue };
            // What cannot be told beforehand is not in it.
            let within = one.discussed_ahead().into_iter();
            let within = within.filter_map(|spec| self.workspace.sketch(&one, &spec).ok());
            open.extend(within.map(|child| (child, Some(below))));
        }
        let mut phases = asked.iter().flat_map(|(one, _)| &one.template().phases);
        let may_follow_mentions = phases.any(|phase| phase.follow_mentions > 0);
        Ok(Forecast { may_follow_mentions, ..self.priced(snapshot, &asked, agreed, options) })
    }

    /// Returns how many calls one turn makes and what they cost, in the same way as [`Runner::forecast`].
    pub(super) fn forecast_turn(
        &self,
        snapshot: &Snapshot,
        request: &TurnRequest,
        options: &CallSettings,
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

    /// Adds up the prices of these calls; `agreed` is the fewest that are likely.
    fn priced(
        &self,
        snapshot: &Snapshot,
        asked: &[(Snapshot, Alias)],
        agreed: usize,
        options: &CallSettings,
    ) -> Forecast {
        let text = snapshot.transcript.text.as_str().len();
        let (mut most, mut usual) = (Prompts::of(text, AROUND), Prompts::of(text, USUALLY_AROUND));
        let (mut unpriced, mut moved) = (Vec::<String>::new(), Vec::<String>::new());
        for (snapshot, alias) in asked {
            // Whose provider is unknown is told when they are asked.
            let Ok(chain) = self.chain(snapshot, alias, options) else { continue };
            let Some(first) = chain.candidates.first() else { continue };
            let definition = first.definition();
            let told = definition.and_then(|definition| definition.kind.moved());
            let told = told.map(|told| format!("{} {told}", first.name().as_str()));
            moved.extend(told.filter(|told| !moved.contains(told)));
            let (price, answer) = highest_price(definition, most.bytes);
            match price.filter(|_| first.grant(options.reach).is_none()) {
                Some(price) => {
                    most.usd += price;
                    usual.usd += usual_price(definition, usual.bytes).unwrap_or_default();
                }
                None => {
                    let uses_tools = !first.grant(options.reach).is_none();
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
        // Usually some of the phases are left out: halfway between the fewest calls and all of them.
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
            // An answer may always lack what was asked for.
            may_repeat: calls > 0,
            may_follow_mentions: false,
        }
    }
}
