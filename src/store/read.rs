//! Reading takes anything that is text, more or less.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use crate::problem::{Problem, Severity};
use crate::transcript::Text;

/// How far into a file NUL bytes are looked for; further on they are damage in a text, not a sign of another format.
const PROBE: usize = 1024;

/// A file's text and what was wrong with its bytes.
#[derive(Clone, Debug)]
pub struct Document {
    /// Where it was read.
    pub path: PathBuf,
    /// The whole file; bytes that are not UTF-8 are shown as replacement characters.
    pub text: Text,
    /// What was wrong with the bytes.
    pub problems: Vec<Problem>,
    /// Whether the text is the file, byte for byte. Where it is not, nothing may be written.
    pub was_utf8: bool,
}

impl Document {
    /// Insists on UTF-8, as writers do.
    ///
    /// # Errors
    /// [`StoreError::NotUtf8`] with the place of the first wrong byte.
    pub fn insist_exact(&self) -> Result<(), StoreError> {
        if self.was_utf8 {
            return Ok(());
        }
        let (line, column) =
            self.problems.first().map_or((1, 1), |found| (found.line, found.column));
        Err(StoreError::NotUtf8 { path: self.path.clone(), line, column })
    }
}

/// Reads a discussion, whatever its state.
///
/// # Errors
/// A missing file, a folder, a pipe or device, a file that may not be read, one that is no text at all, and failures of
/// the disk.
pub fn read(path: &Path) -> Result<Document, StoreError> {
    let bytes = bytes(path)?;
    let head = &bytes[..bytes.len().min(PROBE)];
    if memchr::memchr(0, head).is_some() {
        let utf16 = head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]);
        return Err(StoreError::Binary { path: path.to_owned(), utf16 });
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Document {
            path: path.to_owned(),
            text: text.into(),
            problems: Vec::new(),
            was_utf8: true,
        },
        Err(error) => {
            let place = place(error.as_bytes(), error.utf8_error().valid_up_to());
            let problem = Problem::new(
                Severity::Error,
                "file-not-utf8",
                place,
                "the file is not UTF-8 from here on and cannot be written to; save it as UTF-8",
            );
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned().into();
            Document { path: path.to_owned(), text, problems: vec![problem], was_utf8: false }
        }
    })
}

fn bytes(path: &Path) -> Result<Vec<u8>, StoreError> {
    let fail = |error| StoreError::from_io(path, "reading", error);
    // Before it is opened: that alone would wait at a pipe until somebody writes into it.
    let found = fs::metadata(path).map_err(fail)?;
    if found.is_dir() {
        return Err(StoreError::Directory { path: path.to_owned() });
    }
    if !found.is_file() {
        return Err(StoreError::NotAFile { path: path.to_owned() });
    }
    let file = File::open(path).map_err(fail)?;
    let expected = usize::try_from(found.len()).unwrap_or(0);
    // One byte more lets the last read see the end of the file without growing the buffer.
    let mut bytes = Vec::with_capacity(expected.saturating_add(1));
    // Without the adapter the library asks for the size and the place in the file once more: two calls for each file.
    file.take(u64::MAX).read_to_end(&mut bytes).map_err(fail)?;
    Ok(bytes)
}

/// Line and column of a byte that follows valid UTF-8, both counted from 1.
fn place(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = &bytes[..at];
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let start = memchr::memrchr(b'\n', before).map_or(0, |found| found + 1);
    (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        std::fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    #[test]
    fn wrong_bytes_are_shown_and_placed() {
        let (_folder, path) = file(
            "one\ntwö \u{e9}"
                .as_bytes()
                .iter()
                .chain(b"\xff rest\n")
                .copied()
                .collect::<Vec<_>>()
                .as_slice(),
        );
        let document = read(&path).unwrap();
        assert_eq!(document.text, "one\ntwö é\u{fffd} rest\n");
        assert_eq!((document.problems[0].line, document.problems[0].column), (2, 6));
        assert_eq!(document.problems[0].code, "file-not-utf8");
        let refused = document.insist_exact().unwrap_err();
        assert!(refused.to_string().contains("a.md:2:6"), "{refused}");
    }

    #[test]
    fn what_is_no_text_is_refused_in_words() {
        let (folder, path) = file(b"\xff\xfea\0b\0");
        assert!(read(&path).unwrap_err().to_string().contains("UTF-16"));
        assert!(matches!(read(folder.path()), Err(StoreError::Directory { .. })));
        assert!(matches!(read(&folder.path().join("b.md")), Err(StoreError::NotFound { .. })));
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_is_refused_without_waiting_for_a_writer() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("p.md");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(matches!(read(&pipe), Err(StoreError::NotAFile { .. })));
        let link = folder.path().join("link.md");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        assert!(read(&link).unwrap_err().to_string().contains("not a regular file"));
        assert!(matches!(read(Path::new("/dev/null")), Err(StoreError::NotAFile { .. })));
    }

    #[test]
    fn an_empty_file_and_a_late_nul_are_read() {
        let (_folder, path) = file(b"");
        assert_eq!(read(&path).unwrap().text, "");
        let mut bytes = vec![b'a'; PROBE];
        bytes.push(0);
        let (_folder, path) = file(&bytes);
        assert!(read(&path).unwrap().was_utf8);
    }
}
