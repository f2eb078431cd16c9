//! In which order the blocks of two branches stand when they become one.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::block::Key;
use crate::digest::sha256_hex;
use crate::transcript::{Name, Time};

/// What matters about a block for its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Comment(Name),
    Turn,
    Phase,
    /// A reset of the votes, or a change of status.
    Mark,
    /// Somebody passed or failed.
    Outcome,
    Stray,
}

/// One new block of a branch.
#[derive(Clone, Debug)]
pub(super) struct Piece<'t> {
    /// Its bytes, with its closing rule where it has one.
    pub(super) text: &'t str,
    pub(super) key: Key,
    pub(super) at: Option<Time>,
    pub(super) shape: Shape,
}

impl Piece<'_> {
    /// Whether an equal block on the other branch is the same one. A bare control line says too little for that.
    pub(super) fn is_itself(&self) -> bool {
        self.at.is_some() || matches!(self.shape, Shape::Comment(_))
    }
}

/// The blocks of both, each once and each side's in its order, whichever side is named first.
///
/// What both begin with is shared. Then what follows a turn or a phase stays behind it, because answers belong to the
/// turn above them; these groups are ordered by time, equal times by hash. Equal blocks that both sides hold in opposite
/// orders, which only picking commits can bring about, come out twice.
pub(super) fn weave<'t>(ours: Vec<Piece<'t>>, theirs: Vec<Piece<'t>>) -> Vec<Piece<'t>> {
    let (ours, theirs) = (timed(ours), timed(theirs));
    let anchors = anchors(&ours, &theirs);
    let mut woven = Vec::with_capacity(ours.len() + theirs.len());
    let (mut a, mut b) = (ours.as_slice(), theirs.as_slice());
    for (left, right) in anchors {
        let (at, bt) = (ours.len() - a.len(), theirs.len() - b.len());
        weave_between(&a[..left - at], &b[..right - bt], &mut woven);
        woven.push(fuller(&ours[left].piece, &theirs[right].piece).clone());
        (a, b) = (&ours[left + 1..], &theirs[right + 1..]);
    }
    weave_between(a, b, &mut woven);
    woven
}

/// A block and the latest time up to it on its side; blocks without a time inherit one.
#[derive(Clone, Debug)]
struct Timed<'t> {
    piece: Piece<'t>,
    time: Option<Time>,
}

fn timed(pieces: Vec<Piece<'_>>) -> Vec<Timed<'_>> {
    let mut latest = None;
    pieces
        .into_iter()
        .map(|piece| {
            latest = latest.max(piece.at);
            Timed { piece, time: latest }
        })
        .collect()
}

/// Pairs of places at which both sides hold the same block, rising on both; none, where they cross.
fn anchors(ours: &[Timed<'_>], theirs: &[Timed<'_>]) -> Vec<(usize, usize)> {
    let mut places: HashMap<&Key, Vec<usize>> = HashMap::new();
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

/// Of two copies of one block, the one that is closed.
pub(super) fn fuller<'p, 't>(a: &'p Piece<'t>, b: &'p Piece<'t>) -> &'p Piece<'t> {
    std::cmp::max_by_key(a, b, |piece| (piece.text.len(), piece.text))
}

fn weave_between<'t>(ours: &[Timed<'t>], theirs: &[Timed<'t>], woven: &mut Vec<Piece<'t>>) {
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
        let from_a = b.is_empty() || !a.is_empty() && before[at] < before[ours.len() + 1 + bt];
        let side = if from_a { &mut a } else { &mut b };
        if let [group, rest @ ..] = *side {
            woven.extend(group.pieces.iter().map(|timed| timed.piece.clone()));
            *side = rest;
        }
    }
}

/// In which order the groups of both sides come, first ours, an end, theirs, and an end: equal ones are told apart by
/// what follows, so that neither side matters, and an end is before everything.
///
/// Each round sorts by twice as many groups, so that long runs of equal ones are not compared again from each of them.
fn ranks(ours: &[Group<'_, '_>], theirs: &[Group<'_, '_>]) -> Vec<usize> {
    let all: Vec<Option<&Group<'_, '_>>> =
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

/// The place of each in a sorted list; equal ones have the same.
fn ranked(sorted: &[usize], equal: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut ranks = vec![0; sorted.len()];
    for pair in sorted.windows(2) {
        ranks[pair[1]] = ranks[pair[0]] + usize::from(!equal(pair[0], pair[1]));
    }
    ranks
}

/// Blocks that stay together.
struct Group<'a, 't> {
    /// It continues what stood before both sides parted.
    continues: bool,
    pieces: &'a [Timed<'t>],
    hash: String,
}

impl Group<'_, '_> {
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

/// Splits before every phase, and before every turn that does not belong to the phase line above it.
fn groups<'a, 't>(pieces: &'a [Timed<'t>]) -> Vec<Group<'a, 't>> {
    let mut starts = Vec::new();
    let mut in_lines = false;
    for (index, timed) in pieces.iter().enumerate() {
        let starts_here = match timed.piece.shape {
            Shape::Phase => true,
            Shape::Turn => !in_lines,
            Shape::Comment(_) | Shape::Mark | Shape::Outcome | Shape::Stray => false,
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
            // Equal bytes may be a comment here and stray text there.
            let bytes: String = pieces
                .iter()
                .map(|Timed { piece, .. }| format!("{:?}{}", piece.shape, piece.text))
                .collect();
            Group { continues, pieces, hash: sha256_hex(bytes) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn piece(text: &str) -> Timed<'_> {
        let piece = Piece { text, key: Key::of(text), at: None, shape: Shape::Turn };
        Timed { piece, time: None }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn ranks_are_what_comparing_all_that_follows_finds(
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
                // What is equal to the end comes out the same from either side.
                prop_assert!(order.is_eq() || found == order, "{at} {bt}");
            }
        }
    }

    /// Were the groups that follow compared again from each of them, this would be a billion comparisons.
    #[test]
    fn tens_of_thousands_of_equal_groups_are_woven() {
        let side = |last: &'static str| {
            let groups = std::iter::once(last).chain(std::iter::repeat_n("same", 40_000));
            groups.chain([last]).map(|text| piece(text).piece).collect::<Vec<_>>()
        };
        assert_eq!(weave(side("a"), side("b")).len(), 80_004);
    }
}
