//! The repository of a folder, and the `git` program that reads other versions of its files: in the
//! index, or in a commit. Starts no shell and takes no locks; only `init` writes anything.
//!
//! Only a `.git` entry counts. Git itself accepts any folder with the layout of a repository, and such a folder can be
//! committed as ordinary files, together with a configuration. But nothing named `.git` can be committed.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::thread;

use super::command;
use super::commits::CommitIdentity;
use super::git_folder::GitFolder;
use crate::store::error::StoreError;
use crate::store::private_files::Sidecar;

/// The working tree that contains a folder.
#[derive(Clone, Debug)]
pub(in crate::store) struct Repository {
    /// The folder that contains `.git`, canonical. Git is started here.
    top: PathBuf,
    /// Path from the top of the tree to the folder, ending in `/` unless empty.
    prefix: String,
    git_folder: Option<GitFolder>,
    /// True if git's files are in a folder named `.git`, here or at the main worktree or superproject. A folder of any
    /// other name may have come with the files.
    pub(super) is_users_own: bool,
}

/// Maximum size of an object to read, in bytes. A packed object can be much larger than its file on disk.
pub(super) const LARGEST: u64 = 1 << 30;

/// The maximum number of commits to search for the time or the commit of a discussion.
pub(super) const MOST_COMMITS: &str = "--max-count=5000";

/// The output of git.
type Answers = BufReader<ChildStdout>;

/// Returns the user's name according to git: from the user's own configuration, or from the repository around a folder
/// if the user created it. A repository that came along with files, in a folder with another name than `.git`, is
/// ignored: its configuration could sign the user's comments with any name.
pub fn user_name(folder: &Path) -> Option<String> {
    let own = Repository::nearest(folder).filter(|found| found.is_users_own);
    let root = folder.ancestors().last().unwrap_or(folder);
    // At the root there is no repository, so git reads only the user's configuration.
    let asked = own.as_ref().map_or(root, |repository| &repository.top);
    let name = run(command::git(asked).args(["config", "--get", "user.name"])).ok()?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// Returns the author that git would record in a commit of the repository around a folder. `None` if the user did not
/// create the repository, or if git knows no author.
pub(crate) fn git_author(folder: &Path) -> Option<CommitIdentity> {
    let own = Repository::nearest(folder).filter(|found| found.is_users_own)?;
    let told = own.ask(["var", "GIT_AUTHOR_IDENT"]).ok()?;
    let (name, rest) = told.split_once('<')?;
    let (email, _) = rest.split_once('>')?;
    Some(CommitIdentity { name: name.trim().to_owned(), email: email.to_owned() })
}

/// Runs git and returns its standard output. The error contains git's message.
pub(super) fn run(command: &mut Command) -> io::Result<String> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs git and returns its standard output as bytes. The error contains git's message.
pub(super) fn run_bytes(command: &mut Command) -> io::Result<Vec<u8>> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    Ok(output.stdout)
}

impl Repository {
    /// Returns the repository with the nearest `.git` at or above a folder, without a process. If git refuses it, it
    /// answers nothing.
    pub(in crate::store) fn nearest(folder: &Path) -> Option<Self> {
        let (top, prefix) = place_of(folder)?;
        let git_folder = GitFolder::of(&top);
        let is_users_own = git_folder.as_ref().is_some_and(GitFolder::is_users_own);
        Some(Self { top, prefix, git_folder, is_users_own })
    }

    /// Returns the repository around a folder; `None` if there is none, or no `git`.
    pub(in crate::store) fn find_repository(folder: &Path) -> Option<Self> {
        let found = Self::nearest(folder)?;
        let told = found.ask(["rev-parse", "--is-inside-work-tree", "--show-prefix"]).ok()?;
        // A configuration can claim another working tree; such a repository is ignored.
        told.starts_with("true\n\n").then_some(found)
    }

    /// Returns the commits at which a shallow clone cuts the history off.
    pub(super) fn boundaries(&self) -> Vec<String> {
        self.git_folder.as_ref().map(GitFolder::boundaries).unwrap_or_default()
    }

    /// Returns the path of a file in the folder, relative to the top of the tree.
    pub(in crate::store) fn path_of(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Runs git and returns its standard output. The error contains git's message.
    pub(super) fn ask<I, S>(&self, arguments: I) -> io::Result<String>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        run(command::git(&self.top).args(arguments))
    }

    /// Runs `git log` and returns its standard output. It verifies no signature and starts no program for a difference.
    pub(super) fn log<'a>(
        &self,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> io::Result<String> {
        let log = ["log", "--no-show-signature", "--no-ext-diff", "--no-textconv"];
        self.ask(log.into_iter().chain(arguments))
    }

    /// Runs `git log` like [`Repository::log`], and returns its output as bytes. A root commit shows its files.
    pub(super) fn log_bytes<'a>(
        &self,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> io::Result<Vec<u8>> {
        let log = [
            "-c",
            "log.showRoot=true",
            "log",
            "--no-show-signature",
            "--no-ext-diff",
            "--no-textconv",
        ];
        run_bytes(command::git(&self.top).args(log.into_iter().chain(arguments)))
    }

    /// Returns git's folder of hooks, absolute. It need not exist.
    pub(super) fn hooks(&self) -> io::Result<PathBuf> {
        let asked = ["rev-parse", "--path-format=absolute", "--git-path", "hooks"];
        let path = run(command::git_with_hooks(&self.top).args(asked))?;
        Ok(PathBuf::from(path.trim_end_matches('\n')))
    }

    /// Returns the folder of git's own files that all worktrees share, absolute.
    pub(super) fn common(&self) -> io::Result<PathBuf> {
        let path = self.ask(["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
        Ok(PathBuf::from(path.trim_end_matches('\n')))
    }

    /// Returns true if git knows an object of this name, even if its content is not here.
    pub(super) fn names(&self, object: &str) -> bool {
        self.ask(["rev-parse", "--verify", "--quiet", object]).is_ok()
    }

    /// Returns the files that git shares with others and whose paths match a pattern of git: those in the index or in the
    /// last commit.
    pub(in crate::store) fn tracked(&self, pattern: &str) -> HashSet<String> {
        let listed = |from: &[&str]| {
            let asked = ["ls-files", "-z", "--cached", "--full-name"].iter().chain(from).copied();
            self.ask(asked.chain(["--", pattern]))
        };
        // Before the first commit there is only the index.
        let paths = listed(&["--with-tree=HEAD"]).or_else(|_| listed(&[])).unwrap_or_default();
        paths.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect()
    }

    /// Returns the ids of commits that are reachable from `HEAD` and changed any of the paths.
    pub(in crate::store) fn commits_of_head(&self, paths: &[String]) -> io::Result<Vec<String>> {
        self.commits(&["HEAD"], paths)
    }

    /// Returns the ids of commits that are not reachable from `HEAD` and changed any of the paths: those of branches,
    /// tags, remotes, other worktrees, stashes, and anything else in a reflog, such as commits on no branch.
    pub(in crate::store) fn commits_beside_head(
        &self,
        paths: &[String],
    ) -> io::Result<Vec<String>> {
        // Only these names refer to changes that a rebase has stashed.
        let aside = ["rebase-merge/autostash", "rebase-apply/autostash"];
        let mut commits = self.commits(&["--all", aside[0], aside[1], "^HEAD"], paths)?;
        let remembered = self.commits(&["--reflog", "--not", "--all"], paths)?;
        let amended = self.amended();
        commits.extend(remembered.into_iter().filter(|commit| !amended.contains(commit)));
        Ok(commits)
    }

    /// Returns the commits that `git commit --amend` replaced. The caller ignores them: the author
    /// removed the blocks that only these commits contain.
    fn amended(&self) -> HashSet<String> {
        let walk = ["--walk-reflogs", "--no-patch", "--format=%H %gs", "HEAD", "--"];
        let log = self.log(walk).unwrap_or_default();
        // The latest entry comes first, so the next line contains the commit that it replaced.
        let entries: Vec<(&str, &str)> =
            log.lines().filter_map(|line| line.split_once(' ')).collect();
        let pairs = entries.windows(2).filter(|pair| pair[0].1.starts_with("commit (amend)"));
        pairs.map(|pair| pair[1].0.to_owned()).collect()
    }

    /// Lists commits. Names without a commit, such as `HEAD` before the first one, are ignored.
    fn commits(&self, from: &[&str], paths: &[String]) -> io::Result<Vec<String>> {
        let literal: Vec<String> = paths.iter().map(|path| literal(path)).collect();
        let mut arguments = vec!["rev-list", "--full-history", "--ignore-missing"];
        arguments.extend(from);
        arguments.push("--");
        arguments.extend(literal.iter().map(String::as_str));
        Ok(self.ask(arguments)?.lines().map(str::to_owned).collect())
    }

    /// Passes the contents of objects to `take`, one after the other with the index in the list, until it returns
    /// `Break`. The objects are git revisions (`HEAD:a/b.md`); one that is not a file has no content. Only one content
    /// is in memory at a time: a discussion has many versions, and each contains the earlier ones.
    pub(in crate::store) fn contents(
        &self,
        objects: &[String],
        mut take: impl FnMut(usize, Option<String>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        self.batch("--batch", objects, |index, header, reader| {
            let mut words = header.rsplit(' ');
            let content = match (words.next().and_then(|size| size.parse().ok()), words.next()) {
                (Some(size), _) if size > LARGEST => {
                    return Err(io::Error::other("a version of the file is larger than 1 GiB"));
                }
                (Some(size), Some(kind)) => {
                    let mut bytes = Vec::new();
                    reader.take(size).read_to_end(&mut bytes)?;
                    reader.read_until(b'\n', &mut Vec::new())?;
                    (kind == "blob").then(|| String::from_utf8_lossy(&bytes).into_owned())
                }
                _ => None,
            };
            Ok(take(index, content))
        })
    }

    /// Returns the hashes of objects; `None` for an object that is not a file.
    pub(in crate::store) fn hashes(&self, objects: &[String]) -> io::Result<Vec<Option<String>>> {
        let mut hashes = Vec::with_capacity(objects.len());
        self.batch("--batch-check=%(objectname) %(objecttype)", objects, |_, header, _| {
            hashes.push(header.strip_suffix(" blob").map(str::to_owned));
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(hashes)
    }

    /// Returns the hash of an object; its name may contain any character. `None` if there is no such object.
    fn hash(&self, object: &str) -> Option<String> {
        let hash = self.ask(["rev-parse", "--verify", "--quiet", object]).ok()?;
        Some(hash.trim_end().to_owned())
    }

    /// Writes one line per object to `git cat-file`, and passes the first line of each answer, with the reader for the
    /// rest, to `take`.
    fn batch(
        &self,
        mode: &str,
        objects: &[String],
        mut take: impl FnMut(usize, &str, &mut Answers) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<()> {
        let mut input = String::new();
        for object in objects {
            // A name that contains a line end would be read as two, so its hash is written instead.
            if object.contains('\n') {
                input.push_str(&self.hash(object).unwrap_or_default())
            } else {
                input.push_str(object)
            }
            input.push('\n');
        }
        let mut command = command::git(&self.top);
        command
            .args(["cat-file", mode])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("cannot open the input and output of git"));
        };
        let mut reader = BufReader::new(stdout);
        // Writes and reads at the same time, because git starts to answer before it has read all its input.
        thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(input.as_bytes()));
            let mut listen = || {
                for index in 0..objects.len() {
                    let mut header = String::new();
                    if reader.read_line(&mut header)? == 0 {
                        return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
                    }
                    if take(index, header.trim_end_matches('\n'), &mut reader)?.is_break() {
                        break;
                    }
                }
                Ok(())
            };
            let heard = listen();
            // Git may have more output than the caller needs.
            let _ = child.kill();
            child.wait().and(heard)
        })
    }

    /// Returns the top of the working tree, canonical.
    pub(in crate::store) fn top(&self) -> &Path {
        &self.top
    }

    /// Returns a setting of this repository or of the user.
    pub(super) fn any_setting(&self, key: &str) -> Option<String> {
        let value = self.ask(["config", "--get", key]).ok()?;
        Some(value.trim_end_matches('\n').to_owned())
    }

    /// Returns a setting of this repository, without the user's settings.
    pub(super) fn setting(&self, key: &str) -> Option<String> {
        let value = self.ask(["config", "--local", "--get", key]).ok()?;
        Some(value.trim_end_matches('\n').to_owned())
    }
}

/// Returns a pathspec that matches exactly this path, whatever its characters, relative to the top of the tree.
pub(super) fn literal(path: &str) -> String {
    format!(":(top,literal){path}")
}

/// Returns the canonical path of the nearest folder at or above `folder` that contains `.git`, and the path from there
/// to `folder`, ending in `/` unless empty. `None` without a `.git`, or if `folder` is among git's own files.
pub(super) fn place_of(folder: &Path) -> Option<(PathBuf, String)> {
    let folder = fs::canonicalize(folder).ok()?;
    let top =
        folder.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok())?;
    let within = folder.strip_prefix(top).ok()?;
    if is_gits(within) {
        return None;
    }
    let prefix = within.iter().map(|part| format!("{}/", part.to_string_lossy())).collect();
    Some((top.to_owned(), prefix))
}

/// Returns true if a path leads through a folder named `.git`.
pub(super) fn is_gits(path: &Path) -> bool {
    path.iter().any(|part| part.eq_ignore_ascii_case(".git"))
}

/// Returns the commit that a name refers to.
///
/// # Errors
/// Returns [`StoreError::Revision`] without such a commit or without a repository.
pub(crate) fn revision(folder: &Path, name: &str) -> Result<String, StoreError> {
    let unknown = || StoreError::Revision { revision: name.to_owned() };
    Repository::find_repository(folder).ok_or_else(unknown)?.commit_named(name)
}

impl Repository {
    /// Returns the commit that a name refers to.
    ///
    /// # Errors
    /// Fails without such a commit, or if the name stands for several.
    pub(super) fn commit_named(&self, name: &str) -> Result<String, StoreError> {
        let wanted = format!("{name}^{{commit}}");
        let mut asked = command::git(&self.top);
        asked.args(["-c", "core.warnAmbiguousRefs=true", "rev-parse", "--verify"]);
        let told = asked.args(["--end-of-options", &wanted]).output().ok();
        let told = told.filter(|told| told.status.success());
        let told = told.ok_or_else(|| StoreError::Revision { revision: name.to_owned() })?;
        // Git tells that it had a choice, but not whether the choice matters.
        if String::from_utf8_lossy(&told.stderr).contains("ambiguous") && self.is_ambiguous(name) {
            return Err(StoreError::AmbiguousRevision { revision: name.to_owned() });
        }
        Ok(String::from_utf8_lossy(&told.stdout).trim().to_owned())
    }

    /// Returns true if a name stands for a tag and a branch that are different commits. Git would take the tag.
    fn is_ambiguous(&self, name: &str) -> bool {
        let refs = ["refs/tags/", "refs/heads/", "refs/remotes/"].map(|it| format!("{it}{name}"));
        let asked = ["for-each-ref", "--format=%(refname) %(objectname) %(*objectname)"];
        let Ok(told) = self.ask(asked.into_iter().chain(refs.iter().map(String::as_str))) else {
            return false;
        };
        let commits: BTreeSet<&str> = told
            .lines()
            .filter(|line| refs.iter().any(|it| line.split(' ').next() == Some(it.as_str())))
            .filter_map(|line| line.split_whitespace().last())
            .collect();
        commits.len() > 1
    }
}

/// Returns the content of a discussion in a commit, or `None` if it was not there.
///
/// # Errors
/// Fails if git fails.
pub(crate) fn version_at(path: &Path, commit: &str) -> Result<Option<String>, StoreError> {
    let sidecar = Sidecar::wherever(path)?;
    let folder = sidecar.folder.parent().unwrap_or(Path::new("."));
    let (Some(repository), Some(name)) =
        (Repository::find_repository(folder), sidecar.name().to_str())
    else {
        return Ok(None);
    };
    let mut found = None;
    let object = format!("{commit}:{}", repository.path_of(name));
    let read = repository.contents(&[object], |_, text| {
        found = text;
        ControlFlow::Break(())
    });
    let fail =
        |source| StoreError::Io { path: path.to_owned(), doing: "reading the git history", source };
    read.map_err(fail).map(|()| found)
}
