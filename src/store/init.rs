//! Making a repository fit for discussions, as often as one likes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::git::Repository;
use super::hook;

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
    /// A line was added to a file, which was made if need be.
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
}

/// Git takes a file as our side left it, without a mark, where the driver ends with an error. So where the program is
/// not found or cannot merge (0 and 1 are its answers, merged and in conflict), git's own way of merging lines takes
/// over, and what that cannot merge is a conflict.
const DRIVER: &str = "discussions merge -- %O %A %B %P; code=$?; [ $code -le 1 ] && exit $code; \
                      git merge-file -L ours -L base -L theirs %A %O %B || exit 1";

const SETTINGS: [(&str, &str); 2] =
    [("merge.discussions.name", "blocks of discussions"), ("merge.discussions.driver", DRIVER)];

/// Sets up attributes, merge driver, the formatter's ignore file and, if wanted, the hook. Returns what was not so
/// before; a second call returns nothing.
///
/// # Errors
/// No repository, a folder of discussions outside it, and files that cannot be written.
pub fn init(setup: Setup<'_>) -> Result<Vec<Done>, StoreError> {
    let fail =
        |doing| move |source| StoreError::Io { path: setup.folder.to_owned(), doing, source };
    let repository = Repository::around(setup.folder)
        .ok_or_else(|| io::Error::other("this is no git repository; run `git init` first"))
        .map_err(fail("looking for git"))?;
    let top = repository.top().map_err(fail("looking for the repository's top"))?;
    let inside = inside(&top, setup).map_err(fail("placing the discussions"))?;
    let pattern = if inside.is_empty() { "/*.md".to_owned() } else { format!("{inside}/*.md") };
    let mut done = Vec::new();
    let quoted = attribute(&pattern);
    let lines = [
        (".gitattributes", format!("{quoted} merge=discussions eol=lf")),
        (".prettierignore", pattern.replace(' ', "\\ ")),
    ];
    for (name, line) in lines {
        let path = top.join(name);
        if add_line(&path, &line).map_err(|source| StoreError::Io {
            path: path.clone(),
            doing: "writing",
            source,
        })? {
            done.push(Done::Added { path, line });
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
        let hooked = hook::install(&repository, &top, folder);
        done.extend(hooked.map_err(fail("writing the hook"))?);
    }
    Ok(done)
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
    Ok(parts.ok_or_else(|| io::Error::other("the folder's name is not UTF-8"))?.join("/"))
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

/// A pattern with a blank in it has to be quoted.
fn attribute(pattern: &str) -> String {
    if pattern.contains([' ', '"', '\\']) {
        format!("\"{}\"", pattern.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        pattern.to_owned()
    }
}

/// Adds a line unless it is there; says whether it was added.
fn add_line(path: &Path, line: &str) -> io::Result<bool> {
    let mut text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        other => other?,
    };
    if text.lines().any(|found| found.trim() == line) {
        return Ok(false);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(line);
    text.push('\n');
    fs::write(path, text)?;
    Ok(true)
}
