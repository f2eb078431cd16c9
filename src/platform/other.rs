//! The functions for systems without process groups, signals and Unix permissions, such as Windows. They use the
//! standard library; only the numbers of a file need the system.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use process_wrap::tokio::{ChildWrapper, CommandWrap};

use super::{Access, GroupEnding, Opened, Process};

/// False, because any program can set the creation time on Windows.
pub(crate) const CREATION_TIME_IS_FIXED: bool = false;
/// False, because only the program itself can be killed. Processes that it started keep running.
pub(crate) const ENDS_GROUPS: bool = false;
/// False, because no other program can read a file that is locked on Windows.
pub(crate) const LOCKS_ARE_ADVISORY: bool = false;
/// False, because Windows ignores the case of letters and has short names for files.
pub(crate) const PATHS_HAVE_ONE_SPELLING: bool = false;

/// The numbers by which the system knows a file, and the number of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileNumbers {
    device: u64,
    /// The file's number on its device.
    pub(crate) inode: u64,
    /// The number of names (hard links).
    pub(crate) names: u64,
}

impl FileNumbers {
    /// Returns the numbers of an open file.
    #[cfg(windows)]
    pub(crate) fn of_file(file: &File) -> io::Result<Self> {
        Self::of_handle(file)
    }

    /// Returns the numbers of the file that a path leads to.
    #[cfg(windows)]
    pub(crate) fn of_path(path: &Path) -> io::Result<Self> {
        Self::of_handle(winapi_util::Handle::from_path_any(path)?)
    }

    /// Returns the numbers of the file at a path. Refuses a link, because opening it would follow it.
    pub(crate) fn of_entry(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path)?.is_symlink() {
            return Err(io::Error::other("it is a link"));
        }
        Self::of_path(path)
    }

    #[cfg(windows)]
    fn of_handle(file: impl winapi_util::AsHandleRef) -> io::Result<Self> {
        let found = winapi_util::file::information(file)?;
        Ok(Self {
            device: found.volume_serial_number(),
            inode: found.file_index(),
            names: found.number_of_links(),
        })
    }

    /// Returns the numbers of an open file, for tests of this file on Unix.
    #[cfg(unix)]
    pub(crate) fn of_file(file: &File) -> io::Result<Self> {
        file.metadata().map(|found| Self::of_metadata(&found))
    }

    /// Returns the numbers of the file that a path leads to, for tests of this file on Unix.
    #[cfg(unix)]
    pub(crate) fn of_path(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|found| Self::of_metadata(&found))
    }

    #[cfg(unix)]
    fn of_metadata(found: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self { device: found.dev(), inode: found.ino(), names: found.nlink() }
    }

    /// Returns true if two observations are of one file.
    pub(crate) fn is_same_file(self, other: Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// Does nothing: a new file has the permissions of its folder.
pub(crate) fn use_default_permissions(_builder: &mut tempfile::Builder<'_, '_>) {}

/// Does nothing: the name of a file decides whether it can be run.
pub(crate) fn make_runnable(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Returns the program at a path, also if the path lacks the ending of programs. The ending is added, because a
/// program's name may contain a dot.
pub(crate) fn find_runnable(path: &Path) -> Option<PathBuf> {
    ["", ".exe", ".cmd", ".bat"]
        .into_iter()
        .map(|ending| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        })
        .find(|path| path.is_file())
}

/// Creates a folder and its parents with the permissions of the folder above, which belongs to the user.
pub(crate) fn create_private_folders(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Checks that a path is a folder, and returns its metadata. The standard library cannot tell whose it is.
///
/// # Errors
/// Fails if the path is a link or no folder.
pub(crate) fn insist_owned(path: &Path) -> io::Result<Metadata> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        return Err(io::Error::other("it is a link"));
    }
    if found.is_dir() { Ok(found) } else { Err(io::Error::other("it is not a folder")) }
}

/// Returns true, because the standard library cannot tell; `docs/trust.md` says so.
pub(crate) fn is_owned(_found: &Metadata) -> bool {
    true
}

/// Checks that a path is a folder. Its permissions are those of the folder above, which belongs to the user.
///
/// # Errors
/// Fails for the reasons of [`insist_owned`].
pub(crate) fn insist_private(path: &Path) -> io::Result<()> {
    insist_owned(path).map(drop)
}

/// Creates a second path for a file: a copy, because a link needs a permission that users rarely have.
pub(crate) fn link_or_copy(file: &Path, second: &Path) -> io::Result<()> {
    fs::copy(file, second).map(drop)
}

/// Returns false, because the standard library cannot tell; `docs/trust.md` says so.
pub(crate) fn is_writable_by_others(_found: &Metadata) -> bool {
    false
}

/// Returns false, because folders contain no pipes on Windows.
pub(crate) fn is_pipe(_found: &Metadata) -> bool {
    false
}

/// Does nothing: Windows has no call for it, and NTFS keeps names in a journal of its own.
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Does nothing; see [`ENDS_GROUPS`].
pub(crate) fn lead_group(_command: &mut CommandWrap) {}

/// Returns false: a program without a window cannot be asked to end.
pub(crate) fn ask_to_end(_child: &dyn ChildWrapper) -> bool {
    false
}

/// Does nothing; see [`ENDS_GROUPS`].
pub(crate) fn start_own_group(_command: &mut Command) {}

/// Does nothing; see [`ENDS_GROUPS`].
pub(crate) fn end_groups(_groups: &[i32], _ending: GroupEnding) {}

/// Returns none, because there are no signals.
pub(crate) fn ending_signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// Returns no process, because processes cannot be listed with their variables.
pub(crate) fn end_marked(_group: Option<u32>, _is_mark: impl Fn(&[u8]) -> bool) -> Vec<Process> {
    Vec::new()
}

/// Returns no process, because the system does not say who has a pipe open.
pub(crate) fn find_pipe_holders<P>(_pipe: &P) -> Vec<Process> {
    Vec::new()
}

/// Opens nothing: the system cannot refuse links in one step.
pub(crate) fn open_without_links(_path: &Path, _access: Access) -> Opened {
    Opened::Unsupported
}

/// Opens nothing: the system cannot refuse links in one step.
pub(crate) fn open_folder_without_links(_path: &Path) -> Opened {
    Opened::Unsupported
}

/// Returns none: an open folder has no path of its own.
pub(crate) fn path_of_open_folder(_folder: &File) -> Option<PathBuf> {
    None
}

/// Fails: there is no lock that is independent of [`File::lock`].
pub(crate) fn lock_range(_file: &File, _wait: bool) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
