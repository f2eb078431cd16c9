//! Everything that one call needs, so that nothing of the file is held while it runs.

use std::path::PathBuf;

use super::Runner;
use super::candidate::Link;
use super::choose::names;
use super::dispatch::Dispatcher;
use crate::engine::{Prompt, Prompts, Pseudonyms, Snapshot, Wanted};
use crate::provider::Reach;
use crate::transcript::{Alias, Name, Time};
use crate::view::PassedOver;
use crate::workspace::WorkspaceError;

/// One participant to be asked.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) alias: Alias,
    pub(super) name: Name,
    pub(super) prompt: Prompt,
    pub(super) wanted: Wanted,
    /// Whom the letters in the prompt stand for.
    pub(super) pseudonyms: Pseudonyms,
    pub(super) phase: String,
    pub(super) turn: u32,
    /// When the turn was opened.
    pub(super) opened: Option<Time>,
    pub(super) temperature: Option<f64>,
    /// A person asked for the temperature.
    pub(super) wished_temperature: bool,
    /// Somebody said how long an answer may get.
    pub(super) wished_length: bool,
    /// What it may look at, as far as its provider can grant it.
    pub(super) reach: Reach,
    pub(super) chain: Vec<Link>,
    pub(super) passed_over: Option<PassedOver>,
    pub(super) file: PathBuf,
}

impl Job {
    /// The provider that is asked first, and those that are asked where it fails.
    pub(super) fn providers(&self) -> (String, Vec<String>) {
        let mut names = names(self.chain.iter().map(|link| link.provider.name())).into_iter();
        (names.next().unwrap_or_default(), names.collect())
    }
}

impl Runner {
    /// What is needed to ask these in the last turn.
    pub(super) fn jobs(
        &self,
        snapshot: &Snapshot,
        aliases: &[Alias],
        run: &Dispatcher<'_>,
    ) -> Result<Vec<Job>, WorkspaceError> {
        let state = &snapshot.state;
        let turn = state.unfinished().unwrap_or(&state.turns[state.turns.len() - 1]);
        let phase = &snapshot.template().phases[turn.phase];
        let prompts = Prompts::of(snapshot, turn);
        let pseudonyms = Pseudonyms::of(snapshot);
        let sharing = self.sharing(snapshot, run.options());
        let job = |alias: &Alias| {
            let name = snapshot.config.persona(alias).map(|persona| persona.name.clone());
            let name = name.or_else(|| Name::parse(alias.as_str()).ok());
            let chain = self.chain(snapshot, alias, run.options())?;
            Ok(Job {
                alias: alias.clone(),
                name: name.ok_or_else(|| WorkspaceError::Person(alias.to_string()))?,
                prompt: self
                    .workspace()
                    .redact_prompt(prompts.of_participant(alias, sharing.layout(&chain))?),
                wanted: Wanted::of(snapshot, turn, alias),
                pseudonyms: pseudonyms.clone(),
                phase: phase.id.clone(),
                turn: turn.line.number,
                opened: turn.line.at,
                temperature: phase.temperature.or(run.options().temperature),
                wished_temperature: run.options().temperature.is_some(),
                wished_length: run.options().max_tokens.is_some(),
                reach: run.options().reach,
                chain: run.shut().without(self.open(&chain)?),
                passed_over: chain.passed_over,
                file: run.path().clone(),
            })
        };
        aliases.iter().map(job).collect()
    }
}
