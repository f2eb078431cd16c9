//! Appends blocks to a discussion: an acknowledged block is on disk, and a failed append leaves no trace.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::Redaction;
use super::lock::{self, Lock, Patience};
use super::tail::{FileTail, conflict_at, tail};
use crate::boundary::ProjectPlace;
use crate::store::disk::{Disk, FileIdentity, RealDisk, WriteFailure, cut_back, write_once};
use crate::store::error::StoreError;
use crate::store::journal::{self, JournalRecord};
use crate::store::merge::{Appendix, BlockKey, entry_key};
use crate::store::private_files::Sidecar;
use crate::store::read::{Document, LARGEST, beginning, read_at};
use crate::transcript::{Draft, Head, TORN, Time, parse, visible_line};

/// Maximum number of attempts to append while an editor keeps saving over the file.
const TRIES: u32 = 16;
/// Maximum number of checks for a file that an editor has just moved away in order to write a new one.
const LOOKS: u32 = 20;
/// Pause between two checks.
const PAUSE: Duration = Duration::from_millis(1);

/// The right to write to a discussion. Other writers wait until it is dropped.
#[derive(Debug)]
pub struct Writer {
    place: ProjectPlace,
    sidecar: Sidecar,
    /// The current time, if the caller provides it.
    now: Option<Time>,
    /// Removes known keys from the written text.
    redaction: Option<Redaction>,
    _lock: Lock,
    _file: Option<Lock>,
}

/// An acknowledgement: the blocks are on disk and in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The file that was written to, canonical.
    pub path: PathBuf,
    /// Position of the new bytes.
    pub offset: u64,
    /// Number of added bytes, including separators.
    pub bytes: usize,
    /// The last line of the earlier text, if it did not end in a newline. It was marked as truncated, and nothing in it
    /// counts.
    pub cut: Option<String>,
    /// The added bytes.
    pub(crate) added: String,
}

impl Receipt {
    /// Returns a warning about the earlier text of the file, if one is necessary.
    pub(crate) fn warning(&self) -> Option<String> {
        let line = visible_line(self.cut.as_deref()?);
        Some(format!(
            "the last line above, `{line}`, did not end in a newline, so it was marked as truncated and ignored; if \
             it is complete, remove the mark `{TORN}` after it"
        ))
    }
}

/// Number of bytes that are read to find the head.
const HEAD_LIMIT: usize = 1 << 16;

/// Checks that this program can count the votes of the file correctly.
///
/// # Errors
/// Returns [`StoreError::NewerFormat`] if it cannot.
fn insist_known(place: &ProjectPlace) -> Result<(), StoreError> {
    let beginning = beginning(place, HEAD_LIMIT).ok().flatten().unwrap_or_default();
    match Head::newer_format(&beginning) {
        Some(format) => {
            Err(StoreError::NewerFormat { path: place.given_path().to_owned(), format })
        }
        None => Ok(()),
    }
}

/// Returns the last line of a text, if a writer marked it as truncated.
fn cut(tail: &str, added: &str) -> Option<String> {
    let marked = added.strip_prefix(' ').is_some_and(|added| added.starts_with(TORN));
    let line = tail.rsplit('\n').next().filter(|_| marked)?;
    Some(line.to_owned())
}

impl Writer {
    /// Waits until no other process writes to an existing discussion, at most about as long as `wait` says.
    ///
    /// # Errors
    /// Fails if the file is missing, not regular or of a newer format, if the lock stays taken, or if the disk fails.
    #[cfg(not(discussions_sealed))]
    pub fn lock(path: &Path, wait: impl Into<Patience>) -> Result<Self, StoreError> {
        Self::lock_at(&ProjectPlace::follow(path), wait)
    }

    /// Locks a discussion with its links already resolved.
    ///
    /// # Errors
    /// Fails like [`Writer::lock`], and also if there is a link in the path (see [`StoreError::is_swapped`]).
    pub(crate) fn lock_at(
        place: &ProjectPlace,
        wait: impl Into<Patience>,
    ) -> Result<Self, StoreError> {
        let wait = wait.into();
        insist_known(place)?;
        let sidecar = Sidecar::at(place)?;
        let lock = Lock::take(&sidecar, &wait)?;
        let file = lock::of_writers(&sidecar, &wait)?;
        let (place, now, redaction) = (place.clone(), None, None);
        Ok(Self { place, sidecar, now, redaction, _lock: lock, _file: file })
    }

    /// Returns the writer with the current time, which it records with each block.
    #[must_use]
    pub fn at(self, now: Time) -> Self {
        Self { now: Some(now), ..self }
    }

    /// Returns the writer with a redaction, which removes known keys from all appended text.
    #[must_use]
    pub(crate) fn redacting(self, redaction: Redaction) -> Self {
        Self { redaction: Some(redaction), ..self }
    }

    /// Returns the discussion's file, canonical.
    pub(crate) fn path(&self) -> &Path {
        &self.sidecar.file
    }

    /// Reads the discussion. Until the writer is dropped, only editors can change it.
    ///
    /// # Errors
    /// Fails like [`crate::store::read`].
    pub(crate) fn read(&self) -> Result<Document, StoreError> {
        read_at(&self.place)
    }

    /// Returns the line of the first conflict mark, if there is one near the end.
    ///
    /// # Errors
    /// Fails like [`crate::store::read`].
    pub(crate) fn conflict(&self) -> Result<Option<usize>, StoreError> {
        conflict_at(&self.place)
    }

    /// Appends blocks, all of them or none. Only the end of the file is read.
    ///
    /// # Errors
    /// Returns [`StoreError::InDoubt`] if a failed write could not be undone. After every other error the file contains
    /// none of the blocks, so that trying again duplicates nothing.
    pub fn append(&mut self, drafts: &[Draft]) -> Result<Receipt, StoreError> {
        match &self.redaction {
            Some(redaction) => {
                let drafts: Vec<Draft> = drafts.iter().map(|one| redaction.apply(one)).collect();
                self.append_on(&RealDisk, &drafts, &[])
            }
            None => self.append_on(&RealDisk, drafts, &[]),
        }
    }

    /// Appends blocks; `restores` contains, draft by draft, the hash of the lost block that it restores.
    pub(super) fn append_on(
        &mut self,
        disk: &dyn Disk,
        drafts: &[Draft],
        restores: &[Option<String>],
    ) -> Result<Receipt, StoreError> {
        if !self.sidecar.journal().exists() {
            journal::adopt(&self.sidecar)?;
        }
        let this = &*self;
        let fail = |doing| move |source| this.not_written(doing, source);
        for _ in 0..TRIES {
            let file = disk.open(&self.sidecar.file).map_err(fail("opening"))?;
            let found = file.metadata().map_err(fail("looking at the file"))?;
            if !found.is_file() {
                return Err(StoreError::NotAFile { path: this.given_path().to_owned() });
            }
            this.place.insist_one_name(&file).map_err(fail("opening"))?;
            let before = FileIdentity::of(&file).map_err(fail("looking at the file"))?;
            // Readers refuse a larger file, even its end.
            self.insist_small(before.len)?;
            let FileTail { text: tail, ends } = tail(&file, before.len, self.given_path())?;
            let appendix = Appendix::appended_to(&tail, drafts).with_ends(ends);
            self.insist_small(before.len + appendix.bytes.len() as u64)?;
            let attempt = Attempt { writer: self, disk, file: &file, before, appendix: &appendix };
            let written = write_once(disk, &file, appendix.bytes.as_bytes());
            written.map_err(|failure| attempt.take_back(failure))?;
            if let Some(offset) = attempt.place()? {
                let begun = (offset == before.len).then_some(offset);
                attempt.record(self.records(&tail, &appendix, begun, restores))?;
                return Ok(Receipt {
                    path: self.sidecar.file.clone(),
                    offset,
                    bytes: appendix.bytes.len(),
                    cut: cut(&tail, &appendix.bytes),
                    added: appendix.bytes,
                });
            }
        }
        Err(StoreError::Replaced { path: self.given_path().to_owned(), times: TRIES })
    }

    /// Records that some lost blocks may not be restored.
    pub(super) fn waive(&mut self, waivers: &[journal::Waiver]) -> Result<(), StoreError> {
        journal::record(&RealDisk, &self.sidecar, waivers)
            .map_err(|failure| self.not_written(failure.doing, failure.source))
    }

    /// Returns the discussion's path as the caller named it, for messages.
    fn given_path(&self) -> &Path {
        self.place.given_path()
    }

    pub(super) fn sidecar(&self) -> &Sidecar {
        &self.sidecar
    }

    /// Returns the journal's records; `begun` is the position of the buffer in the file.
    fn records(
        &self,
        tail: &str,
        appendix: &Appendix,
        begun: Option<u64>,
        restores: &[Option<String>],
    ) -> Vec<JournalRecord> {
        let mut after = parse(tail).entries.last().map(|entry| entry_key(tail, entry));
        let mut records = Vec::with_capacity(appendix.blocks.len());
        for (index, block) in appendix.blocks.iter().enumerate() {
            let before = after.replace(BlockKey::of_block(block)).map(|key| key.hash());
            let restores = restores.get(index).cloned().flatten();
            let at = begun.map(|begun| begun + appendix.starts[index] as u64);
            let record = JournalRecord::new(&self.sidecar.file, block, before, at, restores);
            records.push(record.with_time(self.now));
        }
        records
    }

    fn insist_small(&self, bytes: u64) -> Result<(), StoreError> {
        if bytes > LARGEST {
            return Err(StoreError::TooLarge { path: self.given_path().to_owned(), bytes });
        }
        Ok(())
    }

    fn not_written(&self, doing: &'static str, source: io::Error) -> StoreError {
        StoreError::NotWritten { path: self.given_path().to_owned(), doing, source }
    }
}

/// One write, and the state of the file around it.
struct Attempt<'a> {
    writer: &'a Writer,
    disk: &'a dyn Disk,
    file: &'a File,
    before: FileIdentity,
    appendix: &'a Appendix,
}

impl Attempt<'_> {
    /// Undoes the write. Returns the error for the failed write, or [`StoreError::InDoubt`] if the
    /// undo fails.
    fn take_back(&self, failure: WriteFailure) -> StoreError {
        match cut_back(self.disk, self.file, self.before.len, self.appendix.bytes.len()) {
            Ok(()) => self.writer.not_written(failure.doing, failure.source),
            Err(_) => self.in_doubt(failure.doing, failure.source),
        }
    }

    fn in_doubt(&self, doing: &'static str, source: io::Error) -> StoreError {
        StoreError::InDoubt { path: self.writer.given_path().to_owned(), doing, source }
    }

    /// Returns the position of the new bytes in the file that has the name now, or `None` if it does not contain them.
    fn place(&self) -> Result<Option<u64>, StoreError> {
        let now = match self.named_file() {
            Ok(now) => now,
            Err(source) => {
                return Err(self.take_back(WriteFailure { doing: "looking at the file", source }));
            }
        };
        // An editor that empties and rewrites this same file may still have our block in memory. Do
        // not write the block again, because the editor could then save it twice. If the editor
        // drops the block, the journal still has it and `check` reports the loss.
        if now.is_same_file(self.before) {
            return Ok(Some(self.before.len));
        }
        if fs::canonicalize(self.writer.given_path()).ok().as_deref() != Some(self.writer.path()) {
            // A link now leads to another file, which has another lock. The written bytes must be
            // removed.
            let source = io::Error::other("another file took this name in the meantime");
            return Err(self.take_back(WriteFailure { doing: "looking at the file", source }));
        }
        self.search()
    }

    /// Returns the file that has the name now. Retries for a while, because editors move the old file away before they
    /// write the new one.
    fn named_file(&self) -> io::Result<FileIdentity> {
        let mut looks = 0;
        loop {
            match self.disk.identity(self.writer.given_path()) {
                Err(error) if error.kind() == io::ErrorKind::NotFound && looks < LOOKS => {
                    looks += 1;
                    thread::sleep(PAUSE);
                }
                other => return other,
            }
        }
    }

    /// Searches for the new blocks in another file that has taken the name, and reads that file
    /// completely. A new block is there if the file contains it as often as the journal and this
    /// append together do. One of several new blocks is enough: the journal then records all of
    /// them, and `check` reports the missing ones.
    fn search(&self) -> Result<Option<u64>, StoreError> {
        let unread = |error| self.in_doubt("reading the file again", io::Error::other(error));
        let document = read_at(&self.writer.place).map_err(unread)?;
        let acknowledged = journal::expected(&self.writer.sidecar.journal()).map_err(unread)?;
        let mut missing: HashMap<BlockKey, usize> = HashMap::new();
        let blocks: Vec<BlockKey> =
            self.appendix.blocks.iter().map(|block| BlockKey::of_block(block)).collect();
        for key in acknowledged.iter().map(JournalRecord::key).chain(blocks.iter().cloned()) {
            *missing.entry(key).or_default() += 1;
        }
        let mut offset = 0;
        for entry in parse(&document.text).entries {
            let key = entry_key(&document.text, &entry);
            if let Some(count) = missing.get_mut(&key) {
                *count = count.saturating_sub(1);
                if Some(&key) == blocks.first() {
                    offset = entry.span.start as u64;
                }
            }
        }
        let stands = blocks.iter().any(|key| missing.get(key) == Some(&0));
        Ok(stands.then_some(offset))
    }

    /// Records the blocks in the journal. Only then are they acknowledged.
    fn record(&self, records: Vec<JournalRecord>) -> Result<(), StoreError> {
        journal::record(self.disk, &self.writer.sidecar, &records).map_err(|failure| {
            let undo = WriteFailure { doing: failure.doing, source: failure.source };
            // A block that may be in the journal must stay in the file, or `check` would report it as dropped.
            if failure.undone {
                self.take_back(undo)
            } else {
                self.in_doubt(undo.doing, undo.source)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{Control, EntryKind, Name, NewComment, PhaseLine};

    /// Maximum wait for a lock: a child process of another test may hold a copy of it between its fork and its exec.
    const PATIENT: Duration = Duration::from_secs(10);

    fn comment(body: &str) -> Draft {
        Draft::Comment(NewComment::by(Name::parse("Rob").unwrap(), body))
    }

    fn discussion(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    fn append(path: &Path, drafts: &[Draft]) -> Result<Receipt, StoreError> {
        Writer::lock(path, PATIENT)?.append(drafts)
    }

    #[test]
    fn several_blocks_are_written_as_one() {
        let (_folder, path) = discussion(b"# A\n");
        let phase = Control::Phase(PhaseLine { id: "two".to_owned(), by: None, heading: None });
        let drafts = [
            Draft::Control(phase),
            Draft::Control(Control::VoteReset),
            comment("hello"),
            comment("again"),
        ];
        let receipt = append(&path, &drafts).unwrap();
        assert_eq!(receipt.offset, 4);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.len(), 4 + receipt.bytes);
        assert_eq!(text[4..], crate::transcript::append("# A\n", &drafts));
        assert_eq!(parse(&text).entries.len(), 4);
        assert_eq!(journal::expected(&Sidecar::of(&path).unwrap().journal()).unwrap().len(), 4);
    }

    #[test]
    fn append_to_a_tail_equals_append_to_the_whole_file() {
        let ends = [
            "",
            "\n\n",
            "Name: Eve\n\nopen",
            "\nName: Eve\n\n```\ncode\n",
            "stray",
            "<!-- PHASE: x",
            "\n<!-- PHASE: x -->\n",
        ];
        for end in ends {
            let mut text = "# A\n\n---\n\n".to_owned();
            for number in 0..40 {
                text.push_str(&format!("Name: Rob\n\n{number} {}\n\n---\n\n", "word ".repeat(300)));
            }
            text.push_str(end);
            let (_folder, path) = discussion(text.as_bytes());
            append(&path, &[comment("x")]).unwrap();
            let added = crate::transcript::append(&text, &[comment("x")]);
            assert_eq!(fs::read_to_string(&path).unwrap(), text + &added, "{end:?}");
        }
    }

    #[test]
    fn end_of_the_file_must_be_utf_8() {
        let (_folder, path) = discussion(b"# A \xff\n");
        assert!(matches!(append(&path, &[comment("x")]), Err(StoreError::NotText { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"# A \xff\n");
    }

    #[test]
    #[cfg(unix)]
    fn link_shares_lock_and_journal_with_its_file() {
        let (folder, path) = discussion(b"# A\n");
        fs::create_dir(folder.path().join("other")).unwrap();
        let link = folder.path().join("other/link.md");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        append(&link, &[comment("x")]).unwrap();
        assert!(link.is_symlink());
        assert!(folder.path().join(".discussions/a.md.journal").exists());
        assert!(!folder.path().join("other/.discussions").exists());
        let _held = Writer::lock(&path, PATIENT).unwrap();
        assert!(matches!(Writer::lock(&link, Duration::ZERO), Err(StoreError::Locked { .. })));
    }

    #[test]
    fn threads_write_one_after_the_other() {
        let (_folder, path) = discussion(b"# A\n");
        thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for number in 0..25 {
                        let mut locked = Writer::lock(path, Duration::from_secs(60)).unwrap();
                        locked.append(&[comment(&format!("{writer}/{number}"))]).unwrap();
                    }
                });
            }
        });
        let text = fs::read_to_string(&path).unwrap();
        let mut bodies: Vec<String> = parse(&text)
            .entries
            .iter()
            .filter_map(|entry| match &entry.kind {
                EntryKind::Comment(comment) => Some(comment.body()),
                EntryKind::Control(_) | EntryKind::Stray(_) => None,
            })
            .collect();
        assert_eq!(bodies.len(), 100);
        bodies.sort();
        bodies.dedup();
        assert_eq!(bodies.len(), 100);
        assert_eq!(journal::expected(&Sidecar::of(&path).unwrap().journal()).unwrap().len(), 100);
    }

    #[test]
    fn append_cost_does_not_grow_with_the_file() {
        let (_folder, path) = discussion(b"# A\n");
        append(&path, &[comment("x")]).unwrap();
        let small = tail(&File::open(&path).unwrap(), fs::metadata(&path).unwrap().len(), &path)
            .unwrap()
            .text
            .len();
        let block = fs::read_to_string(&path).unwrap()[4..].repeat(20_000);
        fs::write(&path, format!("# A\n{block}")).unwrap();
        let large = tail(&File::open(&path).unwrap(), fs::metadata(&path).unwrap().len(), &path)
            .unwrap()
            .text
            .len();
        assert!(small < 100 && large < 20_000, "{small} {large}");
        append(&path, &[comment("y")]).unwrap();
    }
}
