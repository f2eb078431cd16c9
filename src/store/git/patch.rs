//! The changes between two commits as a patch of text, with the names of the files that it does not show.
//!
//! The author of the changes must not decide what their readers see. So attributes of git (`-diff`, `binary`) have no
//! effect, and only the bytes of a file tell whether it is text.

use std::collections::HashSet;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

use memchr::memmem;
use thiserror::Error;

use super::command::{git_without_filters, reason_of};
use super::repository;
use super::unchanged_content::moved_binaries;
use crate::transcript::{UnshownFile, UnshownReason, visible_line};

/// The maximum number of bytes of a line that are read at once.
const MAX_PIECE_BYTES: u64 = 64 * 1024;
/// The maximum number of bytes of the lines of a file's change before its first hunk that are kept: two paths and a few
/// words.
const MAX_HEADER_BYTES: usize = 32 * 1024;
/// The maximum number of bytes of git's messages that are read.
const MAX_MESSAGE_BYTES: u64 = 64 * 1024;
/// The maximum number of files that are not shown. A longer list helps no reader.
const MAX_NOT_SHOWN: usize = 1000;

/// The first line of a file in Git LFS.
const LFS_LINES: [&[u8]; 2] =
    [b"version https://git-lfs.github.com/spec/", b"version https://hawser.github.com/spec/"];

/// The changes between commits, as far as they are text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitPatch {
    /// The patch. A file that is not shown has only its header and the reason.
    pub text: String,
    /// The files that are not shown, in the order of the patch.
    pub not_shown: Vec<UnshownFile>,
    /// True if the patch shows the change of at least one file.
    pub shows_a_file: bool,
}

/// The reason why there is no patch.
#[derive(Debug, Error)]
pub enum PatchError {
    /// The folder is in no repository.
    #[error("{}: changes can be shown only in a git repository, and this folder is not in one", visible_line(.range))]
    NoRepository {
        /// The requested range.
        range: String,
    },
    /// Git failed.
    #[error("{}: git cannot show these changes: {}", visible_line(.range), visible_line(.reason))]
    Refused {
        /// The requested range.
        range: String,
        /// Git's message.
        reason: String,
    },
    /// The range is a merge, for which git leaves out every file that equals the one of a parent.
    #[error(
        "{}: git does not show all changes of a merge; name two commits, such as `MERGE^1..MERGE`",
        visible_line(.range)
    )]
    Merge {
        /// The requested range.
        range: String,
    },
    /// Too many files are not text.
    #[error("{}: more than {most} files of this change cannot be shown", visible_line(.range))]
    TooManyNotShown {
        /// The requested range.
        range: String,
        /// The limit.
        most: usize,
    },
    /// Git cannot be started, or its output cannot be read.
    #[error("cannot run git: {0}")]
    Io(#[from] io::Error),
}

/// Returns the patch of a range of commits, or of one commit against the working tree, in the repository around a
/// folder. The text has at most `room` bytes; files that do not fit are not shown.
///
/// # Errors
/// Fails without a repository, for unknown commits, for a merge, or if too many files cannot be shown.
pub fn patch(folder: &Path, range: &str, room: usize) -> Result<CommitPatch, PatchError> {
    let Some((top, _)) = repository::place_of(folder) else {
        return Err(PatchError::NoRepository { range: range.to_owned() });
    };
    let moved = moved_binaries(&top, range)?;
    let mut command = git_without_filters(&top)?;
    command.args([
        "diff",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--no-relative",
        "--unified=3",
        // Neither attributes nor a NUL byte hide a file: `PatchReader` decides.
        "--text",
        "--submodule=short",
        // Overrides `ignore = all` in the change's `.gitmodules`.
        "--ignore-submodules=dirty",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        "--end-of-options",
        range,
        "--",
    ]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stderr = child.stderr.take();
    // Git waits for a reader of its messages, so they are read at the same time.
    let messages = std::thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(mut stderr) = stderr {
            let _ = stderr.by_ref().take(MAX_MESSAGE_BYTES).read_to_end(&mut said);
            let _ = io::copy(&mut stderr, &mut io::sink());
        }
        said
    });
    let mut reader = PatchReader::new(range, room, moved);
    let read = child.stdout.take().map_or(Ok(()), |out| reader.read(out));
    if read.is_err() {
        child.kill()?;
    }
    let status = child.wait()?;
    let said = messages.join().unwrap_or_default();
    read?;
    if !status.success() {
        return Err(PatchError::Refused { range: range.to_owned(), reason: reason_of(&said) });
    }
    reader.end()
}

/// Collects the changes of each file from git's output.
struct PatchReader<'r> {
    range: &'r str,
    room: usize,
    /// The files that are not text, and whose content git leaves out because it has not changed.
    moved: HashSet<String>,
    patch: CommitPatch,
    section: Option<FilePatch>,
}

/// The change of one file.
#[derive(Default)]
struct FilePatch {
    /// The lines before the first hunk.
    header: Vec<u8>,
    /// The hunks; empty if they are not shown.
    hunks: Vec<u8>,
    has_hunks: bool,
    /// The reason why the hunks are not the content of the file.
    stands_for: Option<UnshownReason>,
    /// True if the next line of a hunk may be the first line of the new file.
    begins_file: bool,
    /// The reason why the hunks are not shown.
    hidden: Option<UnshownReason>,
}

impl<'r> PatchReader<'r> {
    fn new(range: &'r str, room: usize, moved: HashSet<String>) -> Self {
        Self { range, room, moved, patch: CommitPatch::default(), section: None }
    }

    fn read(&mut self, out: impl Read) -> Result<(), PatchError> {
        let mut out = BufReader::new(out);
        let (mut piece, mut begins_line) = (Vec::new(), true);
        loop {
            piece.clear();
            if (&mut out).take(MAX_PIECE_BYTES).read_until(b'\n', &mut piece)? == 0 {
                return Ok(());
            }
            self.add(&piece, begins_line)?;
            begins_line = piece.ends_with(b"\n");
        }
    }

    /// Adds a line, or a part of a long one. Each line of a hunk begins with a mark, so no content looks like a header.
    fn add(&mut self, piece: &[u8], begins_line: bool) -> Result<(), PatchError> {
        if begins_line
            && [&b"diff --cc "[..], b"diff --combined "].iter().any(|it| piece.starts_with(it))
        {
            return Err(PatchError::Merge { range: self.range.to_owned() });
        }
        if begins_line && piece.starts_with(b"diff --git ") {
            self.close()?;
            self.section = Some(FilePatch::default());
        }
        let room = self.room;
        match &mut self.section {
            Some(section) => section.add(piece, begins_line, room),
            // Git prints nothing before the first file.
            None => self.patch.text.push_str(&String::from_utf8_lossy(piece)),
        }
        Ok(())
    }

    /// Adds the open file to the patch.
    fn close(&mut self) -> Result<(), PatchError> {
        let Some(section) = self.section.take() else { return Ok(()) };
        let left = self.room.saturating_sub(self.patch.text.len());
        let file = section.file();
        let shown = match section.hidden {
            Some(reason) => Err(reason),
            None if !section.has_hunks && self.moved.contains(&file) => Err(UnshownReason::NotText),
            None => section.text().and_then(|text| {
                if text.len() <= left { Ok(text) } else { Err(UnshownReason::TooLarge) }
            }),
        };
        let reason = match shown {
            Ok(text) => {
                self.patch.text.push_str(&text);
                self.patch.shows_a_file = true;
                section.stands_for
            }
            Err(reason) => {
                let header = String::from_utf8_lossy(&section.header);
                let note = format!("{header}(not shown: {})\n", reason.in_words());
                if note.len() <= left {
                    self.patch.text.push_str(&note);
                }
                Some(reason)
            }
        };
        self.patch.not_shown.extend(reason.map(|reason| UnshownFile { file, reason }));
        if self.patch.not_shown.len() > MAX_NOT_SHOWN {
            let (range, most) = (self.range.to_owned(), MAX_NOT_SHOWN);
            return Err(PatchError::TooManyNotShown { range, most });
        }
        Ok(())
    }

    fn end(mut self) -> Result<CommitPatch, PatchError> {
        self.close()?;
        Ok(self.patch)
    }
}

impl FilePatch {
    fn add(&mut self, piece: &[u8], begins_line: bool, room: usize) {
        let is_hunk_header = begins_line && piece.starts_with(b"@@");
        self.has_hunks |= is_hunk_header;
        if !self.has_hunks {
            let line = piece.trim_ascii_end();
            if line.ends_with(b" 160000") && !line.starts_with(b"diff ") {
                self.stands_for = Some(UnshownReason::Submodule);
            }
            if piece.starts_with(b"Binary files ") {
                // Git found a reason of its own.
                self.hidden = Some(UnshownReason::NotText);
            } else if self.header.len() + piece.len() <= MAX_HEADER_BYTES {
                self.header.extend_from_slice(piece);
            }
            return;
        }
        if is_hunk_header {
            self.begins_file =
                [&b" +1,"[..], b" +1 "].iter().any(|new| memmem::find(piece, new).is_some());
        } else if self.begins_file && !piece.starts_with(b"-") {
            self.begins_file = false;
            if LFS_LINES.iter().any(|line| piece[1..].starts_with(line)) {
                self.stands_for = Some(UnshownReason::Lfs);
            }
        }
        if piece.contains(&0) {
            self.hidden = Some(UnshownReason::NotText);
        } else if self.hidden.is_none() && self.hunks.len() + piece.len() > room {
            self.hidden = Some(UnshownReason::TooLarge);
        }
        if self.hidden.is_some() {
            self.hunks = Vec::new();
        } else {
            self.hunks.extend_from_slice(piece);
        }
    }

    /// Returns the whole change.
    fn text(&self) -> Result<String, UnshownReason> {
        let bytes = [&self.header[..], &self.hunks].concat();
        String::from_utf8(bytes).map_err(|_| UnshownReason::NotText)
    }

    /// Returns the file's path after the change, or the one before if it was deleted.
    fn file(&self) -> String {
        let header = String::from_utf8_lossy(&self.header);
        let named = |mark: &str, side: &str| {
            let name = header.lines().find_map(|line| line.strip_prefix(mark))?;
            let name = unquoted(name.trim_end_matches('\t'));
            name.strip_prefix(side).map(str::to_owned)
        };
        let moved = || {
            let name = header.lines().find_map(|line| line.strip_prefix("rename to "));
            name.map(|name| unquoted(name).to_owned())
        };
        // Without hunks only the first line has the path, twice.
        let first = || {
            let line = header.lines().next()?.strip_prefix("diff --git ")?;
            let half = line.get(line.len() / 2 + 1..).map(unquoted)?;
            Some(half.strip_prefix("b/").unwrap_or(line).to_owned())
        };
        named("+++ ", "b/")
            .or_else(|| named("--- ", "a/"))
            .or_else(moved)
            .or_else(first)
            .unwrap_or_default()
    }
}

/// Returns a path without the quotes that git puts around unusual characters; their escapes stay.
fn unquoted(name: &str) -> &str {
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], room: usize) -> Result<CommitPatch, PatchError> {
        let mut reader = PatchReader::new("a..b", room, HashSet::from(["b.sh".to_owned()]));
        reader.read(text)?;
        reader.end()
    }

    fn change(file: &str, content: &[u8]) -> Vec<u8> {
        let header = format!(
            "diff --git a/{file} b/{file}\nnew file mode 100755\nindex 0000000..1111111\n--- /dev/null\n+++ b/{file}\n@@ -0,0 +1 @@\n+"
        );
        [header.as_bytes(), content, b"\n"].concat()
    }

    fn names(patch: &CommitPatch) -> Vec<(&str, UnshownReason)> {
        patch.not_shown.iter().map(|one| (one.file.as_str(), one.reason)).collect()
    }

    #[test]
    fn files_that_are_not_text_are_named_and_the_others_shown() {
        let long = vec![b'x'; 200_000];
        let all = [
            change("a.rs", b"fn a() {}"),
            change("nul.sh", b"#\0"),
            change("wide.txt", b"\xff\xfeh\0i\0"),
            change("latin.txt", b"caf\xe9"),
            change("long.txt", &long),
            change("late.bin", &[&long[..], b"\0"].concat()),
            change("z.rs", b"diff --git a/x b/x"),
        ]
        .concat();
        let patch = read(&all, 4000).unwrap();
        use UnshownReason::{NotText, TooLarge};
        let wanted = [
            ("nul.sh", NotText),
            ("wide.txt", NotText),
            ("latin.txt", NotText),
            ("long.txt", TooLarge),
            ("late.bin", NotText),
        ];
        assert_eq!(names(&patch), wanted);
        assert!(patch.shows_a_file && patch.text.len() <= 4000);
        assert!(
            patch.text.contains("+fn a() {}\n") && patch.text.contains("+diff --git a/x b/x\n")
        );
        assert!(
            patch.text.contains("+++ b/nul.sh\n(not shown: not UTF-8 text)\n"),
            "{}",
            patch.text
        );
        // Earlier files leave less room.
        let patch = read(&[change("a", b"1234"), change("b", &long[..100])].concat(), 150).unwrap();
        assert_eq!(names(&patch), [("b", TooLarge)]);
    }

    #[test]
    fn moved_file_that_is_not_text_is_named() {
        let moved = b"diff --git a/a.bin b/b.sh\nsimilarity index 100%\nrename from a.bin\nrename to b.sh\n";
        let patch = read(moved, 4000).unwrap();
        assert_eq!(names(&patch), [("b.sh", UnshownReason::NotText)]);
        assert!(patch.text.ends_with("rename to b.sh\n(not shown: not UTF-8 text)\n"));
        assert!(!patch.shows_a_file);
        let runnable = b"diff --git a/b.sh b/b.sh\nold mode 100644\nnew mode 100755\n";
        assert_eq!(names(&read(runnable, 4000).unwrap()), [("b.sh", UnshownReason::NotText)]);
        let other = String::from_utf8_lossy(moved).replace("b.sh", "c.sh");
        assert_eq!(names(&read(other.as_bytes(), 4000).unwrap()), []);
    }

    #[test]
    fn submodules_merges_and_names_are_recognized() {
        let module = b"diff --git a/lib b/lib\nindex 1111111..2222222 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n";
        let patch = read(module, 4000).unwrap();
        assert_eq!(names(&patch), [("lib", UnshownReason::Submodule)]);
        assert!(patch.text.contains("+Subproject commit 2\n"));
        let pointer = change("a.sh", b"version https://git-lfs.github.com/spec/v1");
        assert_eq!(names(&read(&pointer, 4000).unwrap()), [("a.sh", UnshownReason::Lfs)]);
        let later = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n version https://git-lfs.github.com/spec/v1\n-oid 1\n+oid 2\n";
        assert_eq!(names(&read(later, 4000).unwrap()), [("x", UnshownReason::Lfs)]);
        let quoted = String::from_utf8_lossy(later).replace("+1,2", "+7,2");
        assert_eq!(names(&read(quoted.as_bytes(), 4000).unwrap()), []);
        for mark in ["diff --cc f\n", "diff --combined f\n"] {
            assert!(matches!(read(mark.as_bytes(), 9), Err(PatchError::Merge { .. })));
        }
        let binary =
            b"diff --git a/x y b/x y\nindex 1..2 100644\nBinary files a/x y and b/x y differ\n";
        assert_eq!(names(&read(binary, 4000).unwrap()), [("x y", UnshownReason::NotText)]);
        let odd = change("a", b"\0").iter().map(|byte| char::from(*byte)).collect::<String>();
        let odd = odd.replace("b/a\n", "\"b/\\ta\"\n");
        assert_eq!(names(&read(odd.as_bytes(), 4000).unwrap()), [("\\ta", UnshownReason::NotText)]);
        let odd =
            [b"diff --git a/\xff b/\xff\n--- a/\xff\n+++ b/\xff\n@@ -1 +1 @@\n-a\n+b\n".as_slice()]
                .concat();
        assert_eq!(names(&read(&odd, 4000).unwrap()), [("\u{FFFD}", UnshownReason::NotText)]);
        let many: Vec<u8> = (0..1001).flat_map(|n| change(&n.to_string(), b"\0")).collect();
        assert!(matches!(read(&many, 4000), Err(PatchError::TooManyNotShown { .. })));
    }

    #[test]
    fn mode_change_and_rename_without_content_are_shown_whole() {
        let text = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\ndiff --git a/y b/z\nsimilarity index 100%\nrename from y\nrename to z\n";
        let patch = read(text.as_bytes(), 4000).unwrap();
        assert_eq!((patch.text.as_str(), patch.not_shown.len()), (text, 0));
    }
}
