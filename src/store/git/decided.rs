//! The commit in which a discussion was decided, and what the commits after it changed in other files.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use super::repository::{MOST_COMMITS, Repository, literal};
use crate::store::error::StoreError;

/// The place of a decision in the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DecidedIn {
    /// The first commit with a decided version of the file, in hexadecimal.
    Commit(String),
    /// The folder is in no repository, or there is no git.
    NoRepository,
    /// The last commit does not contain the decision.
    NotCommitted,
    /// The clone does not contain the commits before the oldest version that it has.
    Cut,
}

/// A commit that changed an affected file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LaterCommit {
    /// The first 12 characters of the id.
    pub(crate) id: String,
    /// The day on which it was committed, in ISO 8601.
    pub(crate) day: String,
    /// The first line of the message; untrusted text.
    pub(crate) subject: String,
}

/// An affected file that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedFile {
    /// The path in the tree; untrusted text.
    pub(crate) path: String,
    /// The number of added and removed lines; `None` for a binary file.
    pub(crate) lines: Option<(u64, u64)>,
}

/// The changes of affected files since a commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaterChanges {
    /// The commits, newest first.
    pub(crate) commits: Vec<LaterCommit>,
    /// The files that differ, by path.
    pub(crate) files: Vec<ChangedFile>,
}

/// Returns the commit in which a discussion was decided. Walks back through its committed versions, also under earlier
/// names, for as long as `is_decided` returns true.
///
/// # Errors
/// Fails if git cannot read the history.
pub(crate) fn decided_in(
    path: &Path,
    is_decided: impl FnMut(&str) -> bool,
) -> Result<DecidedIn, StoreError> {
    let (folder, name) = (path.parent().unwrap_or(Path::new(".")), path.file_name());
    let (Some(repository), Some(name)) =
        (Repository::find_repository(folder), name.and_then(|name| name.to_str()))
    else {
        return Ok(DecidedIn::NoRepository);
    };
    if !repository.names("HEAD") {
        return Ok(DecidedIn::NotCommitted);
    }
    let in_tree = repository.path_of(name);
    first_decided(&repository, &in_tree, is_decided).map_err(|source| StoreError::Io {
        path: path.to_owned(),
        doing: DOING,
        source,
    })
}

/// The operation that failed, in errors.
const DOING: &str = "reading the git history";

fn first_decided(
    repository: &Repository,
    in_tree: &str,
    mut is_decided: impl FnMut(&str) -> bool,
) -> io::Result<DecidedIn> {
    let literal = literal(in_tree);
    // A path in a tree never begins with `/`, so no file name can pass for a commit.
    let asked =
        [MOST_COMMITS, "--follow", "--name-only", "-z", "--format=/%H", "HEAD", "--", &literal];
    let log = repository.log(asked)?;
    let mut versions: Vec<(&str, Option<&str>)> = Vec::new();
    for word in log.split('\0').map(|word| word.trim_start_matches('\n')) {
        if let Some(commit) = word.strip_prefix('/') {
            versions.push((commit, None));
        } else if let Some((_, name)) = versions.last_mut().filter(|_| !word.is_empty()) {
            *name = Some(word);
        }
    }
    let mut name = in_tree;
    let objects: Vec<String> = versions
        .iter()
        .map(|(commit, named)| {
            // For a merge git lists no name.
            name = named.unwrap_or(name);
            format!("{commit}:{name}")
        })
        .collect();
    let (mut first, mut ended) = (None, false);
    let read = repository.contents(&objects, |index, text| {
        ended = !text.is_some_and(|text| is_decided(&text));
        if ended {
            return ControlFlow::Break(());
        }
        first = versions.get(index).map(|(commit, _)| *commit);
        ControlFlow::Continue(())
    });
    // Older versions of git end their output if they are not allowed to fetch.
    if read.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::UnexpectedEof) {
        return Ok(DecidedIn::Cut);
    }
    read?;
    let Some(first) = first else { return Ok(DecidedIn::NotCommitted) };
    let is_shallow = || {
        let told = repository.ask(["rev-parse", "--is-shallow-repository"]);
        told.is_ok_and(|told| told.trim() == "true")
    };
    // At the edge of a shallow clone, every file seems to be new.
    if !ended && is_shallow() {
        return Ok(DecidedIn::Cut);
    }
    Ok(DecidedIn::Commit(first.to_owned()))
}

/// Returns the changes of files since a commit: the commits up to `HEAD`, and the difference between the two. `affects`
/// judges a file by its absolute path; a renamed file counts under both names.
///
/// # Errors
/// Fails if git cannot read the history.
pub(crate) fn later_changes(
    folder: &Path,
    commit: &str,
    affects: impl Fn(&Path) -> bool,
) -> Result<LaterChanges, StoreError> {
    let Some(repository) = Repository::find_repository(folder) else {
        return Ok(LaterChanges::default());
    };
    let affects = |in_tree: &str| affects(&repository.top().join(in_tree));
    let read = || -> io::Result<LaterChanges> {
        Ok(LaterChanges {
            commits: commits_since(&repository, commit, affects)?,
            files: files_since(&repository, commit, affects)?,
        })
    };
    read().map_err(|source| StoreError::Io { path: folder.to_owned(), doing: DOING, source })
}

fn commits_since(
    repository: &Repository,
    commit: &str,
    affects: impl Fn(&str) -> bool,
) -> io::Result<Vec<LaterCommit>> {
    let range = format!("{commit}..HEAD");
    let asked = [
        MOST_COMMITS,
        "--no-renames",
        "--name-only",
        "-z",
        "--format=/%H%x00%cs%x00%s",
        "--end-of-options",
        &range,
        "--",
    ];
    let log = repository.log(asked)?;
    let mut words = log.split('\0');
    let (mut found, mut last) = (Vec::new(), None);
    while let Some(word) = words.next() {
        let word = word.trim_start_matches('\n');
        if let Some(id) = word.strip_prefix('/') {
            let mut next = || words.next().unwrap_or_default().to_owned();
            let id = id.get(..12).unwrap_or(id).to_owned();
            last = Some(LaterCommit { id, day: next(), subject: next() });
        } else if last.is_some() && !word.is_empty() && affects(word) {
            found.extend(last.take());
        }
    }
    Ok(found)
}

fn files_since(
    repository: &Repository,
    commit: &str,
    affects: impl Fn(&str) -> bool,
) -> io::Result<Vec<ChangedFile>> {
    let asked = [
        "diff",
        "--numstat",
        "-z",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--end-of-options",
        commit,
        "HEAD",
        "--",
    ];
    let told = repository.ask(asked)?;
    let files = told.split('\0').filter_map(|line| {
        let mut words = line.splitn(3, '\t');
        let (added, removed, path) = (words.next()?, words.next()?, words.next()?);
        let lines = added.parse().ok().zip(removed.parse().ok());
        affects(path).then(|| ChangedFile { path: path.to_owned(), lines })
    });
    Ok(files.collect())
}
