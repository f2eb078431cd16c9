//! What can go wrong with a file, said so that a person can mend it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::read::LARGEST;
use crate::boundary::{has_second_name, is_swapped};
use crate::transcript::{Head, visible_line};

/// Why a file could not be found, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No such file.
    #[error("{}: no such discussion{}", named(.path), nearest(.near))]
    NotFound {
        /// What was asked for.
        path: PathBuf,
        /// Files with similar names, the nearest first; at most three.
        near: Vec<PathBuf>,
    },
    /// A folder stands where a file was expected.
    #[error("{}: this is a folder; name a discussion in it", named(.path))]
    Directory {
        /// The folder.
        path: PathBuf,
    },
    /// The file may not be opened.
    #[error("{}: permission denied; check who owns the file and its folder", named(.path))]
    Denied {
        /// The file.
        path: PathBuf,
    },
    /// Readers show such a file, writers leave it alone.
    #[error("{}{}: the file {wrong}, then try again", named(.path), place(*.line, *.column))]
    NotText {
        /// The file.
        path: PathBuf,
        /// What is wrong, and how to mend it.
        wrong: Wrong,
        /// Line of the first wrong byte, counted from 1; 0 where only the file's end was read.
        line: usize,
        /// Its column in characters, counted from 1; 0 where only the file's end was read.
        column: usize,
    },
    /// Nobody wrote so much; reading it would take all memory.
    #[error("{}: the file has {} MiB; the limit is {} MiB", named(.path), bytes.div_ceil(1 << 20), LARGEST >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size, in bytes.
        bytes: u64,
    },
    /// Something else than a plain file: reading it might never end, and nothing can be appended to it safely.
    #[error("{}: this is not a regular file; only regular files can be read and written", named(.path))]
    NotAFile {
        /// The thing.
        path: PathBuf,
    },
    /// A merge conflict, in which a block may stand that looks lost.
    #[error("{}:{line}: the file has a merge conflict, so nothing was written; resolve it, keep all comments, then \
             try again", named(.path))]
    Conflict {
        /// The discussion.
        path: PathBuf,
        /// Of the first conflict mark, counted from 1.
        line: usize,
    },
    /// A file whose tallies an older program would get wrong.
    #[error("{}: this file needs format {format}, and this program writes format {}; update the program to write to \
             the file", named(.path), Head::FORMAT)]
    NewerFormat {
        /// The discussion.
        path: PathBuf,
        /// The version of the format that its head names.
        format: u64,
    },
    /// A private file, or the folder of them, that leads elsewhere: a repository could carry such a link.
    #[error("{}: this is a symbolic link, and links are not followed here; remove it, then try again", named(.path))]
    Linked {
        /// The link.
        path: PathBuf,
    },
    /// The turn that an answer belongs to is not in the file any more, or title and context are others.
    #[error("{}: the turn of this call, or the title or context that was sent, is no longer in the file", named(.path))]
    TurnGone {
        /// The discussion.
        path: PathBuf,
    },
    /// A file with a hard link, which an agent may not use: it may be a file from outside the project.
    #[error("{}: the file has a second name (a hard link), so it may come from outside the project; replace it with a \
             copy", named(.path))]
    SecondName {
        /// The file.
        path: PathBuf,
    },
    /// Another run asks this discussion's participants.
    #[error("{}: another run of this discussion is in progress; wait until it ends, or stop it", named(.path))]
    Running {
        /// The discussion.
        path: PathBuf,
    },
    /// Another writer held the lock for too long.
    #[error("{}: another program held this lock for {waited:?}; try again, or find out which program it is", named(.path))]
    Locked {
        /// The sidecar that is locked; deleting it while a writer runs loses the protection.
        path: PathBuf,
        /// How long was waited.
        waited: Duration,
    },
    /// What somebody looked at before they agreed is not what stands there any more.
    #[error("{}: nothing was written, because the file changed since it was shown; look at it again", named(.path))]
    Changed {
        /// The discussion.
        path: PathBuf,
    },
    /// No such commit.
    #[error("git has no commit `{}` here; a shallow clone lacks older commits", visible_line(.revision))]
    Revision {
        /// What was asked for.
        revision: String,
    },
    /// Every name that would do is taken.
    #[error("{}: this name and all its numbered variants are taken; choose another title", named(.path))]
    Taken {
        /// The first name tried.
        path: PathBuf,
    },
    /// Nothing was written; earlier bytes are as they were, and trying again is safe.
    #[error("{}: nothing was written: {doing} failed: {source}", named(.path))]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// The step that failed.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Another program kept saving its own copy over the file; the block is not in it, and trying again is safe.
    #[error("{}: nothing was written: another program saved the file {times} times in the meantime", named(.path))]
    Replaced {
        /// The file.
        path: PathBuf,
        /// How often the append was tried.
        times: u32,
    },
    /// The block may stand in the file without being acknowledged: look before trying again.
    #[error("{}: {doing} failed and could not be undone: {source}; the file may end with the new text: check it \
             before you try again", named(.path))]
    InDoubt {
        /// The file.
        path: PathBuf,
        /// The step that failed.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Any other failure of the system.
    #[error("{}: {doing} failed: {source}", named(.path))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The step that failed.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

/// Why bytes are not a text as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Bytes that no UTF-8 has.
    NotUtf8,
    /// The bytes of UTF-16.
    Utf16,
    /// A NUL byte.
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
    /// Whether the input is at fault (a wrong name, a file of the wrong kind) rather than the system.
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

    /// Whether a link took the file's place after its path was judged: judging the path again tells where it leads now.
    pub(crate) fn is_swapped(&self) -> bool {
        match self {
            Self::Io { source, .. } | Self::NotWritten { source, .. } => is_swapped(source),
            _ => false,
        }
    }

    /// Sorts a system error into the kinds that deserve their own words.
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

/// A path as it is told: a name may hold anything.
fn named(path: &Path) -> String {
    visible_line(&path.to_string_lossy())
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(":{line}:{column}") }
}

fn nearest(near: &[PathBuf]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let names: Vec<String> = near.iter().map(|path| named(path)).collect();
    format!("; did you mean {}?", names.join(" or "))
}
