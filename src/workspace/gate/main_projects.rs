//! The projects of the main branch over time: folders that a project had before it moved, and projects that are gone.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::gone_projects::has_project;
use super::sides::{Objects, Side, as_folder, in_tree};
use super::version::Version;
use crate::config::{Config, Project};
use crate::store::{FileMode, HistoryReader, LoggedCommit, ObjectId, PathChange, is_page};
use crate::workspace::Checks;

/// The configuration of a project that a step removed.
pub(super) struct RemovedProject {
    /// The folder of its discussions, empty or ending in `/`.
    pub(super) folder: Vec<u8>,
}

impl Checks<'_> {
    /// Returns the folders of discussions that earlier versions of the configuration named, in the folders that the
    /// project had; a push may move both.
    pub(super) fn earlier_folders(
        &self,
        logged: &[LoggedCommit],
        roots: &[Vec<u8>],
        objects: &Objects,
    ) -> BTreeSet<Vec<u8>> {
        let changes = || logged.iter().flat_map(|one| one.changes.iter().flatten());
        let of_root = |root: &Vec<u8>| {
            let file = [root.as_slice(), Project::FILE.as_bytes()].concat();
            let configs = changes().filter(|change| change.path == file);
            let texts: BTreeSet<&ObjectId> =
                configs.flat_map(|change| [&change.old, &change.new]).filter_map(as_file).collect();
            let folders = texts.into_iter().filter_map(|it| self.folder_by(it, root, objects));
            folders.collect::<Vec<_>>()
        };
        roots.iter().flat_map(of_root).collect()
    }

    /// Returns the folder of discussions that a configuration names.
    fn folder_by(&self, config: &ObjectId, root: &[u8], objects: &Objects) -> Option<Vec<u8>> {
        let config = Config::read(&objects.text(config)?, "").ok()?;
        let directory = config.output.directory;
        let directory = directory.unwrap_or_else(|| self.setup.default_directory());
        let parts: Vec<&[u8]> = directory.iter().map(|part| part.as_encoded_bytes()).collect();
        Some(as_folder([root, parts.join(&b'/').as_slice()].concat()))
    }

    /// Returns the projects that a step removed and that the last commit lacks, without those in the folders of others.
    pub(super) fn removed_projects(
        &self,
        changes: &[PathChange],
        (head, others, own): (&Side, &[Vec<u8>], &[Vec<u8>]),
        (history, objects): (&HistoryReader, &Objects),
    ) -> Vec<RemovedProject> {
        let removed = changes.iter().filter_map(|change| {
            let root = root_of(&change.path)?;
            let config = as_file(&change.old).filter(|_| change.new.is_none())?;
            Some((root, config))
        });
        let mut found = Vec::new();
        for (root, config) in removed {
            let here = in_tree(history.top(), &super::super::history::real(&self.setup.cwd));
            let is_here = root.starts_with(&as_folder(here.unwrap_or_default()));
            let is_of_others = others.iter().any(|other| root.starts_with(other));
            if is_here
                && !is_of_others
                && !own.iter().any(|own| own == root)
                && !has_project(&head.tree, root)
            {
                let folder = self.folder_by(config, root, objects);
                found.extend(folder.map(|folder| RemovedProject { folder }));
            }
        }
        found
    }

    /// Returns all discussions of the last commit, at or below the working folder.
    pub(super) fn all_discussions(
        &self,
        head: &Side,
        (history, objects): (&HistoryReader, &Objects),
    ) -> Vec<Rc<Version>> {
        let below = self.discussions_below(head, |_| true, (history, objects));
        let own = head.files.keys().filter_map(|path| head.version(path, objects));
        below.into_iter().chain(own).collect()
    }
}

/// Returns the folders that a project had, with its present one: a commit that adds its configuration and removes
/// another one moved it, if it moved pages, too, and more of them than to another new project.
pub(super) fn roots_over_time(logged: &[LoggedCommit], root: &[u8]) -> Vec<Vec<u8>> {
    let mut roots = vec![root.to_vec()];
    for changes in logged.iter().rev().flat_map(|one| &one.changes) {
        let added =
            || changes.iter().filter(|it| it.old.is_none()).filter_map(|it| root_of(&it.path));
        let is_known = |new: &&[u8]| roots.iter().any(|root| root == new);
        let Some(new) = added().find(is_known) else { continue };
        let gone = changes.iter().filter(|it| it.new.is_none()).filter_map(|it| root_of(&it.path));
        let moved = |gone: &[u8]| moved_pages(changes, gone, new);
        let is_most = |gone: &&[u8]| {
            let most = added().map(|other| moved_pages(changes, gone, other)).max();
            moved(gone) > (0, 0) && most == Some(moved(gone))
        };
        let best = gone.filter(is_most).max_by_key(|gone| moved(gone)).map(<[u8]>::to_vec);
        roots.extend(best.filter(|best| !roots.contains(best)));
    }
    roots
}

/// Counts the pages that a commit moves from one folder to another: those with the same bytes, and all.
fn moved_pages(changes: &[PathChange], from: &[u8], to: &[u8]) -> (usize, usize) {
    let pages = || changes.iter().filter(|change| is_page(&change.path));
    let new: HashMap<&[u8], Option<&ObjectId>> = pages()
        .filter(|it| it.old.is_none())
        .filter_map(|it| Some((it.path.strip_prefix(to)?, as_file(&it.new))))
        .collect();
    let old = pages().filter(|it| it.new.is_none());
    let moved: Vec<bool> = old
        .filter_map(|it| Some((new.get(it.path.strip_prefix(from)?)?, as_file(&it.old))))
        .map(|(new, old)| *new == old)
        .collect();
    (moved.iter().filter(|is_same| **is_same).count(), moved.len())
}

/// Returns the folder of a configuration, empty or ending in `/`.
fn root_of(path: &[u8]) -> Option<&[u8]> {
    let root = path.strip_suffix(Project::FILE.as_bytes())?;
    (root.is_empty() || root.ends_with(b"/")).then_some(root)
}

fn as_file(side: &Option<(FileMode, ObjectId)>) -> Option<&ObjectId> {
    side.as_ref().filter(|(mode, _)| *mode == FileMode::File).map(|(_, object)| object)
}
