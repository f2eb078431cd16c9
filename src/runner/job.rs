//! Everything that one call needs, so that nothing of the file is held while it runs.

use std::path::PathBuf;
use std::sync::Arc;

use super::candidate::Link;
use super::choose::{PassedOver, names};
use super::dispatch::Dispatcher;
use super::error::RunError;
use super::{CallOptions, Runner};
use crate::engine::{Situation, Unmask, Wanted, prompt};
use crate::transcript::{Alias, Name};

/// One participant to be asked.
pub(super) struct Job {
    pub(super) alias: Alias,
    pub(super) name: Name,
    pub(super) prompt: Arc<str>,
    pub(super) wanted: Wanted,
    /// Whom the letters in the prompt stand for.
    pub(super) unmask: Unmask,
    /// Whether a vote of theirs counts.
    pub(super) votes: bool,
    pub(super) phase: String,
    pub(super) turn: u32,
    pub(super) temperature: Option<f64>,
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
    pub(super) fn jobs(
        &self,
        situation: &Situation<'_>,
        aliases: &[Alias],
        run: &Dispatcher<'_>,
    ) -> Result<Vec<Job>, RunError> {
        aliases
            .iter()
            .map(|alias| self.job(situation, alias, run.options(), run.path().clone()))
            .collect()
    }

    pub(super) fn job(
        &self,
        situation: &Situation<'_>,
        alias: &Alias,
        options: &CallOptions,
        file: PathBuf,
    ) -> Result<Job, RunError> {
        let turn = &situation.state.turns[situation.state.turns.len() - 1];
        let phase = &situation.template().phases[turn.phase];
        let name = situation.charter.persona(alias).map(|persona| persona.name.clone());
        let name = name.or_else(|| Name::parse(alias.as_str()).ok());
        let chain = self.chain(situation, alias, options)?;
        Ok(Job {
            alias: alias.clone(),
            name: name.ok_or_else(|| RunError::Person(alias.to_string()))?,
            prompt: prompt(situation, turn, alias)?.text.into(),
            wanted: Wanted::of(situation, turn),
            unmask: Unmask::of(situation),
            votes: situation.charter.may_vote(alias),
            phase: phase.id.clone(),
            turn: turn.line.number,
            temperature: phase.temperature.or(options.temperature),
            chain: self.open(&chain)?,
            passed_over: chain.passed_over,
            file,
        })
    }
}
