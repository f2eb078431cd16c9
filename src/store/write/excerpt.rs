//! Reads the part of a discussion that the writer of a comment needs: all of it, or the beginning and the end of a long
//! file.

use std::io;

use super::tail::{readable, slice};
use crate::boundary::{ProjectPlace, Purpose};
use crate::store::error::StoreError;
use crate::store::read::{Document, LARGEST, beginning, read_at};
use crate::transcript::{parse, sync_point};

/// Maximum size of a file that is read completely for a comment, in bytes: 4 MiB.
pub(crate) const LONG: u64 = 4 << 20;
/// Number of bytes that are read at the end of a longer file.
const END: u64 = 1 << 19;
/// Number of bytes that are read at its beginning, to find the head.
const BEGINNING: usize = 1 << 16;

/// A discussion, or parts of it.
pub(crate) struct Excerpt {
    /// Its text. If it was not read completely: all text before the first comment, then the complete comments at the
    /// end of the file.
    pub(crate) document: Document,
    /// True if it was read completely.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str) -> Excerpt {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        std::fs::write(&path, text).unwrap();
        excerpt_at(&ProjectPlace::follow(&path)).unwrap()
    }

    fn long(middle: &str) -> String {
        let head = "<!-- DISCUSSION\ntemplate: feature\n-->\n\n# A\n\nWhat it is about.\n\n---\n\nName: Ann\n\nFirst.\n\n";
        let more = format!("---\n\nName: Rob\n\n{}\n\n", "word ".repeat(2000)).repeat(500);
        format!("{head}{middle}{more}---\n\nName: Ann\n\nLast.\n\n---\n")
    }

    #[test]
    fn short_file_is_read_completely() {
        let text = "# A\n\n---\n\nName: Rob\n\nHello.\n\n---\n";
        let excerpt = excerpt(text);
        assert!(excerpt.is_whole);
        assert_eq!(excerpt.document.text.as_str(), text);
    }

    #[test]
    fn long_file_is_read_as_its_head_and_last_comments() {
        let text = long("");
        let excerpt = excerpt(&text);
        assert!(!excerpt.is_whole);
        assert_eq!(excerpt.length, text.len() as u64);
        assert!(excerpt.document.text.len() < 600_000);
        let read = parse(&excerpt.document.text);
        assert_eq!(read.title(), Some("A"));
        assert!(read.preamble_text().contains("What it is about."));
        assert_eq!(read.head.as_ref().unwrap().template.as_deref(), Some("feature"));
        assert!(read.problems.is_empty(), "{:?}", read.problems);
        let count = excerpt.document.text.matches("Name: Rob").count();
        assert!((30..60).contains(&count), "{count}");
        assert!(!excerpt.document.text.contains("First.") && text.ends_with("Last.\n\n---\n"));
    }

    #[test]
    fn long_file_without_a_late_comment_is_read_completely() {
        let text = format!("# A\n\n{}", "word\n".repeat(1 << 20));
        assert!(excerpt(&text).is_whole);
    }
}
