//! Opens files without following links: the links of a path are resolved once before, and the
//! opened file is checked. If another process swaps a file for a link after the path was checked,
//! opening returns an error.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::PathWalk;
use crate::platform::{
    Access, FileNumbers, Opened, open_folder_without_links, open_without_links, path_of_open_folder,
};

/// The purpose of opening a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Reads an existing file.
    Read,
    /// Reads an existing file, or a pipe; opening a pipe waits for its writer.
    ReadPipe,
    /// Reads an existing file and writes at its end.
    Append,
    /// Reads a file and writes at its end; creates the file if there is none.
    AppendOrCreate,
    /// Opens an existing file to lock it.
    Lock,
    /// Opens a file to lock it; creates the file if there is none.
    LockOrCreate,
    /// Creates a file that must not exist yet, and writes to it.
    CreateNew,
}

impl Purpose {
    fn access(self) -> Access {
        let none = Access::default();
        match self {
            Self::Read => Access { read: true, ..none },
            Self::ReadPipe => Access { read: true, waits: true, ..none },
            Self::Append => Access { read: true, append: true, ..none },
            Self::AppendOrCreate => Access { read: true, append: true, create: true, ..none },
            Self::Lock => Access { write: true, ..none },
            Self::LockOrCreate => Access { write: true, create: true, ..none },
            Self::CreateNew => Access { write: true, create_new: true, ..none },
        }
    }
}

/// Returns the options of the standard library for a way of opening.
fn options(access: Access) -> OpenOptions {
    let mut options = File::options();
    options
        .read(access.read)
        .write(access.write)
        .append(access.append)
        .create(access.create)
        .create_new(access.create_new);
    options
}

/// The error for a link that appeared on a path after the path was checked.
#[derive(Debug, thiserror::Error)]
#[error("a link took its place, and links are not followed here")]
struct Swapped;

/// Returns the error for a link on the path.
pub(crate) fn swapped() -> io::Error {
    io::Error::other(Swapped)
}

/// Returns true if an error says that there was a link on the path.
pub(crate) fn is_swapped(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Swapped>())
}

/// Opens a path in one step and refuses it if any part is a link. Only [`Purpose::ReadPipe`] waits until another
/// process opens the other end of a pipe.
///
/// # Errors
/// Fails if there is a link on the path (see [`is_swapped`]), and if the system cannot open the file.
pub(crate) fn open_plain(path: &Path, purpose: Purpose) -> io::Result<File> {
    match open_without_links(path, purpose.access()) {
        Opened::File(file) => Ok(file),
        Opened::Link => Err(swapped()),
        Opened::Failed(error) => Err(error),
        Opened::Unsupported => open_then_look(path, purpose),
    }
}

/// Maximum number of attempts to open a file that other processes remove or replace meanwhile.
const TRIES: u32 = 16;

/// Opens a path on systems that cannot refuse links themselves, then compares the opened file with the file at that
/// path.
///
/// The path is looked up again after opening, so a swap in between is noticed, unless the target itself is moved to
/// that path. If the call creates a file, it may create the file behind the link before it notices the swap.
///
/// The path has no file, or another one, if a second process removed a discussion in between, or created one. That is
/// no attack, so opening is tried again.
fn open_then_look(path: &Path, purpose: Purpose) -> io::Result<File> {
    for _ in 0..TRIES {
        let file = open_once(path, purpose)?;
        match FileNumbers::of_entry(path) {
            Ok(found) if FileNumbers::of_file(&file)?.is_same_file(found) => return Ok(file),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(_) | Err(_) => {}
        }
    }
    Err(swapped())
}

/// Opens a path and checks that there is no link on it, before and after.
fn open_once(path: &Path, purpose: Purpose) -> io::Result<File> {
    let access = purpose.access();
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => return Err(swapped()),
        // Opening a pipe would wait until another process opens its other end.
        Ok(found) if !(access.waits || found.is_file() || found.is_dir()) => {
            return Err(io::Error::other("not a regular file"));
        }
        Ok(_) | Err(_) => {}
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    insist_plain_folder(folder.unwrap_or(Path::new(".")))?;
    let file = options(access).open(path)?;
    insist_plain_folder(folder.unwrap_or(Path::new(".")))?;
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(swapped()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(_) | Err(_) => Ok(file),
    }
}

/// Checks that the path of a folder contains no link. It looks at every part, because systems that ignore the case of
/// letters spell one path in several ways.
fn insist_plain_folder(folder: &Path) -> io::Result<()> {
    let parts = folder.ancestors().filter(|part| !part.as_os_str().is_empty());
    for part in parts {
        if fs::symlink_metadata(part)?.is_symlink() {
            return Err(swapped());
        }
    }
    Ok(())
}

/// A folder that was opened without following a link. Names in it are resolved through the open folder, so swapping
/// the folder for a link afterwards has no effect.
///
/// Without `/proc`, and on systems other than Linux, names are resolved by the path, which is checked for links before
/// and after each change.
#[derive(Debug)]
pub(crate) struct OpenFolder {
    path: PathBuf,
    /// Keeps the file descriptor open that `path` names by its number. None if `path` is the folder's own path.
    folder: Option<File>,
}

impl OpenFolder {
    /// Opens a folder if its path contains no link.
    ///
    /// # Errors
    /// Fails if there is a link on the path (see [`is_swapped`]), and if the folder cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        match open_folder_without_links(path) {
            Opened::File(folder) => Ok(match path_of_open_folder(&folder) {
                Some(path) => Self { path, folder: Some(folder) },
                None => Self { path: path.to_owned(), folder: None },
            }),
            Opened::Link => Err(swapped()),
            Opened::Failed(error) => Err(error),
            Opened::Unsupported => {
                insist_plain_folder(path)?;
                Ok(Self { path: path.to_owned(), folder: None })
            }
        }
    }

    /// Checks after a change that no link has taken a place on the path. The change may have been made elsewhere then,
    /// and the caller must not continue as if it was made here.
    fn insist_unchanged(&self) -> io::Result<()> {
        if self.folder.is_some() { Ok(()) } else { insist_plain_folder(&self.path) }
    }

    /// Opens the folder of a file, and returns the path that reaches the file through the open folder.
    ///
    /// # Errors
    /// Fails like [`Self::open`], and if the path has no file name.
    pub(crate) fn of_file(path: &Path) -> io::Result<(Self, PathBuf)> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let folder = Self::open(folder)?;
        let inside = folder.path.join(name);
        Ok((folder, inside))
    }

    /// Returns the path by which the system reaches the folder while it is open.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Removes a file; refuses a path with a link in it.
pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    let (folder, inside) = OpenFolder::of_file(path)?;
    fs::remove_file(inside)?;
    folder.insist_unchanged()
}

/// Removes an empty folder; refuses a path with a link in it.
pub(crate) fn remove_folder(path: &Path) -> io::Result<()> {
    let (folder, inside) = OpenFolder::of_file(path)?;
    fs::remove_dir(inside)?;
    folder.insist_unchanged()
}

/// Creates a folder; refuses a path with a link in it.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let (folder, inside) = OpenFolder::of_file(path)?;
    fs::create_dir(inside)?;
    folder.insist_unchanged()
}

/// Creates a folder and its missing parents; refuses a path with a link in it.
pub(crate) fn create_folders(path: &Path) -> io::Result<()> {
    match create_folder(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let above = path.parent().ok_or(error)?;
            create_folders(above)?;
            match create_folder(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                made => made,
            }
        }
        // Something with this name exists. The code that uses the folder opens it, and that fails if it is a link.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Renames a file within its folder; refuses a path with a link in it.
pub(crate) fn rename_within(from: &Path, to: &Path) -> io::Result<()> {
    let (folder, from) = OpenFolder::of_file(from)?;
    fs::rename(from, folder.path.join(to.file_name().unwrap_or_default()))?;
    folder.insist_unchanged()
}

/// A path as it was given, and its real location without links. Opening it follows no link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProjectPlace {
    given: PathBuf,
    real: PathBuf,
    /// If true, refuses a file with a second name (a hard link): the other name may be outside the project.
    one_name: bool,
}

/// The error for a file with a second name, which may be outside the project.
#[derive(Debug, thiserror::Error)]
#[error(
    "it has a second name (a hard link), so it may come from outside the project; use a copy of it"
)]
struct SecondName;

/// Returns true if an error says that a file was refused because it has a second name.
pub(crate) fn has_second_name(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<SecondName>())
}

impl ProjectPlace {
    /// Creates a place from a path and its real location; the two may be equal.
    pub(super) fn new(given: &Path, real: PathBuf) -> Self {
        Self { given: given.to_owned(), real, one_name: false }
    }

    /// Creates a place from a path without following links; opening it fails if there is a link on the path.
    pub(crate) fn by_words(path: &Path) -> Self {
        Self::new(path, path.to_owned())
    }

    /// Follows the links of a path, wherever they lead. A part that does not exist is kept as it is written.
    pub(crate) fn follow(path: &Path) -> Self {
        let real = match PathWalk::of(path) {
            Ok(way) => way.real(),
            Err(_) => path.to_owned(),
        };
        Self::new(path, real)
    }

    /// Makes [`Self::open`] refuse a file that has a second name.
    pub(crate) fn with_one_name(self) -> Self {
        Self { one_name: true, ..self }
    }

    /// Replaces the path that [`Self::given`] returns for messages.
    pub(crate) fn with_name(self, given: &Path) -> Self {
        Self { given: given.to_owned(), ..self }
    }

    /// Returns the path as the user or a file named it, for messages.
    pub(crate) fn given_path(&self) -> &Path {
        &self.given
    }

    /// Returns the path without links.
    pub(crate) fn real(&self) -> &Path {
        &self.real
    }

    /// Opens the file and checks the opened file.
    ///
    /// # Errors
    /// Fails if there is a link on the path, if the file has a second name and [`Self::with_one_name`] was called,
    /// and if the system cannot open the file.
    pub(crate) fn open(&self, purpose: Purpose) -> io::Result<(File, Metadata)> {
        let file = open_plain(&self.real, purpose)?;
        self.insist_one_name(&file)?;
        let found = file.metadata()?;
        Ok((file, found))
    }

    /// Checks that an open file has no second name, if [`Self::with_one_name`] was called.
    ///
    /// # Errors
    /// Fails with an error for which [`has_second_name`] returns true.
    pub(crate) fn insist_one_name(&self, file: &File) -> io::Result<()> {
        let is_second =
            self.one_name && file.metadata()?.is_file() && FileNumbers::of_file(file)?.names > 1;
        if is_second { Err(io::Error::other(SecondName)) } else { Ok(()) }
    }

    /// Checks the regular file at this place as [`Self::insist_one_name`] checks an open one.
    ///
    /// # Errors
    /// Fails like [`Self::insist_one_name`], and if there is no file.
    pub(crate) fn insist_one_name_of_path(&self) -> io::Result<()> {
        let is_second = self.one_name && FileNumbers::of_entry(&self.real)?.names > 1;
        if is_second { Err(io::Error::other(SecondName)) } else { Ok(()) }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Creates a folder with a file, a link to the file, and a link to the folder.
    fn world() -> (tempfile::TempDir, PathBuf) {
        let world = tempfile::tempdir().unwrap();
        let root = world.path().canonicalize().unwrap();
        fs::create_dir(root.join("real")).unwrap();
        fs::write(root.join("real/a.md"), "# A\n").unwrap();
        symlink("a.md", root.join("real/link.md")).unwrap();
        symlink("real", root.join("folder")).unwrap();
        (world, root)
    }

    #[test]
    fn both_open_functions_refuse_links() {
        let (_world, root) = world();
        for open in [open_plain, open_then_look] {
            assert!(open(&root.join("real/a.md"), Purpose::Append).is_ok());
            for link in ["real/link.md", "folder/a.md", "folder/new.md"] {
                for purpose in [Purpose::Read, Purpose::AppendOrCreate, Purpose::LockOrCreate] {
                    let refused = open(&root.join(link), purpose).unwrap_err();
                    assert!(is_swapped(&refused), "{link}, {purpose:?}: {refused}");
                }
            }
            let missing = open(&root.join("real/none.md"), Purpose::Read).unwrap_err();
            assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        }
        assert!(!root.join("real/new.md").exists());
    }

    #[test]
    fn folder_behind_a_link_is_neither_created_nor_emptied() {
        let (_world, root) = world();
        assert!(is_swapped(&create_folder(&root.join("folder/new")).unwrap_err()));
        assert!(is_swapped(&create_folders(&root.join("folder/new/deep")).unwrap_err()));
        assert!(is_swapped(&remove_file(&root.join("folder/a.md")).unwrap_err()));
        assert!(root.join("real/a.md").exists() && !root.join("real/new").exists());
        create_folders(&root.join("real/new/deep")).unwrap();
        create_folders(&root.join("real/new/deep")).unwrap();
        rename_within(&root.join("real/a.md"), &root.join("real/b.md")).unwrap();
        remove_file(&root.join("real/b.md")).unwrap();
        remove_folder(&root.join("real/new/deep")).unwrap();
        assert!(!root.join("real/new/deep").exists());
    }

    #[test]
    fn open_folder_is_reached_although_a_link_took_its_name() {
        let (_world, root) = world();
        let (folder, inside) = OpenFolder::of_file(&root.join("real/new.md")).unwrap();
        folder.insist_unchanged().unwrap();
        fs::rename(root.join("real"), root.join("moved")).unwrap();
        fs::create_dir(root.join("outside")).unwrap();
        symlink("outside", root.join("real")).unwrap();
        if cfg!(all(target_os = "linux", not(discussions_portable))) {
            fs::write(inside, "text").unwrap();
            assert!(root.join("moved/new.md").exists());
        } else {
            assert!(is_swapped(&folder.insist_unchanged().unwrap_err()));
        }
        assert!(!root.join("outside/new.md").exists());
    }
}
