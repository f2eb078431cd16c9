//! Removes accepted losses from the private files: the removed text may be a secret, and no copy of it may stay.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::check::excused;
use super::orphan::orphans;
use super::records::{JournalLine, JournalRecord, RecordKind, expected};
use crate::boundary::OpenFolder;
use crate::store::disk::{read_private, sync_folder};
use crate::store::error::StoreError;
use crate::store::identity::birth;
use crate::store::merge::{BlockKey, entry_key};
use crate::store::private_files::Sidecar;
use crate::transcript::parse;

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
