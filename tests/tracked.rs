//! The files of the repository: those that git tracks, whatever else lies in a clone, such as the discussions of the quick
//! start.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// Folders that tools make. They count only in an unpacked archive, in which nothing is tracked.
const MADE: [&str; 5] = [".git", ".venv", "__pycache__", "node_modules", "target"];

/// The paths of all files from the root, with `/`.
pub(crate) fn files() -> &'static BTreeSet<String> {
    static FILES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let root = crate::root();
        tracked(root).unwrap_or_else(|| unpacked(root))
    });
    &FILES
}

/// The files below a folder, which may be named with a slash at its end.
pub(crate) fn below(folder: &str) -> impl Iterator<Item = &'static str> {
    let inside = format!("{}/", folder.trim_end_matches('/'));
    files().iter().map(String::as_str).filter(move |path| path.starts_with(&inside))
}

/// Whether a path is a file of the repository, or a folder with one.
pub(crate) fn has(path: &str) -> bool {
    files().contains(path) || below(path).next().is_some()
}

/// Asks git; returns `None` if the folder is not the root of a repository.
fn tracked(root: &Path) -> Option<BTreeSet<String>> {
    let git = |args: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(args).output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    };
    // An archive may have been unpacked inside of another repository.
    if !git(&["rev-parse", "--show-prefix"])?.trim().is_empty() {
        return None;
    }
    let paths = git(&["ls-files", "-z"])?;
    // A file may be deleted and still be tracked.
    let here = paths.split_terminator('\0').filter(|path| root.join(path).is_file());
    Some(here.map(str::to_owned).collect())
}

/// Returns all files but those in folders that tools and the quick start make.
fn unpacked(root: &Path) -> BTreeSet<String> {
    let entries = walkdir::WalkDir::new(root).into_iter().filter_entry(|entry| {
        let name = entry.file_name();
        let is_made = MADE.iter().any(|made| name == *made);
        !(is_made || entry.depth() == 1 && name == "discussions")
    });
    let files = entries.map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| {
            let path = entry.path().strip_prefix(root).unwrap();
            path.to_str().unwrap().replace('\\', "/")
        })
        .collect()
}

#[test]
fn only_tracked_files_count_and_all_files_of_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (name, text) in
        [("src/lib.rs", ""), ("discussions/a.md", ""), ("target/x", ""), ("docs/discussions/b", "")]
    {
        std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        std::fs::write(root.join(name), text).unwrap();
    }
    assert_eq!(tracked(root), None);
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(unpacked(root), names(&["docs/discussions/b", "src/lib.rs"]));
    for args in [&["init", "-q"][..], &["add", "src"]] {
        assert!(Command::new("git").arg("-C").arg(root).args(args).status().unwrap().success());
    }
    assert_eq!(tracked(root), Some(names(&["src/lib.rs"])));
    assert_eq!(tracked(&root.join("src")), None, "a folder inside of a repository");
}
