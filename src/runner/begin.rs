//! The entry points for front ends: trust, price and plan of a turn or a run, and its start.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::handle::Run;
use super::mode::TurnSettings;
use super::options::{CallSettings, RunOptions, Settings, TurnOptions, Work};
use super::plan::Plan;
use super::providers::Providers;
use super::run::Runner;
use crate::engine::Snapshot;
use crate::provider::{Consents, NotTrusted};
use crate::view::{Forecast, Foreign, Planned, ToolAccess};
use crate::workspace::{Question, Workspace, WorkspaceError};

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

/// A run that has not started. It has made no call and written nothing.
pub struct PreparedRun {
    runner: Runner,
    settings: Settings,
    path: PathBuf,
    /// The discussion when the run was prepared.
    snapshot: Snapshot,
}

impl PreparedRun {
    /// Returns the number of calls (without retries, within the run's own limit), their usual cost and their highest
    /// cost.
    ///
    /// # Errors
    /// Fails if an expression of the template fails or a definition cannot be used.
    pub fn forecast(&self) -> Result<Forecast, WorkspaceError> {
        let Settings { mode, calls, limits, .. } = &self.settings;
        let ahead = match mode.request() {
            Some(request) => self.runner.providers.forecast_turn(&self.snapshot, request, calls),
            None => self.runner.providers.forecast(&self.snapshot, calls)?,
        };
        let most = limits.max_calls;
        Ok(ahead.limited_to(most))
    }

    /// Starts the run, which goes on by itself. Must be called within a tokio runtime.
    pub fn start(self) -> Run {
        Run::spawn(self.runner, self.settings, self.path)
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
            Self::Remembered => workspace.remembered(definitions),
            Self::Asked(consents) => Ok(consents),
        }
    }
}

impl Workspace {
    /// Begins a turn or a run, which goes on by itself. `name` is a path or a bare name. Must be called within a tokio
    /// runtime.
    ///
    /// # Errors
    /// Fails if the user does not trust a definition of the project that would be called first, if the discussion does
    /// not exist, cannot be read or is closed, or if an option is invalid.
    pub fn begin(
        self: &Arc<Self>,
        name: &Path,
        work: &Work,
        trust: Trust,
    ) -> Result<Run, BeginError> {
        Ok(self.prepare(name, work, trust)?.start())
    }

    /// Prepares a turn or a run, for front ends that show its price before it starts.
    ///
    /// # Errors
    /// Fails if the user does not trust a definition of the project that would be called first, if the discussion does
    /// not exist, cannot be read or is closed, or if an option is invalid. The run itself reports all other errors when
    /// it ends.
    pub fn prepare(
        self: &Arc<Self>,
        name: &Path,
        work: &Work,
        trust: Trust,
    ) -> Result<PreparedRun, BeginError> {
        let path = self.find(name)?;
        let snapshot = self.snapshot(&path)?;
        if snapshot.state.closed {
            return Err(WorkspaceError::Closed.into());
        }
        let settings = work.resolve(self, &snapshot)?;
        let runner = Runner::new(Arc::clone(self));
        if let Trust::Asked(consents) = trust {
            return Ok(PreparedRun {
                runner: runner.with_consents(consents),
                settings,
                path,
                snapshot,
            });
        }
        // Errors of providers are left to the run, which reports them in the order of its steps.
        let needed = runner.providers.needed_for(&path, &settings).unwrap_or_default();
        let shown: Vec<Foreign> =
            needed.iter().map(|it| self.shown_foreign(&it.foreign, it.first)).collect();
        let consents = trust.consents(self, &shown)?;
        let is_refused = |one: &Foreign| one.first && !consents.covers(&one.fingerprint);
        let refused = needed.iter().find(|it| it.first && !consents.cover(&it.foreign));
        if let Some(refused) = refused.map(|it| it.foreign.as_not_trusted()) {
            let definitions = shown.into_iter().filter(is_refused).collect();
            return Err(BeginError::Untrusted(Untrusted { definitions, refused }));
        }
        Ok(PreparedRun { runner: runner.with_consents(consents), settings, path, snapshot })
    }

    /// Returns all definitions of the project that the work may call, fallbacks included. Opens nothing.
    ///
    /// # Errors
    /// Fails if the discussion does not exist or cannot be read, if an option is invalid, or if a provider does not
    /// exist.
    pub fn needed_trust(
        self: &Arc<Self>,
        name: &Path,
        work: &Work,
    ) -> Result<Vec<Foreign>, WorkspaceError> {
        let path = self.find(name)?;
        let settings = work.resolve(self, &self.snapshot(&path)?)?;
        let needed = self.preview_providers().needed_for(&path, &settings)?;
        Ok(needed.iter().map(|it| self.shown_foreign(&it.foreign, it.first)).collect())
    }

    /// Returns the number of calls (without retries, within the work's own limit), their usual cost and their highest
    /// cost.
    ///
    /// # Errors
    /// Fails if the discussion does not exist or cannot be read, or if an option is invalid.
    pub fn forecast(
        self: &Arc<Self>,
        name: &Path,
        work: &Work,
    ) -> Result<Forecast, WorkspaceError> {
        let path = self.find(name)?;
        let snapshot = self.snapshot(&path)?;
        let settings = work.resolve(self, &snapshot)?;
        let runner = Runner::new(Arc::clone(self));
        PreparedRun { runner, settings, path, snapshot }.forecast()
    }

    /// Returns the plan of a turn at this moment. Writes nothing and calls no model.
    ///
    /// # Errors
    /// Fails if the discussion does not exist or cannot be read, if an option is invalid, or if a prompt cannot be
    /// created.
    pub fn plan(
        self: &Arc<Self>,
        name: &Path,
        options: &TurnOptions,
    ) -> Result<Planned, WorkspaceError> {
        let path = self.find(name)?;
        let settings = options.resolve(self, &self.snapshot(&path)?)?;
        let before = self.exact_at(&path)?;
        let plan = self.preview_providers().plan(&before, &settings)?;
        Ok(plan.view(self.exactly(&path)))
    }

    /// Returns what the first turn of a question would do, and the file that would be made for it. Writes nothing and
    /// calls no model.
    ///
    /// # Errors
    /// Fails if the question is invalid or a prompt cannot be created.
    pub fn plan_question(
        self: &Arc<Self>,
        question: &Question,
        provider: Option<&str>,
    ) -> Result<Planned, WorkspaceError> {
        let (path, text) = self.question_text(question)?;
        let options =
            TurnOptions { provider: provider.map(str::to_owned), ..TurnOptions::default() };
        let before = self.exact_text(&path, &text)?;
        let settings = options.resolve(self, &before)?;
        let plan = self.preview_providers().plan(&before, &settings)?;
        let plan = Plan { appended: text + &plan.appended, ..plan };
        Ok(plan.view(self.exactly(&path)))
    }

    /// Refuses a question before its file is created, if its limit of money covers none of its first calls. Leaves
    /// every other error to [`Workspace::question`].
    ///
    /// # Errors
    /// Fails if no call fits into `options.max_usd`, or if the price of every call is unknown.
    pub fn insist_affordable(
        self: &Arc<Self>,
        question: &Question,
        options: &RunOptions,
    ) -> Result<(), WorkspaceError> {
        let Some(limit) = options.max_usd else { return Ok(()) };
        let calls = options.resolve()?.calls;
        let providers = self.preview_providers();
        let planned = self.question_text(question).and_then(|(path, text)| {
            let before = self.exact_text(&path, &text)?;
            let plan = providers.plan_of(&before, &TurnSettings::default(), &calls)?;
            Ok((before, plan.calls))
        });
        let Ok((before, planned)) = planned else { return Ok(()) };
        providers.ensure_covers_one(&before, &planned, &calls, limit, options.unpriced)
    }

    /// Returns each provider with the aliases of its participants, if the user chose no provider and several vendors
    /// are assigned to the participants; otherwise nothing.
    ///
    /// # Errors
    /// Fails if a file cannot be read or a definition cannot be used.
    pub fn deal(
        self: &Arc<Self>,
        name: &Path,
        provider: Option<&str>,
    ) -> Result<Vec<(String, Vec<String>)>, WorkspaceError> {
        let calls =
            CallSettings { provider: provider.map(str::to_owned), ..CallSettings::default() };
        self.preview_providers().assignment(&self.find(name)?, &calls)
    }

    /// Returns the tools that each participant may use in this work.
    ///
    /// # Errors
    /// Fails if a file cannot be read or a definition cannot be used.
    pub fn sight(
        self: &Arc<Self>,
        name: &Path,
        work: &Work,
    ) -> Result<Vec<ToolAccess>, WorkspaceError> {
        let calls = CallSettings {
            provider: work.provider().map(str::to_owned),
            reach: work.reach(),
            ..CallSettings::default()
        };
        self.preview_providers().tool_access(&self.find(name)?, &calls)
    }

    /// Returns the providers for previews, which make no call.
    fn preview_providers(self: &Arc<Self>) -> Providers {
        Providers::new(Arc::clone(self), Consents::default())
    }
}
