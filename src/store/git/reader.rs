//! The repository as the check of a history reads it: trees, commits, objects, and operations in progress.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::commits::{Commit, CommitIdentity, Signature, signature};
use super::repository::Repository;
use super::trees::{ObjectId, ObjectReader, Tree};
use super::words::{LoggedCommit, is_page};
use crate::store::error::StoreError;

/// A repository with the commands that a check needs.
#[derive(Clone, Debug)]
pub(crate) struct HistoryReader {
    repository: Repository,
    /// The trees of commits that were read, because a base often is the named commit too.
    trees: Arc<Mutex<HashMap<String, Tree>>>,
}

/// The number of digits of the shortest whole id of a commit.
const MIN_ID_DIGITS: usize = 40;

/// The names of commits whose changes the next commit takes over.
const IN_PROGRESS: [&str; 4] = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"];

impl HistoryReader {
    /// Returns the repository around a folder; none without git or a repository.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        Some(Self { repository: Repository::find_repository(folder)?, trees: Arc::default() })
    }

    /// Returns the top of the working tree, canonical.
    pub(crate) fn top(&self) -> &Path {
        self.repository.top()
    }

    /// Returns the path of a file of the tree in the working tree.
    pub(crate) fn path_of(&self, in_tree: &[u8]) -> PathBuf {
        self.top().join(String::from_utf8_lossy(in_tree).as_ref())
    }

    /// Returns true if git knows a commit of this name.
    pub(crate) fn has_commit(&self, name: &str) -> bool {
        self.repository.names(&format!("{name}^{{commit}}"))
    }

    /// Returns the last commits that two commits have in common.
    pub(crate) fn merge_bases(&self, one: &str, other: &str) -> Vec<String> {
        // Without a common commit, git fails without a message.
        let found = self.repository.ask(["merge-base", "--all", one, other]).unwrap_or_default();
        found.lines().map(str::to_owned).collect()
    }

    /// Returns the files of a commit.
    ///
    /// # Errors
    /// Fails if git cannot read the tree.
    pub(crate) fn tree(&self, commit: &str) -> Result<Tree, StoreError> {
        if let Some(known) = self.trees.lock().get(commit) {
            return Ok(known.clone());
        }
        let tree = self.repository.tree(commit).map_err(|source| self.fail(source))?;
        // A name may stand for another commit later.
        if commit.len() >= MIN_ID_DIGITS && commit.bytes().all(|it| it.is_ascii_hexdigit()) {
            self.trees.lock().insert(commit.to_owned(), tree.clone());
        }
        Ok(tree)
    }

    /// Returns the files of the index, or of another index file.
    ///
    /// # Errors
    /// Fails if git cannot read the index.
    pub(crate) fn index(&self, index: Option<&Path>) -> Result<Tree, StoreError> {
        self.repository.index_tree(index).map_err(|source| self.fail(source))
    }

    /// Returns the files that a sparse checkout leaves out.
    ///
    /// # Errors
    /// Fails if git cannot read the index.
    pub(crate) fn skipped_files(&self) -> Result<HashSet<Vec<u8>>, StoreError> {
        let found = self.repository.skipped_files().map_err(|source| self.fail(source))?;
        Ok(found.into_iter().collect())
    }

    /// Returns the commits of a range with their changes, oldest first; with `paths`, only those that change them.
    ///
    /// # Errors
    /// Fails if git cannot read the history.
    pub(crate) fn commits(
        &self,
        revisions: &[&str],
        paths: &[String],
    ) -> Result<Vec<LoggedCommit>, StoreError> {
        self.repository.logged(revisions, paths).map_err(|source| self.fail(source))
    }

    /// Returns the commits along the first parents of a commit, like [`Self::commits`].
    ///
    /// # Errors
    /// Fails if git cannot read the history.
    pub(crate) fn first_parents(
        &self,
        commit: &str,
        paths: &[String],
    ) -> Result<Vec<LoggedCommit>, StoreError> {
        self.commits(&["--first-parent", commit], paths)
    }

    /// Returns the objects that pages had along the first parents of a commit, by path, the oldest first.
    ///
    /// # Errors
    /// Fails if git cannot read the history.
    pub(crate) fn older_pages(
        &self,
        commit: &str,
    ) -> Result<HashMap<Vec<u8>, Vec<ObjectId>>, StoreError> {
        let logged = self.first_parents(commit, &[])?;
        let mut pages: HashMap<Vec<u8>, Vec<ObjectId>> = HashMap::new();
        let changes = logged.into_iter().flat_map(|one| one.changes.into_iter().flatten());
        for change in changes.filter(|change| is_page(&change.path)) {
            let objects = pages.entry(change.path).or_default();
            for (_, object) in [change.old, change.new].into_iter().flatten() {
                if objects.last() != Some(&object) {
                    objects.push(object);
                }
            }
        }
        Ok(pages)
    }

    /// Starts to read objects.
    ///
    /// # Errors
    /// Fails if git cannot be started.
    pub(crate) fn objects(&self) -> Result<ObjectReader, StoreError> {
        ObjectReader::start(&self.repository).map_err(|source| self.fail(source))
    }

    /// Returns the commits at which a shallow clone cuts the history off.
    pub(crate) fn boundaries(&self) -> HashSet<String> {
        self.repository.boundaries().into_iter().collect()
    }

    /// Returns the commit that a name refers to.
    ///
    /// # Errors
    /// Fails without such a commit, or if the name stands for several.
    pub(crate) fn commit_named(&self, name: &str) -> Result<String, StoreError> {
        self.repository.commit_named(name)
    }

    /// Returns the commits that a merge, cherry-pick, revert or rebase in progress takes over.
    pub(crate) fn commits_in_progress(&self) -> Vec<&'static str> {
        IN_PROGRESS.into_iter().filter(|name| self.repository.names(name)).collect()
    }

    /// Returns all authors of commits that are reachable from a commit, each once.
    pub(crate) fn authors(&self, commit: &str) -> Vec<CommitIdentity> {
        let asked = ["--format=%an%x00%ae", "--end-of-options", commit];
        let log = self.repository.log(asked).unwrap_or_default();
        let mut seen = HashSet::new();
        let lines = log.lines().filter(|line| seen.insert(*line));
        lines
            .filter_map(|line| line.split_once('\0'))
            .map(|(name, email)| CommitIdentity { name: name.to_owned(), email: email.to_owned() })
            .collect()
    }

    /// Returns the signature of a commit with its signer, if git can verify it.
    pub(crate) fn signature(&self, commit: &Commit) -> Option<Signature> {
        (!commit.id.is_empty()).then(|| signature(&self.repository, &commit.id)).flatten()
    }

    fn fail(&self, source: io::Error) -> StoreError {
        let source = if lacks_objects(&source) { io::Error::other(PARTIAL_CLONE) } else { source };
        StoreError::Io { path: self.top().to_owned(), doing: "reading the git history", source }
    }
}

/// The advice for a partial clone without some objects.
pub(crate) const PARTIAL_CLONE: &str = "this partial clone lacks some objects, and a check fetches nothing; get them with `git fetch --refetch --no-filter`";

/// Returns true if git failed because an object is not here.
fn lacks_objects(error: &io::Error) -> bool {
    let message = error.to_string();
    [
        "lazy fetching",
        "missing",
        "promisor",
        "could not fetch",
        "not a tree object",
        "bad tree",
        "unable to read",
    ]
    .iter()
    .any(|words| message.contains(words))
}
