//! Follows paths link by link and checks that they stay inside the project. A cloned repository can
//! contain links to private files of the user. These files must never be changed or sent to a
//! model.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

mod open;
mod programs;

pub(crate) use self::open::{
    OpenFolder, ProjectPlace, Purpose, create_folder, create_folders, has_second_name, is_swapped,
    open_plain, remove_file, remove_folder, rename_within, swapped,
};
pub(crate) use self::programs::path_without_projects;
use crate::platform::PATHS_HAVE_ONE_SPELLING;
use crate::transcript::visible_line;

/// The file that makes a folder a project.
pub(crate) const FILE: &str = "discussions.yaml";

/// The maximum number of links that are followed on one path; no operating system follows more.
const MOST_LINKS: usize = 64;

/// The error for a path that leads outside its project.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} leads outside the project {}{}; copy it into the project, or give its real path",
    shown_name(.path), shown_name(.root), whither(.path, .link.as_deref(), .target)
)]
pub struct EscapesProject {
    /// The path that was to be read or written.
    pub path: PathBuf,
    /// The link that leads out of the project; none if the path leaves it without a link, for example by `..`.
    pub link: Option<PathBuf>,
    /// The place where the path leads; canonical, as far as it exists.
    pub target: PathBuf,
    /// The folder that the path may not leave, canonical.
    pub root: PathBuf,
}

fn whither(path: &Path, link: Option<&Path>, target: &Path) -> String {
    match link {
        Some(link) if link != path => {
            format!(", through the link {} to {}", shown_name(link), shown_name(target))
        }
        Some(_) => format!(": it is a link to {}", shown_name(target)),
        None => format!(", to {}", shown_name(target)),
    }
}

fn shown_name(path: &Path) -> String {
    visible_line(&path.to_string_lossy())
}

/// Returns the project that a folder belongs to: the git work tree around the folder, or else the nearest folder,
/// from this one upwards, that contains a `discussions.yaml`.
pub(crate) fn project(folder: &Path) -> Option<PathBuf> {
    work_tree(folder).or_else(|| git_root_around(folder, FILE))
}

/// Returns the git work tree around a folder.
pub(crate) fn work_tree(folder: &Path) -> Option<PathBuf> {
    git_root_around(folder, ".git")
}

fn git_root_around(folder: &Path, name: &str) -> Option<PathBuf> {
    folder.ancestors().find(|folder| folder.join(name).exists()).map(Path::to_path_buf)
}

/// Checks that no link on the path leads out of the project that contains the link.
///
/// For a link outside of every project, `loose` returns the folder that the link may not leave, or none if the link
/// may lead anywhere. `loose` gets the link, and `true` if the link is the last part of the path and does not lead to
/// a folder.
///
/// If a user names a path outside the project on purpose, the path contains no link of a project, so the check allows
/// it. If the path cannot be examined, the check passes and opening the file reports the error.
///
/// # Errors
/// Returns [`EscapesProject`] for the first link that leads out of its project.
pub fn insist(
    path: &Path,
    loose: impl Fn(&Path, bool) -> Option<PathBuf>,
) -> Result<(), EscapesProject> {
    resolve(path, loose).map(drop)
}

/// Follows and checks a path like [`insist`], and returns the place where it leads. Opening that place follows no
/// links, so a file that is swapped for a link after this check cannot lead anywhere else.
///
/// # Errors
/// Returns [`EscapesProject`] for the first link that leads out of its project.
pub(crate) fn resolve(
    path: &Path,
    loose: impl Fn(&Path, bool) -> Option<PathBuf>,
) -> Result<ProjectPlace, EscapesProject> {
    // The path cannot be examined; opening it will report the reason.
    let Ok(way) = PathWalk::of(path) else { return Ok(ProjectPlace::by_words(path)) };
    let real = way.real();
    for (link, is_last) in way.links {
        let folder = link.parent().unwrap_or(Path::new("/"));
        let root = project(folder).or_else(|| loose(&link, is_last && !real.is_dir()));
        if let Some(root) = root
            && let Some(target) = escaping_target(&real, &root)
        {
            return Err(EscapesProject { path: path.to_owned(), link: Some(link), target, root });
        }
    }
    Ok(ProjectPlace::new(path, real))
}

/// Checks that a path that is written in a file of a project stays inside that project. `folder` is the folder of the
/// file. Returns the place where the path leads.
///
/// # Errors
/// Returns [`EscapesProject`] if the path leaves the project.
pub(crate) fn ensure_within(path: &Path, folder: &Path) -> Result<ProjectPlace, EscapesProject> {
    let root = project(folder).unwrap_or_else(|| folder.to_owned());
    let Ok(way) = PathWalk::of(path) else { return Ok(ProjectPlace::by_words(path)) };
    let real = way.real();
    match escaping_target(&real, &root) {
        Some(target) => {
            let link = way.links.into_iter().map(|(link, _)| link);
            let link = link.into_iter().find(|link| link.starts_with(canonical(&root)));
            Err(EscapesProject { path: path.to_owned(), link, target, root })
        }
        None => Ok(ProjectPlace::new(path, real)),
    }
}

/// Returns the end of a path, canonical, if it lies outside `root` or inside a `.git` folder. Git's own files are
/// never part of a commit, and they can contain passwords and name programs that git runs.
fn escaping_target(end: &Path, root: &Path) -> Option<PathBuf> {
    let is_gits = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
    let inside =
        end.strip_prefix(canonical(root)).is_ok_and(|rest| !rest.components().any(is_gits));
    (!inside).then(|| end.to_owned())
}

fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A path, followed link by link.
struct PathWalk {
    /// Every link that was followed: its real location, and `true` if it was the last part of the path.
    links: Vec<(PathBuf, bool)>,
    /// The path without links. A part that does not exist is kept as it is written.
    end: PathBuf,
}

impl PathWalk {
    fn of(path: &Path) -> io::Result<Self> {
        let mut way = Self { links: Vec::new(), end: PathBuf::new() };
        let mut ahead: Vec<OsString> = Vec::new();
        push(&mut ahead, &std::path::absolute(path)?);
        while let Some(step) = ahead.pop() {
            match Path::new(&step).components().next() {
                None | Some(Component::CurDir) => {}
                Some(Component::ParentDir) => {
                    way.end.pop();
                }
                Some(_) => {
                    way.end.push(&step);
                    way.follow(&mut ahead)?;
                }
            }
        }
        Ok(way)
    }

    /// Returns the end of the path as the operating system spells it. A path without links may already be spelled that
    /// way, and asking the system takes time in large folders.
    fn real(&self) -> PathBuf {
        if PATHS_HAVE_ONE_SPELLING && self.links.is_empty() {
            self.end.clone()
        } else {
            canonical(&self.end)
        }
    }

    /// If the path built so far ends in a link, replaces the link by its target.
    fn follow(&mut self, ahead: &mut Vec<OsString>) -> io::Result<()> {
        if !self.end.is_symlink() {
            return Ok(());
        }
        if self.links.len() == MOST_LINKS {
            return Err(io::Error::other("too many links"));
        }
        let target = fs::read_link(&self.end)?;
        self.links.push((self.end.clone(), ahead.is_empty()));
        self.end.pop();
        push(ahead, &target);
        Ok(())
    }
}

/// Pushes the parts of a path onto the stack of parts that are still to be visited.
fn push(ahead: &mut Vec<OsString>, path: &Path) {
    ahead.extend(path.components().rev().map(|part| part.as_os_str().to_owned()));
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Creates a project, and beside it a folder that does not belong to the project.
    fn world() -> (tempfile::TempDir, PathBuf) {
        let world = tempfile::tempdir().unwrap();
        let root = world.path().canonicalize().unwrap();
        for file in ["project/discussions.yaml", "project/talk/a.md", "other/secret.md"] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "# A\n").unwrap();
        }
        (world, root)
    }

    fn follow(path: &Path) -> Result<(), EscapesProject> {
        insist(path, |_, _| None)
    }

    #[test]
    fn links_inside_the_project_are_followed_and_others_refused() {
        let (_world, root) = world();
        let talk = root.join("project/talk");
        for (name, target, fine) in [
            ("same.md", "a.md", true),
            ("above.md", "../talk/a.md", true),
            ("there_and_back.md", "../../project/talk/a.md", true),
            ("out.md", "../../other/secret.md", false),
            ("chain.md", "out.md", false),
            ("gone.md", "../../other/none.md", false),
            ("etc.md", "/etc/passwd", false),
            ("folder", "../../other", false),
            ("around.md", "folder/../project/talk/a.md", true),
            ("loop.md", "loop.md", true),
        ] {
            symlink(target, talk.join(name)).unwrap();
            assert_eq!(follow(&talk.join(name)).is_ok(), fine, "{name}");
        }
        let refused = follow(&talk.join("folder/secret.md")).unwrap_err();
        assert_eq!(refused.link.as_ref(), Some(&talk.join("folder")));
        assert_eq!(refused.target, root.join("other/secret.md"));
        let refused = follow(&talk.join("chain.md")).unwrap_err().to_string();
        assert!(refused.contains("chain.md leads outside the project"), "{refused}");
        assert!(refused.contains("is a link to"), "{refused}");
        assert!(refused.contains("other/secret.md"), "{refused}");
    }

    #[test]
    fn path_to_a_project_may_contain_any_link() {
        let (_world, root) = world();
        symlink(root.join("project"), root.join("shortcut")).unwrap();
        symlink("a.md", root.join("project/talk/b.md")).unwrap();
        assert_eq!(follow(&root.join("shortcut/talk/b.md")), Ok(()));
        // `innocent.md` is outside the project and leads to a link inside the project, which is refused as always.
        symlink(root.join("other/secret.md"), root.join("project/talk/out.md")).unwrap();
        symlink(root.join("shortcut/talk/out.md"), root.join("innocent.md")).unwrap();
        assert!(follow(&root.join("innocent.md")).is_err());
        assert_eq!(follow(&root.join("other/secret.md")), Ok(()));
    }

    #[test]
    fn root_of_a_link_outside_a_project_comes_from_the_caller() {
        let (_world, root) = world();
        symlink(root.join("other"), root.join("project.link")).unwrap();
        symlink("../project/talk/a.md", root.join("other/a.md")).unwrap();
        let own = |link: &Path, is_last: bool| is_last.then(|| link.parent().unwrap().to_owned());
        assert!(insist(&root.join("other/a.md"), own).is_err());
        assert_eq!(insist(&root.join("project.link/secret.md"), own), Ok(()));
        assert_eq!(insist(&root.join("project.link"), own), Ok(()));
        assert_eq!(follow(&root.join("other/a.md")), Ok(()));
    }

    #[test]
    fn work_tree_is_the_project_if_there_is_one() {
        let (_world, root) = world();
        symlink("../../other/secret.md", root.join("project/talk/out.md")).unwrap();
        fs::write(root.join(".git"), "gitdir: elsewhere\n").unwrap();
        assert_eq!(follow(&root.join("project/talk/out.md")), Ok(()));
        fs::create_dir(root.join("project/.git")).unwrap();
        assert!(follow(&root.join("project/talk/out.md")).is_err());
        // The files in `.git` are not part of the project.
        symlink("../.git/config", root.join("project/talk/config.md")).unwrap();
        assert!(follow(&root.join("project/talk/config.md")).is_err());
        assert!(ensure_within(&root.join("project/.git/hooks"), &root.join("project")).is_err());
    }

    #[test]
    fn paths_may_leave_the_project_only_as_links_do() {
        let (_world, root) = world();
        let project = root.join("project");
        for (path, fine) in [
            ("talk", true),
            ("new/deep", true),
            (".", true),
            ("talk/../../project/talk", true),
            ("..", false),
            ("../projectile", false),
            ("new/../../other", false),
            ("/etc", false),
        ] {
            assert_eq!(ensure_within(&project.join(path), &project).is_ok(), fine, "{path}");
        }
        symlink(root.join("other"), project.join("link")).unwrap();
        let refused = ensure_within(&project.join("link/new"), &project).unwrap_err();
        assert_eq!(refused.link, Some(project.join("link")));
    }
}
