//! Merges branches again that were merged before. Their common blocks are no longer contiguous.
//!
//! An earlier merge inserted whole blocks between those of the common version and changed none of them. The common
//! blocks can therefore be found on both sides, in order, and the blocks in each gap between them are woven together.

use std::collections::HashMap;

use super::block::BlockKey;
use super::weave::{WeavePiece, fuller, weave};

/// Returns the blocks of both sides around the common ones, each once. `None` if a side lacks a common block, or has
/// them in another order.
pub(super) fn rejoin<'t>(
    common: &[WeavePiece<'_>],
    ours: Vec<WeavePiece<'t>>,
    theirs: Vec<WeavePiece<'t>>,
) -> Option<Vec<WeavePiece<'t>>> {
    let most = most(&ours, &theirs);
    let (ours, theirs) = (Gaps::gaps_around(common, ours)?, Gaps::gaps_around(common, theirs)?);
    let mut woven = Vec::new();
    let gaps = ours.gaps.into_iter().zip(theirs.gaps);
    let mut found = ours.found.iter().zip(&theirs.found);
    for (ours, theirs) in gaps {
        woven.extend(weave(ours, theirs));
        woven.extend(found.next().map(|(a, b)| fuller(a, b).clone()));
    }
    Some(no_more_than(&most, woven))
}

/// One side, cut at the common blocks.
struct Gaps<'t> {
    /// The blocks before each common block, and after the last one.
    gaps: Vec<Vec<WeavePiece<'t>>>,
    /// The common blocks in the form that this side has.
    found: Vec<WeavePiece<'t>>,
}

impl<'t> Gaps<'t> {
    fn gaps_around(common: &[WeavePiece<'_>], side: Vec<WeavePiece<'t>>) -> Option<Self> {
        let mut gaps = vec![Vec::new()];
        let mut found = Vec::with_capacity(common.len());
        for piece in side {
            let wanted = common.get(found.len());
            if wanted.is_some_and(|wanted| wanted.key == piece.key && wanted.shape == piece.shape) {
                found.push(piece);
                gaps.push(Vec::new());
            } else if let Some(gap) = gaps.last_mut() {
                gap.push(piece);
            }
        }
        (found.len() == common.len()).then_some(Self { gaps, found })
    }
}

/// Returns for each block the larger of its counts on the two sides.
fn most(ours: &[WeavePiece<'_>], theirs: &[WeavePiece<'_>]) -> HashMap<BlockKey, usize> {
    let mut most: HashMap<BlockKey, usize> = HashMap::new();
    for side in [ours, theirs] {
        let mut here: HashMap<&BlockKey, usize> = HashMap::new();
        side.iter().for_each(|piece| *here.entry(&piece.key).or_default() += 1);
        for (key, times) in here {
            let known = most.entry(key.clone()).or_default();
            *known = times.max(*known);
        }
    }
    most
}

/// Drops repeated blocks: one that the sides have in different gaps, or in opposite orders, stays only at its first
/// place.
fn no_more_than<'t>(
    most: &HashMap<BlockKey, usize>,
    pieces: Vec<WeavePiece<'t>>,
) -> Vec<WeavePiece<'t>> {
    let mut seen: HashMap<BlockKey, usize> = HashMap::new();
    let mut first = |piece: &WeavePiece<'_>| {
        let times = seen.entry(piece.key.clone()).or_default();
        *times += 1;
        !piece.is_itself() || *times <= most.get(&piece.key).copied().unwrap_or(0)
    };
    pieces.into_iter().filter(|piece| first(piece)).collect()
}
