//! The folders in which programs are found, without those of a project. A clone can contain a program with any name, and
//! every child process (git, an editor, the interpreter of an agent) looks for further programs in `PATH`.

use std::env::{join_paths, split_paths};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use super::{FILE, canonical};

/// The value of `PATH` if no entry is left. An empty one would mean the folder in which a child process runs.
const NO_PROGRAMS: &str = "/";

/// Returns the value of `PATH` without relative entries, and without entries inside of the projects around a folder.
///
/// A project that contains the user's home is the user's own, for example a home that is a git repository. Its folders
/// stay, because the user's own programs are in them.
pub(crate) fn path_without_projects(path: &OsStr, folder: &Path, home: Option<&Path>) -> OsString {
    let home = home.map(canonical);
    let is_own =
        |project: &PathBuf| home.as_ref().is_some_and(|home| home.starts_with(canonical(project)));
    let projects: Vec<PathBuf> = projects_around(folder).filter(|it| !is_own(it)).collect();
    let is_outside = |entry: &PathBuf| {
        let (real, plain) = (canonical(entry), without_dots(entry));
        let is_inside = |project| plain.starts_with(project) || real.starts_with(project);
        entry.is_absolute() && !projects.iter().any(is_inside)
    };
    // Entries that were split can be joined again.
    let left = join_paths(split_paths(path).filter(is_outside)).unwrap_or_default();
    if left.is_empty() { NO_PROGRAMS.into() } else { left }
}

/// Removes `.` and `..` from a path by its text alone.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Returns the project that a folder belongs to and all projects around it, as they are written and without links.
fn projects_around(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let real = canonical(folder);
    let ways = if real == folder { vec![real] } else { vec![real, folder.to_owned()] };
    ways.into_iter().flat_map(|way| {
        let is_project = |it: &&Path| it.join(".git").exists() || it.join(FILE).exists();
        way.ancestors().filter(is_project).map(Path::to_owned).collect::<Vec<_>>()
    })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs::create_dir_all;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn relative_entries_and_entries_of_the_project_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        for folder in ["home", "super/.git", "super/clone/.git", "super/clone/sub/bin", "bin"] {
            create_dir_all(root.join(folder)).unwrap();
        }
        symlink(root.join("super/clone/sub/bin"), root.join("link")).unwrap();
        symlink(root.join("super/clone"), root.join("way")).unwrap();
        let at = |name: &str| root.join(name).display().to_string();
        let inside = ["super/clone/sub/bin", "super/clone/new", "super/bin", "link", "way/sub/bin"];
        let inside = inside.map(at).join(":");
        let around = format!("{}:{}", at("super/clone/../../bin"), at("bin"));
        let path =
            format!("bin:.::{inside}:{around}:{}:./x:/usr/bin", at("bin/../super/clone/sub"));
        let home = root.join("home");
        for folder in ["super/clone", "super/clone/sub", "way", "way/sub"] {
            let left = path_without_projects(path.as_ref(), &root.join(folder), Some(&home));
            assert_eq!(left.to_str().unwrap(), format!("{around}:/usr/bin"), "{folder}");
        }
        for none in ["", "bin", ":.", "./a:b/c"] {
            assert_eq!(path_without_projects(none.as_ref(), &root, None), "/", "{none:?}");
        }
    }

    #[test]
    fn home_that_is_a_repository_keeps_its_programs() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().canonicalize().unwrap();
        for folder in [".git", ".local/bin", "clone/.git", "clone/bin"] {
            create_dir_all(home.join(folder)).unwrap();
        }
        let own = home.join(".local/bin").display().to_string();
        let path = format!("{own}:{}", home.join("clone/bin").display());
        let left =
            |folder: &str| path_without_projects(path.as_ref(), &home.join(folder), Some(&home));
        assert_eq!(left("clone"), *own);
        assert_eq!(left(""), *path);
    }
}
