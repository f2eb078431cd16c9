//! The context of all tools: the workspace, the runs of this server, and the budget for these runs.
//! The workspace is confined to one folder and to the allowed actions, and clients may name only
//! files below that folder. The amount that a run may spend is reserved before the run begins.

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use discussions::runner::{BeginError, RunHandle, RunOptions, RunRegistry, Trust, Update};
use discussions::view::visible_line;
use discussions::workspace::{StoreError, Workspace, WorkspaceError};
use parking_lot::{Mutex, MutexGuard};

use super::Allowed;
use super::elicit::Questions;
use super::words::McpError;
use crate::cli::environment::{CallingTurn, HostEnvironment};
use crate::cli::error::CommandError;

/// The served folder, with its permissions and runs.
pub(super) struct ServerContext {
    outside: HostEnvironment,
    root: Root,
    pub(super) allowed: Allowed,
    pub(super) runs: Arc<Runs>,
    /// The questions for people that were sent to clients.
    pub(super) questions: Questions,
}

impl ServerContext {
    pub(super) fn new(outside: HostEnvironment, allowed: Allowed) -> Result<Self, CommandError> {
        let root = Root::of(&outside.folder)
            .map_err(|error| CommandError::io(format!("cannot serve the folder: {error}")))?;
        let (runs, questions) = (Arc::new(Runs::new(allowed.max_usd)), Questions::default());
        Ok(Self { outside, root, allowed, runs, questions })
    }

    /// Opens the workspace with its current files, because people change configuration and personas while the server
    /// runs.
    pub(super) fn open(&self) -> Result<Arc<Workspace>, McpError> {
        Ok(Arc::new(self.outside.open()?.for_agents(Some(self.root.folder().to_owned()))))
    }

    /// Opens the workspace for a tool that calls models or writes.
    pub(super) fn open_to_write(&self) -> Result<Arc<Workspace>, McpError> {
        if self.allowed.read_only {
            return Err(McpError::read_only());
        }
        let workspace = self.open()?;
        self.root.insist(&workspace.output_directory())?;
        Ok(workspace)
    }

    /// Finds the discussion that a client names.
    pub(super) fn find(&self, workspace: &Workspace, name: &str) -> Result<PathBuf, McpError> {
        // Checked before the search: an error about a name outside of the folder would reveal which files exist there.
        self.root.insist(&self.outside.folder.join(name))?;
        let kept = workspace.output_directory();
        if self.root.insist(&kept).is_ok() {
            self.root.insist(&kept.join(name))?;
        }
        let found = workspace.find(Path::new(name)).map_err(|error| self.without_others(error));
        self.root.insist(&found?)
    }

    /// Returns the error without names of files outside of the folder.
    fn without_others(&self, error: WorkspaceError) -> WorkspaceError {
        match error {
            WorkspaceError::Store(StoreError::NotFound { path, mut near }) => {
                near.retain(|one| self.root.insist(&self.outside.folder.join(one)).is_ok());
                WorkspaceError::Store(StoreError::NotFound { path, near })
            }
            other => other,
        }
    }

    /// Returns the path of a file that a client names, relative to the folder, so that the recorded path is valid on
    /// every machine. The file need not exist.
    pub(super) fn file(&self, name: &str) -> Result<PathBuf, McpError> {
        let real = self.root.insist(&self.outside.folder.join(name))?;
        Ok(self.root.relative_path(&real))
    }

    /// Returns true if a client may name this file, and it exists.
    pub(super) fn has_file(&self, name: &str) -> bool {
        self.root.insist(&self.outside.folder.join(name)).is_ok_and(|path| path.exists())
    }

    /// Returns the discussion and turn for which the agent that started this server is answering, if any.
    pub(super) fn calling_turn(&self) -> Option<CallingTurn> {
        self.outside.calling_turn()
    }

    /// Checks the files, folders and patterns that a client names.
    pub(super) fn files(&self, patterns: Vec<String>) -> Result<Vec<String>, McpError> {
        for pattern in &patterns {
            let whole = self.outside.folder.join(pattern);
            let is_path = whole.symlink_metadata().is_ok();
            let plain = |part: &Component<'_>| {
                is_path || !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{'])
            };
            if whole.components().any(|part| part == Component::ParentDir) {
                return Err(McpError::input(format!("`{pattern}` leads out of the served folder"))
                    .help("name files inside the served folder"));
            }
            // The search for a pattern follows no links, so checking the folder where it begins is enough.
            self.root.insist(&whole.components().take_while(plain).collect::<PathBuf>())?;
        }
        Ok(patterns)
    }

    /// Returns which definitions of the project may be called. There is no user to ask here.
    pub(super) fn trust(&self) -> Trust {
        self.outside.trust()
    }
}

/// The path of the folder, with links resolved.
struct Root(PathBuf);

impl Root {
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        folder.canonicalize().map(Self)
    }

    /// Returns the path of the folder.
    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// Returns a path below the folder, relative to it.
    fn relative_path(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.0).unwrap_or(path).to_owned()
    }

    /// Returns the path with its links resolved, if it is below the folder. For a path that does not exist yet, the
    /// folder in which it would be created counts.
    pub(super) fn insist(&self, path: &Path) -> Result<PathBuf, McpError> {
        resolved(path).filter(|real| real.starts_with(&self.0)).ok_or_else(|| {
            let shown = visible_line(&path.to_string_lossy());
            McpError::input(format!("{shown} is outside the served folder"))
                .help("name a file inside it, or restart the server with another --root")
        })
    }
}

/// Resolves the links of a path; `None` if a link is broken or the path goes up from a folder that does not exist.
fn resolved(path: &Path) -> Option<PathBuf> {
    let (mut there, mut rest) = (path, Vec::<OsString>::new());
    loop {
        if there.symlink_metadata().is_ok() {
            let mut real = there.canonicalize().ok()?;
            real.extend(rest.iter().rev());
            return Some(real);
        }
        rest.push(there.file_name()?.to_owned());
        there = there.parent()?;
    }
}

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
        let options = RunOptions { max_usd: taken, ..request };
        let prepared = workspace.runs().prepare(path, &options).map_err(BeginError::from);
        let run = prepared.and_then(|prepared| prepared.trusting(trust)).map_err(|error| {
            lock(&self.purse).put_back(taken, 0.0);
            McpError::from(error)
        })?;
        let run = run.start();
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

/// The rest of the budget.
#[derive(Debug)]
struct ServerBudget {
    left: Option<f64>,
}

impl ServerBudget {
    pub(super) fn new(max_usd: Option<f64>) -> Self {
        Self { left: max_usd }
    }

    /// Reserves the amount that a run may spend: at most what it asks for, or everything that is left if it names no
    /// amount. Without a budget, returns the amount that the run asks for.
    pub(super) fn take(&mut self, asked: Option<f64>) -> Option<f64> {
        let Some(left) = &mut self.left else { return asked };
        let share = asked.map_or(*left, |asked| asked.min(*left)).max(0.0);
        *left -= share;
        Some(share)
    }

    /// Gives the unspent part of a reservation back to the budget.
    pub(super) fn put_back(&mut self, taken: Option<f64>, spent: f64) {
        if let (Some(left), Some(taken)) = (&mut self.left, taken) {
            *left += taken - spent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_money_is_not_reserved_twice_and_the_rest_returns() {
        let mut purse = ServerBudget::new(Some(1.0));
        assert_eq!(purse.take(Some(0.25)), Some(0.25));
        assert_eq!(purse.take(None), Some(0.75));
        assert_eq!(purse.take(Some(5.0)), Some(0.0));
        purse.put_back(Some(0.75), 0.5);
        assert_eq!(purse.take(None), Some(0.25));
        assert_eq!(ServerBudget::new(None).take(Some(2.0)), Some(2.0));
        assert_eq!(ServerBudget::new(None).take(None), None);
    }
}
