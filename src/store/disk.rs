//! The system calls that a writer depends on, and the identities of files. Tests can make the
//! system calls fail.
//!
//! An editor that saves by renaming puts a different file under the old path. A folder of private files keeps its
//! identity if it is moved.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::boundary::{Purpose, open_plain};
use crate::platform::{CREATION_TIME_IS_FIXED, FileNumbers};

/// The disk operations of a writer. The program uses the real disk; tests use one that fails on demand.
pub(super) trait Disk {
    /// Opens an existing file for reading and for appending.
    fn open(&self, path: &Path) -> io::Result<File>;
    /// Opens a file for reading and for appending, and creates it if it does not exist.
    fn open_or_create(&self, path: &Path) -> io::Result<File>;
    /// Creates a file that must not exist yet.
    fn create_new(&self, path: &Path) -> io::Result<File>;
    /// Makes one write call.
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize>;
    /// Waits until the file's bytes are on disk.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Truncates a file.
    fn set_len(&self, file: &File, len: u64) -> io::Result<()>;
    /// Returns the identity of the file that a path names now.
    fn identity(&self, path: &Path) -> io::Result<FileIdentity>;
    /// Creates a hard link; its name must be free.
    fn hard_link(&self, from: &Path, to: &Path) -> io::Result<()>;
}

/// The real disk. It opens no path with a symbolic link in it, because links were resolved and checked before.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealDisk;

impl Disk for RealDisk {
    fn open(&self, path: &Path) -> io::Result<File> {
        open_plain(path, Purpose::Append)
    }

    fn open_or_create(&self, path: &Path) -> io::Result<File> {
        open_plain(path, Purpose::AppendOrCreate)
    }

    fn create_new(&self, path: &Path) -> io::Result<File> {
        open_plain(path, Purpose::CreateNew)
    }

    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn set_len(&self, file: &File, len: u64) -> io::Result<()> {
        file.set_len(len)
    }

    fn identity(&self, path: &Path) -> io::Result<FileIdentity> {
        FileIdentity::at(path)
    }

    fn hard_link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }
}

/// Reads a private file completely, without following a link and without blocking at a pipe.
pub(super) fn read_private(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open_plain(path, Purpose::Read)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A failure to write a buffer to disk completely.
#[derive(Debug)]
pub(super) struct WriteFailure {
    /// The step that failed.
    pub(super) doing: &'static str,
    /// The error of the system.
    pub(super) source: io::Error,
}

/// Writes a buffer with one call and waits until it is on disk. A short write is a failure, and so is a failed sync:
/// after one, the system may have dropped the bytes, and a second sync would succeed without them.
pub(super) fn write_once(disk: &dyn Disk, file: &File, bytes: &[u8]) -> Result<(), WriteFailure> {
    let written = uninterrupted(|| disk.write(file, bytes))
        .map_err(|source| WriteFailure { doing: "writing", source })?;
    if written < bytes.len() {
        let source = io::Error::new(
            io::ErrorKind::WriteZero,
            format!("only {written} of {} bytes were written", bytes.len()),
        );
        return Err(WriteFailure { doing: "writing", source });
    }
    disk.sync(file).map_err(|source| WriteFailure { doing: "syncing", source })
}

/// Removes the bytes of a failed write from the end of a file. `Ok` means that the file is as it was before.
///
/// If the file is shorter than before, another program has cut it, and nothing needs to be removed. If it is longer
/// than our write explains, another program has appended text after ours, and the file must not be touched.
pub(super) fn cut_back(disk: &dyn Disk, file: &File, old: u64, attempted: usize) -> io::Result<()> {
    let now = file.metadata()?.len();
    if now <= old {
        return Ok(());
    }
    if now - old > attempted as u64 {
        return Err(io::Error::other("another program wrote to the file at the same time"));
    }
    uninterrupted(|| disk.set_len(file, old))
}

/// Repeats a call that a signal interrupted before it had any effect.
pub(super) fn uninterrupted<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// A file's identity, and its length at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileIdentity {
    numbers: FileNumbers,
    /// Length in bytes.
    pub(super) len: u64,
}

impl FileIdentity {
    /// Returns the identity of an open file.
    pub(super) fn of(file: &File) -> io::Result<Self> {
        Ok(Self { numbers: FileNumbers::of_file(file)?, len: file.metadata()?.len() })
    }

    /// Returns the identity of the file that a path leads to.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        Ok(Self { len: fs::metadata(path)?.len(), numbers: FileNumbers::of_path(path)? })
    }

    /// Returns true if two observations are of one file, whatever its length was.
    pub(super) fn is_same_file(self, other: Self) -> bool {
        self.numbers.is_same_file(other.numbers)
    }
}

/// Returns an identity that differs for every folder and for every copy of it: the time of its creation on this
/// machine, as precisely as the file system stores it. Files from elsewhere cannot determine it, and moving the folder
/// does not change it. If there is no creation time, or if any program can set it, the inode is used as well, although
/// it changes more easily.
///
/// # Errors
/// Fails if the system cannot read the folder's metadata.
pub(super) fn birth(folder: &Path) -> io::Result<String> {
    let found = fs::metadata(folder)?;
    let made = found.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
    let moment = made.map_or_else(String::new, |made| format!("{:x}", made.as_nanos()));
    let number = match made {
        Some(_) if CREATION_TIME_IS_FIXED => String::new(),
        _ => format!("{:x}", FileNumbers::of_path(folder)?.inode),
    };
    Ok(format!("{moment}.{number}"))
}
