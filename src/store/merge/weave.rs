//! Determines the order of two branches' blocks in a merged file.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::block::BlockKey;
use crate::digest::sha256_hex;
use crate::transcript::{Name, Time};

/// The properties of a block that determine its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Comment(Name),
    Turn,
    Phase,
    /// A reset of the votes, or a change of status.
    Mark,
    /// A pass or a failure.
    Outcome,
    Stray,
}

/// One new block of a branch.
#[derive(Clone, Debug)]
pub(super) struct WeavePiece<'t> {
    /// Its bytes, with the `---` line that closes it, if it has one.
    pub(super) text: &'t str,
    pub(super) key: BlockKey,
    pub(super) at: Option<Time>,
    pub(super) shape: Shape,
    /// True if it is a phase or status line that a person wrote.
    pub(super) is_by_hand: bool,
}

/// The obstacle that one side ended a phase by hand, and that the other side ran turns in yet another phase.
pub(super) const PHASES_PART: &str = "one side changed the phase or the status by hand, and the other side ran turns in \
                                      another phase";

impl WeavePiece<'_> {
    /// Returns true if an equal block on the other branch is a copy of this one. A control line without a time is not
    /// specific enough for that.
    pub(super) fn is_itself(&self) -> bool {
        self.at.is_some() || matches!(self.shape, Shape::Comment(_))
    }
}

/// Joins the blocks of both sides, each once and in the order of its side. Exchanging the sides does not change the
/// result.
///
/// Blocks at the start that both sides have are shared. After them, each turn or phase keeps the blocks that follow
/// it, because answers belong to the turn above them. These groups are ordered by time, or by hash if the times are
/// equal. A phase or status that a person set follows the turns that the other side began in the phase before it, because
/// the person ended only what they saw. Equal blocks in opposite orders on both sides, which only cherry-picked commits can cause, occur twice in the
/// result.
pub(super) fn weave<'t>(
    ours: Vec<WeavePiece<'t>>,
    theirs: Vec<WeavePiece<'t>>,
) -> Result<Vec<WeavePiece<'t>>, &'static str> {
    let (ours, theirs) = (timed(ours), timed(theirs));
    let anchors = anchors(&ours, &theirs);
    let mut woven = Vec::with_capacity(ours.len() + theirs.len());
    let (mut a, mut b) = (ours.as_slice(), theirs.as_slice());
    for (left, right) in anchors {
        let (at, bt) = (ours.len() - a.len(), theirs.len() - b.len());
        weave_between(&a[..left - at], &b[..right - bt], &mut woven)?;
        woven.push(fuller(&ours[left].piece, &theirs[right].piece).clone());
        (a, b) = (&ours[left + 1..], &theirs[right + 1..]);
    }
    weave_between(a, b, &mut woven)?;
    Ok(woven)
}

/// A block, and the latest time of it and the blocks before it on its side. A block without a time inherits one.
#[derive(Clone, Debug)]
struct Timed<'t> {
    piece: WeavePiece<'t>,
    time: Option<Time>,
}

fn timed(pieces: Vec<WeavePiece<'_>>) -> Vec<Timed<'_>> {
    let mut latest = None;
    pieces
        .into_iter()
        .map(|piece| {
            latest = latest.max(piece.at);
            Timed { piece, time: latest }
        })
        .collect()
}

/// Returns pairs of indices at which both sides have the same block, ascending on both sides. Returns none if pairs
/// cross.
fn anchors(ours: &[Timed<'_>], theirs: &[Timed<'_>]) -> Vec<(usize, usize)> {
    let mut places: HashMap<&BlockKey, Vec<usize>> = HashMap::new();
    for (index, timed) in
        theirs.iter().enumerate().rev().filter(|(_, timed)| timed.piece.is_itself())
    {
        places.entry(&timed.piece.key).or_default().push(index);
    }
    let pairs: Vec<(usize, usize)> = ours
        .iter()
        .enumerate()
        .filter(|(_, timed)| timed.piece.is_itself())
        .filter_map(|(index, timed)| Some((index, places.get_mut(&timed.piece.key)?.pop()?)))
        .collect();
    if pairs.is_sorted_by_key(|pair| pair.1) { pairs } else { Vec::new() }
}

/// Returns the closed one of two copies of a block.
pub(super) fn fuller<'p, 't>(a: &'p WeavePiece<'t>, b: &'p WeavePiece<'t>) -> &'p WeavePiece<'t> {
    std::cmp::max_by_key(a, b, |piece| (piece.text.len(), piece.text))
}

fn weave_between<'t>(
    ours: &[Timed<'t>],
    theirs: &[Timed<'t>],
    woven: &mut Vec<WeavePiece<'t>>,
) -> Result<(), &'static str> {
    let same = |(a, b): &(&Timed<'t>, &Timed<'t>)| {
        a.piece.key == b.piece.key && a.piece.shape == b.piece.shape
    };
    let shared = ours.iter().zip(theirs).take_while(same).count();
    woven.extend(
        ours.iter().zip(theirs).take(shared).map(|(a, b)| fuller(&a.piece, &b.piece).clone()),
    );
    let (ours, theirs) = (groups(&ours[shared..]), groups(&theirs[shared..]));
    let (before, mut a, mut b) = (ranks(&ours, &theirs), ours.as_slice(), theirs.as_slice());
    while !(a.is_empty() && b.is_empty()) {
        let (at, bt) = (ours.len() - a.len(), theirs.len() - b.len());
        let from_a = match (act_waits(a, b)?, act_waits(b, a)?) {
            (true, false) => false,
            (false, true) => true,
            _ => b.is_empty() || !a.is_empty() && before[at] < before[ours.len() + 1 + bt],
        };
        let side = if from_a { &mut a } else { &mut b };
        if let [group, rest @ ..] = *side {
            woven.extend(group.pieces.iter().map(|timed| timed.piece.clone()));
            *side = rest;
        }
    }
    Ok(())
}

/// Returns true if the next group of a side is an act by hand, and the other side has turns that come before it.
///
/// # Errors
/// Fails if the other side began a turn in a phase that the act does not end.
fn act_waits(
    side: &[WeaveGroup<'_, '_>],
    other: &[WeaveGroup<'_, '_>],
) -> Result<bool, &'static str> {
    if !side.first().is_some_and(WeaveGroup::is_act) {
        return Ok(false);
    }
    let ends = |group: &WeaveGroup<'_, '_>| group.is_act() || group.has(&Shape::Phase);
    let in_phase = other.iter().position(ends).unwrap_or(other.len());
    if other[in_phase..].iter().any(|group| group.has(&Shape::Turn)) {
        return Err(PHASES_PART);
    }
    Ok(other[..in_phase].iter().any(|group| group.has(&Shape::Turn)))
}

/// Returns the ranks of a list: our groups, an end mark, their groups, an end mark. Equal groups are ranked by the
/// groups after them, so that the order does not depend on the side. An end mark ranks before every group.
///
/// Each round sorts by twice as many groups, so that long runs of equal groups are not compared again from each start.
fn ranks(ours: &[WeaveGroup<'_, '_>], theirs: &[WeaveGroup<'_, '_>]) -> Vec<usize> {
    let all: Vec<Option<&WeaveGroup<'_, '_>>> =
        [ours, theirs].into_iter().flat_map(|side| side.iter().map(Some).chain([None])).collect();
    let mut sorted: Vec<usize> = (0..all.len()).collect();
    let order = |a: usize, b: usize| match (all[a], all[b]) {
        (Some(a), Some(b)) => a.order(b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    };
    sorted.sort_by(|&a, &b| order(a, b));
    let mut ranks = ranked(&sorted, |a, b| order(a, b).is_eq());
    let mut width = 1;
    while width < all.len() && ranks.iter().max() < Some(&(all.len() - 1)) {
        let key = |at: usize| (ranks[at], ranks.get(at + width).map(|rank| rank + 1));
        sorted.sort_by_key(|&at| key(at));
        ranks = ranked(&sorted, |a, b| key(a) == key(b));
        width *= 2;
    }
    ranks
}

/// Returns each element's position in a sorted list; equal elements have equal positions.
fn ranked(sorted: &[usize], equal: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut ranks = vec![0; sorted.len()];
    for pair in sorted.windows(2) {
        ranks[pair[1]] = ranks[pair[0]] + usize::from(!equal(pair[0], pair[1]));
    }
    ranks
}

/// Blocks that stay together.
struct WeaveGroup<'a, 't> {
    /// True if the group continues text that both sides had before they parted.
    continues: bool,
    pieces: &'a [Timed<'t>],
    hash: String,
}

impl WeaveGroup<'_, '_> {
    fn is_act(&self) -> bool {
        self.pieces.first().is_some_and(|timed| timed.piece.is_by_hand)
    }

    fn has(&self, shape: &Shape) -> bool {
        self.pieces.iter().any(|timed| timed.piece.shape == *shape)
    }

    fn order(&self, other: &Self) -> Ordering {
        other
            .continues
            .cmp(&self.continues)
            .then_with(|| self.time().cmp(&other.time()))
            .then_with(|| self.hash.cmp(&other.hash))
    }

    fn time(&self) -> Option<Time> {
        let own = self.pieces.iter().find_map(|timed| timed.piece.at);
        own.max(self.pieces.first().and_then(|timed| timed.time))
    }
}

/// Splits before every phase, before every status that a person set, and before every turn that does not belong to the phase line above it.
fn groups<'a, 't>(pieces: &'a [Timed<'t>]) -> Vec<WeaveGroup<'a, 't>> {
    let mut starts = Vec::new();
    let mut in_lines = false;
    for (index, timed) in pieces.iter().enumerate() {
        let starts_here = match timed.piece.shape {
            Shape::Phase => true,
            Shape::Turn => !in_lines,
            Shape::Mark => timed.piece.is_by_hand,
            Shape::Comment(_) | Shape::Outcome | Shape::Stray => false,
        };
        if starts_here || index == 0 {
            starts.push((index, !starts_here));
        }
        in_lines = matches!(timed.piece.shape, Shape::Phase)
            || in_lines && timed.piece.shape == Shape::Mark;
    }
    starts
        .iter()
        .enumerate()
        .map(|(number, &(start, continues))| {
            let end = starts.get(number + 1).map_or(pieces.len(), |next| next.0);
            let pieces = &pieces[start..end];
            // Equal bytes may be a comment on one side and stray text on the other.
            let bytes: String = pieces
                .iter()
                .map(|Timed { piece, .. }| format!("{:?}{}", piece.shape, piece.text))
                .collect();
            WeaveGroup { continues, pieces, hash: sha256_hex(bytes) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn piece(text: &str) -> Timed<'_> {
        let piece = WeavePiece {
            text,
            key: BlockKey::of(text),
            at: None,
            shape: Shape::Turn,
            is_by_hand: false,
        };
        Timed { piece, time: None }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn ranks_equal_the_exhaustive_comparison(
            ours in prop::collection::vec(0..3_usize, 0..9),
            theirs in prop::collection::vec(0..3_usize, 0..9),
        ) {
            let side = |numbers: &[usize]| -> Vec<Timed<'static>> {
                numbers.iter().map(|&number| piece(["a", "b", "c"][number])).collect()
            };
            let (ours, theirs) = (side(&ours), side(&theirs));
            let (a, b) = (groups(&ours), groups(&theirs));
            let ranks = ranks(&a, &b);
            for (at, bt) in (0..=a.len()).flat_map(|at| (0..=b.len()).map(move |bt| (at, bt))) {
                let pairs = a[at..].iter().zip(&b[bt..]).map(|(a, b)| a.order(b));
                let order = pairs.into_iter().find(|order| order.is_ne());
                let order = order.unwrap_or_else(|| (a.len() - at).cmp(&(b.len() - bt)));
                let found = ranks[at].cmp(&ranks[a.len() + 1 + bt]);
                // If both sides have equal groups up to their ends, either order gives the same result.
                prop_assert!(order.is_eq() || found == order, "{at} {bt}");
            }
        }
    }

    /// Comparing the following groups again for each group would take a billion comparisons.
    #[test]
    fn tens_of_thousands_of_equal_groups_are_merged() {
        let side = |last: &'static str| {
            let groups = std::iter::once(last).chain(std::iter::repeat_n("same", 40_000));
            groups.chain([last]).map(|text| piece(text).piece).collect::<Vec<_>>()
        };
        assert_eq!(weave(side("a"), side("b")).unwrap().len(), 80_004);
    }
}
