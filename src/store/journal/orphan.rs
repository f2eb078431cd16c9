//! Lets a renamed discussion keep its journal: a journal without a discussion belongs to it if both
//! contain a common block.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::records::{GitUse, JournalRecord, expected_asking};
use super::tracked::TrackedJournals;
use crate::boundary::{OpenFolder, Purpose, open_plain, rename_within};
use crate::platform::sync_folder;
use crate::store::error::StoreError;
use crate::store::merge::{BlockKey, entry_key};
use crate::store::private_files::{JOURNAL, Sidecar};
use crate::store::read::read;
use crate::transcript::parse;

/// Gives a discussion without a journal a copy of the orphaned journal with the most common blocks. The original stays,
/// because the discussion under the old name may come back, for example from another branch.
pub(in crate::store) fn adopt(sidecar: &Sidecar) -> Result<(), StoreError> {
    if orphans(sidecar).is_empty() {
        return Ok(());
    }
    let tracked = TrackedJournals::default();
    match find(sidecar, &read(&sidecar.file)?.text, GitUse::Asked(&tracked)) {
        Some(journal) => copy(&journal, sidecar).map_err(|source| StoreError::NotWritten {
            path: sidecar.journal(),
            doing: "adopting",
            source,
        }),
        None => Ok(()),
    }
}

/// Returns the orphaned journal with the most comments in common with a text. A common control line, such as a first
/// phase, is not enough.
pub(super) fn find(sidecar: &Sidecar, text: &str, git: GitUse<'_>) -> Option<PathBuf> {
    let orphans = orphans(sidecar);
    if orphans.is_empty() {
        return None;
    }
    let blocks: HashSet<BlockKey> =
        parse(text).entries.iter().map(|entry| entry_key(text, entry)).collect();
    let shared = |journal: &PathBuf| {
        let records = expected_asking(journal, git).unwrap_or_default();
        records
            .iter()
            .map(JournalRecord::key)
            .filter(|key| key.is_comment() && blocks.contains(key))
            .count()
    };
    let (count, journal) = orphans.into_iter().map(|journal| (shared(&journal), journal)).max()?;
    (count > 0).then_some(journal)
}

/// Returns the journals of missing discussions.
pub(super) fn orphans(sidecar: &Sidecar) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(&sidecar.folder) else { return Vec::new() };
    let home = sidecar.folder.parent().unwrap_or(Path::new("."));
    let mut orphans: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let owner = path
                .file_name()
                .and_then(OsStr::to_str)
                .and_then(|name| name.strip_suffix(JOURNAL));
            owner.is_some_and(|owner| !home.join(owner).exists())
        })
        .collect();
    orphans.sort();
    orphans
}

/// A missing discussion that still has its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeftBehind {
    /// Its former path.
    pub(crate) path: PathBuf,
    /// Its journal.
    pub(crate) journal: PathBuf,
    /// Number of its comments that are in no commit of another branch either.
    pub(crate) lost: usize,
}

/// Returns the missing discussions of a folder. Skips a discussion if one of `texts` has a comment of it (it was
/// renamed), or if another branch has all its comments (it is not lost).
pub(crate) fn left_behind(folder: &Path, texts: &[&str]) -> Vec<LeftBehind> {
    let Ok(folder) = fs::canonicalize(folder) else { return Vec::new() };
    let all = orphans(&Sidecar::for_discussion(&folder, "x"));
    if all.is_empty() {
        return Vec::new();
    }
    let known: HashSet<BlockKey> = texts
        .iter()
        .flat_map(|text| parse(*text).entries.into_iter().map(|entry| entry_key(text, &entry)))
        .collect();
    let tracked = TrackedJournals::default();
    let found = all.into_iter().filter_map(|journal| {
        let name = journal.file_name()?.to_str()?.strip_suffix(JOURNAL)?.to_owned();
        // `1~` before the name: another discussion took this name (see `disown`); the old one was removed on purpose.
        if name.split_once('~').is_some_and(|(number, _)| number.parse::<u32>().is_ok()) {
            return None;
        }
        let sidecar = Sidecar::for_discussion(&folder, &name);
        let mut records = expected_asking(&journal, GitUse::Asked(&tracked)).ok()?;
        records.retain(|record| record.key().is_comment());
        if records.iter().any(|record| known.contains(&record.key())) {
            return None;
        }
        let findings = super::check::compare(&sidecar, records, "");
        let lost = findings.iter().filter(|found| found.fate == super::Fate::Dropped).count();
        (lost > 0).then_some(LeftBehind { path: sidecar.file, journal, lost })
    });
    found.collect()
}

/// Replaces a file that has other hard links by a copy of its own. The other links keep their file.
pub(super) fn replace_by_copy(path: &Path, sidecar: &Sidecar) -> io::Result<()> {
    let folder = OpenFolder::open(&sidecar.folder)?;
    let name = path.file_name().unwrap_or_default();
    copied(path, &folder)?.persist(folder.path().join(name)).map_err(|error| error.error)?;
    sync_folder(&sidecar.folder)
}

fn copied(from: &Path, folder: &OpenFolder) -> io::Result<NamedTempFile> {
    let mut temporary = NamedTempFile::new_in(folder.path())?;
    let mut from = open_plain(from, Purpose::Read)?;
    temporary.as_file().set_permissions(from.metadata()?.permissions())?;
    io::copy(&mut from, temporary.as_file_mut())?;
    temporary.as_file().sync_all()?;
    Ok(temporary)
}

/// Copies a journal in such a way that the new name never refers to an incomplete file.
fn copy(from: &Path, sidecar: &Sidecar) -> io::Result<()> {
    let (folder, journal) = OpenFolder::of_file(&sidecar.journal())?;
    match copied(from, &folder)?.persist_noclobber(journal) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
        _ => sync_folder(&sidecar.folder),
    }
}

/// Renames the journal of a name that a new discussion takes, so that the new one does not inherit it.
pub(in crate::store) fn disown(sidecar: &Sidecar) -> io::Result<()> {
    let journal = sidecar.journal();
    if !journal.exists() {
        return Ok(());
    }
    let free = (1_u32..).map(|number| {
        let mut name = OsStr::new(&format!("{number}~")).to_owned();
        name.push(sidecar.name());
        name.push(JOURNAL);
        sidecar.folder.join(name)
    });
    free.into_iter()
        .find(|path| !path.exists())
        .map_or(Ok(()), |path| rename_within(&journal, &path))
}
