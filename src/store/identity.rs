//! Which file a path names: an editor that saves by renaming leaves the name and changes the file. And which folder of
//! private files is this one, wherever it is moved to.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// A file's identity and its length at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
    /// Bytes.
    pub(super) len: u64,
}

impl Identity {
    /// Reads it from what the system says about a file.
    #[cfg(unix)]
    pub(super) fn of(found: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self { device: found.dev(), inode: found.ino(), len: found.len() }
    }

    /// Elsewhere an open file cannot be renamed over, so that the length tells enough.
    #[cfg(not(unix))]
    pub(super) fn of(found: &Metadata) -> Self {
        Self { device: 0, inode: 0, len: found.len() }
    }

    /// Whether two observations are of one file, whatever its length was.
    pub(super) fn is_same_file(self, other: Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// What names a folder apart from every other, also from its copies: the moment at which it was made here, as finely as
/// the file system keeps it. No file can bring it along, and moving the folder does not change it. Where there is no
/// such moment, or anybody can set it, the folder's number has to do, which otherwise changes too easily.
///
/// # Errors
/// A folder that the system cannot be asked about.
pub(super) fn birth(folder: &Path) -> io::Result<String> {
    let found = fs::metadata(folder)?;
    let made = found.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
    let moment = made.map_or_else(String::new, |made| format!("{:x}", made.as_nanos()));
    let number = match made {
        Some(_) if cfg!(not(target_vendor = "apple")) => String::new(),
        _ => format!("{:x}", Identity::of(&found).inode),
    };
    Ok(format!("{moment}.{number}"))
}
