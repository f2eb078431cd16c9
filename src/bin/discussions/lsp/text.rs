//! The text of an open document: positions in the encoding of the client, edits, and what other programs append to its file
//! meanwhile.

use std::ops::Range;
use std::sync::Arc;

/// The unit in which a client counts the characters of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PositionEncoding {
    /// Bytes.
    Utf8,
    /// Two units for characters beyond the basic plane.
    Utf16,
    /// Characters.
    Utf32,
}

impl PositionEncoding {
    /// Chooses from the encodings that a client offers. A problem's column counts characters, but bytes need no counting.
    pub(super) fn choose(offered: &[&str]) -> Self {
        if offered.contains(&"utf-8") {
            Self::Utf8
        } else if offered.contains(&"utf-32") {
            Self::Utf32
        } else {
            Self::Utf16
        }
    }

    /// Returns the word of the protocol.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
            Self::Utf32 => "utf-32",
        }
    }

    fn units(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// A place in a text, as the protocol counts it: both from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DocumentPosition {
    /// The line.
    pub(super) line: usize,
    /// The units before it in the line.
    pub(super) character: usize,
}

/// A range of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TextRange {
    /// Its start.
    pub(super) start: DocumentPosition,
    /// The position behind its end.
    pub(super) end: DocumentPosition,
}

/// A change of a text; without a range, the whole text is replaced.
#[derive(Clone, Debug)]
pub(super) struct DocumentChange {
    /// The replaced range.
    pub(super) range: Option<TextRange>,
    /// The new text.
    pub(super) text: String,
}

/// An edit of a text, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ByteEdit {
    /// The replaced bytes.
    pub(super) range: Range<usize>,
    /// The new text.
    pub(super) text: String,
}

/// A text with the starts of its lines.
#[derive(Clone, Debug)]
pub(super) struct IndexedText {
    text: String,
    /// The byte at which each line begins. Lines end with LF, CR LF or a lone CR, as the protocol says.
    starts: Vec<usize>,
    /// The byte at which each line of a check begins, if that differs: a check does not count a lone CR.
    check_starts: Option<Vec<usize>>,
    encoding: PositionEncoding,
}

impl IndexedText {
    /// Indexes a text.
    pub(super) fn new(text: String, encoding: PositionEncoding) -> Self {
        let (starts, check_starts) = (starts(&text), check_starts(&text));
        Self { text, starts, check_starts, encoding }
    }

    /// Returns the text.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the unit of positions.
    pub(super) fn encoding(&self) -> PositionEncoding {
        self.encoding
    }

    /// Returns the bytes of a line without its end.
    pub(super) fn line_bytes(&self, line: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(line)?;
        let next = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let content = self.text[start..next].trim_end_matches(['\r', '\n']);
        Some(start..start + content.len())
    }

    /// Returns a line without its end; an empty text behind the last line.
    pub(super) fn line(&self, line: usize) -> &str {
        self.line_bytes(line).map_or("", |bytes| &self.text[bytes])
    }

    /// Returns the number of the last line.
    pub(super) fn last_line(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the byte of a position; `None` behind the last line. A character behind the end of its line, or within a
    /// character, counts as the one before.
    pub(super) fn byte(&self, at: DocumentPosition) -> Option<usize> {
        let line = self.line_bytes(at.line)?;
        let mut left = at.character;
        for (offset, c) in self.text[line.clone()].char_indices() {
            let units = self.encoding.units(c);
            if left < units {
                return Some(line.start + offset);
            }
            left -= units;
        }
        Some(line.end)
    }

    /// Returns the position of a byte.
    pub(super) fn position(&self, byte: usize) -> DocumentPosition {
        let byte = byte.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= byte) - 1;
        let before = &self.text.as_bytes()[self.starts[line]..byte];
        let character = match self.encoding {
            PositionEncoding::Utf8 => before.len(),
            encoding => String::from_utf8_lossy(before).chars().map(|c| encoding.units(c)).sum(),
        };
        DocumentPosition { line, character }
    }

    /// Returns the range of some bytes.
    pub(super) fn range(&self, bytes: Range<usize>) -> TextRange {
        TextRange { start: self.position(bytes.start), end: self.position(bytes.end) }
    }

    /// Returns the byte of a line and column as a check counts them: both from 1, the column in characters, and lines
    /// end with LF alone.
    pub(super) fn byte_of_check(&self, line: usize, column: usize) -> usize {
        let starts = self.check_starts.as_ref().unwrap_or(&self.starts);
        let start = starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len());
        let rest = &self.text[start..];
        let content = rest.split('\n').next().unwrap_or_default();
        let content = content.strip_suffix('\r').unwrap_or(content);
        let skipped = content.char_indices().nth(column.saturating_sub(1));
        start + skipped.map_or(content.len(), |(at, _)| at)
    }

    /// Returns the line of a byte as a check counts it, from 1.
    pub(super) fn check_line(&self, byte: usize) -> usize {
        self.check_starts.as_ref().unwrap_or(&self.starts).partition_point(|start| *start <= byte)
    }

    /// Returns the text of a line as a check counts it, from 1.
    pub(super) fn check_line_text(&self, line: usize) -> &str {
        let rest = &self.text[self.byte_of_check(line, 1)..];
        rest.split('\n').next().unwrap_or_default().trim_end_matches('\r')
    }

    /// Returns the range of a line as a check counts it, from 1, without its end.
    pub(super) fn check_line_range(&self, line: usize) -> TextRange {
        let start = self.byte_of_check(line, 1);
        self.range(start..start + self.check_line_text(line).len())
    }

    /// Applies a change, and moves the end of the text that was seen on disk. Returns the bytes of the change, or `None` if
    /// it does not fit the text, which then stays.
    pub(super) fn apply(
        &mut self,
        change: DocumentChange,
        disk: Option<&mut DiskText>,
    ) -> Option<ByteEdit> {
        let range = match change.range {
            None => 0..self.text.len(),
            Some(TextRange { start, end }) if start <= end => self.byte(start)?..self.byte(end)?,
            Some(_) => return None,
        };
        let disk = disk.filter(|disk| range.start < disk.end && disk.end <= self.text.len());
        let seen = disk.as_ref().map(|disk| self.text[range.start..disk.end].to_owned());
        self.text.replace_range(range.clone(), &change.text);
        // Counting all lines again takes a millisecond for a large text, which is less than a check.
        self.starts = starts(&self.text);
        self.check_starts = check_starts(&self.text);
        let edit = ByteEdit { range, text: change.text };
        if let Some((disk, seen)) = disk.zip(seen) {
            // Some clients report lines that are typed at the end as text before the last line end. Then the seen text is
            // unchanged, and its end too.
            if self.text.get(edit.range.start..disk.end) != Some(seen.as_str()) {
                disk.end = moved_byte(disk.end, &edit);
            }
        }
        Some(edit)
    }
}

fn starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_end = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
    let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(is_end);
    std::iter::once(0).chain(ends.map(|at| at + 1)).collect()
}

/// Returns the starts of the lines of a check, if there is a lone CR.
fn check_starts(text: &str) -> Option<Vec<usize>> {
    let bytes = text.as_bytes();
    let is_lone = |at: usize| bytes.get(at + 1) != Some(&b'\n');
    memchr::memchr_iter(b'\r', bytes).any(is_lone).then(|| {
        let ends = memchr::memchr_iter(b'\n', bytes);
        std::iter::once(0).chain(ends.map(|at| at + 1)).collect()
    })
}

/// Returns the byte to which an edit moves a byte of the text before it. Text that is inserted exactly there stands behind
/// the byte.
pub(super) fn moved_byte(at: usize, edit: &ByteEdit) -> usize {
    if edit.range.start >= at {
        at
    } else if edit.range.end <= at {
        at - edit.range.len() + edit.text.len()
    } else {
        edit.range.start + edit.text.len()
    }
}

/// The text of a document's file as it was last seen, and where it ends in the document.
#[derive(Clone, Debug)]
pub(super) struct DiskText {
    /// The text of the file.
    pub(super) seen: Arc<str>,
    /// The byte of the document at the end of that text.
    pub(super) end: usize,
    /// The text of the document.
    pub(super) document: Arc<str>,
}

impl DiskText {
    /// Creates the state of a document that equals its file.
    pub(super) fn new(text: &str) -> Self {
        let seen: Arc<str> = text.into();
        Self { end: text.len(), document: Arc::clone(&seen), seen }
    }
}

/// Text that other programs appended to a file, as an edit of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AppendedText {
    /// The byte of the document behind the last text that was seen on disk. A comment that was typed behind it saw none
    /// of the appended answers, so it must stay behind them.
    pub(super) at: usize,
    /// The appended text.
    pub(super) text: String,
    /// The number of comments in it.
    pub(super) comments: usize,
}

/// Returns what was appended to the file since it was seen; `None` if nothing was, if the file changed otherwise, or if
/// the document contains it already. `saved` is the file's present text.
pub(super) fn taken_in(disk: &DiskText, saved: &str) -> Option<AppendedText> {
    let is_crlf = disk.document.contains("\r\n");
    let (seen, saved) = (disk.seen.replace("\r\n", "\n"), saved.replace("\r\n", "\n"));
    let tail = saved.strip_prefix(&seen).filter(|tail| !tail.is_empty())?;
    // A client may have reloaded the file by itself. Appended text is unique, because it contains times.
    if disk.document.replace("\r\n", "\n").contains(tail) {
        return None;
    }
    let comments = tail.lines().filter(|line| line.starts_with("Name: ")).count();
    let text = if is_crlf { tail.replace('\n', "\r\n") } else { tail.to_owned() };
    Some(AppendedText { at: disk.end, text, comments })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ENCODINGS: [PositionEncoding; 3] =
        [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32];

    fn indexed(text: &str, encoding: PositionEncoding) -> IndexedText {
        IndexedText::new(text.to_owned(), encoding)
    }

    #[test]
    fn characters_are_counted_in_the_encoding_of_the_client() {
        let counts = ENCODINGS.map(|encoding| {
            let text = indexed("x\n\u{1d54f}é !", encoding);
            let at = text.position("x\n\u{1d54f}é ".len());
            assert_eq!(text.byte(at), Some("x\n\u{1d54f}é ".len()));
            (at.line, at.character)
        });
        assert_eq!(counts, [(1, 7), (1, 4), (1, 3)]);
    }

    #[test]
    fn a_position_within_a_character_is_the_one_before_it() {
        let text = indexed("\u{1d54f}", PositionEncoding::Utf16);
        assert_eq!(text.byte(DocumentPosition { line: 0, character: 1 }), Some(0));
        assert_eq!(text.byte(DocumentPosition { line: 0, character: 9 }), Some(4));
        assert_eq!(text.byte(DocumentPosition { line: 1, character: 0 }), None);
    }

    #[test]
    fn lines_end_with_lf_crlf_or_a_lone_cr() {
        let text = indexed("a\r\nb\rc\nd", PositionEncoding::Utf8);
        let lines: Vec<&str> = (0..5).map(|line| text.line(line)).collect();
        assert_eq!(lines, ["a", "b", "c", "d", ""]);
        // A check counts only LF.
        assert_eq!(text.byte_of_check(2, 3), 5);
        assert_eq!(text.byte_of_check(1, 9), 1);
        assert_eq!(text.byte_of_check(9, 1), 8);
    }

    #[test]
    fn a_change_that_does_not_fit_changes_nothing() {
        let mut text = indexed("a\nb", PositionEncoding::Utf16);
        let at = |line, character| DocumentPosition { line, character };
        for (start, end) in [(at(2, 0), at(2, 0)), (at(0, 0), at(9, 0)), (at(1, 0), at(0, 0))] {
            let change =
                DocumentChange { range: Some(TextRange { start, end }), text: "x".to_owned() };
            assert_eq!(text.apply(change, None), None);
        }
        assert_eq!(text.as_str(), "a\nb");
    }

    #[test]
    fn a_byte_moves_with_the_text_before_it() {
        let edit = |range, text: &str| ByteEdit { range, text: text.to_owned() };
        assert_eq!(moved_byte(5, &edit(0..2, "abc")), 6);
        assert_eq!(moved_byte(5, &edit(5..5, "abc")), 5);
        assert_eq!(moved_byte(5, &edit(2..9, "abc")), 5);
        assert_eq!(moved_byte(5, &edit(7..9, "")), 5);
    }

    const SEEN: &str = "# T\n\n---\n\nName: Rob\n\nx\n\n---\n";
    const TAIL: &str = "\n<!-- TURN: 1, asks: [a] -->\n\n---\n\nName: A\n\ny\n\n---\n";

    /// Returns the state after an insertion at a byte of the seen text.
    fn inserted(at: usize, text: &str) -> DiskText {
        let mut disk = DiskText::new(SEEN);
        let mut document = indexed(SEEN, PositionEncoding::Utf8);
        let range = Some(document.range(at..at));
        document.apply(DocumentChange { range, text: text.to_owned() }, Some(&mut disk)).unwrap();
        disk.document = document.as_str().into();
        disk
    }

    fn typed(text: &str) -> DiskText {
        inserted(SEEN.len(), text)
    }

    #[test]
    fn appended_text_stands_above_what_was_typed_meanwhile() {
        // The second edit is the first one as clients may report it.
        for disk in [
            typed("\nName: Ann\n\nz\n\n---\n"),
            inserted(SEEN.len() - 1, "\n\nName: Ann\n\nz\n\n---"),
        ] {
            let found = taken_in(&disk, &format!("{SEEN}{TAIL}")).unwrap();
            assert_eq!((found.at, found.text.as_str(), found.comments), (SEEN.len(), TAIL, 1));
        }
    }

    #[test]
    fn nothing_is_inserted_twice_or_into_another_text() {
        assert_eq!(taken_in(&typed("x"), SEEN), None);
        assert_eq!(taken_in(&typed(TAIL), &format!("{SEEN}{TAIL}")), None);
        assert_eq!(taken_in(&typed("x"), &format!("# Other\n{TAIL}")), None);
    }

    #[test]
    fn end_of_the_seen_text_moves_with_edits_before_it() {
        let disk = inserted(3, "ea");
        let found = taken_in(&disk, &format!("{SEEN}{TAIL}")).unwrap();
        assert_eq!(found.at, SEEN.len() + 2);
    }

    #[test]
    fn inserted_text_has_the_line_ends_of_the_document() {
        let seen = SEEN.replace('\n', "\r\n");
        let found = taken_in(&DiskText::new(&seen), &format!("{seen}{TAIL}")).unwrap();
        assert_eq!(found.text, TAIL.replace('\n', "\r\n"));
        assert_eq!(found.at, seen.len());
    }

    /// Returns the text after a change, computed from its units one by one.
    fn replaced(text: &str, range: TextRange, new: &str, encoding: PositionEncoding) -> String {
        let (mut at, mut out, mut is_written) = (DocumentPosition::default(), String::new(), false);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if at >= range.start && !is_written {
                out.push_str(new);
                is_written = true;
            }
            if at < range.start || at >= range.end {
                out.push(c);
            }
            if c == '\n' || c == '\r' && chars.peek() != Some(&'\n') {
                at = DocumentPosition { line: at.line + 1, character: 0 };
            } else {
                at.character += encoding.units(c);
            }
        }
        if !is_written {
            out.push_str(new);
        }
        out
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop::collection::vec(
            prop::sample::select(vec!["a", "é", "\u{1d54f}", "\n", "\r\n", "\r", "---", " "]),
            0..24,
        )
        .prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn incremental_edits_give_the_full_text(
            first in any_text(),
            edits in prop::collection::vec((any_text(), 0..64_usize, 0..64_usize), 1..6),
        ) {
            for encoding in ENCODINGS {
                let mut text = indexed(&first, encoding);
                let mut full = first.clone();
                for (new, one, other) in &edits {
                    // Between CR and LF there is no position of the protocol.
                    let place = |at: usize| {
                        let at = (0..=at % (full.len() + 1)).rev();
                        let mut at = at.filter(|at| full.is_char_boundary(*at));
                        let at = at.find(|at| full.get(at.saturating_sub(1)..at + 1) != Some("\r\n"));
                        text.position(at.unwrap_or(0))
                    };
                    let (one, other) = (place(*one), place(*other));
                    let range = TextRange { start: one.min(other), end: one.max(other) };
                    full = replaced(&full, range, new, encoding);
                    let change = DocumentChange { range: Some(range), text: new.clone() };
                    prop_assert!(text.apply(change, None).is_some());
                    prop_assert_eq!(text.as_str(), &full);
                    prop_assert_eq!(&text.starts, &starts(&full));
                }
            }
        }
    }
}
