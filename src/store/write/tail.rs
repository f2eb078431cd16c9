//! Reads as much of the end of a file as a writer needs.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use crate::store::error::{StoreError, Wrong};
use crate::store::merge::LineEnd;
use crate::store::read::first_wrong;
use crate::transcript::sync_point;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn tail_of(bytes: &[u8]) -> Result<String, StoreError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let open = File::open(file.path()).unwrap();
        tail(&open, bytes.len() as u64, file.path()).map(|tail| tail.text)
    }

    fn comment(body: &str) -> String {
        format!("Name: Rob\n\n{body}\n\n---\n")
    }

    #[test]
    fn short_file_is_read_completely() {
        assert_eq!(tail_of(b"# A\n").unwrap(), "# A\n");
        assert_eq!(tail_of(b"").unwrap(), "");
    }

    #[test]
    fn long_file_is_read_from_a_comment_near_its_end() {
        let text =
            format!("# A\n\n---\n\n{}", format!("{}\n", comment(&"ä".repeat(900))).repeat(100));
        let tail = tail_of(text.as_bytes()).unwrap();
        assert!(tail.len() < WINDOW as usize && text.ends_with(&tail));
        assert!(tail.starts_with("---\n\nName: Rob\n"), "{}", &tail[..40]);
    }

    #[test]
    fn comment_longer_than_the_window_is_read_completely() {
        let long = comment(&"word ".repeat(50_000));
        let text = format!("# A\n\n---\n\n{}\n{long}", comment("short"));
        assert!(tail_of(text.as_bytes()).unwrap().ends_with(&long));
    }

    #[test]
    fn invalid_bytes_matter_only_in_the_parsed_part() {
        let mut early = b"# A \xff\n\n---\n\n".to_vec();
        early.extend(comment("one").bytes());
        assert!(tail_of(&early).unwrap().starts_with("---\n\nName: Rob"));
        let mut late = early.clone();
        late.extend(b"\nName: Rob\n\n\xff\n");
        assert!(matches!(tail_of(&late), Err(StoreError::NotText { .. })));
        early.extend(b"\nName: Rob\n\n\0\n");
        assert!(matches!(tail_of(&early), Err(StoreError::NotText { .. })));
    }
}
