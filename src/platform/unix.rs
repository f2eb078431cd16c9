//! The functions for Unix. The inner modules have what Linux can do and other Unix systems cannot.

use std::fs::{self, DirBuilder, File, Metadata, Permissions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, PermissionsExt};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use rustix::process::{Pid, Signal, kill_process_group};

#[cfg(target_os = "linux")]
pub(crate) use self::linux::{
    lock_range, open_folder_without_links, open_without_links, path_of_open_folder,
};
#[cfg(not(target_os = "linux"))]
pub(crate) use self::plain::{
    end_marked, find_pipe_holders, lock_range, open_folder_without_links, open_without_links,
    path_of_open_folder,
};
#[cfg(target_os = "linux")]
pub(crate) use self::processes::{end_marked, find_pipe_holders};
use super::GroupEnding;

/// True if no program can change the time at which a folder was created.
pub(crate) const CREATION_TIME_IS_FIXED: bool = cfg!(not(target_vendor = "apple"));
/// True if the system kills all processes that a program started, together with the program.
pub(crate) const ENDS_GROUPS: bool = true;
/// True if a program can read a file that another program has locked.
pub(crate) const LOCKS_ARE_ADVISORY: bool = true;
/// True if a path without links is spelled as the system spells it. Other systems ignore the case of letters.
pub(crate) const PATHS_HAVE_ONE_SPELLING: bool = cfg!(target_os = "linux");

/// SIGTERM is 15 on every Unix; defined here so that no libc crate is needed.
const SIGTERM: i32 = 15;

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
    pub(crate) fn of_file(file: &File) -> io::Result<Self> {
        file.metadata().map(|found| Self::of(&found))
    }

    /// Returns the numbers of the file that a path leads to.
    pub(crate) fn of_path(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|found| Self::of(&found))
    }

    /// Returns the numbers of the file at a path; of the link itself if it is a link.
    pub(crate) fn of_entry(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(|found| Self::of(&found))
    }

    fn of(found: &Metadata) -> Self {
        Self { device: found.dev(), inode: found.ino(), names: found.nlink() }
    }

    /// Returns true if two observations are of one file.
    pub(crate) fn is_same_file(self, other: Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// Gives temporary files the permissions of any new file: the user's umask decides who can read them.
pub(crate) fn use_default_permissions(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(Permissions::from_mode(0o666));
}

/// Makes a file of this program's own runnable.
pub(crate) fn make_runnable(file: &File) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(0o755))
}

/// Returns the program at a path, if it is a file that may be run.
pub(crate) fn find_runnable(path: &Path) -> Option<PathBuf> {
    let found = fs::metadata(path).ok()?;
    (found.is_file() && found.permissions().mode() & 0o111 != 0).then(|| path.to_owned())
}

/// Creates a folder and its parents; only the user can enter them.
pub(crate) fn create_private_folders(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Checks that a folder is the user's own, and returns its metadata.
///
/// # Errors
/// Fails if the path is a link or no folder, if the folder belongs to another user, or if another user can replace it.
pub(crate) fn insist_owned(path: &Path) -> io::Result<Metadata> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        return Err(io::Error::other("it is a link"));
    }
    if !found.is_dir() {
        return Err(io::Error::other("it is not a folder"));
    }
    if !is_owned(&found) {
        return Err(io::Error::other("it belongs to another user"));
    }
    // In a folder with the sticky bit, only the owners of a file and of the folder can rename or remove the file.
    let above = fs::metadata(path.parent().unwrap_or(path))?;
    let is_shared = is_writable_by_others(&above) && above.mode() & 0o1000 == 0;
    if is_shared || !(is_owned(&above) || above.uid() == 0) {
        return Err(io::Error::other("other users can replace it"));
    }
    Ok(found)
}

/// Returns true if a file or folder belongs to the user.
pub(crate) fn is_owned(found: &Metadata) -> bool {
    found.uid() == rustix::process::geteuid().as_raw()
}

/// Makes a folder private, so that only the user can enter it.
///
/// # Errors
/// Fails for the reasons of [`insist_owned`], or if the permissions cannot be set.
pub(crate) fn insist_private(path: &Path) -> io::Result<()> {
    let found = insist_owned(path)?;
    if found.mode() & 0o077 == 0 {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(0o700))
}

/// Creates a second path for a file.
pub(crate) fn link_or_copy(file: &Path, second: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(file, second)
}

/// Returns true if other users can write to a file or folder.
pub(crate) fn is_writable_by_others(found: &Metadata) -> bool {
    found.permissions().mode() & 0o022 != 0
}

/// Returns true for a named pipe.
pub(crate) fn is_pipe(found: &Metadata) -> bool {
    found.file_type().is_fifo()
}

/// Syncs a folder, so that new names in it are on disk. Some file systems refuse that; the refusal is ignored.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        Err(error)
            if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
        {
            Ok(())
        }
        other => other,
    }
}

/// Puts the program into a process group of its own, which is killed together with it.
pub(crate) fn lead_group(command: &mut CommandWrap) {
    command.wrap(ProcessGroup::leader());
}

/// Asks the group of a program to end. Returns false if no program was asked.
pub(crate) fn ask_to_end(child: &dyn ChildWrapper) -> bool {
    child.signal(SIGTERM).is_ok()
}

/// Keeps a program out of the terminal's group, so that Ctrl-C does not reach it.
pub(crate) fn start_own_group(command: &mut Command) {
    command.process_group(0);
}

/// Ends all processes of the groups.
pub(crate) fn end_groups(groups: &[i32], ending: GroupEnding) {
    let signal = match ending {
        GroupEnding::Asked => Signal::TERM,
        GroupEnding::Killed => Signal::KILL,
    };
    for group in groups.iter().filter_map(|group| Pid::from_raw(*group)) {
        // The only possible failure is that the group has already ended.
        let _ = kill_process_group(group, signal);
    }
}

/// Returns the signal that ended a program.
pub(crate) fn ending_signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Files on Linux.
#[cfg(target_os = "linux")]
mod linux {
    use nix::errno::Errno;
    use nix::fcntl::{AT_FDCWD, FcntlArg, OFlag, OpenHow, ResolveFlag, fcntl, openat2};
    use nix::libc::{F_WRLCK, SEEK_SET, c_short, flock};
    use nix::sys::stat::Mode;

    use super::{AsRawFd as _, File, Path, PathBuf, io};
    use crate::platform::{Access, Opened};

    /// Opens a path in one step and refuses it if any part is a link.
    pub(crate) fn open_without_links(path: &Path, access: Access) -> Opened {
        let mut flags = match (access.read, access.write || access.append) {
            (true, true) => OFlag::O_RDWR,
            (false, true) => OFlag::O_WRONLY,
            (_, false) => OFlag::O_RDONLY,
        };
        flags |= OFlag::O_NOCTTY;
        flags.set(OFlag::O_APPEND, access.append);
        flags.set(OFlag::O_CREAT, access.create || access.create_new);
        flags.set(OFlag::O_EXCL, access.create_new);
        flags.set(OFlag::O_NONBLOCK, !access.waits);
        open(path, flags)
    }

    /// Opens a folder only as a starting point for names in it, and refuses it if any part of its path is a link.
    pub(crate) fn open_folder_without_links(path: &Path) -> Opened {
        open(path, OFlag::O_PATH | OFlag::O_DIRECTORY)
    }

    /// Returns the path that reaches an open folder wherever it is moved; none without `/proc`.
    pub(crate) fn path_of_open_folder(folder: &File) -> Option<PathBuf> {
        Some(PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd())))
            .filter(|path| path.exists())
    }

    fn open(path: &Path, flags: OFlag) -> Opened {
        let mode = if flags.contains(OFlag::O_CREAT) {
            Mode::from_bits_truncate(0o666)
        } else {
            Mode::empty()
        };
        let how = OpenHow::new()
            .flags(flags | OFlag::O_CLOEXEC)
            .mode(mode)
            .resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
        loop {
            return match openat2(AT_FDCWD, path, how) {
                Ok(file) => Opened::File(file.into()),
                Err(Errno::EINTR | Errno::EAGAIN) => continue,
                // The system is too old for this call, or a sandbox forbids it.
                Err(Errno::ENOSYS | Errno::EPERM) => Opened::Unsupported,
                Err(Errno::ELOOP) => Opened::Link,
                Err(error) => Opened::Failed(error.into()),
            };
        }
    }

    /// Locks all bytes of an open file until it is closed, with or without waiting. This lock is independent of
    /// [`File::lock`].
    pub(crate) fn lock_range(file: &File, wait: bool) -> io::Result<()> {
        let short = |value: i32| c_short::try_from(value).map_err(io::Error::other);
        let (l_type, l_whence) = (short(F_WRLCK)?, short(SEEK_SET)?);
        let all = flock { l_type, l_whence, l_start: 0, l_len: 0, l_pid: 0 };
        let how = if wait { FcntlArg::F_OFD_SETLKW(&all) } else { FcntlArg::F_OFD_SETLK(&all) };
        fcntl(file, how)?;
        Ok(())
    }
}

/// Processes on Linux, which lists them in `/proc`.
#[cfg(target_os = "linux")]
mod processes {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    use super::{AsRawFd, fs};
    use crate::platform::Process;

    /// The number of times that the processes are listed. A process can start another one while the list is read.
    const ROUNDS: usize = 5;

    /// Kills the processes outside `group` that were started with a wanted variable (`NAME=value`), and returns them.
    pub(crate) fn end_marked(group: Option<u32>, is_mark: impl Fn(&[u8]) -> bool) -> Vec<Process> {
        let is_ours = |pid| {
            let own_group = process_group(pid);
            own_group.is_some() && own_group != group && has_variable(pid, &is_mark)
        };
        let mut ended = Vec::new();
        for _ in 0..ROUNDS {
            let found = find_processes(is_ours);
            if found.is_empty() {
                break;
            }
            for process in found {
                if kill(process.pid, is_ours) && !ended.contains(&process) {
                    ended.push(process);
                }
            }
        }
        ended
    }

    /// Kills a process if it still is the process that was found. By now the system may have given its number to
    /// another process.
    fn kill(pid: u32, is_ours: impl Fn(u32) -> bool) -> bool {
        let Some(process) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
        let Ok(handle) = pidfd_open(process, PidfdFlags::empty()) else { return false };
        is_ours(pid) && pidfd_send_signal(handle, Signal::KILL).is_ok()
    }

    /// Returns the processes for which `is_wanted` is true, except this process.
    fn find_processes(is_wanted: impl Fn(u32) -> bool) -> Vec<Process> {
        let own = std::process::id();
        fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|pid| *pid != own && is_wanted(*pid))
            .map(|pid| {
                let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
                Process { pid, name: name.trim().to_owned() }
            })
            .collect()
    }

    /// Returns the process group of a process, if the process still runs.
    fn process_group(pid: u32) -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The process name may contain parentheses, so search from the end. After the name come state, parent and
        // group.
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_whitespace();
        // A zombie has ended; only its parent has not noticed yet.
        if fields.next() == Some("Z") {
            return None;
        }
        fields.nth(1)?.parse().ok()
    }

    /// Returns true if a process was started with an environment variable that satisfies `is_wanted`.
    fn has_variable(pid: u32, is_wanted: impl Fn(&[u8]) -> bool) -> bool {
        let variables = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(is_wanted)
    }

    /// Returns the other processes that have a pipe open.
    pub(crate) fn find_pipe_holders(pipe: &impl AsRawFd) -> Vec<Process> {
        let Ok(target) = fs::read_link(format!("/proc/self/fd/{}", pipe.as_raw_fd())) else {
            return Vec::new();
        };
        let holds = |pid: u32| {
            fs::read_dir(format!("/proc/{pid}/fd"))
                .into_iter()
                .flatten()
                .flatten()
                .any(|fd| fs::read_link(fd.path()).is_ok_and(|link| link == target))
        };
        find_processes(holds)
    }
}

/// Unix systems that can do none of what Linux can do.
#[cfg(not(target_os = "linux"))]
mod plain {
    use super::{AsRawFd, File, Path, PathBuf, io};
    use crate::platform::{Access, Opened, Process};

    pub(crate) fn open_without_links(_path: &Path, _access: Access) -> Opened {
        Opened::Unsupported
    }

    pub(crate) fn open_folder_without_links(_path: &Path) -> Opened {
        Opened::Unsupported
    }

    pub(crate) fn path_of_open_folder(_folder: &File) -> Option<PathBuf> {
        None
    }

    pub(crate) fn lock_range(_file: &File, _wait: bool) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn end_marked(
        _group: Option<u32>,
        _is_mark: impl Fn(&[u8]) -> bool,
    ) -> Vec<Process> {
        Vec::new()
    }

    pub(crate) fn find_pipe_holders(_pipe: &impl AsRawFd) -> Vec<Process> {
        Vec::new()
    }
}
