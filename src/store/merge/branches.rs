//! Git's merge driver, as a pure function: joins two branches that both appended to a discussion, also if they were
//! merged before.
//!
//! The common blocks of branches that were merged before are no longer contiguous. An earlier merge inserted whole
//! blocks between those of the common version and changed none of them. The common blocks can therefore be found on
//! both sides, in order, and the blocks in each gap between them are woven together.

use std::collections::HashMap;

use super::accepted::{Settled, settled};
use super::block::{BlockKey, LineEnd, as_document, entry_key, plain};
use super::changed::appended_from;
use super::weave::{Shape, WeavePiece, fuller, weave};
use crate::transcript::{
    Control, Draft, Entry, EntryKind, Name, NewComment, Transcript, glue, parse,
};

/// The reason why a person has to merge two versions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}; edit the file between the `<<<<<<<` and `>>>>>>>` lines by hand")]
pub struct Conflict {
    /// The obstacle.
    pub reason: &'static str,
    /// Both versions, with conflict lines around the part in which they differ. Votes in that part do not count.
    pub marked: String,
}

/// Merges two versions that both only appended to a common one. The result is the common bytes and then the new blocks
/// of both sides, each whole and once, in the order of their side. Exchanging the sides does not change the result.
/// Blocks that an earlier merge inserted between common ones keep their places. Changes of older text that a side
/// accepted are applied.
///
/// The blocks of one turn stay together; the turns and phases of both sides are ordered by time.
///
/// # Errors
/// Returns a `Conflict` if a side changed or removed older text, or if both sides continued an unfinished text
/// differently.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Result<String, Conflict> {
    // Each side may have been checked out with its own kind of line ends. The result has those of most lines of both
    // sides.
    let (our_ends, their_ends) = (LineEnd::count(ours), LineEnd::count(theirs));
    let is_crlf = our_ends.0 + their_ends.0 > our_ends.1 + their_ends.1;
    let ends = if is_crlf { LineEnd::CrLf } else { LineEnd::Lf };
    merge_plain(&plain(base), &plain(ours), &plain(theirs))
        .map(|text| ends.end(text))
        .map_err(|Conflict { reason, marked }| Conflict { reason, marked: ends.end(marked) })
}

/// Merges texts with LF line ends.
fn merge_plain(base: &str, ours: &str, theirs: &str) -> Result<String, Conflict> {
    if ours == theirs || theirs == base {
        return Ok(ours.to_owned());
    }
    if ours == base {
        return Ok(theirs.to_owned());
    }
    // Removed text must not come back, not even between conflict lines.
    let settled = settled(base, ours, theirs);
    let (base, ours, theirs) = match &settled {
        Some(Settled { base, ours, theirs }) => (base.as_str(), ours.as_str(), theirs.as_str()),
        None => (base, ours, theirs),
    };
    join(base, ours, theirs)
        .map_err(|reason| Conflict { reason, marked: marked(base, ours, theirs) })
}

/// Returns the merged text, or the obstacle.
fn join(base: &str, ours: &str, theirs: &str) -> Result<String, &'static str> {
    let rewritten = "one side changed older text, but a discussion may only be appended to";
    let [base, ours, theirs] = [base, ours, theirs].map(parse);
    let kept = common_blocks(&base, &ours).zip(common_blocks(&base, &theirs)).ok_or(rewritten)?;
    let kept = kept.0.min(kept.1);
    let start = &base.text[..end_of(&base, kept)];
    let our_side = MergeSide::read(start, kept, &ours).ok_or(rewritten)?;
    let their_side = MergeSide::read(start, kept, &theirs).ok_or(rewritten)?;
    let added = |side: &MergeSide<'_>| !says_nothing(&side.old[start.len()..]);
    if kept < base.entries.len() && (added(&our_side) || added(&their_side)) {
        return Err(rewritten);
    }
    let old = join_old(start, &our_side, &their_side)
        .ok_or("both sides continued the same unfinished text differently")?;
    let common: Vec<WeavePiece<'_>> = pieces(&base, kept);
    let pieces = rejoin(&common, our_side.pieces, their_side.pieces)?.ok_or(rewritten)?;
    let merged = append(old, &pieces);
    if holds(&merged, old, &pieces) { Ok(merged) } else { Err("the new blocks cannot be joined") }
}

/// Returns the number of base blocks with which a side begins, byte for byte: all of them, unless an earlier merge
/// inserted others in between. `None` if even the text before the first block differs.
fn common_blocks(base: &Transcript, side: &Transcript) -> Option<usize> {
    let count = base.entries.len();
    if side.text.starts_with(base.text.as_str()) {
        let spans = base.entries.iter().zip(&side.entries);
        let same = spans.filter(|(a, b)| a.span.start == b.span.start).count();
        return (same == count).then_some(count);
    }
    let bytes = base.text.bytes().zip(side.text.bytes());
    let common = bytes.take_while(|(a, b)| a == b).count();
    let equal = base.entries.iter().zip(&side.entries).enumerate();
    let kept = equal
        .take_while(|(index, (a, b))| a.span == b.span && end_of(base, index + 1) <= common)
        .count()
        // The last block may be unfinished; the next text of the side may then continue it.
        .min(count.saturating_sub(1));
    (end_of(base, kept) <= common).then_some(kept)
}

/// Returns the end of the first `blocks` blocks of the base; the end of the text if these are all.
fn end_of(base: &Transcript, blocks: usize) -> usize {
    match blocks.checked_sub(1) {
        _ if blocks == base.entries.len() => base.text.len(),
        Some(last) => block_end(&base.text, &base.entries, last),
        None => base.preamble.end,
    }
}

/// One version: its old part, and the blocks after it.
struct MergeSide<'t> {
    /// The beginning of the base, with the text that closes or continues its last block.
    old: &'t str,
    pieces: Vec<WeavePiece<'t>>,
}

impl<'t> MergeSide<'t> {
    /// Reads a version that begins with `start`, which contains `count` blocks.
    fn read(start: &str, count: usize, side: &'t Transcript) -> Option<Self> {
        let text = side.text.as_str();
        let end = match count.checked_sub(1) {
            Some(last) => block_end(text, &side.entries, last),
            None => side.preamble.end,
        };
        let old = &text[..end.max(start.len())];
        // Between the blocks there may be only text that ends a block.
        let mut covered = old.len();
        for (index, entry) in side.entries.iter().enumerate().skip(count) {
            if !says_nothing(text.get(covered..entry.span.start)?) {
                return None;
            }
            covered = block_end(text, &side.entries, index);
        }
        let pieces = pieces(side, count);
        says_nothing(&text[covered..]).then_some(Self { old, pieces })
    }
}

/// Returns the blocks from index `behind` on.
fn pieces(transcript: &Transcript, behind: usize) -> Vec<WeavePiece<'_>> {
    let indexes = behind..transcript.entries.len();
    indexes.map(|index| piece(&transcript.text, &transcript.entries, index)).collect()
}

/// Returns the end of a block, including its last line end and the `---` line that closes it.
fn block_end(text: &str, entries: &[Entry], index: usize) -> usize {
    let span = &entries[index].span;
    let end = span.end + usize::from(text[span.end..].starts_with('\n'));
    if !matches!(entries[index].kind, EntryKind::Comment(_)) {
        return end;
    }
    let next = entries.get(index + 1).map_or(text.len(), |entry| entry.span.start);
    let mut at = end;
    for line in text[end..next].split_inclusive('\n') {
        at += line.len();
        if line
            .strip_prefix("---")
            .is_some_and(|rest| rest.trim_matches([' ', '\t', '\n']).is_empty())
        {
            return at;
        }
    }
    // A truncated line and its mark do not count, but they are part of the written text.
    next
}

fn piece<'t>(text: &'t str, entries: &[Entry], index: usize) -> WeavePiece<'t> {
    let entry = &entries[index];
    let block = &text[entry.span.start..block_end(text, entries, index)];
    WeavePiece {
        text: block,
        key: BlockKey::of(block_text(block)),
        at: super::block::at(entry),
        is_by_hand: match &entry.kind {
            EntryKind::Control(Control::Phase(line)) => line.by.is_some(),
            EntryKind::Control(Control::Status(line)) => line.by.is_some(),
            _ => false,
        },
        shape: match &entry.kind {
            EntryKind::Comment(comment) => Shape::Comment(comment.name.clone()),
            EntryKind::Control(Control::Turn(_)) => Shape::Turn,
            EntryKind::Control(Control::Phase(_)) => Shape::Phase,
            EntryKind::Control(
                Control::VoteReset
                | Control::Status(_)
                | Control::Accepted(_)
                | Control::Child(_)
                | Control::ChildEnd(_)
                | Control::Ended(_),
            ) => Shape::Mark,
            EntryKind::Control(Control::Pass(_) | Control::Failed(_)) => Shape::Outcome,
            EntryKind::Stray(_) => Shape::Stray,
        },
    }
}

/// Returns the joined old part. `None` if both sides continued it differently. Only closing it is no continuation.
fn join_old<'t>(base: &str, ours: &MergeSide<'t>, theirs: &MergeSide<'t>) -> Option<&'t str> {
    let (a, b) = (&ours.old[base.len()..], &theirs.old[base.len()..]);
    if a == b || b.is_empty() {
        return Some(ours.old);
    }
    if a.is_empty() {
        return Some(theirs.old);
    }
    let only_closes = |added: &str| {
        // Directly after an unfinished line, a `---` or a mark would be the rest of that line.
        let joined = !base.ends_with('\n') && !added.starts_with(['\n', ' ']);
        !joined && says_nothing(added)
    };
    match (only_closes(a), only_closes(b)) {
        (true, false) => Some(theirs.old),
        (false, true) => Some(ours.old),
        (true, true) => Some(ours.old.min(theirs.old)),
        (false, false) => None,
    }
}

/// Returns a block without the lines that only end it. Keeps a truncated line: blocks that differ in it are not equal.
fn block_text(block: &str) -> &str {
    let ends = |line: &&str| says_nothing(line);
    let ending: usize = block.split_inclusive('\n').rev().take_while(ends).map(str::len).sum();
    &block[..block.len() - ending]
}

/// Returns true if the text contains only lines that a writer adds to end a block.
fn says_nothing(text: &str) -> bool {
    text.lines()
        .map(str::trim_end)
        .all(|line| line.is_empty() || line == "---" || line.trim_start() == "<!-- TORN -->")
}

fn append(old: &str, pieces: &[WeavePiece<'_>]) -> String {
    let mut out = old.to_owned();
    let mut last: Option<&WeavePiece<'_>> = None;
    for piece in pieces {
        let draft = piece.draft();
        out.push_str(&match last {
            Some(last) => glue(&as_document(last.text), &draft),
            None => glue(old, &draft),
        });
        if piece.shape == Shape::Stray && piece.text.starts_with("Name:") {
            // Keeps the text too far from the `---` line to be read as the head of a comment; it was stray text in its
            // branch too.
            out.push_str("\n\n\n");
        }
        out.push_str(piece.text);
        last = Some(piece);
    }
    out
}

impl WeavePiece<'_> {
    /// Returns a draft of the same kind. The separator before a block depends only on its kind.
    fn draft(&self) -> Draft {
        let nobody = || Name::parse("x").ok();
        match &self.shape {
            Shape::Comment(name) => Draft::Comment(NewComment::by(name.clone(), "")),
            Shape::Stray => nobody().map_or(Draft::Control(Control::VoteReset), |name| {
                Draft::Comment(NewComment::by(name, ""))
            }),
            Shape::Turn | Shape::Phase | Shape::Mark | Shape::Outcome => {
                Draft::Control(Control::VoteReset)
            }
        }
    }
}

/// Returns true if a merged text is parsed into the old blocks, followed by the pieces.
fn holds(merged: &str, old: &str, pieces: &[WeavePiece<'_>]) -> bool {
    let keys = |text: &str| -> Vec<BlockKey> {
        parse(text).entries.iter().map(|entry| entry_key(text, entry)).collect()
    };
    let (merged, old) = (keys(merged), keys(old));
    merged.len() == old.len() + pieces.len()
        && merged.iter().zip(&old).all(|(a, b)| a.as_str().starts_with(b.as_str()))
        && merged[old.len()..].iter().zip(pieces).all(|(key, piece)| {
            // A truncated line no longer counts if the next block ends it.
            key.as_str().starts_with(piece.key.as_str())
                || piece.key.as_str().starts_with(key.as_str())
        })
}

/// Returns both versions: conflict lines around the changed part, then the new blocks of both.
fn marked(base: &str, ours: &str, theirs: &str) -> String {
    let (our_old, our_new) = ours.split_at(appended_from(base, ours));
    let (their_old, their_new) = theirs.split_at(appended_from(base, theirs));
    let old = hunk(our_old, base, their_old);
    let new = join(base, &format!("{base}{our_new}"), &format!("{base}{their_new}"));
    match new.as_deref().map(|new| new.strip_prefix(base)) {
        Ok(Some(new)) => old + new,
        Ok(None) | Err(_) => hunk(ours, base, theirs),
    }
}

/// Returns three versions of some lines, with conflict lines around all except the common beginning and end.
fn hunk(ours: &str, base: &str, theirs: &str) -> String {
    if ours == base && theirs == base {
        return base.to_owned();
    }
    let [ours, base, theirs] =
        [ours, base, theirs].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let shortest = ours.len().min(base.len()).min(theirs.len());
    let start =
        (0..shortest).take_while(|&at| ours[at] == base[at] && theirs[at] == base[at]).count();
    let end = (1..=shortest - start)
        .take_while(|&at| {
            let last = base[base.len() - at];
            ours[ours.len() - at] == last && theirs[theirs.len() - at] == last
        })
        .count();
    let middle = |lines: &[&str]| {
        let mut text = lines[start..lines.len() - end].concat();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    };
    format!(
        "{}<<<<<<< ours\n{}||||||| base\n{}=======\n{}>>>>>>> theirs\n{}",
        base[..start].concat(),
        middle(&ours),
        middle(&base),
        middle(&theirs),
        base[base.len() - end..].concat(),
    )
}

/// Returns the blocks of both sides around the common ones, each once. `None` if a side lacks a common block, or has
/// them in another order.
fn rejoin<'t>(
    common: &[WeavePiece<'_>],
    ours: Vec<WeavePiece<'t>>,
    theirs: Vec<WeavePiece<'t>>,
) -> Result<Option<Vec<WeavePiece<'t>>>, &'static str> {
    let most = most(&ours, &theirs);
    let sides = Gaps::gaps_around(common, ours).zip(Gaps::gaps_around(common, theirs));
    let Some((ours, theirs)) = sides else { return Ok(None) };
    let mut woven = Vec::new();
    let gaps = ours.gaps.into_iter().zip(theirs.gaps);
    let mut found = ours.found.iter().zip(&theirs.found);
    for (ours, theirs) in gaps {
        woven.extend(weave(ours, theirs)?);
        woven.extend(found.next().map(|(a, b)| fuller(a, b).clone()));
    }
    Ok(Some(no_more_than(&most, woven)))
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
