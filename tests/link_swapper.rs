//! Swaps a file for a link to a file outside, over and over, while the program works with it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};

use crate::cli::Scenario;

/// The content of the file outside.
const SECRET: &str = "# Secret\n\nxyzzy\n";

/// A folder outside of the project, and a thread that swaps until this is dropped.
pub(crate) struct LinkSwapper {
    outside: tempfile::TempDir,
    file: PathBuf,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LinkSwapper {
    /// Swaps this file of a scenario's folder.
    pub(crate) fn begin(scenario: &Scenario, name: &str) -> Self {
        let outside = tempfile::tempdir().unwrap();
        let target = outside.path().join("outside.md");
        std::fs::write(&target, SECRET).unwrap();
        let file = scenario.path(name);
        // Not in the folder of discussions, where it would be one more link.
        let link = scenario.path("../link");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let over = Arc::new(AtomicBool::new(false));
        let (ended, path) = (Arc::clone(&over), file.clone());
        let thread = std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                exchange(&path, &link);
                exchange(&path, &link);
            }
        });
        Self { outside, file, over, thread: Some(thread) }
    }

    /// Ends the swapping, checks that nothing outside was written or created, and returns the text of the file.
    #[track_caller]
    pub(crate) fn end(mut self) -> String {
        self.stop();
        let names = std::fs::read_dir(self.outside.path()).unwrap();
        let names: Vec<_> = names.map(|it| it.unwrap().file_name()).collect();
        assert_eq!(names, ["outside.md"]);
        let text = std::fs::read_to_string(self.outside.path().join("outside.md")).unwrap();
        assert_eq!(text, SECRET);
        std::fs::read_to_string(&self.file).unwrap()
    }

    fn stop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for LinkSwapper {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// Exchanges two names atomically, so that both names always exist.
fn exchange(one: &Path, other: &Path) {
    renameat2(AT_FDCWD, one, AT_FDCWD, other, RenameFlags::RENAME_EXCHANGE).unwrap();
}
