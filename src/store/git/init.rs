//! Prepares a repository for discussions. Can be repeated at any time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::repository::Repository;
use super::{hook, lines};
use crate::store::error::StoreError;

/// The setup of a repository.
#[derive(Clone, Copy, Debug)]
pub struct GitSetup<'a> {
    /// Any folder of the repository.
    pub folder: &'a Path,
    /// The folder of discussions, absolute or relative to `folder`. It need not exist.
    pub output: &'a Path,
    /// True to install a hook that checks commits.
    pub hook: bool,
}

/// One result of [`init`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetUpStep {
    /// A line was added to a file, which was created if necessary. A line of an earlier version was replaced.
    Added {
        /// The file.
        path: PathBuf,
        /// The line.
        line: String,
    },
    /// A setting of the repository was written.
    Configured {
        /// Its key.
        key: &'static str,
    },
    /// The hook was written.
    Hooked {
        /// The hook.
        path: PathBuf,
    },
    /// A hook of another program exists and was not changed.
    Foreign {
        /// The hook.
        path: PathBuf,
        /// The line to add to it by hand.
        line: String,
    },
    /// Git's settings name a hooks folder outside the repository. A hook there would stop commits in other repositories
    /// too, so none was written.
    Shared {
        /// The shared folder.
        hooks: PathBuf,
        /// The folder of the repository's own hooks.
        own: PathBuf,
    },
    /// Git still merges discussions in another way, because something overrides the line of attributes.
    Overridden {
        /// The file with the line.
        path: PathBuf,
        /// The line.
        line: String,
        /// A path that git was asked about, relative to the top of the tree.
        probe: String,
        /// Git's merge setting for it: `unset`, `unspecified`, or the name of another driver.
        merge: String,
    },
}

/// The command of the merge driver. The program's regular exit codes are 0 (merged) and 1 (conflict). If the driver
/// ended with an error, git would keep our side's file without conflict marks. Therefore, if the program is not found
/// or cannot merge, git's own line merge takes over; it leaves conflict marks for parts that it cannot merge.
const DRIVER: &str = "discussions merge -- %O %A %B %P; code=$?; [ $code -le 1 ] && exit $code; \
                      git merge-file -L ours -L base -L theirs %A %O %B || exit 1";

const SETTINGS: [(&str, &str); 2] =
    [("merge.discussions.name", "blocks of discussions"), ("merge.discussions.driver", DRIVER)];

/// Sets up attributes, merge driver, ignored files and, if requested, the hook. Returns the changes, and the points
/// that a person has to handle. A second call returns only these points.
///
/// # Errors
/// Fails without a repository, if the folder of discussions is outside of it, or if a file cannot be written.
pub fn init(setup: GitSetup<'_>) -> Result<Vec<SetUpStep>, StoreError> {
    let fail =
        |doing| move |source| StoreError::Io { path: setup.folder.to_owned(), doing, source };
    let repository = Repository::find_repository(setup.folder)
        .ok_or_else(|| io::Error::other("this is not a git repository; run `git init` first"))
        .map_err(fail("looking for git"))?;
    let top = repository.top();
    let inside = relative_folder(top, setup).map_err(fail("locating the discussions"))?;
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
            done.push(SetUpStep::Added { path, line: line.text.clone() });
        }
    }
    for (key, value) in SETTINGS {
        if repository.setting(key).as_deref() != Some(value) {
            repository
                .ask(["config", "--local", key, value])
                .map_err(fail("writing git's configuration"))?;
            done.push(SetUpStep::Configured { key });
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
        done.push(SetUpStep::Overridden { path, line, probe, merge });
    }
    Ok(done)
}

/// Returns git's merge driver for a file, which need not exist. Only git knows it: a later line, a line in a folder
/// nearer to the file, or one in `.git/info/attributes` overrides ours.
fn merge_of(top: &Repository, path: &str) -> io::Result<String> {
    let said = top.ask(["check-attr", "-z", "merge", "--", path])?;
    // The output is path, attribute and value, each followed by a NUL byte.
    Ok(said.split('\0').nth(2).unwrap_or_default().to_owned())
}

/// Returns the folder of discussions relative to the top of the tree, with `/` between its parts.
fn relative_folder(top: &Path, setup: GitSetup<'_>) -> io::Result<String> {
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

/// Removes `.` and `..` from a path. The folder may not exist yet.
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
