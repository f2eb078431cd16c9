//! The journal's format: a private file of JSON lines beside the discussion that records acknowledged blocks. Accepted
//! losses are removed from it, because the removed text may be a secret.
//!
//! Every line contains the identity of the folder that it was written in (see [`birth`]), and only lines of this very
//! folder count: lines that came with a commit or an archive could make any claim about anyone.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use chrono::Timelike as _;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::check::excused;
use super::orphan::{self, orphans};
use super::tracked::TrackedJournals;
use crate::boundary::OpenFolder;
use crate::digest::sha256_hex;
use crate::platform::{FileNumbers, sync_folder};
use crate::store::disk::{Disk, WriteFailure, birth, cut_back, read_private, write_once};
use crate::store::error::StoreError;
use crate::store::merge::{BlockKey, entry_key};
use crate::store::private_files::Sidecar;
use crate::store::read::LARGEST;
use crate::transcript::{Time, parse};

/// One acknowledged block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalRecord {
    /// Canonical path of the discussion at the time of writing.
    pub path: String,
    /// SHA-256 of the block's bytes, in lower-case hexadecimal.
    pub sha256: String,
    /// The block's bytes in their original form.
    pub block: String,
    /// SHA-256 of the lines of the block before it, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Position of the block in the file when it was written, in bytes. Unknown if an editor saved the file in the
    /// meantime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// SHA-256 of the dropped block that this one restores. The dropped block is no longer expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restores: Option<String>,
    /// Time of writing, in whole seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Time>,
}

impl JournalRecord {
    pub(in crate::store) fn new(
        path: &Path,
        block: &str,
        after: Option<String>,
        at: Option<u64>,
        restores: Option<String>,
    ) -> Self {
        Self {
            path: path.to_string_lossy().into_owned(),
            sha256: sha256_hex(block),
            block: block.to_owned(),
            after,
            at,
            restores,
            said: None,
        }
    }

    /// Sets the time of writing.
    pub(in crate::store) fn with_time(self, at: Option<Time>) -> Self {
        Self { said: at.and_then(|at| at.with_nanosecond(0)), ..self }
    }

    /// Returns the hash of the block that this one was written after.
    pub(crate) fn after_hash(&self) -> Option<&str> {
        self.after.as_deref()
    }

    /// Returns the key for comparing the block.
    pub(in crate::store) fn key(&self) -> BlockKey {
        BlockKey::of_block(&self.block)
    }
}

/// A note not to restore a dropped control line: so late in the file, it would change the meaning of later entries.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::store) struct Waiver {
    /// SHA-256 of the block's bytes.
    pub(in crate::store) waives: String,
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
struct JournalLine<What> {
    /// Identity of the private folder that it was written in.
    #[serde(default, rename = "in")]
    pub(super) home: String,
    #[serde(flatten)]
    pub(super) what: What,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RecordKind {
    Record(JournalRecord),
    Waiver(Waiver),
}

/// The use of git by a check, for missing blocks and for the journal. Starting git takes longer than the check itself.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GitUse<'a> {
    /// Git is asked; for the journals of all checked discussions at once.
    Asked(&'a TrackedJournals),
    /// Git is not started.
    Avoided,
}

/// The content of a journal.
#[derive(Debug, Default)]
pub(super) struct Journal {
    /// The blocks that a discussion should contain, in the order of their acknowledgement.
    pub(super) expected: Vec<JournalRecord>,
    /// Numbers of lines that cannot be parsed, from 1; adjacent ones form one range.
    pub(super) damaged: Vec<RangeInclusive<usize>>,
    /// Number of lines that were written in another folder, for example the original of a copy. They do not count.
    pub(super) foreign: usize,
    /// True if git tracks the journal; then no line of it counts.
    pub(super) tracked: bool,
}

/// Returns the blocks that a discussion should contain, in the order of their acknowledgement.
///
/// # Errors
/// Fails like [`load`].
pub(in crate::store) fn expected(journal: &Path) -> Result<Vec<JournalRecord>, StoreError> {
    expected_asking(journal, GitUse::Asked(&TrackedJournals::default()))
}

/// Returns [`expected`], with or without git.
///
/// # Errors
/// Fails like [`load`].
pub(in crate::store) fn expected_asking(
    journal: &Path,
    git: GitUse<'_>,
) -> Result<Vec<JournalRecord>, StoreError> {
    Ok(load(journal, git)?.expected)
}

/// Reads a journal that git does not track. A line that a crash cut short was never acknowledged; it is skipped, even
/// if later lines follow it.
///
/// # Errors
/// Fails if the journal is a link or no regular file, or if the disk fails. A missing journal counts as empty.
pub(super) fn load(journal: &Path, git: GitUse<'_>) -> Result<Journal, StoreError> {
    let fail = |error| StoreError::from_io(journal, "reading", error);
    let found = match fs::symlink_metadata(journal) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Journal::default()),
        other => other.map_err(fail)?,
    };
    if found.is_symlink() {
        return Err(StoreError::Linked { path: journal.to_owned() });
    }
    if !found.is_file() {
        return Err(StoreError::NotAFile { path: journal.to_owned() });
    }
    if found.len() > LARGEST {
        return Err(StoreError::TooLarge { path: journal.to_owned(), bytes: found.len() });
    }
    if let GitUse::Asked(tracked) = git
        && tracked.has(journal)
    {
        return Ok(Journal { tracked: true, ..Journal::default() });
    }
    let bytes = read_private(journal).map_err(fail)?;
    let home = birth(journal.parent().unwrap_or(Path::new("."))).map_err(fail)?;
    let mut foreign = 0;
    let mut live = LiveRecords::default();
    let mut damaged: Vec<RangeInclusive<usize>> = Vec::new();
    for (line, number) in bytes.split(|&byte| byte == b'\n').zip(1..) {
        let line = serde_json::from_slice::<JournalLine<RecordKind>>(line);
        match line.map(|line| (line.home == home, line.what)) {
            Ok((_, RecordKind::Record(record))) if record.sha256 != sha256_hex(&record.block) => {
                spoiled(&mut damaged, number);
            }
            Ok((false, _)) => foreign += 1,
            Ok((true, RecordKind::Record(record))) => live.add(record),
            Ok((true, RecordKind::Waiver(waiver))) => live.cancel(&waiver.waives),
            Err(error) if error.is_eof() => {}
            Err(_) => spoiled(&mut damaged, number),
        }
    }
    let expected = live.records.into_iter().flatten().collect();
    Ok(Journal { expected, damaged, foreign, tracked: false })
}

/// Adds a line that cannot be parsed.
fn spoiled(damaged: &mut Vec<RangeInclusive<usize>>, number: usize) {
    match damaged.last_mut() {
        Some(lines) if lines.end() + 1 == number => *lines = *lines.start()..=number,
        _ => damaged.push(number..=number),
    }
}

/// Records that are neither restored by a later record nor waived.
#[derive(Default)]
struct LiveRecords {
    records: Vec<Option<JournalRecord>>,
    places: HashMap<String, Vec<usize>>,
}

impl LiveRecords {
    fn add(&mut self, record: JournalRecord) {
        if let Some(hash) = &record.restores {
            self.cancel(hash);
        }
        self.places.entry(record.sha256.clone()).or_default().push(self.records.len());
        self.records.push(Some(record));
    }

    fn cancel(&mut self, hash: &str) {
        if let Some(place) = self.places.get_mut(hash).and_then(Vec::pop) {
            self.records[place] = None;
        }
    }
}

/// A failure to record blocks.
#[derive(Debug)]
pub(in crate::store) struct RecordFailure {
    pub(in crate::store) doing: &'static str,
    pub(in crate::store) source: io::Error,
    /// True if the journal is unchanged.
    pub(in crate::store) undone: bool,
}

/// Appends lines to the journal and syncs them to disk.
pub(in crate::store) fn record<T: Serialize>(
    disk: &dyn Disk,
    sidecar: &Sidecar,
    lines: &[T],
) -> Result<(), RecordFailure> {
    let unopened = |source| RecordFailure { doing: "opening the journal", source, undone: true };
    let path = sidecar.journal();
    // A journal with a second hard link may be another file that an archive linked to this name.
    if FileNumbers::of_entry(&path).is_ok_and(|numbers| numbers.names > 1) {
        orphan::replace_by_copy(&path, sidecar).map_err(unopened)?;
    }
    let mut file = disk.open_or_create(&path).map_err(unopened)?;
    let old = file.metadata().map_err(unopened)?.len();
    let mut bytes = Vec::new();
    if !ends_a_line(&mut file, old).map_err(unopened)? {
        // A crash cut the last line; the next one must not be joined to it.
        bytes.push(b'\n');
    }
    let home = birth(&sidecar.folder).map_err(unopened)?;
    for what in lines {
        let line = JournalLine { home: home.clone(), what };
        serde_json::to_writer(&mut bytes, &line).map_err(|error| unopened(error.into()))?;
        bytes.push(b'\n');
    }
    let written = write_once(disk, &file, &bytes).and_then(|()| {
        let folder = if old == 0 { sync_folder(&sidecar.folder) } else { Ok(()) };
        folder.map_err(|source| WriteFailure { doing: "syncing the folder", source })
    });
    written.map_err(|failure| RecordFailure {
        doing: match failure.doing {
            "writing" => "writing the journal",
            _ => "syncing the journal",
        },
        source: failure.source,
        undone: cut_back(disk, &file, old, bytes.len()).is_ok(),
    })
}

fn ends_a_line(file: &mut fs::File, len: u64) -> io::Result<bool> {
    if len == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::Start(len - 1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Returns true if the journal contains any block with an accepted removal or change.
///
/// # Errors
/// Fails like [`expected`].
pub(in crate::store) fn is_stale_at(path: &Path, text: &str) -> Result<bool, StoreError> {
    let sidecar = Sidecar::of(path)?;
    Ok(!excused(&expected(&sidecar.journal())?, text).is_empty())
}

/// Removes the blocks with an accepted change or removal from the journal, and from the journals of missing
/// discussions. `fresh` is recorded instead. Returns the number of removed lines.
///
/// # Errors
/// Fails if the disk fails; the journals are unchanged then.
pub(in crate::store) fn purge(
    sidecar: &Sidecar,
    text: &str,
    fresh: &[JournalRecord],
) -> Result<usize, StoreError> {
    let own = sidecar.journal();
    let stale = excused(&expected(&own)?, text);
    let stands: HashSet<BlockKey> =
        parse(text).entries.iter().map(|entry| entry_key(text, entry)).collect();
    let mut wanted: HashMap<String, usize> = HashMap::new();
    stale.iter().for_each(|record| *wanted.entry(record.sha256.clone()).or_default() += 1);
    let gone: HashSet<BlockKey> =
        stale.iter().map(JournalRecord::key).filter(|key| !stands.contains(key)).collect();
    if stale.is_empty() && fresh.is_empty() {
        return Ok(0);
    }
    let mut count = 0;
    let others = orphans(sidecar).into_iter().filter(|path| *path != own);
    for path in std::iter::once(own.clone()).chain(others) {
        let is_own = path == own;
        let mut pages = Pages::read(&path).map_err(|error| unwritten(&path, error))?;
        let mut left = if is_own { wanted.clone() } else { HashMap::new() };
        pages.forget(&mut left, &gone);
        count += pages.forgotten.len();
        let new = if is_own { fresh } else { &[] };
        pages.write(&path, sidecar, new).map_err(|error| unwritten(&path, error))?;
    }
    Ok(count)
}

fn unwritten(path: &Path, source: io::Error) -> StoreError {
    StoreError::NotWritten { path: path.to_owned(), doing: "rewriting the journal", source }
}

/// A journal, line by line.
struct Pages {
    bytes: Vec<u8>,
    /// The parsed lines; `None` for lines that cannot be parsed.
    lines: Vec<Option<JournalLine<RecordKind>>>,
    forgotten: HashSet<usize>,
}

impl Pages {
    fn read(path: &PathBuf) -> io::Result<Self> {
        let bytes = match fs::symlink_metadata(path) {
            Ok(found) if found.is_file() => read_private(path)?,
            Ok(_) => Vec::new(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let lines = bytes.split(|&byte| byte == b'\n');
        let lines = lines.map(|line| serde_json::from_slice(line).ok()).collect();
        Ok(Self { bytes, lines, forgotten: HashSet::new() })
    }

    /// Marks lines for removal: the wanted number of records of each block, all records of the blocks in `gone`, the
    /// records that a removed record restored, and unreadable lines that contain words of a block in `gone`.
    fn forget(&mut self, wanted: &mut HashMap<String, usize>, gone: &HashSet<BlockKey>) {
        let mut words = HashSet::new();
        // Goes backwards: if a removed record restored an earlier one, the earlier one must be removed too.
        for (index, line) in self.lines.iter().enumerate().rev() {
            let Some(JournalLine { what: RecordKind::Record(record), .. }) = line else { continue };
            let key = record.key();
            let count = wanted.get_mut(&record.sha256).filter(|count| **count > 0);
            let counted = count.map(|count| *count -= 1).is_some();
            if !counted && !gone.contains(&key) {
                continue;
            }
            self.forgotten.insert(index);
            if let Some(hash) = &record.restores {
                *wanted.entry(hash.clone()).or_default() += 1;
            }
            if gone.contains(&key) {
                words.extend(record.block.lines().max_by_key(|line| line.len()).map(escaped));
            }
        }
        let forgotten = |hash: &String| {
            self.forgotten.iter().any(|index| match &self.lines[*index] {
                Some(JournalLine { what: RecordKind::Record(record), .. }) => {
                    record.sha256 == *hash && gone.contains(&record.key())
                }
                _ => false,
            })
        };
        let waivers = self.lines.iter().enumerate().filter(|(_, line)| match line {
            Some(JournalLine { what: RecordKind::Waiver(waiver), .. }) => forgotten(&waiver.waives),
            _ => false,
        });
        let waivers: Vec<usize> = waivers.map(|(index, _)| index).collect();
        self.forgotten.extend(waivers);
        let raw = self.bytes.split(|&byte| byte == b'\n').enumerate();
        for (index, raw) in raw {
            if self.lines[index].is_some() {
                continue;
            }
            let text = String::from_utf8_lossy(raw);
            if words.iter().any(|word| word.len() > 3 && text.contains(word)) {
                self.forgotten.insert(index);
            }
        }
    }

    fn write(&self, path: &Path, sidecar: &Sidecar, fresh: &[JournalRecord]) -> io::Result<()> {
        if self.forgotten.is_empty() && fresh.is_empty() {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(self.bytes.len());
        for (index, raw) in self.bytes.split(|&byte| byte == b'\n').enumerate() {
            if !self.forgotten.contains(&index) && !raw.is_empty() {
                bytes.extend_from_slice(raw);
                bytes.push(b'\n');
            }
        }
        let home = birth(&sidecar.folder)?;
        for what in fresh {
            serde_json::to_writer(&mut bytes, &JournalLine { home: home.clone(), what })?;
            bytes.push(b'\n');
        }
        // Written to a temporary file first, so that the new journal is either complete or absent.
        let folder = OpenFolder::open(&sidecar.folder)?;
        let mut temporary = NamedTempFile::new_in(folder.path())?;
        if let Ok(found) = fs::symlink_metadata(path) {
            temporary.as_file().set_permissions(found.permissions())?;
        }
        temporary.write_all(&bytes)?;
        temporary.as_file().sync_all()?;
        let name = path.file_name().unwrap_or_default();
        temporary.persist(folder.path().join(name)).map_err(|error| error.error)?;
        sync_folder(&sidecar.folder)
    }
}

/// Returns some words in the form that they have in JSON.
fn escaped(words: &str) -> String {
    let quoted = serde_json::Value::from(words).to_string();
    quoted.trim_matches('"').to_owned()
}
