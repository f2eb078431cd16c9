//! The commits that are checked: all of a branch, or those that it adds to another.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::additions::{Additions, additions};
use super::commits::{Commit, Identity};
use super::ends::{Ended, ended};
use super::gone::Present;
use super::repository::Repository;
use super::signature::{Signature, signature};
use crate::store::error::StoreError;
use crate::transcript::parse;

/// The commits that are checked, and the ones they are compared with.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    repository: Repository,
    /// `--since`: the commit, and the last one that it and `HEAD` have in common.
    since: Option<(String, String)>,
}

/// A file of a commit that was a discussion there.
#[derive(Clone, Debug)]
pub(crate) struct Earlier {
    /// Where it stands, or stood.
    pub(crate) path: PathBuf,
    /// The same from the top of the tree.
    pub(crate) in_tree: String,
    pub(crate) text: String,
}

impl Range {
    /// The commits of the repository around a folder; `None` without git, a repository, or a commit.
    pub(crate) fn of(folder: &Path, since: Option<(&str, &str)>) -> Option<Self> {
        let repository = Repository::around(folder)?;
        repository.names("HEAD").then_some(())?;
        let owned = |(commit, base): (&str, &str)| (commit.to_owned(), base.to_owned());
        Some(Self { repository, since: since.map(owned) })
    }

    /// The commit whose configuration is believed: the one of `--since`, else `HEAD`.
    pub(crate) fn trusted(&self) -> &str {
        self.since.as_ref().map_or("HEAD", |(commit, _)| commit)
    }

    /// The commit that files are compared with: the last one in common with `--since`, else `HEAD`.
    fn base(&self) -> &str {
        self.since.as_ref().map_or("HEAD", |(_, base)| base)
    }

    /// The top of the working tree, canonical.
    pub(crate) fn top(&self) -> &Path {
        self.repository.top()
    }

    /// Where a path of the tree stands in the working tree.
    pub(crate) fn path_of(&self, in_tree: &str) -> PathBuf {
        self.top().join(in_tree)
    }

    /// Returns what a file of the trusted commit holds, by its path from the top of the tree.
    pub(crate) fn trusted_text(&self, in_tree: &str) -> Option<String> {
        self.text(&format!("{}:{in_tree}", self.trusted()))
    }

    /// The same of the commit that files are compared with.
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

    /// Whether the checked commits change a file.
    pub(crate) fn changes(&self, in_tree: &str) -> bool {
        let objects: Vec<String> =
            [self.base(), "HEAD"].iter().map(|commit| format!("{commit}:{in_tree}")).collect();
        let hashes = self.repository.hashes(&objects).unwrap_or_default();
        matches!(&hashes[..], [before, after] if before != after)
    }

    /// The commit at which the history breaks off, though older commits would have to be checked: the clone is shallow.
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

    /// Everyone who has authored a commit that the trusted one came from, each once.
    pub(crate) fn authors(&self) -> Vec<Identity> {
        let asked = [
            "log",
            "--no-show-signature",
            "--format=%an%x00%ae",
            "--end-of-options",
            self.trusted(),
        ];
        let log = self.repository.ask(asked).unwrap_or_default();
        let mut seen = HashSet::new();
        let lines = log.lines().filter(|line| seen.insert(*line));
        lines
            .filter_map(|line| line.split_once('\0'))
            .map(|(name, email)| Identity { name: name.to_owned(), email: email.to_owned() })
            .collect()
    }

    /// What the commits added to discussions.
    ///
    /// # Errors
    /// A history that git cannot read.
    pub(crate) fn additions(&self) -> Result<Additions, StoreError> {
        let since = self.since.as_ref().map(|(commit, _)| commit.as_str());
        additions(&self.repository, since).map_err(|source| self.fail(source))
    }

    /// The discussions that the compared commit holds below folders, absolute and canonical.
    ///
    /// # Errors
    /// A tree that git cannot read.
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
                (is_below && super::gone::is_page(in_tree), mode.starts_with("100"), object)
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

    /// Those of the earlier discussions whose place is taken by something else, committed or not.
    ///
    /// # Errors
    /// A tree that git cannot read.
    pub(crate) fn ended<'e>(
        &self,
        earlier: &'e [Earlier],
        present: Present<'_>,
    ) -> Result<Vec<Ended<'e>>, StoreError> {
        let since = self.since.as_ref().map(|(_, base)| base.as_str());
        ended(&self.repository, earlier, present, since).map_err(|source| self.fail(source))
    }

    /// Files below folders that git holds and that the working tree leaves out, each with its text: a sparse checkout.
    ///
    /// # Errors
    /// An index that git cannot read.
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
                    && super::gone::is_page(in_tree)
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

    /// Whether git can verify a commit's signature, and whose it is.
    pub(crate) fn signature(&self, commit: &Commit) -> Option<Signature> {
        signature(&self.repository, &commit.id)
    }

    fn fail(&self, source: io::Error) -> StoreError {
        StoreError::Io { path: self.top().to_owned(), doing: "reading the git history", source }
    }
}
