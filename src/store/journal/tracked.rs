//! The journals that git tracks: any committer could have written them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::store::git::Repository;
use crate::store::private_files::{FOLDER, JOURNAL};

/// The journals that git tracks, listed once for each repository, on first use. A check of thousands of discussions
/// starts git once for them.
#[derive(Debug, Default)]
pub(crate) struct TrackedJournals(Mutex<HashMap<PathBuf, Arc<HashSet<String>>>>);

impl TrackedJournals {
    /// Returns true if a journal is in git's index or in the last commit.
    pub(super) fn has(&self, journal: &Path) -> bool {
        let Some((folder, name)) = journal.parent().zip(journal.file_name()) else { return false };
        let Some(repository) = Repository::nearest(folder) else { return false };
        let tracked = {
            let mut known = self.0.lock();
            let listed = known.entry(repository.top().to_owned()).or_insert_with(|| {
                Arc::new(repository.tracked(&format!(":(top,glob)**/{FOLDER}/*{JOURNAL}")))
            });
            Arc::clone(listed)
        };
        tracked.contains(&repository.path_of(&name.to_string_lossy()))
    }
}
