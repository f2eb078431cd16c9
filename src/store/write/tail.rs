//! The parts of a file that a writer reads: its end, an excerpt for the writer of a comment, or the
//! conflict marks near its end.
//!
//! Git writes its marks around the additions of both sides, which are at the end of a file that
//! only grows. So a writer searches the last mebibyte for a line that begins with a mark. If there
//! is one, the writer reads the whole file.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use memchr::memmem;

use super::restore::conflict;
use crate::boundary::{ProjectPlace, Purpose};
use crate::store::error::{StoreError, Wrong};
use crate::store::merge::LineEnd;
use crate::store::read::{Document, LARGEST, beginning, first_wrong, read_at};
use crate::transcript::{parse, sync_point};

/// Number of bytes to read at first; most comments are shorter.
const WINDOW: u64 = 16 * 1024;

/// The end of a file, for a writer.
pub(super) struct FileTail {
    /// The text from the last position at which parsing can start without the text above, or the whole file.
    pub(super) text: String,
    /// The line end of most lines that were read, including lines above `text`.
    pub(super) ends: LineEnd,
}

/// Reads from the last position at which parsing can start without the text above, or the whole file. The cost depends
/// on the length of the last comments, not on that of the file.
///
/// # Errors
/// Fails if the part to parse contains bytes that are not text, or if the disk fails.
pub(super) fn tail(file: &File, len: u64, path: &Path) -> Result<FileTail, StoreError> {
    let mut window = WINDOW;
    loop {
        let start = len.saturating_sub(window);
        let bytes = slice(file, start, len).map_err(|source| StoreError::NotWritten {
            path: path.to_owned(),
            doing: "reading the end",
            source,
        })?;
        // The window usually begins inside a line, and perhaps inside a character.
        let first = if start == 0 { 0 } else { after_line(&bytes, 0) };
        let (text, clean) = readable(&bytes[first..]);
        let read =
            |from: usize| FileTail { text: text[from..].to_owned(), ends: LineEnd::of(text) };
        if start == 0 && clean {
            return Ok(read(0));
        }
        if let Some(at) = sync_point(text) {
            return Ok(read(at));
        }
        if !clean {
            // The file is read completely here only to report the position to a person.
            let place = crate::store::read(path).and_then(|document| document.insist_exact());
            let (wrong, line, column) = (Wrong::NotUtf8, 1, 1);
            let unplaced = StoreError::NotText { path: path.to_owned(), wrong, line, column };
            return Err(place.err().unwrap_or(unplaced));
        }
        window = window.saturating_mul(4);
    }
}

/// Reads a range of bytes from a file.
pub(super) fn slice(mut file: &File, start: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(end - start).unwrap_or(0));
    file.seek(SeekFrom::Start(start))?;
    file.take(end - start).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the longest part at the end that begins with a line and is text, and true if that is everything.
pub(super) fn readable(bytes: &[u8]) -> (&str, bool) {
    let mut from = 0;
    loop {
        let rest = &bytes[from..];
        match (first_wrong(rest), std::str::from_utf8(rest)) {
            (None, Ok(text)) => return (text, from == 0),
            (Some((at, _)), _) => from = after_line(bytes, from + at),
            // Unreachable: bytes that are not UTF-8 are found above.
            (None, Err(error)) => from = after_line(bytes, from + error.valid_up_to()),
        }
    }
}

/// Returns the start of the line after the one that contains a byte.
fn after_line(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |found| at + found + 1)
}

/// Maximum size of a file that is read completely for a comment, in bytes: 4 MiB.
pub(crate) const LONG: u64 = 4 << 20;
/// Number of bytes that are read at the end of a longer file.
const END: u64 = 1 << 19;
/// Number of bytes that are read at the beginning of a longer file, to find the head.
const BEGINNING: usize = 1 << 16;

/// A discussion, or parts of it.
pub(crate) struct Excerpt {
    /// The text. If the file was not read completely: all text before the first comment, then the
    /// complete comments at the end of the file.
    pub(crate) document: Document,
    /// True if the file was read completely.
    pub(crate) is_whole: bool,
    /// Length of the file in bytes.
    pub(crate) length: u64,
}

/// Reads a discussion with its links already resolved: all of it up to [`LONG`], or else its beginning and its end.
///
/// # Errors
/// Fails like [`crate::store::read`].
pub(crate) fn excerpt_at(place: &ProjectPlace) -> Result<Excerpt, StoreError> {
    let ends = match length(place) {
        Some(length) if length > LONG && length <= LARGEST => ends(place, length)?,
        _ => None,
    };
    if let Some(excerpt) = ends {
        return Ok(excerpt);
    }
    let document = read_at(place)?;
    let length = document.text.len() as u64;
    Ok(Excerpt { document, is_whole: true, length })
}

/// Returns the length of a regular file. `None` for any other file; reading it will report the problem.
pub(crate) fn length(place: &ProjectPlace) -> Option<u64> {
    let (_, found) = place.open(Purpose::Read).ok()?;
    found.is_file().then_some(found.len())
}

/// Reads the beginning and the end. Returns `None` if no comment begins in the part at the end, so that more must be
/// read.
fn ends(place: &ProjectPlace, length: u64) -> Result<Option<Excerpt>, StoreError> {
    let fail = |error: io::Error| StoreError::from_io(place.given_path(), "reading", error);
    let Some(first) = beginning(place, BEGINNING)? else { return Ok(None) };
    let (file, found) = place.open(Purpose::Read).map_err(fail)?;
    let bytes = slice(&file, length.saturating_sub(END), length).map_err(fail)?;
    let (last, _) = readable(&bytes);
    let Some(at) = sync_point(last) else { return Ok(None) };
    let before = parse(&first).entries.first().map_or(first.len(), |entry| entry.span.start);
    let text = format!("{}{}", &first[..before], &last[at..]);
    let document = Document {
        path: place.given_path().to_owned(),
        text: text.into(),
        problems: Vec::new(),
        wrong: None,
        modified: found.modified().ok(),
    };
    Ok(Some(Excerpt { document, is_whole: false, length }))
}

/// Number of bytes at the end that are searched.
const MARKS_WINDOW: u64 = 1 << 20;

/// Returns the line of the first conflict mark of a file, if its last mebibyte contains one.
///
/// # Errors
/// Fails like [`crate::store::read`].
pub(super) fn conflict_at(place: &ProjectPlace) -> Result<Option<usize>, StoreError> {
    let fail = |error| StoreError::from_io(place.given_path(), "reading", error);
    let (file, found) = place.open(Purpose::Read).map_err(fail)?;
    if !found.is_file() {
        return Ok(None);
    }
    let start = found.len().saturating_sub(MARKS_WINDOW);
    let bytes = slice(&file, start, found.len()).map_err(fail)?;
    if may_hold_marks(&bytes) { Ok(conflict(&read_at(place)?.text)) } else { Ok(None) }
}

/// Returns true if a line begins with a mark. The first line may be incomplete; that can only cause a false alarm.
fn may_hold_marks(bytes: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"<<<<<<<", b"=======", b">>>>>>>"];
    let begins = |at: usize| at == 0 || bytes[at - 1] == b'\n' || bytes[at - 1] == b'\r';
    // A byte order mark may precede the first line.
    let is_first = |at: usize| at == 3 && bytes.starts_with("\u{FEFF}".as_bytes());
    marks.iter().any(|mark| memmem::find_iter(bytes, mark).any(|at| begins(at) || is_first(at)))
}

#[cfg(test)]
mod excerpt_tests;
#[cfg(test)]
mod marks_tests;
#[cfg(test)]
mod tests;
