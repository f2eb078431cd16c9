//! Older versions of discussions, in which words are searched that came back.

use std::collections::{HashMap, HashSet};

use super::sides::Objects;
use super::version::Version;
use crate::store::{BlockText, CommitWords, ObjectId, PathChange, is_page};

/// The maximum number of older versions in which words are searched.
const MAX_OLDER_VERSIONS: usize = 200;

/// The objects that pages had along the first parents, by path, the oldest first.
#[derive(Debug, Default)]
pub(super) struct OlderPages {
    objects: HashMap<Vec<u8>, Vec<ObjectId>>,
    /// The blocks that commits lost, if they are known; only these can come back.
    lost: Option<HashSet<BlockText>>,
}

impl OlderPages {
    /// Takes the pages of a whole history.
    pub(super) fn of_history(objects: HashMap<Vec<u8>, Vec<ObjectId>>) -> Self {
        Self { objects, lost: None }
    }

    /// Adds the pages before a step of the main branch, and the words that it lost.
    pub(super) fn add_step(&mut self, changes: &[PathChange], words: &[CommitWords]) {
        for change in changes.iter().filter(|change| is_page(&change.path)) {
            let Some((_, object)) = &change.old else { continue };
            self.objects.entry(change.path.clone()).or_default().push(ObjectId::clone(object));
        }
        let lost = self.lost.get_or_insert_default();
        lost.extend(words.iter().flat_map(|words| words.lost.keys().cloned()));
    }

    /// Returns older versions of a discussion, the newest first, if one of these blocks may be back.
    pub(super) fn versions(
        &self,
        version: &Version,
        blocks: &[&BlockText],
        objects: &Objects,
    ) -> Vec<Version> {
        if self.lost.as_ref().is_some_and(|lost| !blocks.iter().any(|it| lost.contains(*it))) {
            return Vec::new();
        }
        let all = self.objects.get(&version.path).into_iter().flatten().rev();
        let mut seen = HashSet::new();
        all.filter(|object| seen.insert(*object))
            .take(MAX_OLDER_VERSIONS)
            .filter_map(|object| objects.text(object))
            .map(|text| Version::new(version.path.clone(), text.to_string()))
            .collect()
    }
}
