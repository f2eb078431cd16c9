//! Scenarios that are built once in a run of the tests and copied for each test. Building a repository with discussions
//! starts about ten processes; a copy starts none.

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::scenario::Scenario;

/// A scenario from which tests begin. It has no journals, because a journal belongs to the folder in which it was written.
pub(crate) struct Template {
    build: fn() -> Scenario,
    built: OnceLock<BuiltTemplate>,
}

struct BuiltTemplate {
    root: PathBuf,
    path: OsString,
    variables: Vec<(String, String)>,
    files: FolderCopy,
}

impl Template {
    pub(crate) const fn new(build: fn() -> Scenario) -> Self {
        Self { build, built: OnceLock::new() }
    }

    /// Returns a new scenario with the files and the environment of the template.
    pub(crate) fn copy(&self) -> Scenario {
        let built = self.built.get_or_init(|| BuiltTemplate::read(&(self.build)()));
        let root = tempfile::tempdir().unwrap();
        built.files.write(root.path());
        let moved = |text: &OsStr| with_other_root(text, &built.root, root.path());
        let path = moved(&built.path);
        let variable = |(key, value): &(String, String)| {
            (key.clone(), moved(OsStr::new(value)).into_string().unwrap())
        };
        let variables = built.variables.iter().map(variable).collect();
        Scenario { root, path, variables }
    }
}

impl BuiltTemplate {
    fn read(scenario: &Scenario) -> Self {
        let root = scenario.root.path().to_owned();
        let files = FolderCopy::read(&root);
        let journal =
            files.0.iter().find(|(name, _)| name.extension().is_some_and(|end| end == "journal"));
        assert!(journal.is_none(), "{} would be another folder's", journal.unwrap().0.display());
        Self { root, path: scenario.path.clone(), variables: scenario.variables.clone(), files }
    }
}

/// All files of a folder, in memory, so that no folder is left when the tests end. A folder comes before its content.
pub(super) struct FolderCopy(Vec<(PathBuf, CopiedFile)>);

enum CopiedFile {
    Folder,
    Link(PathBuf),
    File { bytes: Vec<u8>, mode: u32 },
}

impl FolderCopy {
    pub(super) fn read(root: &Path) -> Self {
        let mut files = Vec::new();
        read_folder(root, Path::new(""), &mut files);
        Self(files)
    }

    /// Writes the files to a folder that has none of them.
    pub(super) fn write(&self, root: &Path) {
        for (name, file) in &self.0 {
            let path = root.join(name);
            match file {
                CopiedFile::Folder => fs::create_dir(path).unwrap(),
                CopiedFile::Link(target) => symlink(target, path).unwrap(),
                CopiedFile::File { bytes, mode } => {
                    let mut new = OpenOptions::new();
                    let mut new = new.write(true).create_new(true).mode(*mode).open(path).unwrap();
                    new.write_all(bytes).unwrap();
                }
            }
        }
    }
}

fn read_folder(root: &Path, folder: &Path, files: &mut Vec<(PathBuf, CopiedFile)>) {
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let name = folder.join(entry.unwrap().file_name());
        let path = root.join(&name);
        let about = fs::symlink_metadata(&path).unwrap();
        if about.is_dir() {
            files.push((name.clone(), CopiedFile::Folder));
            read_folder(root, &name, files);
        } else if about.is_symlink() {
            files.push((name, CopiedFile::Link(fs::read_link(path).unwrap())));
        } else {
            let bytes = fs::read(path).unwrap();
            files.push((name, CopiedFile::File { bytes, mode: about.mode() & 0o777 }));
        }
    }
}

/// Replaces the root at all places of a text, such as `PATH`.
fn with_other_root(text: &OsStr, old: &Path, new: &Path) -> OsString {
    let (old, new) = (old.as_os_str().as_bytes(), new.as_os_str().as_bytes());
    let mut left = text.as_bytes();
    let mut moved = Vec::new();
    while let Some(place) = left.windows(old.len()).position(|window| window == old) {
        moved.extend_from_slice(&left[..place]);
        moved.extend_from_slice(new);
        left = &left[place + old.len()..];
    }
    moved.extend_from_slice(left);
    OsString::from_vec(moved)
}
