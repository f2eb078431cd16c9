//! The blocks that a later version of a discussion lost, moved or added. Pure.

use std::collections::HashMap;

use super::version::Version;
use crate::store::{BlockKind, BlockText};
use crate::text_diff::{DiffOp, list_changes};

/// A block of a base that the head lacks, or has elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LostBlock {
    /// The index in the base.
    pub(super) base: usize,
    /// The index in the head of the block that took its place: its new text, or itself at another place.
    pub(super) now: Option<usize>,
    /// True if the head has it unchanged at another place.
    pub(super) is_moved: bool,
}

/// Returns the blocks of a base that are not in the head in their order, without the topic.
pub(super) fn lost_blocks(base: &Version, head: &Version) -> Vec<LostBlock> {
    let texts = |version: &Version| -> Vec<BlockText> {
        version.blocks.iter().skip(1).map(|block| block.text.clone()).collect()
    };
    let (old, new) = (texts(base), texts(head));
    let mut rest = new.iter();
    if old.iter().all(|text| rest.any(|other| other == text)) {
        return Vec::new();
    }
    let old_words: Vec<&str> = old.iter().map(BlockText::as_str).collect();
    let new_words: Vec<&str> = new.iter().map(BlockText::as_str).collect();
    let ops = list_changes(&old_words, &new_words);
    let mut free: HashMap<&str, Vec<usize>> = HashMap::new();
    for op in &ops {
        if let DiffOp::Insert { .. } | DiffOp::Replace { .. } = op {
            for index in op.new_range() {
                free.entry(new_words[index]).or_default().push(index);
            }
        }
    }
    let mut found = Vec::new();
    for op in &ops {
        let (DiffOp::Delete { .. } | DiffOp::Replace { .. }) = op else { continue };
        let mut candidates: Vec<usize> = op.new_range().collect();
        for index in op.old_range() {
            let moved = free.get_mut(old_words[index]).and_then(Vec::pop);
            let now = moved.or_else(|| {
                let at = find_successor(old_words[index], &candidates, &new_words)?;
                Some(candidates.remove(at))
            });
            found.push(LostBlock {
                base: index + 1,
                now: now.map(|now| now + 1),
                is_moved: moved.is_some(),
            });
        }
    }
    found
}

/// Returns the position of the candidate that most likely is the new text of a block: with the same first line, or, if
/// that was corrected, with the same second one.
fn find_successor(old: &str, candidates: &[usize], new: &[&str]) -> Option<usize> {
    let line = |text: &str, nth: usize| {
        text.lines().filter(|line| !line.is_empty()).nth(nth).map(str::to_lowercase)
    };
    let first = candidates.iter().position(|at| line(new[*at], 0) == line(old, 0));
    first.or_else(|| {
        let words = line(old, 1)?;
        candidates.iter().position(|at| line(new[*at], 1).as_ref() == Some(&words))
    })
}

/// Returns the indices of the blocks that the head has more often than each of the earlier versions.
pub(super) fn new_blocks(head: &Version, earlier: &[&Version]) -> Vec<usize> {
    let mut left: HashMap<&BlockText, usize> = HashMap::new();
    for version in earlier {
        for (text, count) in version.counts() {
            let most = left.entry(text).or_default();
            *most = (*most).max(count);
        }
    }
    let mut new = Vec::new();
    for (index, block) in head.blocks.iter().enumerate() {
        match left.get_mut(&block.text).filter(|left| **left > 0) {
            Some(left) => *left -= 1,
            None if block.kind == BlockKind::Topic => {}
            None => new.push(index),
        }
    }
    new
}

/// Returns the indices in the head of the blocks of a base, with their indices there.
pub(super) fn kept_blocks(base: &Version, head: &Version) -> HashMap<usize, usize> {
    let mut places: HashMap<&BlockText, Vec<usize>> = HashMap::new();
    for (index, block) in base.blocks.iter().enumerate().rev() {
        places.entry(&block.text).or_default().push(index);
    }
    let of_base = |(index, block): (usize, &crate::store::DiscussionBlock)| {
        Some((index, places.get_mut(&block.text)?.pop()?))
    };
    head.blocks.iter().enumerate().filter_map(of_base).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(comments: &[&str]) -> Version {
        let comments: String = comments
            .iter()
            .map(|words| format!("\n---\n\nName: Rob\n\n{words}\n\n---\n"))
            .collect();
        Version::new(b"a.md".to_vec(), format!("# T\n{comments}"))
    }

    #[test]
    fn inserted_blocks_lose_nothing() {
        let (base, head) = (version(&["a", "b"]), version(&["x", "a", "y", "b", "a"]));
        assert_eq!(lost_blocks(&base, &head), []);
        assert_eq!(new_blocks(&head, &[&base]), [1, 3, 5]);
        assert_eq!(new_blocks(&head, &[]).len(), 5);
        assert_eq!(kept_blocks(&base, &head), HashMap::from([(0, 0), (2, 1), (4, 2)]));
    }

    #[test]
    fn changed_moved_and_removed_blocks_are_told_apart() {
        let base = version(&["a", "b", "c"]);
        let changed = lost_blocks(&base, &version(&["a", "B", "c"]));
        assert_eq!(changed, [LostBlock { base: 2, now: Some(2), is_moved: false }]);
        let moved = lost_blocks(&base, &version(&["b", "a", "c"]));
        assert!(matches!(moved[..], [LostBlock { is_moved: true, .. }]), "{moved:?}");
        let removed = lost_blocks(&base, &version(&["a", "c"]));
        assert_eq!(removed, [LostBlock { base: 2, now: None, is_moved: false }]);
    }
}
