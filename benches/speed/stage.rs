//! A folder to measure in.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::provider::Environment;
use discussions::workspace::{FixedClock, Surroundings, Workspace};

use super::measure::Effort;
use super::written;

/// A folder that goes away with it.
pub(crate) struct Stage(tempfile::TempDir);

impl Stage {
    pub(crate) fn new() -> Self {
        // On the disk that holds the build: `/tmp` may live in memory, where syncing costs nothing.
        let here = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let stage = Self(tempfile::tempdir_in(here).expect("a folder can be made below target/"));
        stage.write("discussions.yaml", "author: Rob\n");
        stage
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("the disk has room");
        path
    }

    /// The folder of two thousand discussions as the program writes them.
    pub(crate) fn written_discussions(&self, effort: Effort) -> PathBuf {
        let folder = self.path("discussions");
        if !folder.exists() {
            written::write(&folder, if effort.quick { 200 } else { 2_000 });
        }
        folder
    }

    pub(crate) fn workspace(&self) -> Arc<Workspace> {
        let folder = self.0.path().to_owned();
        let path = std::env::var("PATH").unwrap_or_default();
        let environment = Environment::new([("PATH", path)], Some(folder.clone()), folder.clone());
        let clock = FixedClock("2026-11-20T10:00:00Z".parse().expect("a time"));
        let surroundings =
            Surroundings { folder, user_folder: None, environment, clock: Arc::new(clock) };
        Arc::new(Workspace::open(surroundings).expect("the configuration is sound"))
    }
}
