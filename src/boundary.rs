//! Where a path really leads, and whether that is still in the project: a repository can carry links to files of
//! whoever clones it, which must neither be sent to a model nor be written to.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

mod open;
mod place;

pub(crate) use self::open::{
    OpenFolder, Purpose, create_folder, create_folders, is_swapped, open_plain, remove_file,
    remove_folder, rename_within, swapped,
};
pub(crate) use self::place::{Place, has_second_name};
use crate::transcript::visible_line;

/// The file that makes a folder a project.
pub(crate) const FILE: &str = "discussions.yaml";

/// More links than any system follows.
const MOST_LINKS: usize = 64;

/// Why a path is not followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} leads outside the project {}{}; copy it into the project, or give its real path",
    named(.path), named(.root), whither(.path, .link.as_deref(), .target)
)]
pub struct Outside {
    /// What was to be read or written.
    pub path: PathBuf,
    /// The link that leads out; none: the path itself does, by its words.
    pub link: Option<PathBuf>,
    /// Where it leads, as far as that exists canonical.
    pub target: PathBuf,
    /// The folder that it may not leave, canonical.
    pub root: PathBuf,
}

fn whither(path: &Path, link: Option<&Path>, target: &Path) -> String {
    match link {
        Some(link) if link != path => {
            format!(", through the link {} to {}", named(link), named(target))
        }
        Some(_) => format!(": it is a link to {}", named(target)),
        None => format!(", to {}", named(target)),
    }
}

fn named(path: &Path) -> String {
    visible_line(&path.to_string_lossy())
}

/// The project that a folder belongs to: the git work tree around it, else the nearest folder upwards with a
/// `discussions.yaml`.
pub(crate) fn project(folder: &Path) -> Option<PathBuf> {
    work_tree(folder).or_else(|| around(folder, FILE))
}

/// The git work tree around a folder.
pub(crate) fn work_tree(folder: &Path) -> Option<PathBuf> {
    around(folder, ".git")
}

fn around(folder: &Path, name: &str) -> Option<PathBuf> {
    folder.ancestors().find(|folder| folder.join(name).exists()).map(Path::to_path_buf)
}

/// Insists that no link on the way leads out of the project that the link stands in. Of a link that stands in no
/// project `loose` says, given the link and whether it is the path itself, which folder it may not leave; none: any.
///
/// Whoever names a path outside on purpose goes through no link of a project. What cannot be looked at is left to whoever
/// opens it.
///
/// # Errors
/// [`Outside`] with the first link that does.
pub fn insist(path: &Path, loose: impl Fn(&Path, bool) -> Option<PathBuf>) -> Result<(), Outside> {
    resolve(path, loose).map(drop)
}

/// Follows a path as [`insist`] does and gives the place where it leads. Whoever opens that place follows no link again,
/// so nothing that is swapped meanwhile leads them elsewhere.
///
/// # Errors
/// As [`insist`].
pub(crate) fn resolve(
    path: &Path,
    loose: impl Fn(&Path, bool) -> Option<PathBuf>,
) -> Result<Place, Outside> {
    // Opening it will say what is wrong with it.
    let Ok(way) = Way::of(path) else { return Ok(Place::by_words(path)) };
    let real = way.real();
    for (link, is_last) in way.links {
        let folder = link.parent().unwrap_or(Path::new("/"));
        let root = project(folder).or_else(|| loose(&link, is_last && !real.is_dir()));
        if let Some(root) = root
            && let Some(target) = beyond(&real, &root)
        {
            return Err(Outside { path: path.to_owned(), link: Some(link), target, root });
        }
    }
    Ok(Place::new(path, real))
}

/// Insists that a path, which a project's own files name, stays in the project of the folder they stand in, and gives the
/// place where it leads.
///
/// # Errors
/// [`Outside`] when it does not.
pub(crate) fn within(path: &Path, folder: &Path) -> Result<Place, Outside> {
    let root = project(folder).unwrap_or_else(|| folder.to_owned());
    let Ok(way) = Way::of(path) else { return Ok(Place::by_words(path)) };
    let real = way.real();
    match beyond(&real, &root) {
        Some(target) => {
            let link = way.links.into_iter().map(|(link, _)| link);
            let link = link.into_iter().find(|link| link.starts_with(canonical(&root)));
            Err(Outside { path: path.to_owned(), link, target, root })
        }
        None => Ok(Place::new(path, real)),
    }
}

/// The end of a way, canonical, if it lies outside a folder or among git's own files: no commit holds those, and they may
/// name passwords and programs to be run.
fn beyond(end: &Path, root: &Path) -> Option<PathBuf> {
    let is_gits = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
    let inside =
        end.strip_prefix(canonical(root)).is_ok_and(|rest| !rest.components().any(is_gits));
    (!inside).then(|| end.to_owned())
}

fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A path, followed link by link.
struct Way {
    /// Every link that was followed, where it really stands, and whether nothing came after it.
    links: Vec<(PathBuf, bool)>,
    /// Where it ends. What does not exist is taken by its words.
    end: PathBuf,
}

impl Way {
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

    /// Where it ends, as the system spells it. On Linux a path without links is spelled so already, and asking for it
    /// costs time in large folders.
    fn real(&self) -> PathBuf {
        match cfg!(target_os = "linux") && self.links.is_empty() {
            true => self.end.clone(),
            false => canonical(&self.end),
        }
    }

    /// Replaces a link at the end by what it says.
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

/// Puts the parts of a path before what is still ahead.
fn push(ahead: &mut Vec<OsString>, path: &Path) {
    ahead.extend(path.components().rev().map(|part| part.as_os_str().to_owned()));
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A project beside a folder that is none of its business.
    fn world() -> (tempfile::TempDir, PathBuf) {
        let world = tempfile::tempdir().unwrap();
        let root = world.path().canonicalize().unwrap();
        for file in ["project/discussions.yaml", "project/talk/a.md", "other/secret.md"] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "# A\n").unwrap();
        }
        (world, root)
    }

    fn follow(path: &Path) -> Result<(), Outside> {
        insist(path, |_, _| None)
    }

    #[test]
    fn links_may_lead_anywhere_in_their_project_and_nowhere_else() {
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
    fn a_way_to_a_project_may_go_through_any_link() {
        let (_world, root) = world();
        symlink(root.join("project"), root.join("shortcut")).unwrap();
        symlink("a.md", root.join("project/talk/b.md")).unwrap();
        assert_eq!(follow(&root.join("shortcut/talk/b.md")), Ok(()));
        // Links from outside that lead through a project's link do not make it harmless.
        symlink(root.join("other/secret.md"), root.join("project/talk/out.md")).unwrap();
        symlink(root.join("shortcut/talk/out.md"), root.join("innocent.md")).unwrap();
        assert!(follow(&root.join("innocent.md")).is_err());
        assert_eq!(follow(&root.join("other/secret.md")), Ok(()));
    }

    #[test]
    fn what_stands_in_no_project_is_asked_for() {
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
    fn the_work_tree_is_the_project_where_there_is_one() {
        let (_world, root) = world();
        symlink("../../other/secret.md", root.join("project/talk/out.md")).unwrap();
        fs::write(root.join(".git"), "gitdir: elsewhere\n").unwrap();
        assert_eq!(follow(&root.join("project/talk/out.md")), Ok(()));
        fs::create_dir(root.join("project/.git")).unwrap();
        assert!(follow(&root.join("project/talk/out.md")).is_err());
        // Git's own files are no part of it.
        symlink("../.git/config", root.join("project/talk/config.md")).unwrap();
        assert!(follow(&root.join("project/talk/config.md")).is_err());
        assert!(within(&root.join("project/.git/hooks"), &root.join("project")).is_err());
    }

    #[test]
    fn words_may_lead_out_as_links_do() {
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
            assert_eq!(within(&project.join(path), &project).is_ok(), fine, "{path}");
        }
        symlink(root.join("other"), project.join("link")).unwrap();
        let refused = within(&project.join("link/new"), &project).unwrap_err();
        assert_eq!(refused.link, Some(project.join("link")));
    }
}
