//! Previews that call no model: the plan of a turn, and the participants that would answer, with providers and tools.

use indexmap::IndexMap;

use super::chain::participants;
use super::mode::{TurnSettings, question};
use super::options::RunOptions;
use super::providers::{Candidate, Chain, Providers, names};
use super::tools::tool_instructions;
use crate::engine::{Continue, Prompt, Prompts, Snapshot, resume};
use crate::transcript::{Alias, Control, Draft, append, parse};
use crate::view::{Planned, PlannedAsk, ToolAccess};
use crate::workspace::WorkspaceError;

impl Providers {
    /// Returns the plan of a turn at this moment; `file` is the path to show. Writes nothing and calls no model. The
    /// discussion may exist in memory only.
    ///
    /// # Errors
    /// Fails if the asker may not write, if a provider does not exist, or if a prompt cannot be created.
    pub(super) fn plan_of(
        &self,
        before: &Snapshot,
        file: String,
        turn: &TurnSettings,
        options: &RunOptions,
    ) -> Result<Planned, WorkspaceError> {
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
        let appends = append(text, &drafts);
        // Prompts quote the file with the appended text. The configuration stays, because the head does not change.
        let snapshot = Snapshot::new(parse(format!("{text}{appends}")), before.config.clone());
        let last = snapshot.state.turns.last();
        let asks = match last.filter(|_| !asks.is_empty()) {
            Some(turn) => {
                let prompts = Prompts::of(&snapshot, turn);
                let sharing = self.sharing(&snapshot, options);
                let planned = |alias| {
                    let chain = self.chain(&snapshot, alias, options)?;
                    let mut prompt = prompts.of_participant(alias, sharing.layout(&chain))?;
                    if let Some(first) = chain.candidates.first() {
                        let granted = first.grant(options.reach());
                        let base = self.workspace.setup.base();
                        prompt.tail.push_str(&tool_instructions(granted, base));
                    }
                    Ok::<_, WorkspaceError>(planned(alias, chain, prompt))
                };
                // An agent answers for itself, so it has neither a provider nor a price.
                let called = asks.iter().filter(|alias| !snapshot.config.is_agent(alias));
                called.map(planned).collect::<Result<_, _>>()?
            }
            None => Vec::new(),
        };
        let turn = last.map_or(0, |turn| turn.line.number);
        Ok(Planned { file, turn, asks, appends })
    }

    /// Returns the providers, each with its participants. Returns nothing unless the program
    /// assigned a provider to a participant and the participants use at least two providers.
    /// Participants with a provider that the user, the persona or the configuration chose are
    /// listed only if the template keeps the author's vendor apart (`vendors: apart`).
    pub(super) fn assignment(
        &self,
        snapshot: &Snapshot,
        options: &RunOptions,
    ) -> Vec<(String, Vec<String>)> {
        let mut assigned: IndexMap<String, Vec<String>> = IndexMap::new();
        let is_apart = snapshot.author_apart().is_some();
        let mut is_any_assigned = false;
        for alias in
            participants(snapshot).into_iter().filter(|alias| snapshot.config.is_model(alias))
        {
            if let Ok(chain) = self.chain(snapshot, alias, options)
                && (chain.is_assigned || is_apart)
                && let Some(first) = chain.candidates.first()
            {
                is_any_assigned |= chain.is_assigned;
                assigned
                    .entry(first.name().as_str().to_owned())
                    .or_default()
                    .push(alias.to_string());
            }
        }
        if is_any_assigned && assigned.len() > 1 {
            assigned.into_iter().collect()
        } else {
            Vec::new()
        }
    }

    /// Returns the tools that each participant may use through the provider that is called first.
    pub(super) fn tool_access(&self, snapshot: &Snapshot, options: &RunOptions) -> Vec<ToolAccess> {
        let mut access = Vec::new();
        for alias in
            participants(snapshot).into_iter().filter(|alias| snapshot.config.is_model(alias))
        {
            // An unknown provider is reported when its participant is asked.
            let Ok(chain) = self.chain(snapshot, alias, options) else { continue };
            if let Some(first) = chain.candidates.first() {
                let granted = first.grant(options.reach());
                access.push(ToolAccess {
                    participant: alias.to_string(),
                    provider: first.name().as_str().to_owned(),
                    look: granted.look,
                    web: granted.web,
                });
            }
        }
        access
    }
}

fn planned(alias: &Alias, chain: Chain, prompt: Prompt) -> PlannedAsk {
    let providers = names(chain.candidates.iter().map(Candidate::name));
    PlannedAsk {
        participant: alias.to_string(),
        provider: providers.first().cloned(),
        prompt: prompt.text(),
        providers,
        passed_over: chain.passed_over,
    }
}
