//! Adding blocks to a discussion, so that what was acknowledged is on disk and what failed left no trace.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::inode;
use super::lock::Lock;
use super::marks::conflict_at;
use super::patience::Patience;
use super::redact::Redaction;
use super::tail::{Tail, tail};
use crate::boundary::Place;
use crate::store::disk::{Disk, RealDisk, WriteFailure, cut_back, write_once};
use crate::store::error::StoreError;
use crate::store::identity::Identity;
use crate::store::journal::{self, Record};
use crate::store::merge::{Appendix, Key, entry_key};
use crate::store::read::{Document, LARGEST, beginning, read_at};
use crate::store::sidecar::Sidecar;
use crate::transcript::{Draft, Head, TORN, Time, parse, visible_line};

/// How often an append is tried while an editor keeps saving over the file.
const TRIES: u32 = 16;
/// How often a file is looked for that an editor has just moved away, to write it anew.
const LOOKS: u32 = 20;
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(1);

/// The one who may write to a discussion now. Others wait until it is dropped.
#[derive(Debug)]
pub struct Writer {
    place: Place,
    sidecar: Sidecar,
    /// Now, where somebody says so.
    now: Option<Time>,
    /// Takes known keys out of what is written.
    redaction: Option<Redaction>,
    _lock: Lock,
    _file: Option<Lock>,
}

/// An acknowledgement: the blocks are on disk, and known to `check`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The file that was written to, canonical.
    pub path: PathBuf,
    /// Where the new bytes begin.
    pub offset: u64,
    /// How many bytes were added, glue included.
    pub bytes: usize,
    /// The last line of what stood there, where it had no end: it was marked as cut off, and nothing in it counts.
    pub cut: Option<String>,
    /// The bytes that were added.
    pub(crate) added: String,
}

impl Receipt {
    /// What somebody has to know of what stood in the file before.
    pub(crate) fn told(&self) -> Option<String> {
        let line = visible_line(self.cut.as_deref()?);
        Some(format!(
            "the last line above, `{line}`, did not end in a newline, so it was marked as truncated and ignored; if \
             it is complete, remove the mark `{TORN}` after it"
        ))
    }
}

/// How much of a file is read to find its head.
const HEAD_LIMIT: usize = 1 << 16;

/// Insists on a file whose tallies this program gets right.
///
/// # Errors
/// [`StoreError::NewerFormat`].
fn insist_known(place: &Place) -> Result<(), StoreError> {
    let beginning = beginning(place, HEAD_LIMIT).ok().flatten().unwrap_or_default();
    match Head::newer_format(&beginning) {
        Some(format) => Err(StoreError::NewerFormat { path: place.given().to_owned(), format }),
        None => Ok(()),
    }
}

/// The last line of a text behind which a writer says that it was cut off.
fn cut(tail: &str, added: &str) -> Option<String> {
    let marked = added.strip_prefix(' ').is_some_and(|added| added.starts_with(TORN));
    let line = tail.rsplit('\n').next().filter(|_| marked)?;
    Some(line.to_owned())
}

impl Writer {
    /// Waits until nobody else writes to an existing discussion, at most about as long as `wait` says.
    ///
    /// # Errors
    /// A missing file, one that is not a regular file, one of a newer format, a lock that stays taken, and failures of the disk.
    pub fn lock(path: &Path, wait: impl Into<Patience>) -> Result<Self, StoreError> {
        Self::lock_at(&Place::follow(path), wait)
    }

    /// Locks a discussion whose links were followed before.
    ///
    /// # Errors
    /// As [`Writer::lock`]; a link in the way (see [`StoreError::is_swapped`]).
    pub(crate) fn lock_at(place: &Place, wait: impl Into<Patience>) -> Result<Self, StoreError> {
        let wait = wait.into();
        insist_known(place)?;
        let sidecar = Sidecar::at(place)?;
        let lock = Lock::take(&sidecar, &wait)?;
        let file = inode::of_writers(&sidecar, &wait)?;
        let (place, now, redaction) = (place.clone(), None, None);
        Ok(Self { place, sidecar, now, redaction, _lock: lock, _file: file })
    }

    /// The same, which remembers that what it writes was written then.
    #[must_use]
    pub fn at(self, now: Time) -> Self {
        Self { now: Some(now), ..self }
    }

    /// Returns the writer, which takes known keys out of all that it appends.
    #[must_use]
    pub(crate) fn redacting(self, redaction: Redaction) -> Self {
        Self { redaction: Some(redaction), ..self }
    }

    /// The discussion's file, canonical.
    pub(crate) fn path(&self) -> &Path {
        &self.sidecar.file
    }

    /// Reads the discussion; until the writer is dropped only editors can change it.
    ///
    /// # Errors
    /// As [`crate::store::read`].
    pub(crate) fn read(&self) -> Result<Document, StoreError> {
        read_at(&self.place)
    }

    /// Returns the line of the first conflict mark, if one stands near the end.
    ///
    /// # Errors
    /// As [`crate::store::read`].
    pub(crate) fn conflict(&self) -> Result<Option<usize>, StoreError> {
        conflict_at(&self.place)
    }

    /// Adds blocks at the end, all of them or none. Only the file's tail is read.
    ///
    /// # Errors
    /// [`StoreError::InDoubt`] when a failed write could not be taken back; after every other error the file holds
    /// nothing of the blocks, so that trying again duplicates nothing.
    pub fn append(&mut self, drafts: &[Draft]) -> Result<Receipt, StoreError> {
        match &self.redaction {
            Some(redaction) => {
                let drafts: Vec<Draft> = drafts.iter().map(|one| redaction.apply(one)).collect();
                self.append_on(&RealDisk, &drafts, &[])
            }
            None => self.append_on(&RealDisk, drafts, &[]),
        }
    }

    /// The same; `restores` names, draft by draft, the hash of the lost block that it puts back.
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
                return Err(StoreError::NotAFile { path: this.given().to_owned() });
            }
            this.place.insist_one_name(&found).map_err(fail("opening"))?;
            let before = Identity::of(&found);
            // What is larger nobody reads, not even its end.
            self.insist_small(before.len)?;
            let Tail { text: tail, ends } = tail(&file, before.len, self.given())?;
            let appendix = Appendix::behind(&tail, drafts).with_ends(ends);
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
        Err(StoreError::Replaced { path: self.given().to_owned(), times: TRIES })
    }

    /// Lets go of lost blocks that nobody may put back.
    pub(super) fn waive(&mut self, waivers: &[journal::Waiver]) -> Result<(), StoreError> {
        journal::record(&RealDisk, &self.sidecar, waivers)
            .map_err(|failure| self.not_written(failure.doing, failure.source))
    }

    /// The discussion's path as somebody named it, for messages.
    fn given(&self) -> &Path {
        self.place.given()
    }

    pub(super) fn sidecar(&self) -> &Sidecar {
        &self.sidecar
    }

    /// What the journal shall know; `begun` is where the buffer stands in the file.
    fn records(
        &self,
        tail: &str,
        appendix: &Appendix,
        begun: Option<u64>,
        restores: &[Option<String>],
    ) -> Vec<Record> {
        let mut after = parse(tail).entries.last().map(|entry| entry_key(tail, entry));
        let mut records = Vec::with_capacity(appendix.blocks.len());
        for (index, block) in appendix.blocks.iter().enumerate() {
            let before = after.replace(Key::of_block(block)).map(|key| key.hash());
            let restores = restores.get(index).cloned().flatten();
            let at = begun.map(|begun| begun + appendix.starts[index] as u64);
            let record = Record::new(&self.sidecar.file, block, before, at, restores);
            records.push(record.said(self.now));
        }
        records
    }

    fn insist_small(&self, bytes: u64) -> Result<(), StoreError> {
        if bytes > LARGEST {
            return Err(StoreError::TooLarge { path: self.given().to_owned(), bytes });
        }
        Ok(())
    }

    fn not_written(&self, doing: &'static str, source: io::Error) -> StoreError {
        StoreError::NotWritten { path: self.given().to_owned(), doing, source }
    }
}

/// One write, and what is known about the file around it.
struct Attempt<'a> {
    writer: &'a Writer,
    disk: &'a dyn Disk,
    file: &'a File,
    before: Identity,
    appendix: &'a Appendix,
}

impl Attempt<'_> {
    /// Leaves the file as it was, or says that it could not.
    fn take_back(&self, failure: WriteFailure) -> StoreError {
        match cut_back(self.disk, self.file, self.before.len, self.appendix.bytes.len()) {
            Ok(()) => self.writer.not_written(failure.doing, failure.source),
            Err(_) => self.in_doubt(failure.doing, failure.source),
        }
    }

    fn in_doubt(&self, doing: &'static str, source: io::Error) -> StoreError {
        StoreError::InDoubt { path: self.writer.given().to_owned(), doing, source }
    }

    /// Where in the file that has the name now the new bytes begin; `None` when they are not
    /// in it.
    fn place(&self) -> Result<Option<u64>, StoreError> {
        let now = match self.named() {
            Ok(now) => now,
            Err(source) => {
                return Err(self.take_back(WriteFailure { doing: "looking at the file", source }));
            }
        };
        // An editor that empties the same file and writes it anew may still have our block in memory: writing it again
        // would double it. What such an editor drops, the journal knows and `check` names.
        if now.is_same_file(self.before) {
            return Ok(Some(self.before.len));
        }
        if fs::canonicalize(self.writer.given()).ok().as_deref() != Some(self.writer.path()) {
            // A link was turned: another file has another lock. What was written must not stay behind.
            let source = io::Error::other("another file took this name in the meantime");
            return Err(self.take_back(WriteFailure { doing: "looking at the file", source }));
        }
        self.search()
    }

    /// Which file has the name, with some patience: editors move the old file away before they write the new one.
    fn named(&self) -> io::Result<Identity> {
        let mut looks = 0;
        loop {
            match self.disk.identity(self.writer.given()) {
                Err(error) if error.kind() == io::ErrorKind::NotFound && looks < LOOKS => {
                    looks += 1;
                    thread::sleep(PAUSE);
                }
                other => return other,
            }
        }
    }

    /// Another file has the name: only the whole of it tells whether the blocks are in it. They are when
    /// it holds as many equal ones as were ever acknowledged, and these. One of several is enough: the journal knows
    /// the others.
    fn search(&self) -> Result<Option<u64>, StoreError> {
        let unread = |error| self.in_doubt("reading the file again", io::Error::other(error));
        let document = read_at(&self.writer.place).map_err(unread)?;
        let acknowledged = journal::expected(&self.writer.sidecar.journal()).map_err(unread)?;
        let mut missing: HashMap<Key, usize> = HashMap::new();
        let blocks: Vec<Key> =
            self.appendix.blocks.iter().map(|block| Key::of_block(block)).collect();
        for key in acknowledged.iter().map(Record::key).chain(blocks.iter().cloned()) {
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

    /// Makes the blocks known to `check`; only then are they acknowledged.
    fn record(&self, records: Vec<Record>) -> Result<(), StoreError> {
        journal::record(self.disk, &self.writer.sidecar, &records).map_err(|failure| {
            let undo = WriteFailure { doing: failure.doing, source: failure.source };
            // A block that the journal may know must stay in the file: else `check` would call it dropped.
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

    /// Another test's child process may hold a copy of a lock between its fork and its exec.
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
        let phase = Control::Phase(PhaseLine { id: "two".to_owned(), by: None });
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
    fn appending_to_a_tail_writes_what_appending_to_the_whole_would() {
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
    fn the_end_has_to_be_utf_8() {
        let (_folder, path) = discussion(b"# A \xff\n");
        assert!(matches!(append(&path, &[comment("x")]), Err(StoreError::NotText { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"# A \xff\n");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_shares_lock_and_journal_with_its_file_and_stays_a_link() {
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
    fn threads_take_turns() {
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
    fn the_cost_of_an_append_does_not_grow_with_the_file() {
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
