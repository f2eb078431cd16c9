//! Finds the discussion of the head that continues one of a base, or of another side. A copy continues nothing.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::sides::{Objects, Side};
use super::version::Version;
use crate::store::BlockText;

/// Discussions by topic and by path.
struct ByTopic<'v> {
    topics: HashMap<&'v BlockText, Vec<&'v Rc<Version>>>,
    paths: HashMap<&'v [u8], &'v Rc<Version>>,
}

impl<'v> ByTopic<'v> {
    fn of(versions: &'v [Rc<Version>]) -> Self {
        let (mut topics, mut paths) = (HashMap::new(), HashMap::new());
        for version in versions {
            topics.entry(version.topic()).or_insert_with(Vec::new).push(version);
            paths.insert(version.path.as_slice(), version);
        }
        Self { topics, paths }
    }

    /// Returns the discussion that continues another one: with its path and topic; else with its topic and the most of
    /// its blocks; else with its path.
    fn continuing(&self, base: &Version) -> Option<&'v Rc<Version>> {
        let of_topic = self.topics.get(base.topic()).map_or(&[][..], Vec::as_slice);
        let at_path = self.paths.get(base.path.as_slice()).copied();
        match (of_topic, at_path) {
            ([], at_path) => at_path,
            (_, Some(at_path)) if at_path.topic() == base.topic() => Some(at_path),
            ([only], _) => Some(only),
            (several, _) => {
                let own: HashSet<&BlockText> =
                    base.blocks.iter().map(|block| &block.text).collect();
                let shared = |head: &&&Rc<Version>| {
                    let texts: HashSet<&BlockText> =
                        head.blocks.iter().map(|block| &block.text).collect();
                    texts.intersection(&own).count()
                };
                several.iter().max_by_key(shared).copied()
            }
        }
    }
}

/// Pairs each discussion of the bases with the path of the head's discussion that continues it. `differing` are the
/// discussions of the head that differ.
pub(super) fn continuations(
    old: &[Vec<Rc<Version>>],
    differing: &[Rc<Version>],
) -> Vec<(Rc<Version>, Option<Vec<u8>>)> {
    let heads = ByTopic::of(differing);
    let all = old.iter().flatten();
    all.map(|base| (Rc::clone(base), heads.continuing(base).map(|head| head.path.clone())))
        .collect()
}

/// The earlier versions of the head's discussions, by the path in the head.
pub(super) struct EarlierVersions(HashMap<Vec<u8>, Vec<Rc<Version>>>);

impl EarlierVersions {
    /// Sorts the pairs of [`continuations`] by the head's discussion.
    pub(super) fn of(continued: &[(Rc<Version>, Option<Vec<u8>>)]) -> Self {
        let mut all: HashMap<Vec<u8>, Vec<Rc<Version>>> = HashMap::new();
        for (base, head) in continued {
            if let Some(head) = head {
                all.entry(head.clone()).or_default().push(Rc::clone(base));
            }
        }
        Self(all)
    }

    /// Finds the versions on another side with the topic of a discussion of the head. One at its path with another
    /// topic is none of it.
    pub(super) fn on(side: &Side, head: &Side, objects: &Objects) -> Self {
        let old = vec![side.differing(head, objects)];
        let mut continued = continuations(&old, &head.differing(side, objects));
        continued.retain(|(base, path)| {
            let now = path.as_ref().and_then(|path| head.version(path, objects));
            now.is_some_and(|now| now.topic() == base.topic())
        });
        Self::of(&continued)
    }

    /// Returns the earlier versions of a discussion of the head.
    pub(super) fn at(&self, path: &[u8]) -> &[Rc<Version>] {
        self.0.get(path).map_or(&[], Vec::as_slice)
    }
}

/// Returns the version of a discussion on another side: at its path, or else with its topic.
pub(super) fn version_of(side: &Side, version: &Version, objects: &Objects) -> Option<Rc<Version>> {
    let at_path = side.version(&version.path, objects);
    if at_path.as_ref().is_some_and(|it| it.topic() == version.topic()) {
        return at_path;
    }
    side.with_topic(version.topic(), objects).or(at_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(path: &str, topic: &str, comments: &[&str]) -> Rc<Version> {
        let comments: String =
            comments.iter().map(|words| format!("\n---\n\nName: Rob\n\n{words}\n")).collect();
        Rc::new(Version::new(path.as_bytes().to_vec(), format!("# {topic}\n{comments}")))
    }

    #[test]
    fn discussion_continues_by_path_and_topic_then_by_blocks_then_by_path() {
        let heads = [
            version("a.md", "A", &[]),
            version("copy.md", "A", &["one", "two"]),
            version("moved.md", "B", &["one"]),
            version("less.md", "B", &[]),
            version("c.md", "New", &[]),
        ];
        let bases = vec![
            version("a.md", "A", &["one", "two"]),
            version("b.md", "B", &["one"]),
            version("c.md", "C", &[]),
            version("d.md", "D", &[]),
        ];
        let found = continuations(&[bases], &heads);
        let paths: Vec<Option<&[u8]>> = found.iter().map(|(_, path)| path.as_deref()).collect();
        assert_eq!(paths, [Some(&b"a.md"[..]), Some(b"moved.md"), Some(b"c.md"), None]);
        let earlier = EarlierVersions::of(&found);
        assert_eq!((earlier.at(b"moved.md").len(), earlier.at(b"copy.md").len()), (1, 0));
    }
}
