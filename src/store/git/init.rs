//! Making a repository fit for discussions, as often as one likes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::repository::Repository;
use super::{hook, lines};
use crate::store::error::StoreError;

/// What a repository is set up with.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// Any folder of the repository.
    pub folder: &'a Path,
    /// Where discussions are kept, absolute or relative to `folder`; it need not exist.
    pub output: &'a Path,
    /// Whether commits are to be checked first.
    pub hook: bool,
}

/// One thing that [`init`] saw to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// A line was added to a file, which was made if need be; one of an earlier version gave way to it.
    Added {
        /// The file.
        path: PathBuf,
        /// The line.
        line: String,
    },
    /// A setting of the repository was made.
    Configured {
        /// Its key.
        key: &'static str,
    },
    /// The hook was written.
    Hooked {
        /// The hook.
        path: PathBuf,
    },
    /// Another hook stands there and was left alone.
    Foreign {
        /// The hook.
        path: PathBuf,
        /// What to add to it by hand.
        line: String,
    },
    /// Git's settings name a folder of hooks outside the repository; a hook there would stop others' commits, so
    /// none was written.
    Shared {
        /// That folder.
        hooks: PathBuf,
        /// Where the repository's own hooks would be.
        own: PathBuf,
    },
    /// Git merges discussions in another way all the same: something overrides the line of attributes.
    Overridden {
        /// The file with the line.
        path: PathBuf,
        /// The line.
        line: String,
        /// A path that was asked for, from the top of the tree.
        probe: String,
        /// What git says of its merges: `unset`, `unspecified`, or the name of another driver.
        merge: String,
    },
}

/// Git takes a file as our side left it, without a mark, where the driver ends with an error. So where the program is
/// not found or cannot merge (0 and 1 are its answers, merged and in conflict), git's own way of merging lines takes
/// over, and what that cannot merge is a conflict.
const DRIVER: &str = "discussions merge -- %O %A %B %P; code=$?; [ $code -le 1 ] && exit $code; \
                      git merge-file -L ours -L base -L theirs %A %O %B || exit 1";

const SETTINGS: [(&str, &str); 2] =
    [("merge.discussions.name", "blocks of discussions"), ("merge.discussions.driver", DRIVER)];

/// Sets up attributes, merge driver, ignored files and, if wanted, the hook. Returns what was not so before, and what
/// a person has to see to; a second call returns only the latter.
///
/// # Errors
/// No repository, a folder of discussions outside it, and files that cannot be written.
pub fn init(setup: Setup<'_>) -> Result<Vec<Done>, StoreError> {
    let fail =
        |doing| move |source| StoreError::Io { path: setup.folder.to_owned(), doing, source };
    let repository = Repository::around(setup.folder)
        .ok_or_else(|| io::Error::other("this is not a git repository; run `git init` first"))
        .map_err(fail("looking for git"))?;
    let top = repository.top();
    let inside = inside(top, setup).map_err(fail("locating the discussions"))?;
    let attributes = lines::attributes(&inside);
    let mut done = Vec::new();
    for line in [&attributes, &lines::unformatted(&inside), &lines::uncommitted(&inside)] {
        let path = top.join(line.file);
        let written = line.write(&path).map_err(|source| StoreError::Io {
            path: path.clone(),
            doing: "writing",
            source,
        })?;
        if written {
            done.push(Done::Added { path, line: line.text.clone() });
        }
    }
    for (key, value) in SETTINGS {
        if repository.setting(key).as_deref() != Some(value) {
            repository
                .ask(["config", "--local", key, value])
                .map_err(fail("writing git's configuration"))?;
            done.push(Done::Configured { key });
        }
    }
    if setup.hook {
        let folder = if inside.is_empty() { "." } else { &inside };
        let hooked = hook::install(&repository, folder);
        done.extend(hooked.map_err(fail("writing the hook"))?);
    }
    let probe = if inside.is_empty() { "x.md".to_owned() } else { format!("{inside}/x.md") };
    let merge = merge_of(&repository, &probe).map_err(fail("reading git's attributes"))?;
    if merge != "discussions" {
        let (path, line) = (top.join(attributes.file), attributes.text);
        done.push(Done::Overridden { path, line, probe, merge });
    }
    Ok(done)
}

/// How git merges a file, which need not exist. A line further down, in a folder nearer to the file, or in
/// `.git/info/attributes` wins over ours, so nobody but git can say.
fn merge_of(top: &Repository, path: &str) -> io::Result<String> {
    let said = top.ask(["check-attr", "-z", "merge", "--", path])?;
    // The path, the attribute, its value, each with a NUL at its end.
    Ok(said.split('\0').nth(2).unwrap_or_default().to_owned())
}

/// The folder of discussions, from the top of the tree, with `/` between its parts.
fn inside(top: &Path, setup: Setup<'_>) -> io::Result<String> {
    let folder = fs::canonicalize(setup.folder)?;
    let output = normal(&folder.join(setup.output));
    let inside = output.strip_prefix(top).map_err(|_| {
        io::Error::other(format!(
            "{} is outside the repository {}",
            output.display(),
            top.display()
        ))
    })?;
    let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
    let inside = parts.ok_or_else(|| io::Error::other("the folder's name is not UTF-8"))?.join("/");
    if inside.contains(char::is_control) {
        return Err(io::Error::other(
            "the folder's name contains a line end or another control character, so git cannot name its files; set \
             another folder with `output: {directory: ..}` in discussions.yaml",
        ));
    }
    Ok(inside)
}

/// Without `.` and `..`; the folder may not exist yet.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}
