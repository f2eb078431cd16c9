//! The commits to check: all commits of a branch, or those that it adds to another branch. Also returns the files that
//! differ between two commits.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::additions::{Additions, additions};
use super::command::{git_without_filters, reason_of};
use super::commits::{Commit, CommitIdentity, Signature, signature};
use super::deletions::Present;
use super::ends::{Ended, ended_discussions};
use super::patch::PatchError;
use super::repository::{self, Repository};
use crate::store::error::StoreError;
use crate::transcript::parse;

/// The commits to check, and the commits to compare them with.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    repository: Repository,
    /// The commit and the base of [`Since`].
    since: Option<(String, String)>,
}

/// The commit after which a branch is checked (`--since`).
#[derive(Clone, Copy)]
pub(crate) struct Since<'a> {
    /// The commit that was named.
    pub(crate) commit: &'a str,
    /// The last commit that it and `HEAD` have in common.
    pub(crate) base: &'a str,
}

/// A file of a commit that was a discussion in that commit.
#[derive(Clone, Debug)]
pub(crate) struct Earlier {
    /// Its path in the working tree, even if it is no longer there.
    pub(crate) path: PathBuf,
    /// Its path relative to the top of the tree.
    pub(crate) in_tree: String,
    pub(crate) text: String,
}

impl Range {
    /// Returns the commits of the repository around a folder; `None` without git, a repository, or a commit.
    pub(crate) fn of(folder: &Path, since: Option<Since<'_>>) -> Option<Self> {
        let repository = Repository::find_repository(folder)?;
        repository.names("HEAD").then_some(())?;
        let since = since.map(|since| (since.commit.to_owned(), since.base.to_owned()));
        Some(Self { repository, since })
    }

    /// Returns the commit with the trusted configuration: that of `--since`, or else `HEAD`.
    pub(crate) fn trusted(&self) -> &str {
        self.since.as_ref().map_or("HEAD", |(commit, _)| commit)
    }

    /// Returns the commit to compare files with: the last one in common with `--since`, or else `HEAD`.
    fn base(&self) -> &str {
        self.since.as_ref().map_or("HEAD", |(_, base)| base)
    }

    /// Returns the top of the working tree, canonical.
    pub(crate) fn top(&self) -> &Path {
        self.repository.top()
    }

    /// Returns the path in the working tree for a path relative to the top of the tree.
    pub(crate) fn path_of(&self, in_tree: &str) -> PathBuf {
        self.top().join(in_tree)
    }

    /// Returns the content of a file in the trusted commit. The path is relative to the top of the tree.
    pub(crate) fn trusted_text(&self, in_tree: &str) -> Option<String> {
        self.text(&format!("{}:{in_tree}", self.trusted()))
    }

    /// Returns the content of a file in the commit to compare with. The path is relative to the top of the tree.
    pub(crate) fn base_text(&self, in_tree: &str) -> Option<String> {
        self.text(&format!("{}:{in_tree}", self.base()))
    }

    fn text(&self, object: &str) -> Option<String> {
        let mut found = None;
        let read = self.repository.contents(&[object.to_owned()], |_, text| {
            found = text;
            ControlFlow::Break(())
        });
        read.ok().and(found)
    }

    /// Returns true if the checked commits change a file.
    pub(crate) fn changes(&self, in_tree: &str) -> bool {
        let objects: Vec<String> =
            [self.base(), "HEAD"].iter().map(|commit| format!("{commit}:{in_tree}")).collect();
        let hashes = self.repository.hashes(&objects).unwrap_or_default();
        matches!(&hashes[..], [before, after] if before != after)
    }

    /// Returns the commit at which a shallow clone cuts the history, if older commits would have to be checked.
    pub(crate) fn cut(&self) -> Option<String> {
        let shallow = self.repository.ask(["rev-parse", "--is-shallow-repository"]).ok()?;
        if shallow.trim() != "true" {
            return None;
        }
        let without = self.since.as_ref().map(|(commit, _)| format!("^{commit}"));
        let mut asked = vec!["rev-list", "--max-parents=0", "HEAD"];
        asked.extend(without.as_deref());
        let roots = self.repository.ask(asked).ok()?;
        roots.lines().next().map(str::to_owned)
    }

    /// Returns all authors of commits that are reachable from the trusted commit, each once.
    pub(crate) fn authors(&self) -> Vec<CommitIdentity> {
        let asked = ["--format=%an%x00%ae", "--end-of-options", self.trusted()];
        let log = self.repository.log(asked).unwrap_or_default();
        let mut seen = HashSet::new();
        let lines = log.lines().filter(|line| seen.insert(*line));
        lines
            .filter_map(|line| line.split_once('\0'))
            .map(|(name, email)| CommitIdentity { name: name.to_owned(), email: email.to_owned() })
            .collect()
    }

    /// Returns the statements that the commits added to discussions.
    ///
    /// # Errors
    /// Fails if git cannot read the history.
    pub(crate) fn additions(&self) -> Result<Additions, StoreError> {
        let since = self.since.as_ref().map(|(commit, _)| commit.as_str());
        additions(&self.repository, since).map_err(|source| self.fail(source))
    }

    /// Returns the discussions of the commit to compare with, below folders that are absolute and canonical.
    ///
    /// # Errors
    /// Fails if git cannot read the tree.
    pub(crate) fn earlier(&self, folders: &[PathBuf]) -> Result<Vec<Earlier>, StoreError> {
        self.discussions(folders).map_err(|source| self.fail(source))
    }

    fn discussions(&self, folders: &[PathBuf]) -> io::Result<Vec<Earlier>> {
        let asked = ["ls-tree", "-r", "-z", "--full-tree", self.base()];
        let tree = self.repository.ask(asked)?;
        let (mut paths, mut objects) = (Vec::new(), Vec::new());
        for line in tree.split('\0') {
            let Some((about, in_tree)) = line.split_once('\t') else { continue };
            let path = self.path_of(in_tree);
            let is_below = folders.iter().any(|folder| path.starts_with(folder));
            let mut words = about.split(' ');
            let (mode, object) = (words.next().unwrap_or_default(), words.nth(1));
            if let (true, true, Some(object)) =
                (is_below && super::deletions::is_page(in_tree), mode.starts_with("100"), object)
            {
                paths.push((path, in_tree.to_owned()));
                objects.push(object.to_owned());
            }
        }
        let mut found = Vec::new();
        let mut paths = paths.into_iter();
        self.repository.contents(&objects, |_, text| {
            if let (Some((path, in_tree)), Some(text)) = (paths.next(), text)
                && parse(&text).is_discussion()
            {
                found.push(Earlier { path, in_tree, text });
            }
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// Returns the earlier discussions that other content has replaced, committed or not.
    ///
    /// # Errors
    /// Fails if git cannot read the tree.
    pub(crate) fn ended_in_range<'e>(
        &self,
        earlier: &'e [Earlier],
        present: Present<'_>,
    ) -> Result<Vec<Ended<'e>>, StoreError> {
        let since = self.since.as_ref().map(|(_, base)| base.as_str());
        ended_discussions(&self.repository, earlier, present, since)
            .map_err(|source| self.fail(source))
    }

    /// Returns the files below some folders that a sparse checkout leaves out of the working tree, each with its text
    /// in git's index.
    ///
    /// # Errors
    /// Fails if git cannot read the index.
    pub(crate) fn left_out(
        &self,
        folders: &[PathBuf],
    ) -> Result<Vec<(PathBuf, String)>, StoreError> {
        let read = || -> io::Result<Vec<(PathBuf, String)>> {
            let listed = self.repository.ask([
                "ls-files",
                "-z",
                "-t",
                "--cached",
                "--stage",
                "--full-name",
            ])?;
            let (mut paths, mut objects) = (Vec::new(), Vec::new());
            for line in listed.split('\0') {
                let Some((about, in_tree)) = line.split_once('\t') else { continue };
                let path = self.path_of(in_tree);
                let mut words = about.split(' ');
                let (tag, mode, object) = (words.next(), words.next(), words.next());
                let is_wanted = tag == Some("S")
                    && mode.is_some_and(|mode| mode.starts_with("100"))
                    && super::deletions::is_page(in_tree)
                    && folders.iter().any(|folder| path.starts_with(folder))
                    && std::fs::symlink_metadata(&path).is_err();
                if let (true, Some(object)) = (is_wanted, object) {
                    paths.push(path);
                    objects.push(object.to_owned());
                }
            }
            let mut found = Vec::new();
            let mut paths = paths.into_iter();
            self.repository.contents(&objects, |_, text| {
                found.extend(paths.next().zip(text));
                ControlFlow::Continue(())
            })?;
            Ok(found)
        };
        read().map_err(|source| self.fail(source))
    }

    /// Returns the signature of a commit with its signer, if git can verify it.
    pub(crate) fn signature(&self, commit: &Commit) -> Option<Signature> {
        signature(&self.repository, &commit.id)
    }

    fn fail(&self, source: io::Error) -> StoreError {
        StoreError::Io { path: self.top().to_owned(), doing: "reading the git history", source }
    }
}

/// Returns the files below a folder, as paths from it: those that git tracks, and those that it would add. Leaves out
/// ignored files. `None` without a repository.
///
/// # Errors
/// Fails if git cannot list the files.
pub(crate) fn project_files(folder: &Path) -> Result<Option<Vec<String>>, StoreError> {
    let Some(repository) = Repository::find_repository(folder) else { return Ok(None) };
    let asked = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--full-name"];
    let listed = repository.ask(asked).map_err(|source: io::Error| StoreError::Io {
        path: folder.to_owned(),
        doing: "listing the files of the project",
        source,
    })?;
    Ok(Some(files_below(&listed, &repository.path_of(""))))
}

/// Returns the files below a folder that differ between commits, or between one commit and the working tree, as paths
/// from the folder. Of a renamed file, returns both names.
///
/// # Errors
/// Fails without a repository, or for unknown commits.
pub(crate) fn changed_files(folder: &Path, range: &str) -> Result<Vec<String>, PatchError> {
    let Some((top, prefix)) = repository::place_of(folder) else {
        return Err(PatchError::NoRepository { range: range.to_owned() });
    };
    let mut command = git_without_filters(&top)?;
    command.args([
        "diff",
        "-z",
        "--name-only",
        // A rename is then a removed file and a new one, so both names are listed.
        "--no-renames",
        "--no-relative",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=dirty",
        "--end-of-options",
        range,
        "--",
    ]);
    let ended = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
    if !ended.status.success() {
        let reason = reason_of(&ended.stderr);
        return Err(PatchError::Refused { range: range.to_owned(), reason });
    }
    Ok(files_below(&String::from_utf8_lossy(&ended.stdout), &prefix))
}

/// Returns the paths below a folder, relative to it.
fn files_below(listed: &str, prefix: &str) -> Vec<String> {
    let paths = listed.split('\0').filter_map(|path| path.strip_prefix(prefix));
    paths.filter(|path| !path.is_empty()).map(str::to_owned).collect()
}
