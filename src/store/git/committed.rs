//! The times of last commits, for discussions that contain no date.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::repository::{Repository, literal};

/// Maximum number of commits to search.
const MOST: &str = "--max-count=5000";

/// The times of the last commits of the files below a folder, in seconds since 1970. Files that differ from the last
/// commit are not included, since they were changed later.
#[derive(Debug, Default)]
pub(crate) struct Committed(HashMap<PathBuf, u64>);

impl Committed {
    /// Asks git for the times. The result is empty without a repository or a commit, or if git fails.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Repository::find_repository(folder).and_then(|it| Self::ask(&it)).unwrap_or_default()
    }

    fn ask(repository: &Repository) -> Option<Self> {
        let inner = repository.path_of("");
        let literal = literal(inner.trim_end_matches('/'));
        let paths = if inner.is_empty() { ":/" } else { &literal };
        let asked = [
            "log",
            MOST,
            "--no-show-signature",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            "--name-only",
            "-z",
            "--format=%x01%ct",
            "HEAD",
            "--",
            paths,
        ];
        let told = repository.ask(asked).ok()?;
        let mut times: HashMap<PathBuf, u64> = HashMap::new();
        let mut at = None;
        for word in told.split('\0') {
            let word = word.trim_start_matches('\n');
            match word.strip_prefix('\u{1}') {
                Some(time) => at = time.trim().parse().ok(),
                None => {
                    if let (Some(at), false) = (at, word.is_empty()) {
                        times.entry(repository.top().join(word)).or_insert(at);
                    }
                }
            }
        }
        let asked = ["diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", "HEAD", "--"];
        for changed in repository.ask(asked.into_iter().chain([paths])).ok()?.split('\0') {
            times.remove(&repository.top().join(changed));
        }
        Some(Self(times))
    }

    /// Returns the time of a file's last commit.
    pub(crate) fn of(&self, path: &Path) -> Option<SystemTime> {
        if self.0.is_empty() {
            return None;
        }
        let folder = path.parent()?.canonicalize().ok()?;
        let seconds = self.0.get(&folder.join(path.file_name()?))?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(*seconds))
    }
}
