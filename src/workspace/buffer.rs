//! Unsaved texts, for editors: everything is judged by the text that the editor holds, as if it were the file's.

use std::ops::Range;
use std::path::Path;

use super::Checks;
use super::autofix::known_names;
use super::decision_notes::{invalid_patterns, is_conflict};
use super::environment::name;
use super::error::WorkspaceError;
use super::files::is_discussion;
use super::gate::markup_problems;
use super::outcomes::KnownLinks;
use crate::store::{self, Document, Fate, GitUse, JournalFinding, TrackedJournals};
use crate::text_diff::line_edits;
use crate::transcript::{Entry, EntryKind, Transcript, is_rule, parse, time};
use crate::view::{self, Checked};

/// The sources that a check of a text reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CheckDepth {
    /// The text alone, because it belongs to no file.
    Text,
    /// Also the journal, but neither git nor other discussions.
    Quick,
    /// Everything that a check of the saved file reads.
    Full,
}

/// A recorded comment that a text does not contain in its recorded form, and the edit that puts it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedChange {
    /// The bytes of the text to replace; empty if the comment is missing.
    pub range: Range<usize>,
    /// The replacement, with LF line ends.
    pub text: String,
    /// The line of the changed comment, from 1; 0 if the comment is missing.
    pub line: usize,
    /// The author of the comment; none for a control line.
    pub author: Option<String>,
    /// When it was recorded, in RFC 3339, UTC.
    pub at: Option<String>,
    /// The lines that the record does not contain: what the user typed into the comment.
    pub typed: String,
}

impl Checks<'_> {
    /// Returns the content of a text as if it were the file at `path`, entry by entry.
    ///
    /// # Errors
    /// Fails if the default template is broken.
    pub fn snapshot_text(&self, path: &Path, text: &str) -> Result<view::Shown, WorkspaceError> {
        let snapshot = self.snapshot_of(&Document::of_git(path.to_owned(), text))?;
        Ok(view::Shown::of(&snapshot, self.exactly(path), self.now()))
    }

    /// Returns true if a text is meant as a discussion, or belongs to the folder of discussions.
    pub fn is_meant_as_discussion(&self, path: &Path, text: &str) -> bool {
        self.is_kept(path) || is_meant(&parse(text))
    }

    /// Checks a text as if it were the file at `path`. Returns `None` for a page that is not meant as a discussion, unless
    /// it is in the folder of discussions.
    ///
    /// # Errors
    /// Fails if the default template is broken.
    pub fn check_text(&self, path: &Path, text: &str) -> Result<Option<Checked>, WorkspaceError> {
        self.check_at(path, text, CheckDepth::Full)
    }

    /// Checks a text like [`Checks::check_text`], but reads neither git nor other discussions. That is fast enough for
    /// every change, and leaves out missing comments and wrong links.
    ///
    /// # Errors
    /// Fails if the default template is broken.
    pub fn check_text_quickly(
        &self,
        path: &Path,
        text: &str,
    ) -> Result<Option<Checked>, WorkspaceError> {
        self.check_at(path, text, CheckDepth::Quick)
    }

    /// Checks a text that belongs to no file yet. `path` names the folder to which it may be saved.
    ///
    /// # Errors
    /// Fails if the default template is broken.
    pub fn check_new_text(
        &self,
        path: &Path,
        text: &str,
    ) -> Result<Option<Checked>, WorkspaceError> {
        self.check_at(path, text, CheckDepth::Text)
    }

    fn check_at(
        &self,
        path: &Path,
        text: &str,
        depth: CheckDepth,
    ) -> Result<Option<Checked>, WorkspaceError> {
        // An editor follows links, but a check of the saved file reads nothing behind one that leaves the project.
        if let (Err(error), true) = (self.place(path), depth != CheckDepth::Text) {
            let mut checked = self.unread(path, &error);
            checked.add_ends();
            return Ok(Some(checked));
        }
        let snapshot = self.snapshot_of(&Document::of_git(path.to_owned(), text))?;
        let text = snapshot.transcript.text.clone();
        if !is_meant(&snapshot.transcript) && !self.is_kept(path) {
            return Ok(None);
        }
        let mut problems = self.problems_of(&snapshot);
        if !is_conflict(&problems) {
            if depth == CheckDepth::Full {
                self.keep_true_hints(path, &snapshot, &TrackedJournals::default(), &mut problems);
                problems.extend(self.wrong_links(path, &snapshot, &KnownLinks::default()));
            }
            problems.extend(store::agreements(&text));
            problems.extend(invalid_patterns(&snapshot));
            problems.extend(markup_problems(&snapshot.transcript));
            let found = match depth {
                CheckDepth::Text => Ok(Vec::new()),
                depth => self.compare_with_journal(path, &text, depth),
            };
            self.add_findings(found, &snapshot, path, &mut problems);
        }
        let mut checked = self.check_result(path, &problems, text);
        checked.add_ends();
        Ok(Some(checked))
    }

    /// Compares a text with its journal. A quick comparison leaves out missing comments, because only git can tell
    /// where they are.
    fn compare_with_journal(
        &self,
        path: &Path,
        text: &str,
        depth: CheckDepth,
    ) -> Result<Vec<JournalFinding>, store::StoreError> {
        let is_full = depth == CheckDepth::Full;
        let tracked = TrackedJournals::default();
        let git = if is_full { self.git_use(&tracked) } else { GitUse::Avoided };
        let mut found = store::check_asking(path, text, git)?;
        found.retain(|finding| is_full || finding.fate != Fate::Dropped);
        Ok(found)
    }

    /// Returns whether a check may ask git.
    pub(super) fn git_use<'a>(&self, tracked: &'a TrackedJournals) -> GitUse<'a> {
        if self.uses_git { GitUse::Asked(tracked) } else { GitUse::Avoided }
    }

    /// Returns true for a Markdown file in the folder of discussions.
    pub fn is_kept(&self, path: &Path) -> bool {
        is_discussion(path) && path.starts_with(self.output_directory())
    }

    /// Returns the recorded comments that a text lacks or changes, except accepted changes. Git is not asked.
    pub fn recorded_changes(&self, path: &Path, text: &str) -> Vec<RecordedChange> {
        let found = store::check_asking(path, text, GitUse::Avoided).unwrap_or_default();
        let transcript = parse(text);
        let open = found.iter().filter(|finding| !finding.is_accepted);
        open.filter_map(|finding| change(&transcript, finding)).collect()
    }

    /// Returns the corrections of handwritten markers, heads and rules in a text that `check --fix` would make: ranges
    /// of bytes with their new text. `by` is the user's name.
    ///
    /// # Errors
    /// Fails if the name is invalid, if the text contains a merge conflict, or if the journal cannot be read.
    pub fn text_corrections(
        &self,
        path: &Path,
        text: &str,
        by: &str,
    ) -> Result<Vec<(Range<usize>, String)>, WorkspaceError> {
        let snapshot = self.snapshot_of(&Document::of_git(path.to_owned(), text))?;
        let known = known_names(&snapshot, &name(by)?);
        let mended = store::proposed_for(path, text, &known, GitUse::Avoided)?;
        Ok(mended.map_or_else(Vec::new, |mended| line_edits(text, mended.text())))
    }

    /// Returns the saved text of a discussion, as a reader sees it.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or for a link that leads out of its project.
    pub fn saved_text(&self, path: &Path) -> Result<String, WorkspaceError> {
        Ok(self.document(path)?.text.to_string())
    }
}

/// Returns true if a text is meant as a discussion: it has a head, or below a title a comment or a control line outside of
/// code. Front matter, and a page that shows the format in an example, only look alike.
fn is_meant(transcript: &Transcript) -> bool {
    let Some(first) = transcript.entries.first() else { return transcript.head.is_some() };
    let above = &transcript.text[..first.span.start];
    let is_fence = |line: &&str| {
        let bare = line.trim_start();
        bare.starts_with("```") || bare.starts_with("~~~")
    };
    let is_in_code = above.lines().filter(is_fence).count() % 2 == 1;
    transcript.head.is_some() || (!is_in_code && !transcript.preamble_text().trim().is_empty())
}

/// Returns the edit that puts a recorded comment back; `None` for a control line that is missing, because so late in
/// the file it would change the meaning of later entries.
fn change(transcript: &Transcript, finding: &JournalFinding) -> Option<RecordedChange> {
    let (text, record) = (&*transcript.text, &finding.record);
    let block = without_rule(&record.block);
    let author = block.lines().next()?.strip_prefix("Name: ").map(|name| name.trim().to_owned());
    let at = record.said.map(time);
    let (range, text, line) = match &finding.fate {
        Fate::Edited { line } => {
            let range = edited_bytes(transcript, *line, &block)?;
            let below = rule_below(text, range.end);
            (range, format!("{block}{below}"), *line)
        }
        Fate::Unframed { lines } => {
            let range = bytes_of(text, lines.clone())?;
            let above = &text[..range.start];
            let last = above.lines().rfind(|line| !line.trim().is_empty());
            let above = match last {
                Some(last) if is_rule(last) => "",
                _ if above.ends_with("\n\n") => "---\n\n",
                _ => "\n---\n\n",
            };
            let below = rule_below(text, range.end);
            (range, format!("{above}{block}{below}"), lines.start + 1)
        }
        Fate::Dropped if author.is_some() => {
            let at = place_after(transcript, record.after_hash())?;
            (at..at, format!("\n\n---\n\n{block}"), 0)
        }
        _ => return None,
    };
    let typed = typed_lines(&block, &transcript.text[range.clone()]);
    Some(RecordedChange { range, text, line, author, at, typed })
}

/// Returns a recorded block without the rule that closes it, which is still in the text.
fn without_rule(block: &str) -> String {
    let block = block.replace("\r\n", "\n");
    let block = block.trim_end();
    block.strip_suffix("\n---").unwrap_or(block).trim_end().to_owned()
}

/// Returns the rule that closes a comment, unless the text below has one.
fn rule_below(text: &str, end: usize) -> &'static str {
    let below = text[end..].lines().find(|line| !line.trim().is_empty());
    if below.is_some_and(is_rule) { "" } else { "\n\n---" }
}

/// Returns the bytes of an edited comment. If a typed rule cut it, the rest is stray text, which belongs to it too.
fn edited_bytes(transcript: &Transcript, line: usize, block: &str) -> Option<Range<usize>> {
    let text = &*transcript.text;
    let index = transcript.entries.iter().position(|entry| entry.line == line)?;
    let own = |entry: &Entry| {
        let whole = text[entry.span.clone()].trim_end();
        entry.span.start..entry.span.start + whole.len()
    };
    let range = own(&transcript.entries[index]);
    let rest = transcript.entries.get(index + 1);
    let rest = rest.filter(|entry| matches!(entry.kind, EntryKind::Stray(_))).map(own);
    let is_rest = |rest: &Range<usize>| block.lines().last() == text[rest.clone()].lines().last();
    Some(match rest.filter(is_rest) {
        Some(rest) => range.start..rest.end,
        None => range,
    })
}

/// Returns the lines of a comment that its record does not contain, without those that belong to the frame.
fn typed_lines(recorded: &str, now: &str) -> String {
    let with_end = |text: &str| format!("{}\n", text.replace("\r\n", "\n").trim_end());
    let edits = line_edits(&with_end(recorded), &with_end(now));
    let is_frame =
        |line: &&str| is_rule(line) || line.starts_with("Name: ") || line.starts_with("<!--");
    let lines = edits.iter().flat_map(|(_, new)| new.lines());
    let lines: Vec<&str> = lines.filter(|line| !is_frame(line)).collect();
    lines.join("\n").trim().to_owned()
}

/// Returns the end of the entry with this hash, or of the last entry. There the next entry would begin.
fn place_after(transcript: &Transcript, hash: Option<&str>) -> Option<usize> {
    let text = &*transcript.text;
    let own = |entry: &&crate::transcript::Entry| {
        Some(store::block_hash(&text[entry.span.clone()]).as_str()) == hash
    };
    let entry = transcript.entries.iter().rfind(own).or(transcript.entries.last())?;
    let is_text = !matches!(entry.kind, EntryKind::Stray(_));
    is_text.then(|| entry.span.start + text[entry.span.clone()].trim_end().len())
}

/// Returns the bytes of some lines, counted from 0, without the end of the last one.
fn bytes_of(text: &str, lines: Range<usize>) -> Option<Range<usize>> {
    let mut starts =
        std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    let start = starts.by_ref().nth(lines.start)?;
    let last = if lines.len() > 1 { starts.nth(lines.len() - 2)? } else { start };
    let end = text[last..].find('\n').map_or(text.len(), |end| last + end);
    Some(start..start + text[start..end].trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_head_or_a_comment_below_a_title_means_a_discussion() {
        for text in [
            "<!-- DISCUSSION\ntemplate: x\n-->\n",
            "# Caching\n\n---\n\nName: Rob\n\nYes.\n",
            "# Caching\n\n```\nx\n```\n\n---\n\nName: Rob\n\nYes.\n",
        ] {
            assert!(is_meant(&parse(text)), "{text}");
        }
        for text in [
            "---\nname: a skill\ndescription: x\n---\n\n# Skill\n",
            "---\nName: Bug report\nabout: x\n---\n\nDescribe it.\n",
            "# The format\n\n```\n---\n\nName: Rob\n\nYes.\n\n---\n```\n\nMore.\n",
            "# Plain\n\n---\n\nnames: x\n",
            "",
        ] {
            assert!(!is_meant(&parse(text)), "{text}");
        }
    }

    #[test]
    fn typed_lines_are_those_that_the_record_lacks() {
        let recorded =
            "Name: Rob\n<!-- SAID at: 2026-11-20T10:00:00Z -->\n\nWe measure.\n\nThen ship.";
        let now = recorded.replace("We measure.", "We measure twice.\n\n---\n\nName: Eve");
        assert_eq!(typed_lines(recorded, &now), "We measure twice.");
        assert_eq!(typed_lines(recorded, recorded), "");
    }

    #[test]
    fn lines_are_found_without_their_last_end() {
        let text = "a\nb \r\nc";
        assert_eq!(bytes_of(text, 0..1), Some(0..1));
        assert_eq!(bytes_of(text, 0..2), Some(0..3));
        assert_eq!(bytes_of(text, 1..3), Some(2..7));
        assert_eq!(bytes_of(text, 4..5), None);
    }
}
