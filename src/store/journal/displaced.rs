//! Finds recorded text that is still in the file but is displaced: blocks without a rule above or
//! below, and references by number that a merge moved.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::check::{Fate, JournalFinding};
use super::records::JournalRecord;
use crate::store::merge::{BlockKey, entry_key, numbers};
use crate::transcript::{Entry, EntryKind, Transcript, divides, is_rule, parse};

/// The lines of a file, and which of them belong to recorded blocks.
pub(super) struct UnframedLines<'t> {
    lines: Vec<&'t str>,
    /// The indices of lines that may begin a block, by their text without trailing blanks.
    places: HashMap<&'t str, Vec<usize>>,
    is_taken: Vec<bool>,
}

/// The text of a recorded block in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FoundText {
    /// Only rules are missing around these lines, counted from 0.
    Unframed(Range<usize>),
    /// The rule above the text is there, but text was added directly below: the block was edited.
    Extended(usize),
}

impl<'t> UnframedLines<'t> {
    /// Indexes the lines of a file. `known` are the recorded blocks.
    pub(super) fn of(transcript: &'t Transcript, known: &HashSet<BlockKey>) -> Self {
        let lines: Vec<&str> = transcript.text.lines().collect();
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| may_begin(line)) {
            places.entry(line.trim_end_matches(BLANKS)).or_default().push(at);
        }
        let mut is_taken = vec![false; lines.len()];
        for entry in &transcript.entries {
            let key = entry_key(&transcript.text, entry);
            if known.contains(&key) {
                let first = entry.line - 1;
                let count = key.as_str().lines().count();
                is_taken.iter_mut().skip(first).take(count).for_each(|it| *it = true);
            }
        }
        Self { lines, places, is_taken }
    }

    /// Finds the text of a missing block. No line belongs to two blocks, so blocks are looked up in their order.
    pub(super) fn find(&mut self, record: &JournalRecord) -> Option<FoundText> {
        let key = record.key();
        let block: Vec<&str> = key.as_str().lines().collect();
        let first = block.first()?.trim_end_matches(BLANKS);
        let starts = self.places.get(first)?;
        let start = starts.iter().copied().find(|at| self.holds(&block, *at))?;
        let lines = start..start + block.len();
        // A comment may quote a whole control line, because it is short. So it counts only below a block or a rule.
        if !key.is_comment() && !self.is_below_a_block(start) {
            return None;
        }
        self.is_taken[lines.clone()].fill(true);
        if self.is_framed_above(start) && self.is_text_below(lines.end) {
            Some(FoundText::Extended(start))
        } else {
            Some(FoundText::Unframed(lines))
        }
    }

    fn holds(&self, block: &[&str], start: usize) -> bool {
        let Some(here) = self.lines.get(start..start + block.len()) else { return false };
        let is_same = |(own, line): (&&str, &&str)| {
            own.trim_end_matches(BLANKS) == line.trim_end_matches(BLANKS)
        };
        !self.is_taken[start..start + block.len()].contains(&true)
            && here.iter().zip(block).all(is_same)
    }

    /// Returns the index of the nearest line above that is not blank.
    fn above(&self, start: usize) -> Option<usize> {
        (0..start).rev().find(|at| !self.lines[*at].trim().is_empty())
    }

    fn is_framed_above(&self, start: usize) -> bool {
        self.above(start).is_some_and(|at| is_rule(self.lines[at]) && start - at <= 3)
    }

    fn is_below_a_block(&self, start: usize) -> bool {
        self.above(start).is_some_and(|at| self.is_taken[at] || divides(self.lines[at]))
    }

    /// Returns true if the next text below is neither a rule nor the beginning of another block.
    fn is_text_below(&self, end: usize) -> bool {
        let below = self.lines.iter().skip(end).find(|line| !line.trim().is_empty());
        below.is_some_and(|line| !divides(line) && !may_begin(line))
    }
}

const BLANKS: [char; 2] = [' ', '\t'];

/// Returns true if a line may be the first line of a block.
fn may_begin(line: &str) -> bool {
    line.starts_with("Name: ") || line.starts_with("<!-- ")
}

/// Returns recorded comments that refer to an item by number (`A: Q3`, `DONE: T1`, `+1 D2`) and no longer follow the
/// blocks that they were written after. If the text above merely grew or shrank, for example by an edit, nothing was
/// moved.
pub(super) fn renumbered_answers(expected: &[JournalRecord], text: &str) -> Vec<JournalFinding> {
    let mut records: HashMap<String, &JournalRecord> = HashMap::new();
    for record in expected.iter().filter(|record| record.at.is_some()) {
        records.insert(record.key().hash(), record);
    }
    if records.is_empty() {
        return Vec::new();
    }
    let transcript = parse(text);
    let stands: Vec<Standing<'_>> =
        transcript.entries.iter().map(|entry| Standing::new(text, entry, &records)).collect();
    let mut findings = Vec::new();
    // A block that directly follows a moved block in both versions was moved with it.
    let mut carried = None;
    for (index, here) in stands.iter().enumerate() {
        let Some((record, shift)) = here.record.zip(here.shift) else {
            carried = None;
            continue;
        };
        let before = index.checked_sub(1).map(|index| stands[index].hash.as_str());
        let follows = record.after.as_deref() == before;
        carried = (shift != 0 && (!follows || carried == Some(shift))).then_some(shift);
        if let (Some(_), EntryKind::Comment(comment)) = (carried, &here.entry.kind)
            && let Some(line) = numbers(comment).iter().map(|number| number.line).min()
        {
            findings.push(JournalFinding::of(record.clone(), Fate::Moved { line }));
        }
    }
    findings
}

/// A block of the file, with its record in the journal.
struct Standing<'a> {
    entry: &'a Entry,
    hash: String,
    record: Option<&'a JournalRecord>,
    /// Distance in bytes from its original position; positive if it is further down now.
    shift: Option<i128>,
}

impl<'a> Standing<'a> {
    fn new(text: &str, entry: &'a Entry, records: &HashMap<String, &'a JournalRecord>) -> Self {
        let hash = entry_key(text, entry).hash();
        let record = records.get(&hash).copied();
        let shift =
            record.and_then(|record| record.at).map(|at| entry.span.start as i128 - i128::from(at));
        Self { entry, hash, record, shift }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::codes::ProblemCode;
    use crate::problem::Severity;
    use crate::store::{Writer, check, merge, read};
    use crate::transcript::{Draft, Name, NewComment, append, parse};

    const ROB: &str = "Name: Rob\n\nFirst.\n\n---\n";
    const EVE: &str = "Name: Eve\n\nSecond.\n\n---\n";
    const PHASE: &str = "<!-- PHASE: two -->\n";

    fn find_texts(text: &str) -> Vec<Option<FoundText>> {
        let records =
            [ROB, EVE, PHASE].map(|it| JournalRecord::new(Path::new("a"), it, None, None, None));
        let known: HashSet<BlockKey> = records.iter().map(JournalRecord::key).collect();
        let read = parse(text);
        let mut lines = UnframedLines::of(&read, &known);
        records.iter().map(|record| lines.find(record)).collect()
    }

    #[test]
    fn blocks_without_a_rule_between_are_found() {
        let text =
            "# T\n\n---\n\nName: Rob\n\nFirst.\n\nName: Eve\n\nSecond.\n\n<!-- PHASE: two -->\n";
        let wanted = [4..7, 8..11, 12..13].map(|lines| Some(FoundText::Unframed(lines)));
        assert_eq!(find_texts(text), wanted);
        assert_eq!(find_texts(&text.replace('\n', "\r\n")), wanted);
    }

    #[test]
    fn longer_text_is_an_edit_and_changed_text_is_not_found() {
        let longer = "# T\n\n---\n\nName: Rob\n\nFirst.\n\nMore of it.\n\n---\n";
        assert_eq!(find_texts(longer), [Some(FoundText::Extended(4)), None, None]);
        let other = "# T\n\n---\n\nName: Rob\n\nFirst. Changed.\n\n<!-- PHASE: two -->\n";
        assert_eq!(find_texts(other), [None, None, None]);
    }

    #[test]
    fn block_with_its_rules_is_not_found_again() {
        assert_eq!(find_texts(&format!("# T\n\n---\n\n{ROB}")), [None, None, None]);
    }

    fn comment(name: &str, body: &str) -> Draft {
        Draft::Comment(NewComment::by(Name::parse(name).unwrap(), body))
    }

    fn write(path: &Path, body: &str) {
        let mut writer = Writer::lock(path, Duration::from_secs(10)).unwrap();
        writer.append(&[comment("Rob", body)]).unwrap();
    }

    /// Returns line and code of each finding of `check`.
    fn check_codes(path: &Path) -> Vec<(usize, ProblemCode)> {
        let findings = check(path, &read(path).unwrap().text).unwrap();
        let problems = findings.iter().map(super::JournalFinding::problem);
        problems
            .inspect(|problem| assert_eq!(problem.severity, Severity::Warning))
            .map(|problem| (problem.line, problem.code))
            .collect()
    }

    /// Creates a discussion in which Rob asked and answered, before a branch of another user is merged.
    fn discussion() -> (tempfile::TempDir, std::path::PathBuf, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, "# A\n").unwrap();
        write(&path, "Q: first?");
        let base = fs::read_to_string(&path).unwrap();
        write(&path, "Q: second?");
        write(&path, "Thanks.\n\nA: Q2 because.");
        (folder, path, base)
    }

    fn merge_with(path: &Path, base: &str, theirs: &[Draft]) {
        let ours = fs::read_to_string(path).unwrap();
        let theirs = format!("{base}{}", append(base, theirs));
        fs::write(path, merge(base, &ours, &theirs).unwrap()).unwrap();
    }

    #[test]
    fn answer_moved_by_a_merge_is_always_reported() {
        // The hashes of the blocks decide which side comes first. Tries texts until Eve's side comes first.
        let moves = (0..20).find_map(|number| {
            let (folder, path, base) = discussion();
            merge_with(&path, &base, &[comment("Eve", &format!("Q: {number}?"))]);
            (!check_codes(&path).is_empty()).then_some((folder, path))
        });
        let (_folder, path) = moves.unwrap();
        assert_eq!(check_codes(&path), [(27, ProblemCode::AnswerMoved)]);
        // An answer written after the merge takes it into account, and an edit above moves nothing.
        write(&path, "A: Q1 too.");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("# A", "# Another title")).unwrap();
        assert_eq!(check_codes(&path), [(27, ProblemCode::AnswerMoved)]);
    }

    #[test]
    fn unmoved_number_is_not_reported() {
        let (_folder, path, base) = discussion();
        assert_eq!(check_codes(&path), []);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("# A", "# Another title").replace('\n', "\r\n")).unwrap();
        assert_eq!(check_codes(&path), []);
        fs::write(&path, text).unwrap();
        merge_with(&path, &base, &[]);
        assert_eq!(check_codes(&path), []);
    }
}
