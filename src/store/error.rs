//! Errors of files, with messages that tell a person how to fix them.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::read::LARGEST;
use crate::boundary::{has_second_name, is_swapped};
use crate::transcript::{Head, visible_line};

/// The reason why a file could not be found, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file does not exist.
    #[error("{}: no such discussion{}", shown_path(.path), nearest(.near))]
    NotFound {
        /// The requested path.
        path: PathBuf,
        /// Files with similar names, the most similar first; at most three.
        near: Vec<PathBuf>,
    },
    /// A folder has the name of the expected file.
    #[error("{}: this is a folder; name a discussion in it", shown_path(.path))]
    Directory {
        /// The folder.
        path: PathBuf,
    },
    /// The system denies access to the file.
    #[error("{}: permission denied; check who owns the file and its folder", shown_path(.path))]
    Denied {
        /// The file.
        path: PathBuf,
    },
    /// The file is not plain text. Readers show such a file, but writers do not touch it.
    #[error("{}{}: the file {wrong}, then try again", shown_path(.path), place(*.line, *.column))]
    NotText {
        /// The file.
        path: PathBuf,
        /// The fault, with instructions to fix it.
        wrong: Wrong,
        /// Line of the first wrong byte, counted from 1; 0 if only the file's end was read.
        line: usize,
        /// Column of that byte in characters, counted from 1; 0 if only the file's end was read.
        column: usize,
    },
    /// The file is larger than any discussion that people and models write. Reading it would use up all memory.
    #[error("{}: the file has {} MiB; the limit is {} MiB", shown_path(.path), bytes.div_ceil(1 << 20), LARGEST >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size, in bytes.
        bytes: u64,
    },
    /// The path is not a regular file: reading it might never end, and appending to it is not safe.
    #[error("{}: this is not a regular file; only regular files can be read and written", shown_path(.path))]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The file contains a merge conflict. A block that looks lost may be inside it.
    #[error("{}:{line}: the file has a merge conflict, so nothing was written; resolve it, keep all comments, then \
             try again", shown_path(.path))]
    Conflict {
        /// The discussion.
        path: PathBuf,
        /// Line of the first conflict mark, counted from 1.
        line: usize,
    },
    /// The file needs a newer format; this program would count its votes incorrectly.
    #[error("{}: this file needs format {format}, and this program writes format {}; update the program to write to \
             the file", shown_path(.path), Head::FORMAT)]
    NewerFormat {
        /// The discussion.
        path: PathBuf,
        /// The version of the format in the file's head.
        format: u64,
    },
    /// A private file, or its folder, is a symbolic link. Such a link could have come with a repository.
    #[error("{}: this is a symbolic link, and links are not followed here; remove it, then try again", shown_path(.path))]
    Linked {
        /// The link.
        path: PathBuf,
    },
    /// The turn of an answer is no longer in the file, or title or context have changed.
    #[error("{}: the turn of this call, or the title or context that was sent, is no longer in the file", shown_path(.path))]
    TurnGone {
        /// The discussion.
        path: PathBuf,
    },
    /// The file has a second hard link. Agents may not use it, because it may be a file from outside the project.
    #[error("{}: the file has a second name (a hard link), so it may come from outside the project; replace it with a \
             copy", shown_path(.path))]
    SecondName {
        /// The file.
        path: PathBuf,
    },
    /// Another run of this discussion is in progress.
    #[error("{}: another run of this discussion is in progress; wait until it ends, or stop it", shown_path(.path))]
    Running {
        /// The discussion.
        path: PathBuf,
    },
    /// Another writer held the lock for too long.
    #[error("{}: another program held this lock for {waited:?}; try again, or find out which program it is", shown_path(.path))]
    Locked {
        /// The lock file. Deleting it while a writer runs loses the protection.
        path: PathBuf,
        /// The time that this program waited.
        waited: Duration,
    },
    /// The file changed after a person had looked at it and before this person agreed.
    #[error("{}: nothing was written, because the file changed since it was shown; look at it again", shown_path(.path))]
    Changed {
        /// The discussion.
        path: PathBuf,
    },
    /// The commit does not exist.
    #[error("git has no commit `{}` here; a shallow clone lacks older commits", visible_line(.revision))]
    Revision {
        /// The requested revision.
        revision: String,
    },
    /// The name stands for several commits.
    #[error("`{}` is a tag and a branch, which are different commits; write `refs/heads/..`, `refs/remotes/..` or \
             `refs/tags/..`", visible_line(.revision))]
    AmbiguousRevision {
        /// The requested revision.
        revision: String,
    },
    /// All possible file names are taken.
    #[error("{}: this name and all its numbered variants are taken; choose another title", shown_path(.path))]
    Taken {
        /// The first name tried.
        path: PathBuf,
    },
    /// Nothing was written. Earlier bytes are unchanged, and trying again is safe.
    #[error("{}: nothing was written: {doing} failed: {source}", shown_path(.path))]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// The step that failed.
        doing: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// Another program saved its own copy over the file several times. The block is not in the file, and trying again
    /// is safe.
    #[error("{}: nothing was written: another program saved the file {times} times in the meantime", shown_path(.path))]
    Replaced {
        /// The file.
        path: PathBuf,
        /// Number of attempts to append.
        times: u32,
    },
    /// The block may be in the file without being acknowledged: check the file before you try again.
    #[error("{}: {doing} failed and could not be undone: {source}; the file may end with the new text: check it \
             before you try again", shown_path(.path))]
    InDoubt {
        /// The file.
        path: PathBuf,
        /// The step that failed.
        doing: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// Any other failure of the system.
    #[error("{}: {doing} failed: {source}", shown_path(.path))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The step that failed.
        doing: &'static str,
        /// The error of the system.
        source: io::Error,
    },
}

/// The reason why bytes are not plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The bytes are not valid UTF-8.
    NotUtf8,
    /// The bytes look like UTF-16.
    Utf16,
    /// The bytes include a NUL byte.
    Nul,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotUtf8 => "is not UTF-8; save the file as UTF-8",
            Self::Utf16 => "is not UTF-8 but looks like UTF-16; save the file as UTF-8",
            Self::Nul => "contains a NUL byte, so it is not text; remove the byte",
        })
    }
}

impl StoreError {
    /// Returns true if the input is at fault (a wrong name, a file of the wrong kind) rather than the system.
    pub(crate) fn is_input(&self) -> bool {
        match self {
            Self::NotFound { .. }
            | Self::Directory { .. }
            | Self::NotText { .. }
            | Self::TooLarge { .. }
            | Self::NotAFile { .. }
            | Self::Conflict { .. }
            | Self::NewerFormat { .. }
            | Self::Linked { .. }
            | Self::SecondName { .. }
            | Self::Revision { .. }
            | Self::AmbiguousRevision { .. }
            | Self::Changed { .. }
            | Self::TurnGone { .. }
            | Self::Taken { .. } => true,
            Self::Denied { .. }
            | Self::Locked { .. }
            | Self::Running { .. }
            | Self::NotWritten { .. }
            | Self::Replaced { .. }
            | Self::InDoubt { .. }
            | Self::Io { .. } => false,
        }
    }

    /// Returns true if a link replaced the file after its path was checked. The caller can check the path again, which
    /// then leads to the link's target.
    pub(crate) fn is_swapped(&self) -> bool {
        match self {
            Self::Io { source, .. } | Self::NotWritten { source, .. } => is_swapped(source),
            _ => false,
        }
    }

    /// Converts a system error; some kinds have messages of their own.
    pub(super) fn from_io(path: &Path, doing: &'static str, source: io::Error) -> Self {
        let path = path.to_owned();
        if has_second_name(&source) {
            return Self::SecondName { path };
        }
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { path, near: Vec::new() },
            io::ErrorKind::IsADirectory => Self::Directory { path },
            io::ErrorKind::PermissionDenied => Self::Denied { path },
            _ => Self::Io { path, doing, source },
        }
    }
}

/// Returns a path for a message. Control characters become visible, because a name may contain anything.
fn shown_path(path: &Path) -> String {
    visible_line(&path.to_string_lossy())
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(":{line}:{column}") }
}

fn nearest(near: &[PathBuf]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let names: Vec<String> = near.iter().map(|path| shown_path(path)).collect();
    format!("; did you mean {}?", names.join(" or "))
}
