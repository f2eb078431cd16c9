//! The entry points for front ends: trust, price and plan of a turn or a run, and its start.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::handle::Run;
use super::mode::{RunMode, TurnSettings};
use super::options::RunOptions;
use super::providers::Providers;
use super::run::Runner;
use super::trust::Needed;
use crate::engine::Snapshot;
use crate::provider::{Consents, NotTrusted};
use crate::store::Document;
use crate::view::{Forecast, Foreign, Planned, StandIn, Status, ToolAccess};
use crate::workspace::{Question, Runs, Workspace, WorkspaceError};

/// Which definitions of a project a run may call.
#[derive(Clone, Debug)]
pub enum Trust {
    /// The definitions that the user trusted earlier, if they have not changed since.
    Remembered,
    /// Only these: the front end asked the user. The run itself refuses all others, so that its events report that.
    Asked(Consents),
}

/// Why a run did not begin.
#[derive(Debug, Error)]
pub enum BeginError {
    /// The user does not trust definitions of the project that the run would call first.
    #[error("{0}")]
    Untrusted(Untrusted),
    /// The discussion does not exist, cannot be read or is closed, or an option is not valid.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

/// Definitions of the project that a run would call first, and that the user does not trust.
#[derive(Debug, Error)]
#[error("{refused}")]
pub struct Untrusted {
    /// The definitions, as a front end shows them. At least one.
    pub definitions: Vec<Foreign>,
    /// The error for the first definition.
    refused: NotTrusted,
}

impl From<BeginError> for WorkspaceError {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::Untrusted(untrusted) => untrusted.refused.into(),
            BeginError::Workspace(error) => error,
        }
    }
}

/// What is known before a run: all of it comes from one reading of the file. It has made no call and written nothing.
pub struct PreparedRun {
    runner: Runner,
    options: RunOptions,
    mode: RunMode,
    path: PathBuf,
    /// The discussion when the run was prepared.
    snapshot: Snapshot,
    document: Document,
    definitions: Vec<Needed>,
}

impl PreparedRun {
    /// Returns all definitions of the project that the run may call, fallbacks included.
    pub fn definitions(&self) -> Vec<Foreign> {
        let workspace = self.workspace();
        self.definitions
            .iter()
            .map(|it| workspace.providers().shown_foreign(&it.foreign, it.first))
            .collect()
    }

    /// Returns the run with the user's trust.
    ///
    /// # Errors
    /// Fails if the list of trusted definitions cannot be read, or if the user does not trust a definition that would
    /// be called first. Definitions that the front end asked about are refused by the run itself.
    pub fn trusting(self, trust: Trust) -> Result<Self, BeginError> {
        let (is_asked, shown) = (matches!(trust, Trust::Asked(_)), self.definitions());
        let consents = trust.consents(self.workspace(), &shown)?;
        let is_refused = |it: &&Needed| it.first && !consents.cover(&it.foreign);
        let refused = self.definitions.iter().find(is_refused).filter(|_| !is_asked);
        if let Some(refused) = refused.map(|it| it.foreign.as_not_trusted()) {
            let is_refused = |one: &Foreign| one.first && !consents.covers(&one.fingerprint);
            let definitions = shown.into_iter().filter(is_refused).collect();
            return Err(BeginError::Untrusted(Untrusted { definitions, refused }));
        }
        Ok(Self { runner: self.runner.with_consents(consents), ..self })
    }

    /// Returns the number of calls (without retries, within the run's own limit), their usual cost and their highest
    /// cost.
    ///
    /// # Errors
    /// Fails if an expression of the template fails or a definition cannot be used.
    pub fn forecast(&self) -> Result<Forecast, WorkspaceError> {
        let ahead = match self.mode.request() {
            Some(request) => self.providers().forecast_turn(&self.snapshot, request, &self.options),
            None => self.providers().forecast(&self.snapshot, &self.options)?,
        };
        Ok(ahead.limited_to(self.options.most_calls()))
    }

    /// Returns each provider with the aliases of its participants, if the user chose no provider and several vendors
    /// are assigned to the participants; otherwise nothing.
    pub fn assignment(&self) -> Vec<(String, Vec<String>)> {
        self.providers().assignment(&self.snapshot, &self.options)
    }

    /// Returns the tools that each participant may use.
    pub fn tool_access(&self) -> Vec<ToolAccess> {
        self.providers().tool_access(&self.snapshot, &self.options)
    }

    /// Returns the template's placeholders for a missing context, if no participant was asked yet: the line of the
    /// first one, counted from 1, and their number.
    pub fn placeholders(&self) -> Option<(usize, usize)> {
        let placeholders = self.snapshot.placeholders();
        let is_new = self.snapshot.state.turns.is_empty();
        placeholders.first().filter(|_| is_new).map(|first| (first.line, placeholders.len()))
    }

    /// Returns the parts of the discussion that the project replaces under the name of a bundled one.
    pub fn stand_ins(&self) -> Vec<StandIn> {
        self.workspace().providers().stand_ins_of(&self.snapshot)
    }

    /// Returns the state of the discussion.
    pub fn status(&self) -> Status {
        let workspace = self.workspace();
        Status::of(&self.snapshot, workspace.exactly(&self.path), workspace.now())
    }

    /// Returns the plan of the next turn. Writes nothing and calls no model.
    ///
    /// # Errors
    /// Fails if the file has a fault that forbids writing, or if a prompt cannot be created.
    pub fn plan(&self) -> Result<Planned, WorkspaceError> {
        let before = self.workspace().exact(&self.document)?;
        let turn = self.mode.single_turn().cloned().unwrap_or_default();
        let file = self.workspace().exactly(&self.path);
        self.providers().plan_of(&before, file, &turn, &self.options)
    }

    /// Starts the run, which goes on by itself. Must be called within a tokio runtime.
    pub fn start(self) -> Run {
        let Self { runner, options, mode, path, snapshot, .. } = self;
        Run::spawn(runner, path, snapshot, options, mode)
    }

    fn providers(&self) -> &Providers {
        &self.runner.providers
    }

    fn workspace(&self) -> &Arc<Workspace> {
        &self.runner.providers.workspace
    }
}

impl Trust {
    /// Returns the definitions among these that the user trusts.
    ///
    /// # Errors
    /// Fails if the list of trusted definitions cannot be read, or is in a place that the project itself could have
    /// written.
    pub fn consents(
        self,
        workspace: &Workspace,
        definitions: &[Foreign],
    ) -> Result<Consents, WorkspaceError> {
        match self {
            Self::Remembered => workspace.providers().remembered(definitions),
            Self::Asked(consents) => Ok(consents),
        }
    }
}

impl Runs<'_> {
    /// Reads a discussion once and returns what is known before a turn or a run. `name` is a path or a bare name. Calls
    /// nothing and writes nothing.
    ///
    /// # Errors
    /// Fails if the discussion does not exist, cannot be read or is closed, or if an option is invalid. The run itself
    /// reports all other errors when it ends.
    pub fn prepare(
        &self,
        name: &Path,
        options: &RunOptions,
    ) -> Result<PreparedRun, WorkspaceError> {
        let path = self.find(name)?;
        let document = self.document(&path)?;
        let snapshot = self.snapshot_of(&document)?;
        if snapshot.state.closed {
            return Err(WorkspaceError::Closed);
        }
        let mode = options.resolve(self, &snapshot)?;
        let runner = Runner::new(Arc::clone(self.workspace));
        let definitions = if runner.providers.has_foreign() {
            // Errors of providers are left to the run, which reports them in the order of its steps.
            let exact = self.exact(&document);
            let needed = exact.and_then(|exact| {
                runner.providers.needed_in(&path, &exact, mode.request(), options)
            });
            needed.unwrap_or_default()
        } else {
            Vec::new()
        };
        let options = options.clone();
        Ok(PreparedRun { runner, options, mode, path, snapshot, document, definitions })
    }

    /// Returns what the first turn of a question would do, and the file that would be made for it. Writes nothing and
    /// calls no model.
    ///
    /// # Errors
    /// Fails if the question is invalid or a prompt cannot be created.
    pub fn plan_question(
        &self,
        question: &Question,
        options: &RunOptions,
    ) -> Result<Planned, WorkspaceError> {
        let (path, text) = self.discussions().question_text(question)?;
        let before = self.exact_text(&path, &text)?;
        let (file, turn) = (self.exactly(&path), TurnSettings::default());
        let plan = self.preview_providers().plan_of(&before, file, &turn, options)?;
        Ok(Planned { appends: text + &plan.appends, ..plan })
    }

    /// Refuses a question before its file is created, if its limit of money covers none of its first calls. Leaves
    /// every other error to `Discussions::question`.
    ///
    /// # Errors
    /// Fails if no call fits into `options.max_usd`, or if the price of every call is unknown.
    pub fn insist_affordable(
        &self,
        question: &Question,
        options: &RunOptions,
    ) -> Result<(), WorkspaceError> {
        let Some(limit) = options.max_usd else { return Ok(()) };
        options.ensure_bounds()?;
        let providers = self.preview_providers();
        let planned = self.discussions().question_text(question).and_then(|(path, text)| {
            let before = self.exact_text(&path, &text)?;
            let turn = TurnSettings::default();
            let plan = providers.plan_of(&before, String::new(), &turn, options)?;
            Ok((before, plan.asks))
        });
        let Ok((before, planned)) = planned else { return Ok(()) };
        providers.ensure_covers_one(&before, &planned, options, limit, options.unpriced)
    }

    /// Returns the providers for previews, which make no call.
    fn preview_providers(&self) -> Providers {
        Providers::new(Arc::clone(self.workspace), Consents::default())
    }
}

#[cfg(test)]
mod read_tests;
