//! Which file a path names: an editor that saves by renaming leaves the name and changes the file.

use std::fs::Metadata;

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
