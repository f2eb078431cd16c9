//! A temporary project for tests of the library: a folder, a fixed clock and scripted participants.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use discussions::engine::Snapshot;
use discussions::provider::scripted::Script;
use discussions::provider::{Environment, Provider, ProviderName, Scripted};
use discussions::runner::{Abort, RunOptions, RunReport, Runner};
use discussions::view::Event;
use discussions::workspace::{FixedClock, NewDiscussion, Surroundings, Workspace, WorkspaceError};

/// A temporary folder with a configuration, and the events of its runs.
pub(crate) struct Project {
    folder: tempfile::TempDir,
    /// The folder of the user's own, in which calls get temporary folders. It is never in the project.
    own: tempfile::TempDir,
    pub(crate) events: Mutex<Vec<Event>>,
}

impl Project {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("discussions.yaml"), "author: Rob\n").unwrap();
        Self { folder, own: tempfile::tempdir().unwrap(), events: Mutex::default() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    pub(crate) fn workspace(&self) -> Arc<Workspace> {
        self.workspace_at("2026-11-20T10:00:00Z")
    }

    /// Opens the project at a time, in RFC 3339.
    pub(crate) fn workspace_at(&self, now: &str) -> Arc<Workspace> {
        let environment = Environment::new(
            [("PATH", "/nowhere"), ("OLLAMA_HOST", "127.0.0.1:1")],
            None,
            self.own.path().to_owned(),
        );
        let surroundings = Surroundings {
            folder: self.folder.path().to_owned(),
            user_folder: None,
            environment,
            clock: Arc::new(FixedClock(now.parse().unwrap())),
        };
        Arc::new(Workspace::open(surroundings).unwrap())
    }

    pub(crate) fn create(&self, new: &NewDiscussion) -> PathBuf {
        self.workspace().discussions().create(new).unwrap()
    }

    /// Runs a discussion to its end with this provider for all participants.
    pub(crate) async fn run(
        &self,
        path: &Path,
        provider: Arc<dyn Provider>,
        options: RunOptions,
    ) -> Result<RunReport, WorkspaceError> {
        let runner = Runner::new(self.workspace()).with_provider(provider);
        let mut note = |event: Event| self.events.lock().unwrap().push(event);
        let work = RunOptions { provider: Some("script".to_owned()), ..options };
        runner.execute(path, &work, &mut note, Abort::never()).await
    }

    pub(crate) fn read(&self, path: &Path) -> String {
        std::fs::read_to_string(path).unwrap()
    }

    /// Reads a discussion.
    pub(crate) fn look<T>(&self, path: &Path, look: impl FnOnce(&Snapshot) -> T) -> T {
        look(&self.workspace().snapshot(path).unwrap())
    }
}

/// Returns a provider that answers from a script.
pub(crate) fn script(yaml: &str) -> Arc<Scripted> {
    let script = Script::read(yaml, "script.yaml").unwrap_or_else(|error| panic!("{error}"));
    Arc::new(Scripted::new(ProviderName::parse("script").unwrap(), script))
}
