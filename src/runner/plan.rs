//! What a turn would do, without doing it.

use super::Runner;
use super::candidate::Candidate;
use super::choose::{Chain, names};
use super::mode::{TurnSettings, question};
use super::options::{CallSettings, Settings};
use super::sight::told;
use crate::engine::{Continue, Prompt, Prompts, Snapshot, resume};
use crate::transcript::{Alias, Control, Draft, append, parse};
use crate::view::{PassedOver, Planned, PlannedAsk};
use crate::workspace::WorkspaceError;

/// What a turn would do.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    /// The number of the turn that they would be asked in; that of the last one where nobody would be.
    pub turn: u32,
    /// Who would be asked, with whole prompts.
    pub calls: Vec<PlannedCall>,
    /// What would be appended before the first call.
    pub appended: String,
}

/// One call that would be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlannedCall {
    /// Who.
    pub participant: Alias,
    /// The providers in order; the later ones only when the earlier fail.
    pub providers: Vec<String>,
    /// The one that would come first, were it installed.
    pub passed_over: Option<PassedOver>,
    /// The exact prompt.
    pub prompt: String,
}

impl Plan {
    /// The plan for front ends; `file` is the path as it is shown.
    pub(super) fn view(self, file: String) -> Planned {
        let ask = |call: PlannedCall| PlannedAsk {
            participant: call.participant.to_string(),
            provider: call.providers.first().cloned(),
            prompt: call.prompt,
            providers: call.providers,
            passed_over: call.passed_over,
        };
        let asks = self.calls.into_iter().map(ask).collect();
        Planned { file, turn: self.turn, asks, appends: self.appended }
    }
}

impl Runner {
    /// Returns what a turn would do now. Writes nothing and calls no model. The discussion may exist in memory only.
    ///
    /// # Errors
    /// An asker who may not write, a provider that does not exist, a prompt that cannot be made.
    pub(super) fn plan(
        &self,
        before: &Snapshot,
        settings: &Settings,
    ) -> Result<Plan, WorkspaceError> {
        let turn = settings.mode.single_turn().cloned().unwrap_or_default();
        self.plan_of(before, &turn, &settings.calls)
    }

    /// Returns what a turn of these settings would do.
    pub(super) fn plan_of(
        &self,
        before: &Snapshot,
        turn: &TurnSettings,
        options: &CallSettings,
    ) -> Result<Plan, WorkspaceError> {
        turn.ensure_asker(&self.workspace)?;
        let (asks, drafts) = match resume(before, &turn.request) {
            Continue::Nobody | Continue::Finished => (Vec::new(), Vec::new()),
            Continue::Last(missing) => (missing, Vec::new()),
            Continue::New(mut line) => {
                let mut drafts = Vec::new();
                if let (Some(text), Some(asker)) = (&turn.request.ask, &turn.asker) {
                    drafts.push(question(asker, text));
                }
                line.at = Some(self.workspace.now());
                let asks = line.asks.clone();
                drafts.push(Draft::Control(Control::Turn(line)));
                (asks, drafts)
            }
        };
        let text = &before.transcript.text;
        let appended = append(text, &drafts);
        // The prompts are those of the file as it will be; nothing that is appended changes what the head fixes.
        let snapshot = Snapshot::new(parse(format!("{text}{appended}")), before.config.clone());
        let last = snapshot.state.turns.last();
        let calls = match last.filter(|_| !asks.is_empty()) {
            Some(turn) => {
                let prompts = Prompts::of(&snapshot, turn);
                let sharing = self.sharing(&snapshot, options);
                let planned = |alias| {
                    let chain = self.chain(&snapshot, alias, options)?;
                    let mut prompt = prompts.of_participant(alias, sharing.layout(&chain))?;
                    if let Some(first) = chain.candidates.first() {
                        prompt.tail.push_str(told(first.grant(options.reach)));
                    }
                    Ok::<_, WorkspaceError>(planned(alias, chain, prompt))
                };
                asks.iter().map(planned).collect::<Result<_, _>>()?
            }
            None => Vec::new(),
        };
        let turn = last.map_or(0, |turn| turn.line.number);
        Ok(Plan { turn, calls, appended })
    }
}

fn planned(alias: &Alias, chain: Chain, prompt: Prompt) -> PlannedCall {
    PlannedCall {
        participant: alias.clone(),
        providers: names(chain.candidates.iter().map(Candidate::name)),
        passed_over: chain.passed_over,
        prompt: prompt.text(),
    }
}
