//! Identities of files and folders. An editor that saves by renaming puts a different file under the old path. A folder
//! of private files keeps its identity if it is moved.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// A file's identity, and its length at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileIdentity {
    device: u64,
    inode: u64,
    /// Length in bytes.
    pub(super) len: u64,
}

impl FileIdentity {
    /// Takes the identity from the metadata of a file.
    #[cfg(unix)]
    pub(super) fn of(found: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self { device: found.dev(), inode: found.ino(), len: found.len() }
    }

    /// On other systems no file can be renamed over an open one, so the length is enough.
    #[cfg(not(unix))]
    pub(super) fn of(found: &Metadata) -> Self {
        Self { device: 0, inode: 0, len: found.len() }
    }

    /// Returns true if two observations are of one file, whatever its length was.
    pub(super) fn is_same_file(self, other: Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
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
        Some(_) if cfg!(not(target_vendor = "apple")) => String::new(),
        _ => format!("{:x}", FileIdentity::of(&found).inode),
    };
    Ok(format!("{moment}.{number}"))
}
