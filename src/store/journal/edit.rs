//! Distinguishes edited blocks from lost ones.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::records::JournalRecord;
use crate::store::merge::{BlockKey, entry_key};
use crate::text_diff::{TextComparison, TextUnit};
use crate::transcript::{BlockEnding, Entry, EntryKind, Transcript};

/// Minimum similarity of an edited text and the recorded one, from 0 to 1.
const ALIKE: f32 = 0.6;
/// Blocks of more bytes than this are compared line by line.
const LONG: usize = 16 * 1024;

/// Blocks of fewer bytes than this are compared by characters too.
const SHORT: usize = 400;

/// Maximum number of texts that one block is compared with. A place has more texts only if equal blocks precede them.
const MOST: usize = 64;

/// Maximum number of later missing blocks that compete with a missing block for an edited text.
const BEHIND: usize = 16;

/// Maximum number of lines of two texts together that are compared in order. For longer texts only common lines are
/// counted, because the time of the ordered comparison grows with the square of their number.
const ORDERED: usize = 4_000;

/// The comments that are not in the journal: written by hand, pulled, or edited.
pub(super) struct Edits<'t> {
    unknown: Vec<EditCandidate<'t>>,
    /// Indices of comments by author, in lower case, and by the block before them or their `REPLY` line; in file order.
    placed: HashMap<(String, EditPlace), BTreeSet<usize>>,
    /// The present hash to use for a missing block, by its recorded hash. For an edited block it is the hash of the new
    /// text; for a lost one, the hash of the block before it. `None` is the start of the file.
    renamed: HashMap<String, Option<String>>,
    /// Number of texts compared so far.
    #[cfg(test)]
    compared: std::cell::Cell<usize>,
}

/// Evidence that a comment is at its old place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum EditPlace {
    /// Hash of the block before it, if there is one.
    Behind(Option<String>),
    /// The line with which an answer was recorded.
    Reply(String),
}

/// A comment that may be the edited form of a missing one.
struct EditCandidate<'t> {
    text: &'t str,
    line: usize,
    /// Hash of its lines.
    own: String,
    /// Keys under which the index lists it.
    places: Vec<(String, EditPlace)>,
}

impl<'t> Edits<'t> {
    pub(super) fn new(transcript: &'t Transcript, known: &HashSet<BlockKey>) -> Self {
        let mut unknown = Vec::new();
        let mut placed: HashMap<_, BTreeSet<usize>> = HashMap::new();
        let mut before: Option<&Entry> = None;
        for entry in &transcript.entries {
            let key = entry_key(&transcript.text, entry);
            match &entry.kind {
                // A comment that an editor cut off is not an edit; it counts as lost.
                EntryKind::Comment(comment)
                    if comment.ending == BlockEnding::Rule && !known.contains(&key) =>
                {
                    let text = &transcript.text[entry.span.clone()];
                    let before = before.map(|entry| entry_key(&transcript.text, entry).hash());
                    let places = places(comment.name.as_str(), before, text);
                    for place in &places {
                        placed.entry(place.clone()).or_default().insert(unknown.len());
                    }
                    unknown.push(EditCandidate { text, line: entry.line, own: key.hash(), places });
                }
                EntryKind::Comment(_) | EntryKind::Control(_) | EntryKind::Stray(_) => {}
            }
            before = Some(entry);
        }
        Self {
            unknown,
            placed,
            renamed: HashMap::new(),
            #[cfg(test)]
            compared: std::cell::Cell::default(),
        }
    }

    /// Returns the line of a block's edited form: a similar text by this author, at the old place or with this `REPLY`
    /// line. In doubt a block is lost rather than edited. No text can be the edited form of two blocks. If several
    /// blocks in a row are missing (`later` are those after this one), the text belongs to the most similar one.
    pub(super) fn take(
        &mut self,
        record: &JournalRecord,
        later: &[JournalRecord],
    ) -> Option<usize> {
        let key = record.key();
        let before = match record.after.as_ref() {
            Some(hash) => self.renamed.get(hash).cloned().unwrap_or_else(|| Some(hash.clone())),
            None => None,
        };
        let found = self.find(&key, before.clone());
        let found =
            found.filter(|&(alike, index)| !self.is_rather_one_of(later, &key, index, alike));
        let found = found.map(|(_, index)| index);
        let now = found.map_or(before, |index| Some(self.unknown[index].own.clone()));
        self.renamed.insert(key.hash(), now);
        let edit = &self.unknown[found?];
        for place in &edit.places {
            if let Some(list) = self.placed.get_mut(place) {
                list.remove(&found?);
            }
        }
        Some(edit.line)
    }

    /// Finds the edited form of a block that followed the block `before`, or was the first one.
    fn find(&self, key: &BlockKey, before: Option<String>) -> Option<(f32, usize)> {
        let name = key.as_str().lines().next()?.strip_prefix("Name:")?.trim();
        let places = places(name, before, key.as_str());
        let near: BTreeSet<usize> = places
            .iter()
            .filter_map(|place| self.placed.get(place))
            .flat_map(|list| list.iter().take(MOST))
            .copied()
            .collect();
        #[cfg(test)]
        {
            self.compared.set(self.compared.get() + near.len());
        }
        let mine = comment_text(key.as_str());
        near.into_iter()
            .map(|index| (ratio(&mine, &comment_text(self.unknown[index].text)), index))
            .filter(|(ratio, _)| *ratio >= ALIKE)
            .max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Returns true if a text is more similar to one of the missing blocks that directly followed this one.
    fn is_rather_one_of(
        &self,
        later: &[JournalRecord],
        key: &BlockKey,
        index: usize,
        alike: f32,
    ) -> bool {
        let author = |key: &BlockKey| key.as_str().lines().next().map(str::to_ascii_lowercase);
        let (text, mine) = (comment_text(self.unknown[index].text), author(key));
        let mut behind = key.hash();
        for next in later.iter().take(BEHIND) {
            if next.after.as_deref() != Some(behind.as_str()) {
                return false;
            }
            let key = next.key();
            if author(&key) == mine && ratio(&comment_text(key.as_str()), &text) > alike {
                return true;
            }
            behind = key.hash();
        }
        false
    }
}

/// Returns the index keys of a block: its author with the block before it, and its author with its `REPLY` line.
fn places(name: &str, before: Option<String>, block: &str) -> Vec<(String, EditPlace)> {
    let reply = block.lines().find(|line| line.starts_with("<!-- REPLY "));
    let reply = reply.filter(|line| line.contains(" at: "));
    let places =
        [Some(EditPlace::Behind(before)), reply.map(|line| EditPlace::Reply(line.to_owned()))];
    places.into_iter().flatten().map(|place| (name.to_ascii_lowercase(), place)).collect()
}

/// Returns a comment without its head and the program's lines below it, which all answers of a turn have in common.
fn comment_text(block: &str) -> String {
    let below = block.lines().skip(1).skip_while(|line| line.starts_with("<!-- "));
    below.collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn ratio(a: &str, b: &str) -> f32 {
    let alike = |unit| TextComparison::of(unit, a, b).ratio();
    if a.len() + b.len() > LONG {
        // Texts without enough common lines need no ordered comparison.
        let most = common_lines(a, b);
        let many = a.lines().count() + b.lines().count() > ORDERED;
        if many || most < ALIKE { most } else { alike(TextUnit::Lines) }
    } else if a.len() + b.len() < SHORT {
        // One changed word is a large part of a short text's words, but a small part of its characters.
        alike(TextUnit::Words).max(alike(TextUnit::Letters))
    } else {
        alike(TextUnit::Words)
    }
}

/// Returns the share of common lines in any order, from 0 to 1. The share in order is never larger.
fn common_lines(a: &str, b: &str) -> f32 {
    let mut left: HashMap<&str, usize> = HashMap::new();
    a.split_inclusive('\n').for_each(|line| *left.entry(line).or_default() += 1);
    let (mut common, mut total) = (0_usize, a.split_inclusive('\n').count());
    for line in b.split_inclusive('\n') {
        total += 1;
        if let Some(count) = left.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    if total == 0 { 1.0 } else { 2.0 * common as f32 / total as f32 }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::transcript::parse;

    /// The author, the body, and true if the comment was recorded as an answer.
    type EditedText = (usize, usize, bool);

    const BODIES: [&str; 6] = [
        "We measure the cache first.",
        "We measure the cache first!",
        "We measure caches at first, then ship.",
        "No.",
        "Nothing here is like the others at all",
        "We measure\nthe cache\nfirst.",
    ];

    fn block((name, body, reply): &EditedText) -> String {
        let reply = if *reply { "<!-- REPLY turn: 1, at: 2026-11-20T10:01:00Z -->\n" } else { "" };
        format!("Name: {}\n{reply}\n{}\n\n", ["Rob", "rob", "Ann"][*name], BODIES[*body])
    }

    fn file(said: &[EditedText]) -> String {
        let blocks = said.iter().map(|said| format!("---\n\n{}", block(said)));
        format!("# T\n\n{}---\n", blocks.collect::<String>())
    }

    fn any_edited_text() -> impl Strategy<Value = EditedText> {
        (0..3_usize, 0..BODIES.len(), any::<bool>())
    }

    /// A reference implementation that compares every block with every comment.
    struct EditSearch<'t> {
        unknown: Vec<(String, &'t str, usize, Option<String>, String)>,
        renamed: HashMap<String, Option<String>>,
    }

    impl<'t> EditSearch<'t> {
        fn new(transcript: &'t Transcript, known: &HashSet<BlockKey>) -> Self {
            let mut before = None;
            let mut unknown = Vec::new();
            for entry in &transcript.entries {
                let key = entry_key(&transcript.text, entry);
                if let EntryKind::Comment(comment) = &entry.kind
                    && comment.ending == BlockEnding::Rule
                    && !known.contains(&key)
                {
                    let text = &transcript.text[entry.span.clone()];
                    let name = comment.name.to_string();
                    unknown.push((name, text, entry.line, before, key.hash()));
                }
                before = Some(key.hash());
            }
            Self { unknown, renamed: HashMap::new() }
        }

        fn take(&mut self, record: &JournalRecord) -> Option<usize> {
            let key = record.key();
            let name = key.as_str().lines().next()?.strip_prefix("Name:")?.trim();
            let renamed = |hash: &String| match self.renamed.get(hash) {
                Some(before) => before.clone(),
                None => Some(hash.clone()),
            };
            let behind = &record.after.as_ref().and_then(renamed);
            let reply = |block: &str| {
                block.lines().find(|line| line.starts_with("<!-- REPLY ")).map(str::to_owned)
            };
            let alike = |(other, text, _, before, _): &(String, &str, _, Option<String>, _)| {
                let answers = reply(text).is_some_and(|line| Some(line) == reply(key.as_str()));
                let placed = before == behind || answers;
                let ratio = ratio(&said_in(key.as_str()), &said_in(text));
                (placed && other.eq_ignore_ascii_case(name) && ratio >= ALIKE).then_some(ratio)
            };
            let found = self.unknown.iter().enumerate();
            let found = found
                .filter_map(|(index, candidate)| Some((index, alike(candidate)?)))
                .max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((index, _)) = found else {
                let behind = behind.clone();
                self.renamed.insert(key.hash(), behind);
                return None;
            };
            let (.., line, _, own) = self.unknown.remove(index);
            self.renamed.insert(key.hash(), Some(own));
            Some(line)
        }
    }

    fn said_in(block: &str) -> String {
        super::comment_text(block)
    }

    fn records(said: &[EditedText]) -> Vec<JournalRecord> {
        let mut after = None;
        let records = said.iter().map(|said| {
            let record =
                JournalRecord::new(Path::new("a.md"), &block(said), after.take(), None, None);
            after = Some(record.key().hash());
            record
        });
        records.collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn indexed_search_equals_the_exhaustive_search(
            first in prop::collection::vec(any_edited_text(), 0..8),
            then in prop::collection::vec(any_edited_text(), 0..8),
        ) {
            let text = file(&then);
            let transcript = parse(&text);
            let records = records(&first);
            let known: HashSet<BlockKey> = records.iter().map(JournalRecord::key).collect();
            let mut edits = Edits::new(&transcript, &known);
            let mut search = EditSearch::new(&transcript, &known);
            for record in &records {
                prop_assert_eq!(edits.take(record, &[]), search.take(record), "{}", record.block);
            }
        }
    }

    /// Counts the comparisons if `count` recorded blocks are missing and `count` unknown ones are present, each after
    /// a different block or all after equal ones.
    fn compared(count: usize, behind: impl Fn(usize) -> String) -> usize {
        let comment = |number: usize| format!("Name: Rob\n\nThought {number}.\n\n");
        let mut text = "# T\n\n".to_owned();
        let mut records = Vec::new();
        for number in 0..count {
            let before = format!("Name: Ann\n\n{}", behind(number));
            text.push_str(&format!("---\n\n{before}\n\n---\n\n{}", comment(number)));
            let (block, after) = (comment(number + 2 * count), BlockKey::of(&before).hash());
            records.push(JournalRecord::new(Path::new("a.md"), &block, Some(after), None, None));
        }
        text.push_str("---\n");
        let transcript = parse(&text);
        let mut edits = Edits::new(&transcript, &HashSet::new());
        let found = records.iter().filter(|record| edits.take(record, &[]).is_some()).count();
        assert_eq!(found, count);
        edits.compared.get()
    }

    #[test]
    fn missing_blocks_are_compared_with_few() {
        assert!(compared(10_000, |number| format!("{number}")) <= 10_000);
        assert!(compared(500, |_| "Agreed.".to_owned()) <= MOST * 500);
    }
}
