//! A fast search for conflict marks before a write.
//!
//! Git writes its marks around the additions of both sides, which are at the end of a file that only grows. So a writer
//! searches the last mebibyte for a line that begins with a mark. Only if there is one does it read the whole file.

use memchr::memmem;

use super::restore::conflict;
use super::tail::slice;
use crate::boundary::{ProjectPlace, Purpose};
use crate::store::error::StoreError;
use crate::store::read::read_at;

/// Number of bytes at the end that are searched.
const WINDOW: u64 = 1 << 20;

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
    let start = found.len().saturating_sub(WINDOW);
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
mod tests {
    use super::*;

    #[test]
    fn mark_counts_only_at_the_beginning_of_a_line() {
        for text in ["<<<<<<< a", "x\n=======\n", "x\r\n>>>>>>> b", "\u{FEFF}<<<<<<< a"] {
            assert!(may_hold_marks(text.as_bytes()), "{text:?}");
        }
        for text in ["", "x <<<<<<< a", " =======", "\n >>>>>>> b", "a\n======\n"] {
            assert!(!may_hold_marks(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn end_of_a_long_file_is_searched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        let comment = "---\n\nName: Rob\n\nMore words than one.\n\n";
        let text = format!("# A\n\n{}", comment.repeat(60_000));
        let looked = |text: &str| {
            std::fs::write(&path, text).unwrap();
            conflict_at(&ProjectPlace::follow(&path)).unwrap()
        };
        assert_eq!(looked(&text), None);
        let marked = format!("{text}<<<<<<< HEAD\n{comment}=======\n{comment}>>>>>>> main\n");
        assert_eq!(looked(&marked), Some(text.lines().count() + 1));
    }
}
