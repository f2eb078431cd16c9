//! Finds recorded blocks whose text is still in the file, but without the rule (`---`) above or below it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::records::JournalRecord;
use crate::store::merge::{BlockKey, entry_key};
use crate::transcript::{Transcript, divides, is_rule};

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
        let last = block.len() - 1;
        let is_same = |(at, (own, line)): (usize, (&&str, &&str))| {
            if at == last {
                own.trim_end_matches(BLANKS) == line.trim_end_matches(BLANKS)
            } else {
                own == line
            }
        };
        !self.is_taken[start..start + block.len()].contains(&true)
            && here.iter().zip(block).enumerate().all(is_same)
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::transcript::parse;

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
}
