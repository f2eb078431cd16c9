//! Finds the discussion of the head that continues one of a base, or of another side.

use std::collections::HashSet;
use std::rc::Rc;

use super::sides::{Objects, Side};
use super::version::Version;
use crate::store::BlockText;

/// Pairs each discussion of the bases with the path of the head's discussion that continues it.
pub(super) fn continuations(
    old: &[Vec<Rc<Version>>],
    differing: &[Rc<Version>],
) -> Vec<(Rc<Version>, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    for base in old.iter().flatten() {
        let same_topic = || differing.iter().filter(|head| head.topic() == base.topic());
        let at_path = |head: &&Rc<Version>| head.path == base.path;
        let shared = |head: &&Rc<Version>| {
            let all: HashSet<&BlockText> = head.blocks.iter().map(|block| &block.text).collect();
            base.blocks.iter().filter(|block| all.contains(&block.text)).count()
        };
        let head = same_topic()
            .find(at_path)
            .or_else(|| same_topic().max_by_key(shared))
            .or_else(|| differing.iter().find(at_path));
        found.push((Rc::clone(base), head.map(|head| head.path.clone())));
    }
    found
}

/// Returns the version on another side that a discussion of the head continues: with the same topic, and with no other
/// discussion of the head that continues it instead. A copy continues nothing.
pub(super) fn continued_in(
    side: &Side,
    head: &Side,
    version: &Version,
    objects: &Objects,
) -> Option<Rc<Version>> {
    let is_it = |it: &Rc<Version>| it.topic() == version.topic();
    let at_path = side.version(&version.path, objects).filter(is_it);
    if at_path.is_some() {
        return at_path;
    }
    let of_topic = |side: &Side| -> Vec<Rc<Version>> {
        let all = side.files.keys().filter_map(|path| side.version(path, objects));
        all.filter(is_it).collect()
    };
    let found = of_topic(side);
    if found.is_empty() {
        return None;
    }
    let heads = of_topic(head);
    let is_continued = |old: &Rc<Version>| {
        let all: HashSet<&BlockText> = old.blocks.iter().map(|block| &block.text).collect();
        let shared = |head: &&Rc<Version>| {
            head.blocks.iter().filter(|block| all.contains(&block.text)).count()
        };
        let at_path = heads.iter().find(|head| head.path == old.path);
        let head = at_path.or_else(|| heads.iter().max_by_key(shared));
        head.is_some_and(|head| head.path == version.path)
    };
    found.into_iter().find(is_continued)
}

/// Returns the version of a discussion on another side: at its path, or else with its topic.
pub(super) fn version_of(side: &Side, version: &Version, objects: &Objects) -> Option<Rc<Version>> {
    let at_path = side.version(&version.path, objects);
    if at_path.as_ref().is_some_and(|it| it.topic() == version.topic()) {
        return at_path;
    }
    let mut others = side.files.keys().filter_map(|path| side.version(path, objects));
    others.find(|it| it.topic() == version.topic()).or(at_path)
}
