//! Finds the folder that a project had before it moved together with its configuration. Its earlier discussions, people
//! and rules are those of that folder, so a move drops none of them.

use std::collections::HashSet;
use std::path::Path;

use super::gone_projects::has_project;
use super::sides::{Objects, Side, folder_in};
use crate::config::Project;
use crate::store::{BlockText, ObjectId, Tree};

/// The projects of a head that had another folder in an earlier tree.
pub(super) struct MovedProjects<'a> {
    earlier: &'a Tree,
    head: &'a Tree,
    objects: &'a Objects,
    /// The folder of discussions of a project whose configuration names none.
    default: &'a Path,
    /// The folders whose configuration only the earlier tree has, each empty or ending in `/`.
    gone: Vec<Vec<u8>>,
}

impl<'a> MovedProjects<'a> {
    pub(super) fn between(
        earlier: &'a Tree,
        head: &'a Tree,
        objects: &'a Objects,
        default: &'a Path,
    ) -> Self {
        let gone = project_roots(earlier).filter(|root| !has_project(head, root));
        let gone = gone.map(<[u8]>::to_vec).collect();
        Self { earlier, head, objects, default, gone }
    }

    /// Returns the folder that a project had: that of the project whose configuration is gone and that has the most
    /// discussions of this one, or else the same folder.
    pub(super) fn earlier_root(&self, root: &[u8]) -> Vec<u8> {
        if self.gone.is_empty() || has_project(self.earlier, root) {
            return root.to_vec();
        }
        let now = self.discussions(self.head, root);
        let shared = |gone: &&Vec<u8>| {
            let before = self.discussions(self.earlier, gone);
            let shares = |path: &Vec<u8>| now.has(&before, path, self.objects);
            before.side.files.keys().filter(|path| shares(path)).count()
        };
        let all = self.gone.iter().map(|gone| (shared(&gone), gone));
        let best = all.filter(|(shared, _)| *shared > 0).max_by_key(|(shared, _)| *shared);
        best.map_or_else(|| root.to_vec(), |(_, gone)| gone.clone())
    }

    /// Returns the folders that a project of the earlier tree has in the head, in order; none if nothing took it over.
    pub(super) fn later_roots(&self, root: &[u8]) -> Vec<Vec<u8>> {
        if !self.gone.iter().any(|gone| gone == root) {
            return Vec::new();
        }
        let new = project_roots(self.head).filter(|new| self.earlier_root(new) == root);
        new.map(<[u8]>::to_vec).collect()
    }

    /// Returns true if another project than the one in a folder has a discussion with this topic, among those that
    /// have the same earlier folder.
    pub(super) fn is_elsewhere(&self, root: &[u8], earlier_root: &[u8], topic: &BlockText) -> bool {
        let others = self.later_roots(earlier_root).into_iter().filter(|other| other != root);
        let mut others = others.map(|other| self.discussions(self.head, &other));
        others.any(|other| other.has_topic(topic, self.objects))
    }

    fn discussions(&self, tree: &Tree, root: &[u8]) -> Discussions {
        let folder = folder_in(tree, root, self.objects, self.default);
        let files = tree.below(&folder).map(|(path, file)| (path.clone(), file.clone()));
        let side = Side::new(Tree(files.collect()), vec![folder], self.objects);
        let objects = side.files.values().filter_map(|file| file.object.clone()).collect();
        Discussions { side, objects }
    }
}

/// The discussions of a project in a tree.
struct Discussions {
    side: Side,
    objects: HashSet<ObjectId>,
}

impl Discussions {
    /// Returns true if these have a discussion of others: its bytes, or its topic.
    fn has(&self, others: &Self, path: &[u8], objects: &Objects) -> bool {
        let object = others.side.files.get(path).and_then(|file| file.object.as_ref());
        object.is_some_and(|object| self.objects.contains(object))
            || others
                .side
                .version(path, objects)
                .is_some_and(|version| self.has_topic(version.topic(), objects))
    }

    fn has_topic(&self, topic: &BlockText, objects: &Objects) -> bool {
        let versions = self.side.files.keys().filter_map(|path| self.side.version(path, objects));
        versions.into_iter().any(|version| version.topic() == topic)
    }
}

/// Returns the folders with a configuration, each empty or ending in `/`.
pub(super) fn project_roots(tree: &Tree) -> impl Iterator<Item = &[u8]> {
    let roots = tree.0.keys().filter_map(|path| path.strip_suffix(Project::FILE.as_bytes()));
    roots.filter(|root| root.is_empty() || root.ends_with(b"/"))
}
