//! Restores what an editor dropped: puts a rule and the beginning of the file back in their places,
//! and appends comments at the end. The journal holds only appended text, so only git can have a
//! copy of the beginning.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

use super::append::Writer;
use super::atomic_write;
use super::lock::Patience;
use super::older_text::insist_one_name;
use super::rules::with_rules;
use crate::boundary;
use crate::codes::ProblemCode;
use crate::store::disk::RealDisk;
use crate::store::error::StoreError;
use crate::store::git::version_at;
use crate::store::journal::{self, Fate, JournalFinding, JournalRecord, Waiver, compare, expected};
use crate::store::merge::{BlockKey, LineEnd, as_document, entry_key};
use crate::transcript::{
    BlockEnding, Choice, Control, Draft, EntryKind, NewComment, Restored, Transcript, decode, parse,
};

/// The result of restoring.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restoration {
    /// Restored blocks, in the order of their first acknowledgement.
    pub restored: Vec<JournalRecord>,
    /// Dropped control lines that stay dropped. Later blocks are in the file, and a late control line would change
    /// their meaning. These lines are not reported again.
    pub given_up: Vec<JournalRecord>,
    /// Findings that are not losses: edited blocks, blocks of other branches, and blocks with a rule that cannot be put
    /// back.
    pub left: Vec<JournalFinding>,
    /// Blocks that count again because the rule above or below them is back.
    pub(crate) reframed: Vec<JournalRecord>,
    /// Restored comments with an old place that another comment has taken, each with the line of that
    /// other comment, counted from 1.
    pub(crate) displaced: Vec<(JournalRecord, usize)>,
    /// The result for the head and the topic.
    pub(crate) beginning: Beginning,
}

/// The result of restoring the head and the topic of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Beginning {
    /// They were not missing, as far as is known.
    #[default]
    Kept,
    /// They are back, from the last version in git.
    Restored,
    /// They are lost.
    Lost,
}

/// Puts the beginning of the file back in its place, and missing rules back around blocks whose
/// text is still there. Appends each dropped block once. A restored comment has a `RESTORED` line
/// with its phase and turn. Leaves edited blocks unchanged.
///
/// # Errors
/// Fails like [`Writer::lock`] and [`Writer::append`]; either all dropped blocks are restored or none. Also fails if
/// blocks were dropped while the file contains conflict marks; nothing is written then.
#[cfg(not(discussions_sealed))]
pub fn restore(
    path: &std::path::Path,
    wait: impl Into<Patience>,
) -> Result<Restoration, StoreError> {
    restore_at(&boundary::ProjectPlace::follow(path), wait)
}

/// Restores blocks of a discussion with its links already resolved.
///
/// # Errors
/// Fails like [`restore`].
pub(crate) fn restore_at(
    place: &boundary::ProjectPlace,
    wait: impl Into<Patience>,
) -> Result<Restoration, StoreError> {
    let path = place.given_path();
    let mut writer = Writer::lock_at(place, wait)?;
    if !writer.sidecar().journal().exists() {
        journal::adopt(writer.sidecar())?;
    }
    let document = writer.read()?;
    document.insist_exact()?;
    let mut text = document.text.to_string();
    let records = expected(&writer.sidecar().journal())?;
    let compared = |text: &str| {
        let mut findings = compare(writer.sidecar(), records.clone(), text);
        findings.retain(|finding| !finding.is_accepted);
        findings
    };
    let mut findings = compared(&text);
    let start = opening(place.real(), &text, &records)?;
    let is_lost =
        |found: &JournalFinding| matches!(found.fate, Fate::Dropped | Fate::Unframed { .. });
    if (findings.iter().any(is_lost) || matches!(start, Opening::Found(_)))
        && let Some(line) = conflict(&text)
    {
        return Err(StoreError::Conflict { path: path.to_owned(), line });
    }
    let mut result = Restoration::default();
    let before = text.clone();
    match start {
        Opening::Whole => {}
        Opening::Lost => result.beginning = Beginning::Lost,
        Opening::Found(whole) => {
            result.beginning = Beginning::Restored;
            findings = compared(&whole);
            text = whole;
        }
    }
    if let Some((whole, reframed)) = reframed(&records, &findings, &text) {
        result.reframed = reframed;
        findings = compared(&whole);
        text = whole;
    }
    if text != before {
        let fail =
            |source| StoreError::NotWritten { path: path.to_owned(), doing: "writing", source };
        insist_one_name(writer.path()).map_err(fail)?;
        atomic_write::replace_at(writer.path(), &text).map_err(fail)?;
    }
    let mut drafts = Vec::new();
    let others = Others::of(&text, &records);
    for (lost, place) in places(&records, &findings, &text) {
        match lost.fate {
            Fate::Dropped => match draft(&lost.record, place) {
                Some(draft) => {
                    drafts.push(draft);
                    if let Some(line) = others.line_behind(&lost.record) {
                        result.displaced.push((lost.record.clone(), line));
                    }
                    result.restored.push(lost.record.clone());
                }
                None => result.given_up.push(lost.record.clone()),
            },
            Fate::Elsewhere { .. }
            | Fate::Unframed { .. }
            | Fate::Edited { .. }
            | Fate::Moved { .. }
            | Fate::Unreadable { .. }
            | Fate::Foreign { .. }
            | Fate::Tracked { .. } => result.left.push(lost.clone()),
        }
    }
    if !drafts.is_empty() {
        let restores: Vec<Option<String>> =
            result.restored.iter().map(|record| Some(record.sha256.clone())).collect();
        writer.append_on(&RealDisk, &drafts, &restores)?;
    }
    if !result.given_up.is_empty() {
        let waivers: Vec<Waiver> =
            result.given_up.iter().map(|record| Waiver { waives: record.sha256.clone() }).collect();
        writer.waive(&waivers)?;
    }
    Ok(result)
}

/// Returns the text with its missing rules, and the blocks that count again because of these rules.
/// Returns `None` if no rule is missing, or if any other recorded block would no longer count.
fn reframed(
    records: &[JournalRecord],
    findings: &[JournalFinding],
    text: &str,
) -> Option<(String, Vec<JournalRecord>)> {
    let known: HashSet<BlockKey> = records.iter().map(JournalRecord::key).collect();
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut back = Vec::new();
    for finding in findings {
        if let Fate::Unframed { lines } = &finding.fate {
            blocks.push(lines.clone());
            back.push(finding.record.clone());
        }
    }
    // Without a rule below it, the last answer of a file looks incomplete, so a missing last rule is restored too.
    for entry in &parse(text).entries {
        if let EntryKind::Comment(comment) = &entry.kind
            && comment.ending == BlockEnding::EndOfFile
            && !comment.acknowledged()
            && !comment.stored.is_empty()
        {
            let key = entry_key(text, entry);
            let record = records.iter().rfind(|record| record.key() == key);
            if let Some(record) = record {
                let first = entry.line - 1;
                blocks.push(first..first + key.as_str().lines().count());
                back.push(record.clone());
            }
        }
    }
    if blocks.is_empty() {
        return None;
    }
    blocks.sort_by_key(|block| block.start);
    let after = with_rules(text, &blocks);
    let standing = |text: &str| {
        let entries = parse(text).entries;
        let keys = entries.iter().map(|entry| entry_key(text, entry));
        let mut counts: HashMap<BlockKey, usize> = HashMap::new();
        keys.filter(|key| known.contains(key)).for_each(|key| *counts.entry(key).or_default() += 1);
        counts
    };
    let (old, new) = (standing(text), standing(&after));
    let is_kept = |key: &BlockKey| new.get(key) >= old.get(key);
    let is_back = |record: &JournalRecord| new.contains_key(&record.key());
    (after != text && old.keys().all(is_kept) && back.iter().all(is_back)).then_some((after, back))
}

/// The lines of comments that are not in the journal, by the hash of the block before them.
struct Others(HashMap<String, usize>);

impl Others {
    fn of(text: &str, records: &[JournalRecord]) -> Self {
        let known: HashSet<BlockKey> = records.iter().map(JournalRecord::key).collect();
        let entries = parse(text).entries;
        let keys: Vec<BlockKey> = entries.iter().map(|entry| entry_key(text, entry)).collect();
        let pairs = keys.windows(2).zip(entries.iter().skip(1));
        let unknown = pairs.filter(|(pair, _)| pair[1].is_comment() && !known.contains(&pair[1]));
        Self(unknown.map(|(pair, entry)| (pair[0].hash(), entry.line)).collect())
    }

    /// Returns the line of the comment that is now in the old place of a lost comment.
    fn line_behind(&self, lost: &JournalRecord) -> Option<usize> {
        let after = lost.after.as_ref().filter(|_| lost.key().is_comment())?;
        self.0.get(after).copied()
    }
}

/// Returns the line of the first conflict mark. A block between the marks may be parsed as part of another block and
/// look dropped, so a person must resolve the conflict first.
pub(crate) fn conflict(text: &str) -> Option<usize> {
    // Most files contain no such characters and need not be parsed.
    let holds = |mark: &[u8]| memchr::memmem::find(text.as_bytes(), mark).is_some();
    if !holds(b"<<<<<<<") && !holds(b">>>>>>>") && !holds(b"=======") {
        return None;
    }
    let problems = parse(text).problems;
    problems
        .iter()
        .filter(|problem| problem.code == ProblemCode::Conflict)
        .map(|problem| problem.line)
        .min()
}

/// The place of a block at the time of its acknowledgement.
#[derive(Clone, Debug, Default)]
struct RestorePlace {
    phase: Option<String>,
    turn: Option<u32>,
    /// True if no block that was acknowledged later is in the file.
    last: bool,
}

impl RestorePlace {
    /// Updates the place after a control line.
    fn pass(&mut self, control: &Control) {
        match control {
            Control::Turn(turn) => self.turn = Some(turn.number),
            Control::Phase(phase) => {
                self.phase = Some(phase.id.clone());
                self.turn = None;
            }
            Control::Pass(_)
            | Control::Failed(_)
            | Control::VoteReset
            | Control::Status(_)
            | Control::Accepted(_)
            | Control::Child(_)
            | Control::ChildEnd(_)
            | Control::Ended(_) => {}
        }
    }
}

/// Returns the place of every finding: after its preceding block, whether that block is in the file or lost too.
fn places<'f>(
    records: &[JournalRecord],
    findings: &'f [JournalFinding],
    text: &str,
) -> Vec<(&'f JournalFinding, RestorePlace)> {
    let mut known = places_in(text);
    let mut lost = findings.iter().peekable();
    let mut place = RestorePlace::default();
    let mut found: Vec<(&JournalFinding, RestorePlace)> = Vec::new();
    let mut outlived = 0;
    for record in records {
        if let Some(behind) = record.after.as_ref().and_then(|hash| known.get(hash)) {
            place = behind.clone();
        }
        match lost.next_if(|finding| finding.record == *record) {
            Some(finding) => found.push((finding, place.clone())),
            None => outlived = found.len(),
        }
        if let Some(control) = control_of(&record.block) {
            place.pass(&control);
        }
        known.entry(record.key().hash()).or_insert_with(|| place.clone());
    }
    found.iter_mut().skip(outlived).for_each(|(_, place)| place.last = true);
    found
}

/// Returns the place after each block of the file.
fn places_in(text: &str) -> HashMap<String, RestorePlace> {
    let mut place = RestorePlace::default();
    let mut known = HashMap::new();
    for entry in &parse(text).entries {
        if let EntryKind::Control(control) = &entry.kind {
            place.pass(control);
        }
        known.insert(entry_key(text, entry).hash(), place.clone());
    }
    known
}

fn control_of(block: &str) -> Option<Control> {
    match parse(as_document(block)).entries.into_iter().next()?.kind {
        EntryKind::Control(control) => Some(control),
        EntryKind::Comment(_) | EntryKind::Stray(_) => None,
    }
}

/// Returns the draft that restores a block, or `None` for a control line that would come too late.
fn draft(record: &JournalRecord, place: RestorePlace) -> Option<Draft> {
    let framed = as_document(&record.block);
    match parse(&framed).entries.into_iter().next()?.kind {
        EntryKind::Comment(comment) => {
            let turn = comment.reply.as_ref().and_then(|reply| reply.turn).or(place.turn);
            let vote = comment.closing_vote().and_then(|vote| Choice::parse(vote).ok());
            Some(Draft::Comment(NewComment {
                // If the closing line is not a valid vote, it is part of the comment's text.
                body: if vote.is_some() { comment.body() } else { decode(&comment.stored) },
                name: comment.name,
                restored: comment.restored.or(Some(Restored { phase: place.phase, turn })),
                reply: comment.reply,
                summary: comment.summary,
                said_at: comment.said_at,
                vote,
            }))
        }
        EntryKind::Control(control) => place.last.then_some(Draft::Control(control)),
        EntryKind::Stray(_) => None,
    }
}

/// Minimum length of a head in bytes. If fewer bytes are missing, no head was lost.
const SHORTEST: u64 = 20;

/// The state of the beginning of a file, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Nothing is missing, as far as is known.
    Whole,
    /// The beginning is missing. Contains the whole text, with the beginning from git.
    Found(String),
    /// The beginning is missing, and git has no copy.
    Lost,
}

/// Looks for the beginning of a discussion with these records.
///
/// # Errors
/// Fails if git cannot read the history.
pub(super) fn opening(
    path: &Path,
    text: &str,
    records: &[JournalRecord],
) -> Result<Opening, StoreError> {
    let now = parse(text);
    // If a head is present but cannot be read, a person must correct it.
    if now.head.is_some() || text[..now.topic_end()].contains("<!-- DISCUSSION") {
        return Ok(Opening::Whole);
    }
    let committed = version_at(path, "HEAD")?.filter(|old| !old.trim().is_empty());
    if let Some(old) = committed {
        return Ok(with_opening(&now, &parse(old.as_str())));
    }
    // Only the recorded position of the first block tells where the topic ended.
    let first = records.iter().find(|record| record.after.is_none());
    let began = first.and_then(|record| record.at);
    let is_shorter = began.is_some_and(|began| began > now.topic_end() as u64 + SHORTEST);
    let is_empty = !records.is_empty() && text.trim().is_empty();
    Ok(if is_shorter || is_empty { Opening::Lost } else { Opening::Whole })
}

fn with_opening(now: &Transcript, old: &Transcript) -> Opening {
    let text = &*now.text;
    // An empty file has no text to lose, so the whole version from git may replace it.
    if text.trim().is_empty() {
        return Opening::Found(old.text.to_string());
    }
    if old.head.is_none() {
        return Opening::Whole;
    }
    let is_bare = now.preamble_text().trim().is_empty();
    let end = if is_bare { old.preamble.end } else { old.preamble.start };
    let opening = old.text[..end].trim_end().replace("\r\n", "\n");
    let opening = LineEnd::of(text).end(format!("{opening}\n\n"));
    Opening::Found(format!("{opening}{}", text.trim_start_matches(['\u{feff}', '\n', '\r'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str =
        "<!-- DISCUSSION\ntemplate: voting\n-->\n\n# T\n\nTopic.\n\n---\n\nName: Rob\n\nx\n\n---\n";

    fn opened(text: &str) -> Opening {
        with_opening(&parse(text), &parse(OLD))
    }

    #[test]
    fn empty_file_becomes_the_old_version() {
        assert_eq!(opened("\n"), Opening::Found(OLD.to_owned()));
    }

    #[test]
    fn head_is_restored_above_the_remaining_topic() {
        let (head, rest) = OLD.split_at(OLD.find("# T").unwrap());
        assert_eq!(opened(rest), Opening::Found(OLD.to_owned()));
        let topic = rest.replace("Topic.", "Another topic.");
        assert_eq!(opened(&topic), Opening::Found(format!("{head}{topic}")));
    }

    #[test]
    fn head_and_topic_are_restored_above_comments() {
        let comments = &OLD[OLD.find("---\n\nName").unwrap()..];
        assert_eq!(opened(comments), Opening::Found(OLD.to_owned()));
    }
}
