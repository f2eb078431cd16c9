//! The `git` program, asked for what a file's other versions hold. No shell, no locks, nothing written but by `init`.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::thread;

use super::commits::Identity;
use super::{command, place};

/// The working tree that a file stands in.
#[derive(Clone, Debug)]
pub(in crate::store) struct Repository {
    /// The folder that holds `.git`, canonical; git is started here.
    top: PathBuf,
    /// From the top of the tree to the folder, `/` at its end unless empty.
    prefix: String,
}

/// The longest object that is read, in bytes: packed, much more may be next to nothing.
const LARGEST: u64 = 1 << 30;

/// What git answers.
type Answers = BufReader<ChildStdout>;

/// The name that git knows its user by: of the user's own configuration, or of the repository around a folder where
/// that is one of the user's making. One that the files brought along, laid out in a folder of theirs, names nobody:
/// its configuration would sign what the user writes.
pub fn user_name(folder: &Path) -> Option<String> {
    let own = Repository::around(folder).filter(Repository::is_users_own);
    let root = folder.ancestors().last().unwrap_or(folder);
    // At the root there is no repository, so that only the user's configuration is left.
    let asked = own.as_ref().map_or(root, |repository| &repository.top);
    let name = run(command::git(asked).args(["config", "--get", "user.name"])).ok()?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The author that git would record in a commit of the repository around a folder; `None` without a repository of the
/// user's own, or if git knows no author.
pub(crate) fn git_author(folder: &Path) -> Option<Identity> {
    let own = Repository::around(folder).filter(Repository::is_users_own)?;
    let told = own.ask(["var", "GIT_AUTHOR_IDENT"]).ok()?;
    let (name, rest) = told.split_once('<')?;
    let (email, _) = rest.split_once('>')?;
    Some(Identity { name: name.trim().to_owned(), email: email.to_owned() })
}

/// Runs git and returns its standard output; a failure carries what git said.
fn run(command: &mut Command) -> io::Result<String> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

impl Repository {
    /// The repository around a folder; `None` where there is none, or no `git`.
    pub(in crate::store) fn around(folder: &Path) -> Option<Self> {
        let (top, prefix) = place::of(folder)?;
        let found = Self { top, prefix };
        let inside = found.ask(["rev-parse", "--is-inside-work-tree", "--show-prefix"]).ok()?;
        // A configuration can claim another working tree; whoever does that has no say here.
        (inside == "true\n\n").then_some(found)
    }

    /// Whether git's files lie in a folder `.git`, here or where a worktree or submodule has them, and not in one of
    /// any other name, which may have come with the files.
    pub(super) fn is_users_own(&self) -> bool {
        let asked =
            self.ask(["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"]);
        asked.is_ok_and(|folders| {
            folders.lines().all(|folder| {
                std::fs::canonicalize(folder).is_ok_and(|folder| place::is_gits(&folder))
            })
        })
    }

    /// The path from the top of the tree of a file in the folder.
    pub(in crate::store) fn path_of(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Runs git and returns its standard output; a failure carries what git said.
    pub(super) fn ask<I, S>(&self, arguments: I) -> io::Result<String>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        run(command::git(&self.top).args(arguments))
    }

    /// The same with another index than the repository's own.
    pub(super) fn ask_with_index<I, S>(
        &self,
        arguments: I,
        index: Option<&Path>,
    ) -> io::Result<String>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = command::git(&self.top);
        if let Some(index) = index {
            command.env("GIT_INDEX_FILE", index);
        }
        run(command.args(arguments))
    }

    /// Where git looks for hooks, absolute; it need not exist.
    pub(super) fn hooks(&self) -> io::Result<PathBuf> {
        let asked = ["rev-parse", "--path-format=absolute", "--git-path", "hooks"];
        let path = run(command::git_with_hooks(&self.top).args(asked))?;
        Ok(PathBuf::from(path.trim_end_matches('\n')))
    }

    /// Git's own files, absolute: those that all worktrees of the repository share.
    pub(super) fn common(&self) -> io::Result<PathBuf> {
        let path = self.ask(["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
        Ok(PathBuf::from(path.trim_end_matches('\n')))
    }

    /// Whether an object's name stands for one, be it here or not.
    pub(super) fn names(&self, object: &str) -> bool {
        self.ask(["rev-parse", "--verify", "--quiet", object]).is_ok()
    }

    /// Whether git carries a file of the working tree to others: one of its index, or of the last commit.
    pub(in crate::store) fn tracks(&self, path: &str) -> bool {
        let literal = literal(path);
        let listed = |from: &[&str]| {
            let asked = ["ls-files", "-z", "--cached"].iter().chain(from).copied();
            self.ask(asked.chain(["--", &literal])).map(|paths| !paths.is_empty())
        };
        // Before the first commit there is only the index.
        listed(&["--with-tree=HEAD"]).or_else(|_| listed(&[])).unwrap_or(false)
    }

    /// Commits that `HEAD` came from and in which any of the paths changed, in hexadecimal.
    pub(in crate::store) fn commits_of_head(&self, paths: &[String]) -> io::Result<Vec<String>> {
        self.commits(&["HEAD"], paths)
    }

    /// Commits that `HEAD` did not come from and in which any of the paths changed: of branches, tags and remotes, of
    /// other worktrees, of stashes, and whatever else a reflog remembers, such as what was committed on no branch.
    pub(in crate::store) fn commits_beside_head(
        &self,
        paths: &[String],
    ) -> io::Result<Vec<String>> {
        // What a rebase has put aside is named by nothing else.
        let aside = ["rebase-merge/autostash", "rebase-apply/autostash"];
        let mut commits = self.commits(&["--all", aside[0], aside[1], "^HEAD"], paths)?;
        let remembered = self.commits(&["--reflog", "--not", "--all"], paths)?;
        let amended = self.amended();
        commits.extend(remembered.into_iter().filter(|commit| !amended.contains(commit)));
        Ok(commits)
    }

    /// Commits whose place an amended one took: what that does not hold any more is gone, not elsewhere.
    fn amended(&self) -> HashSet<String> {
        let walk = [
            "log",
            "--walk-reflogs",
            "--no-show-signature",
            "--no-patch",
            "--no-ext-diff",
            "--no-textconv",
            "--format=%H %gs",
            "HEAD",
            "--",
        ];
        let log = self.ask(walk).unwrap_or_default();
        // The latest comes first: what an entry took the place of is in the next line.
        let entries: Vec<(&str, &str)> =
            log.lines().filter_map(|line| line.split_once(' ')).collect();
        let pairs = entries.windows(2).filter(|pair| pair[0].1.starts_with("commit (amend)"));
        pairs.map(|pair| pair[1].0.to_owned()).collect()
    }

    /// Names that stand for nothing, as `HEAD` before the first commit, are passed over.
    fn commits(&self, from: &[&str], paths: &[String]) -> io::Result<Vec<String>> {
        let literal: Vec<String> = paths.iter().map(|path| literal(path)).collect();
        let mut arguments = vec!["rev-list", "--full-history", "--ignore-missing"];
        arguments.extend(from);
        arguments.push("--");
        arguments.extend(literal.iter().map(String::as_str));
        Ok(self.ask(arguments)?.lines().map(str::to_owned).collect())
    }

    /// Hands the contents of objects to `take`, one after the other with its place in the list, until that says stop.
    /// Objects are named as git names them (`HEAD:a/b.md`); one that is no file has no content. No more than one is in
    /// memory at a time: the versions of a discussion are many, and each holds those before it.
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

    /// The hashes of objects; `None` for what is no file.
    pub(in crate::store) fn hashes(&self, objects: &[String]) -> io::Result<Vec<Option<String>>> {
        let mut hashes = Vec::with_capacity(objects.len());
        self.batch("--batch-check=%(objectname) %(objecttype)", objects, |_, header, _| {
            hashes.push(header.strip_suffix(" blob").map(str::to_owned));
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(hashes)
    }

    /// Returns the hash of an object whose name may hold anything; `None` if there is no such object.
    fn hash(&self, object: &str) -> Option<String> {
        let hash = self.ask(["rev-parse", "--verify", "--quiet", object]).ok()?;
        Some(hash.trim_end().to_owned())
    }

    /// Feeds one line for each object to `git cat-file` and hands each answer's first line, and what follows it, to
    /// `take`.
    fn batch(
        &self,
        mode: &str,
        objects: &[String],
        mut take: impl FnMut(usize, &str, &mut Answers) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<()> {
        let mut input = String::new();
        for object in objects {
            // A name with a line end in it would be two, so its hash is asked for.
            match object.contains('\n') {
                true => input.push_str(&self.hash(object).unwrap_or_default()),
                false => input.push_str(object),
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
        // Asking and listening at the same time: git answers before it was told everything.
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
            // It may have more to say than anybody wants to hear.
            let _ = child.kill();
            child.wait().and(heard)
        })
    }

    /// The top of the working tree, canonical.
    pub(super) fn top(&self) -> &Path {
        &self.top
    }

    /// Returns a setting of this repository or of the user.
    pub(super) fn any_setting(&self, key: &str) -> Option<String> {
        let value = self.ask(["config", "--get", key]).ok()?;
        Some(value.trim_end_matches('\n').to_owned())
    }

    /// A setting of this repository, not the user's.
    pub(super) fn setting(&self, key: &str) -> Option<String> {
        let value = self.ask(["config", "--local", "--get", key]).ok()?;
        Some(value.trim_end_matches('\n').to_owned())
    }

    /// Whether a merge waits for its commit.
    pub(super) fn is_merging(&self) -> bool {
        self.names("MERGE_HEAD")
    }
}

/// A path that is only a path, whatever characters it has, counted from the top of the tree.
pub(super) fn literal(path: &str) -> String {
    format!(":(top,literal){path}")
}
