//! The runs of this server, and the budget for them.

use std::path::Path;
use std::sync::Arc;

use discussions::runner::{RunHandle, RunOptions, RunRegistry, Trust, Update, Work};
use discussions::workspace::Workspace;
use parking_lot::{Mutex, MutexGuard};

use super::budget::ServerBudget;
use super::error::McpError;

/// The runs of this server, one for each discussion.
pub(super) struct Runs {
    registry: RunRegistry,
    purse: Mutex<ServerBudget>,
    /// Locked while a run starts, so that a second call finds that run.
    starting: Mutex<()>,
}

impl Runs {
    pub(super) fn new(max_usd: Option<f64>) -> Self {
        let (registry, starting) = Default::default();
        Self { registry, starting, purse: Mutex::new(ServerBudget::new(max_usd)) }
    }

    /// Returns the run of a discussion, if this server runs it.
    pub(super) fn get(&self, path: &Path) -> Option<RunHandle> {
        self.registry.get(path)
    }

    /// Starts the run of a discussion, or returns the one that this server runs. Must be called within a tokio runtime.
    pub(super) fn start(
        self: &Arc<Self>,
        workspace: &Arc<Workspace>,
        path: &Path,
        request: RunOptions,
        trust: Trust,
    ) -> Result<RunHandle, McpError> {
        let _starting = lock(&self.starting);
        let Some(reserved) = self.registry.reserve(path) else {
            let running = self.registry.get(path);
            return running
                .ok_or_else(|| McpError::input("the run of this discussion is starting"));
        };
        let taken = lock(&self.purse).take(request.max_usd);
        let work = Work::Run(RunOptions { max_usd: taken, ..request });
        let run = workspace.begin(path, &work, trust).map_err(|error| {
            lock(&self.purse).put_back(taken, 0.0);
            McpError::from(error)
        })?;
        let runs = Arc::clone(self);
        Ok(reserved.start(run, move |update| {
            let Update::Ended(ended) = update else { return };
            let spent = (*ended)
                .as_ref()
                .map_or(taken.unwrap_or_default(), |ran| ran.cost.usd.unwrap_or_default());
            lock(&runs.purse).put_back(taken, spent);
        }))
    }

    /// Stops all runs and waits for them. Their process groups end; their files keep the finished answers.
    pub(super) async fn end_all(&self) {
        self.registry.abort_all();
        self.registry.wait_idle().await;
    }
}

/// Locks a mutex. A panic elsewhere cannot leave its data half changed.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock()
}
