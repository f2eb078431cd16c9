//! What was acknowledged, so that a lost block can be named: a private file of JSON lines beside the discussion.
//!
//! Every line names the folder that it was written in (see [`birth`]), and only lines of this very folder are believed:
//! those that came with the files, as a commit or an archive can bring them, could say anything of anybody.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::RangeInclusive;
use std::path::Path;

use chrono::Timelike as _;
use serde::{Deserialize, Serialize};

use super::orphan;
use crate::digest::sha256_hex;
use crate::store::disk::{Disk, WriteFailure, cut_back, read_private, sync_folder, write_once};
use crate::store::error::StoreError;
use crate::store::git::Repository;
use crate::store::identity::birth;
use crate::store::merge::Key;
use crate::store::read::LARGEST;
use crate::store::sidecar::Sidecar;
use crate::transcript::Time;

/// One acknowledged block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The discussion, canonical, when the block was written.
    pub path: String,
    /// SHA-256 of the block's bytes, lower-case hexadecimal.
    pub sha256: String,
    /// The block's bytes as they were written.
    pub block: String,
    /// SHA-256 of the lines of the block that stood before it, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Where in the file the block began when it was written, in bytes; unknown where an editor saved meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// SHA-256 of the dropped block that this one puts back; that one is no longer expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restores: Option<String>,
    /// When it was written, in whole seconds; unknown in lines of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Time>,
}

impl Record {
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

    /// The same, written then.
    pub(in crate::store) fn said(self, at: Option<Time>) -> Self {
        Self { said: at.and_then(|at| at.with_nanosecond(0)), ..self }
    }

    /// What the block is compared by.
    pub(in crate::store) fn key(&self) -> Key {
        Key::of_block(&self.block)
    }
}

/// A dropped control line that nobody may put back: too late, it would change what later entries mean.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::store) struct Waiver {
    /// SHA-256 of the block's bytes.
    pub(in crate::store) waives: String,
}

/// A line as it stands in the file.
#[derive(Serialize, Deserialize)]
pub(super) struct Line<What> {
    /// The private folder that it was written in; lines of an earlier version name none.
    #[serde(default, rename = "in")]
    pub(super) home: String,
    #[serde(flatten)]
    pub(super) what: What,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum What {
    Record(Record),
    Waiver(Waiver),
}

/// What a journal says.
#[derive(Debug, Default)]
pub(super) struct Journal {
    /// The blocks that a discussion should hold, in the order in which they were acknowledged.
    pub(super) expected: Vec<Record>,
    /// Lines that cannot be read, counted from 1; those that follow each other are one item.
    pub(super) damaged: Vec<RangeInclusive<usize>>,
    /// How many lines were written in another folder, be it a copy's original, and are not believed.
    pub(super) foreign: usize,
    /// Git carries the journal to others, and from them: nothing in it is believed.
    pub(super) tracked: bool,
}

/// The blocks that a discussion should hold, in the order in which they were acknowledged.
///
/// # Errors
/// As [`load`].
pub(in crate::store) fn expected(journal: &Path) -> Result<Vec<Record>, StoreError> {
    Ok(load(journal)?.expected)
}

/// Reads a journal that git does not carry to others. A line that a crash cut short was never acknowledged and is passed over, also where later writers
/// went on behind it.
///
/// # Errors
/// A journal that is a link or no regular file, and failures of the disk; no journal is an empty one.
pub(super) fn load(journal: &Path) -> Result<Journal, StoreError> {
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
    if is_tracked(journal) {
        return Ok(Journal { tracked: true, ..Journal::default() });
    }
    let bytes = read_private(journal).map_err(fail)?;
    let home = birth(journal.parent().unwrap_or(Path::new("."))).map_err(fail)?;
    let mut foreign = 0;
    let mut live = Live::default();
    let mut damaged: Vec<RangeInclusive<usize>> = Vec::new();
    for (line, number) in bytes.split(|&byte| byte == b'\n').zip(1..) {
        let line = serde_json::from_slice::<Line<What>>(line);
        match line.map(|line| (line.home == home, line.what)) {
            Ok((_, What::Record(record))) if record.sha256 != sha256_hex(&record.block) => {
                spoiled(&mut damaged, number);
            }
            Ok((false, _)) => foreign += 1,
            Ok((true, What::Record(record))) => live.add(record),
            Ok((true, What::Waiver(waiver))) => live.cancel(&waiver.waives),
            Err(error) if error.is_eof() => {}
            Err(_) => spoiled(&mut damaged, number),
        }
    }
    let expected = live.records.into_iter().flatten().collect();
    Ok(Journal { expected, damaged, foreign, tracked: false })
}

/// One more line that cannot be read.
fn spoiled(damaged: &mut Vec<RangeInclusive<usize>>, number: usize) {
    match damaged.last_mut() {
        Some(lines) if lines.end() + 1 == number => *lines = *lines.start()..=number,
        _ => damaged.push(number..=number),
    }
}

/// Whether git has the journal in its index or its last commit.
fn is_tracked(journal: &Path) -> bool {
    let Some((folder, name)) = journal.parent().zip(journal.file_name()) else { return false };
    Repository::around(folder)
        .is_some_and(|repository| repository.tracks(&repository.path_of(&name.to_string_lossy())))
}

/// Records that still stand.
#[derive(Default)]
struct Live {
    records: Vec<Option<Record>>,
    places: HashMap<String, Vec<usize>>,
}

impl Live {
    fn add(&mut self, record: Record) {
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

/// How recording failed.
#[derive(Debug)]
pub(in crate::store) struct RecordFailure {
    pub(in crate::store) doing: &'static str,
    pub(in crate::store) source: io::Error,
    /// The journal is as it was.
    pub(in crate::store) undone: bool,
}

/// Adds lines to the journal and has them on disk.
pub(in crate::store) fn record<T: Serialize>(
    disk: &dyn Disk,
    sidecar: &Sidecar,
    lines: &[T],
) -> Result<(), RecordFailure> {
    let unopened = |source| RecordFailure { doing: "opening the journal", source, undone: true };
    let path = sidecar.journal();
    // A journal with a second name may be anybody's file that an archive linked here.
    if has_other_names(&path) {
        orphan::replace_by_copy(&path, sidecar).map_err(unopened)?;
    }
    let mut file = disk.open_or_create(&path).map_err(unopened)?;
    let old = file.metadata().map_err(unopened)?.len();
    let mut bytes = Vec::new();
    if !ends_a_line(&mut file, old).map_err(unopened)? {
        // A crash cut the last line; what follows must not be glued to it.
        bytes.push(b'\n');
    }
    let home = birth(&sidecar.folder).map_err(unopened)?;
    for what in lines {
        let line = Line { home: home.clone(), what };
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

#[cfg(unix)]
fn has_other_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::symlink_metadata(path).is_ok_and(|found| found.nlink() > 1)
}

#[cfg(not(unix))]
fn has_other_names(_path: &Path) -> bool {
    false
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
