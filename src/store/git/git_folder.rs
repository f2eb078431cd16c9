//! The folder with git's own files of a working tree, found without a process.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use super::repository::is_gits;

/// The maximum size of a file that names a folder, in bytes.
const MAX_LINK_BYTES: u64 = 1 << 16;

/// The folders with git's own files, canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GitFolder {
    /// The folder of this working tree.
    own: PathBuf,
    /// The folder that all working trees of the repository share.
    common: PathBuf,
}

impl GitFolder {
    /// Returns the folder that the `.git` of a working tree is, or names. `None` if there is none.
    pub(super) fn of(top: &Path) -> Option<Self> {
        let entry = top.join(".git");
        let named = if entry.is_dir() {
            entry
        } else {
            let text = read_link(&entry)?;
            top.join(text.strip_prefix("gitdir: ")?.trim_end_matches(['\r', '\n']))
        };
        let own = fs::canonicalize(named).ok()?;
        let shared = own.join("commondir");
        let common = match fs::symlink_metadata(&shared) {
            Err(error) if error.kind() == ErrorKind::NotFound => own.clone(),
            _ => {
                let text = read_link(&shared)?;
                fs::canonicalize(own.join(text.trim_end_matches(['\r', '\n']))).ok()?
            }
        };
        Some(Self { own, common })
    }

    /// Returns true if both folders are in a folder named `.git`, which nobody can commit. A folder of any other name
    /// may have come with the files.
    pub(super) fn is_users_own(&self) -> bool {
        is_gits(&self.own) && is_gits(&self.common)
    }

    /// Returns the commits at which a shallow clone cuts the history off.
    pub(super) fn boundaries(&self) -> Vec<String> {
        let listed = fs::read_to_string(self.common.join("shallow")).unwrap_or_default();
        listed.lines().map(str::to_owned).collect()
    }
}

fn read_link(file: &Path) -> Option<String> {
    if !fs::metadata(file).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    File::open(file).ok()?.take(MAX_LINK_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_of_a_working_tree_is_found_behind_files() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let folder = |name: &str| GitFolder::of(&root.join(name));
        write("main/.git/shallow", "12\n34\n");
        write("main/.git/worktrees/w/commondir", "../..\n");
        write("w/.git", &format!("gitdir: {}\n", root.join("main/.git/worktrees/w").display()));
        write("foreign/.git", "gitdir: evil\n");
        write("foreign/evil/config", "");
        write("half/.git/commondir", "../../foreign/evil\n");
        write("wrong/.git", "no folder\n");
        let main = folder("main").unwrap();
        assert_eq!(main.common, main.own);
        let worktree = folder("w").unwrap();
        assert_eq!(worktree.common, main.own);
        assert!(main.is_users_own() && worktree.is_users_own());
        assert_eq!(worktree.boundaries(), ["12", "34"]);
        assert!(!folder("foreign").unwrap().is_users_own());
        assert!(!folder("half").unwrap().is_users_own());
        assert_eq!((folder("wrong"), folder("none")), (None, None));
    }
}
