//! Reads files. Any file that is roughly text is accepted.

use std::fs::{self, Metadata};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::error::{StoreError, Wrong};
use crate::boundary::{ProjectPlace, Purpose, is_swapped};
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::Text;

/// Maximum size of a file to read, in bytes: 1 GiB.
pub(crate) const LARGEST: u64 = 1 << 30;

/// A file's text, and the problems of its bytes.
#[derive(Clone, Debug)]
pub struct Document {
    /// The path that it was read from.
    pub path: PathBuf,
    /// The whole file. Bytes that are not text are replaced by replacement characters.
    pub text: Text,
    /// The problems of the bytes.
    pub problems: Vec<Problem>,
    /// The reason why the text differs from the file's bytes; in this case nothing may be written.
    pub wrong: Option<Wrong>,
    /// The time of the last change, according to the system.
    pub(crate) modified: Option<SystemTime>,
}

impl Document {
    /// Returns a document that was not read from a file, for example one from git.
    pub(crate) fn of_git(path: PathBuf, text: &str) -> Self {
        Self { path, text: text.into(), problems: Vec::new(), wrong: None, modified: None }
    }

    /// Checks that the text is valid UTF-8, which writers require.
    ///
    /// # Errors
    /// Returns [`StoreError::NotText`] with the position of the first wrong byte.
    pub fn insist_exact(&self) -> Result<(), StoreError> {
        let Some(wrong) = self.wrong else { return Ok(()) };
        let (line, column) =
            self.problems.first().map_or((1, 1), |found| (found.line, found.column));
        Err(StoreError::NotText { path: self.path.clone(), wrong, line, column })
    }
}

/// Reads a discussion in any state.
///
/// # Errors
/// Fails if the file is missing, a folder, a pipe or device, not readable, or larger than 1 GiB, or if the disk fails.
pub fn read(path: &Path) -> Result<Document, StoreError> {
    read_at(&ProjectPlace::follow(path))
}

/// Reads a discussion with its links already resolved.
///
/// # Errors
/// Fails like [`read`], and also if there is a link in the path (see [`StoreError::is_swapped`]).
pub(crate) fn read_at(place: &ProjectPlace) -> Result<Document, StoreError> {
    let (bytes, modified) = bytes(place)?;
    let path = place.given_path().to_owned();
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if memchr::memchr(0, text.as_bytes()).is_none() => {
            let (text, problems) = (text.into(), Vec::new());
            return Ok(Document { path, text, problems, wrong: None, modified });
        }
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let (at, wrong) = first_wrong(&bytes).unwrap_or((0, Wrong::NotUtf8));
    let code = match wrong {
        Wrong::Nul => ProblemCode::FileNul,
        Wrong::NotUtf8 | Wrong::Utf16 => ProblemCode::FileNotUtf8,
    };
    let message = format!("the file {wrong}; until then nothing is written to it");
    let problem = Problem::new(Severity::Error, code, place_of(&bytes, at), message);
    let text = String::from_utf8_lossy(&bytes).replace('\0', "\u{FFFD}").into();
    Ok(Document { path, text, problems: vec![problem], wrong: Some(wrong), modified })
}

/// Reads the first bytes of a regular file as a text, up to the last complete line. `None` if it is not a regular file.
///
/// # Errors
/// Fails like [`read_at`].
pub(crate) fn beginning(place: &ProjectPlace, most: usize) -> Result<Option<String>, StoreError> {
    let fail = |error| StoreError::from_io(place.given_path(), "reading", error);
    let (file, found) = place.open(Purpose::Read).map_err(fail)?;
    if !found.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(most);
    file.take(most as u64).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() == most {
        bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1));
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Returns the position of the first bytes that are not text, and the fault.
pub(super) fn first_wrong(bytes: &[u8]) -> Option<(usize, Wrong)> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Some((0, Wrong::Utf16));
    }
    let utf8 = std::str::from_utf8(bytes).err().map(|error| error.valid_up_to());
    let nul = memchr::memchr(0, &bytes[..utf8.unwrap_or(bytes.len())]);
    nul.map(|at| (at, Wrong::Nul)).or(utf8.map(|at| (at, Wrong::NotUtf8)))
}

fn bytes(place: &ProjectPlace) -> Result<(Vec<u8>, Option<SystemTime>), StoreError> {
    let path = place.given_path();
    let fail = |error| StoreError::from_io(path, "reading", error);
    let (file, found) = match place.open(Purpose::Read) {
        Ok(opened) => opened,
        Err(error) if is_swapped(&error) => return Err(fail(error)),
        // A socket cannot even be opened.
        Err(error) => {
            insist_file(path, &fs::symlink_metadata(place.real()).map_err(fail)?)?;
            return Err(fail(error));
        }
    };
    insist_file(path, &found)?;
    #[cfg(test)]
    counted::add(path);
    let small = |bytes: u64| {
        if bytes > LARGEST {
            Err(StoreError::TooLarge { path: path.to_owned(), bytes })
        } else {
            Ok(())
        }
    };
    small(found.len())?;
    let expected = usize::try_from(found.len()).unwrap_or(0);
    // The additional byte lets the last read reach the end of the file without growing the buffer.
    let mut bytes = Vec::with_capacity(expected.saturating_add(1));
    // Without `take`, the library would ask for the file's size and position again: two more system calls per file.
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(fail)?;
    small(bytes.len() as u64)?;
    Ok((bytes, found.modified().ok()))
}

fn insist_file(path: &Path, found: &Metadata) -> Result<(), StoreError> {
    if found.is_dir() {
        Err(StoreError::Directory { path: path.to_owned() })
    } else if !found.is_file() {
        Err(StoreError::NotAFile { path: path.to_owned() })
    } else {
        Ok(())
    }
}

/// Returns line and column, from 1, of a byte that follows valid UTF-8.
fn place_of(bytes: &[u8], at: usize) -> (usize, usize) {
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
    fn invalid_bytes_are_shown_with_their_place() {
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
        assert_eq!(document.wrong, Some(Wrong::NotUtf8));
        assert_eq!(document.text, "one\ntwö é\u{fffd} rest\n");
        assert_eq!((document.problems[0].line, document.problems[0].column), (2, 6));
        assert_eq!(document.problems[0].code, ProblemCode::FileNotUtf8);
        let refused = document.insist_exact().unwrap_err();
        assert!(refused.to_string().contains("a.md:2:6"), "{refused}");
    }

    #[test]
    fn binary_file_is_shown_and_not_written_to() {
        let (folder, path) = file(b"\xff\xfea\0b\0");
        let document = read(&path).unwrap();
        assert!(document.problems[0].message.contains("UTF-16"));
        assert!(document.insist_exact().unwrap_err().to_string().contains("UTF-16"));
        assert!(matches!(read(folder.path()), Err(StoreError::Directory { .. })));
        assert!(matches!(read(&folder.path().join("b.md")), Err(StoreError::NotFound { .. })));
    }

    #[test]
    #[cfg(unix)]
    fn pipe_is_refused_without_waiting_for_a_writer() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("p.md");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(matches!(read(&pipe), Err(StoreError::NotAFile { .. })));
        let link = folder.path().join("link.md");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        assert!(read(&link).unwrap_err().to_string().contains("not a regular file"));
        assert!(matches!(read(Path::new("/dev/null")), Err(StoreError::NotAFile { .. })));
        let socket = folder.path().join("s.md");
        let _listening = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(matches!(read(&socket), Err(StoreError::NotAFile { .. })));
    }

    #[test]
    fn nul_byte_is_shown_with_its_place() {
        let (_folder, path) = file(b"");
        assert_eq!(read(&path).unwrap().text, "");
        for before in ["# A", &"a\n".repeat(5000)] {
            let (_folder, path) = file(format!("{before}\0.\n").as_bytes());
            let document = read(&path).unwrap();
            assert_eq!(document.text.as_str(), format!("{before}\u{FFFD}.\n"));
            assert_eq!(document.problems[0].code, ProblemCode::FileNul);
            assert_eq!(
                document.problems[0].line,
                before.lines().count() + usize::from(before.ends_with('\n'))
            );
            assert!(document.insist_exact().unwrap_err().to_string().contains("NUL"));
        }
    }

    #[test]
    fn too_large_file_is_named_and_not_read() {
        let (_folder, path) = file(b"# A\n");
        let huge = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        huge.set_len(LARGEST + 1).unwrap();
        let refused = read(&path).unwrap_err();
        assert!(refused.is_input());
        assert!(refused.to_string().ends_with("has 1025 MiB; the limit is 1024 MiB"), "{refused}");
    }
}

/// Counts whole reads of files, for tests that limit them.
#[cfg(test)]
pub(crate) mod counted {
    use std::path::{Path, PathBuf};

    use parking_lot::Mutex;

    static READ: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

    pub(super) fn add(path: &Path) {
        READ.lock().push(path.to_owned());
    }

    /// Returns how often this path was read as a whole.
    pub(crate) fn reads_of(path: &Path) -> usize {
        READ.lock().iter().filter(|read| *read == path).count()
    }
}
