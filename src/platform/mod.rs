//! The only place of the library that knows the operating system. `unix.rs` has the full protection; `other.rs` is for
//! systems without process groups, signals and Unix permissions, such as Windows.
//!
//! Both files have the same functions and constants. If a system cannot do something, a constant or an error says so,
//! and the caller refuses or reports it. With `--cfg discussions_portable`, the tests run `other.rs` on Unix.

#[cfg(any(not(unix), discussions_portable))]
#[path = "other.rs"]
mod system;
#[cfg(all(unix, not(discussions_portable)))]
#[path = "unix.rs"]
mod system;

use std::fmt;
use std::fs::File;
use std::io;

pub(crate) use self::system::{
    CREATION_TIME_IS_FIXED, ENDS_GROUPS, FileNumbers, LOCKS_ARE_ADVISORY, PATHS_HAVE_ONE_SPELLING,
    ask_to_end, create_private_folders, end_groups, end_marked, ending_signal, find_pipe_holders,
    find_runnable, insist_owned, insist_private, is_owned, is_pipe, is_writable_by_others,
    lead_group, link_or_copy, lock_range, make_runnable, open_folder_without_links,
    open_without_links, path_of_open_folder, start_own_group, sync_folder, use_default_permissions,
};

/// The way in which a file is opened.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Access {
    /// Reads the file.
    pub(crate) read: bool,
    /// Writes at any place.
    pub(crate) write: bool,
    /// Writes at the end.
    pub(crate) append: bool,
    /// Creates the file if there is none.
    pub(crate) create: bool,
    /// Creates the file, which must not exist yet.
    pub(crate) create_new: bool,
    /// Waits at a pipe until another process opens its other end.
    pub(crate) waits: bool,
}

/// The result of opening a path in one step that refuses links.
#[derive(Debug)]
#[cfg_attr(
    any(not(target_os = "linux"), discussions_portable),
    expect(dead_code, reason = "only Linux can refuse links in one step")
)]
pub(crate) enum Opened {
    /// The file, and no part of its path was a link.
    File(File),
    /// There is a link on the path.
    Link,
    /// The system cannot open the file.
    Failed(io::Error),
    /// The system has no such step, so the caller has to check the path before and after.
    Unsupported,
}

/// A process, by its number and the name that the system gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pid: u32,
    name: String,
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` (process {})", self.name, self.pid)
    }
}

/// The way in which a process group is ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GroupEnding {
    /// The programs get time to clean up.
    Asked,
    /// The programs end at once.
    Killed,
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    #[test]
    fn numbers_tell_files_apart_and_count_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("one"), "text").unwrap();
        fs::write(path("two"), "text").unwrap();
        let one = FileNumbers::of_file(&File::open(path("one")).unwrap()).unwrap();
        assert!(one.is_same_file(FileNumbers::of_path(&path("one")).unwrap()));
        assert!(!one.is_same_file(FileNumbers::of_path(&path("two")).unwrap()));
        assert_eq!(one.names, 1);
        fs::hard_link(path("one"), path("three")).unwrap();
        let three = FileNumbers::of_entry(&path("three")).unwrap();
        assert!(one.is_same_file(three));
        assert_eq!(three.names, 2);
        assert!(FileNumbers::of_path(&path("none")).is_err());
    }

    #[test]
    fn private_folders_are_not_writable_by_others() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("a/b");
        create_private_folders(&inside).unwrap();
        create_private_folders(&inside).unwrap();
        assert!(!is_writable_by_others(&fs::metadata(&inside).unwrap()));
        sync_folder(&inside).unwrap();
    }

    #[test]
    fn folder_becomes_private_and_a_link_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        fs::create_dir(&inside).unwrap();
        insist_private(&inside).unwrap();
        assert!(!is_writable_by_others(&fs::metadata(&inside).unwrap()));
        assert!(insist_private(&folder.path().join("none")).is_err());
        let file = folder.path().join("file");
        fs::write(&file, "text").unwrap();
        assert!(insist_private(&file).is_err());
        let second = folder.path().join("second");
        link_or_copy(&file, &second).unwrap();
        assert_eq!(fs::read_to_string(&second).unwrap(), "text");
    }

    #[test]
    #[cfg(all(unix, not(discussions_portable)))]
    fn folder_that_others_can_replace_is_not_the_users_own() {
        use std::os::unix::fs::{PermissionsExt as _, chown};
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("above/inside");
        create_private_folders(&inside).unwrap();
        let above = inside.parent().unwrap();
        let set = |mode| fs::set_permissions(above, fs::Permissions::from_mode(mode)).unwrap();
        assert!(insist_owned(&inside).is_ok());
        set(0o777);
        assert_eq!(insist_owned(&inside).unwrap_err().to_string(), "other users can replace it");
        set(0o1777);
        assert!(insist_owned(&inside).is_ok(), "only its owner can rename it");
        // Only root can give a folder away; for any other user the root folder is another user's.
        if chown(above, Some(65534), None).is_ok() {
            let refused = insist_owned(&inside).unwrap_err();
            assert_eq!(refused.to_string(), "other users can replace it");
            chown(&inside, Some(65534), None).unwrap();
            let refused = insist_owned(&inside).unwrap_err();
            assert_eq!(refused.to_string(), "it belongs to another user");
        } else {
            let refused = insist_owned(std::path::Path::new("/")).unwrap_err();
            assert_eq!(refused.to_string(), "it belongs to another user");
        }
    }

    #[test]
    fn only_a_file_is_runnable() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        assert_eq!(find_runnable(&path), None);
        assert_eq!(find_runnable(folder.path()), None);
        let file = File::create(&path).unwrap();
        make_runnable(&file).unwrap();
        assert_eq!(find_runnable(&path), Some(path));
    }
}
