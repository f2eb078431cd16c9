//! What can go wrong with a file, said so that a person can mend it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a file could not be found, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No such file.
    #[error("{path}: no such discussion{}", nearest(.near))]
    NotFound {
        /// What was asked for.
        path: PathBuf,
        /// Files with similar names, the nearest first; at most three.
        near: Vec<PathBuf>,
    },
    /// A folder stands where a file was expected.
    #[error("{path}: is a folder; name a discussion in it")]
    Directory {
        /// The folder.
        path: PathBuf,
    },
    /// The file may not be opened.
    #[error("{path}: permission denied; check who owns the file and its folder")]
    Denied {
        /// The file.
        path: PathBuf,
    },
    /// Not text at all.
    #[error("{path}: is not a text file: it holds NUL bytes{}", if *.utf16 { " (UTF-16; save it as UTF-8)" } else { "" })]
    Binary {
        /// The file.
        path: PathBuf,
        /// It begins like UTF-16.
        utf16: bool,
    },
    /// Readers show such a file, writers leave it alone.
    #[error("{path}{}: is not UTF-8; save the file as UTF-8, then write again", place(*.line, *.column))]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// Line of the first wrong byte, counted from 1; 0 where only the file's end was read.
        line: usize,
        /// Its column in characters, counted from 1; 0 where only the file's end was read.
        column: usize,
    },
    /// Something else than a plain file: reading it might never end, and nothing can be appended to it safely.
    #[error("{path}: is not a regular file; only those can be read and written to")]
    NotAFile {
        /// The thing.
        path: PathBuf,
    },
    /// A merge conflict, in which a block may stand that looks lost.
    #[error(
        "{path}:{line}: a merge conflict stands here; nothing was put back: resolve the conflict, keep all comments, then \
         try again"
    )]
    Conflict {
        /// The discussion.
        path: PathBuf,
        /// Of the first conflict mark, counted from 1.
        line: usize,
    },
    /// A private file, or the folder of them, that leads elsewhere: a repository could carry such a link.
    #[error(
        "{path}: is a symbolic link, through which nothing is read or written; remove it, then try again"
    )]
    Linked {
        /// The link.
        path: PathBuf,
    },
    /// Another run asks this discussion's participants.
    #[error("{path}: another run of this discussion is going on; wait until it ends, or stop it")]
    Running {
        /// The discussion.
        path: PathBuf,
    },
    /// Another writer held the lock for too long.
    #[error(
        "{path}: another program held this lock for {waited:?}; try again, or see which program that is"
    )]
    Locked {
        /// The sidecar that is locked; deleting it while a writer runs loses the protection.
        path: PathBuf,
        /// How long was waited.
        waited: Duration,
    },
    /// Every name that would do is taken.
    #[error("{path}: this name and all numbered ones after it are taken; choose another title")]
    Taken {
        /// The first name tried.
        path: PathBuf,
    },
    /// Nothing was written; earlier bytes are as they were, and trying again is safe.
    #[error("{path}: nothing was written: {doing} failed: {source}")]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// The step that failed.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Another program kept saving its own copy over the file; the block is not in it, and trying again is safe.
    #[error(
        "{path}: nothing was written: another program saved over the file {times} times meanwhile"
    )]
    Replaced {
        /// The file.
        path: PathBuf,
        /// How often the append was tried.
        times: u32,
    },
    /// The block may stand in the file without being acknowledged: look before trying again.
    #[error(
        "{path}: {doing} failed and could not be undone: {source}; the end of the file may hold the new text: look \
         before trying again"
    )]
    InDoubt {
        /// The file.
        path: PathBuf,
        /// The step that failed.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Any other failure of the system.
    #[error("{path}: {doing} failed: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The step that failed.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

impl StoreError {
    /// Whether the input is at fault (a wrong name, a file of the wrong kind) rather than the system.
    pub fn is_input(&self) -> bool {
        match self {
            Self::NotFound { .. }
            | Self::Directory { .. }
            | Self::Binary { .. }
            | Self::NotUtf8 { .. }
            | Self::NotAFile { .. }
            | Self::Conflict { .. }
            | Self::Linked { .. }
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

    /// Sorts a system error into the kinds that deserve their own words.
    pub(super) fn from_io(path: &Path, doing: &'static str, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { path, near: Vec::new() },
            io::ErrorKind::IsADirectory => Self::Directory { path },
            io::ErrorKind::PermissionDenied => Self::Denied { path },
            _ => Self::Io { path, doing, source },
        }
    }
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(":{line}:{column}") }
}

fn nearest(near: &[PathBuf]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let names: Vec<String> = near.iter().map(|path| path.display().to_string()).collect();
    format!("; did you mean {}?", names.join(" or "))
}
