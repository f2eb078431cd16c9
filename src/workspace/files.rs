//! Files on disk: finds discussions in folders, and opens the files that a path names. Links are resolved and checked
//! first; when a file is opened, no link is followed.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use walkdir::{DirEntry, WalkDir};

use super::Workspace;
use super::error::WorkspaceError;
use crate::boundary::{self, EscapesProject, ProjectPlace};
use crate::config::ConfiguredReach;
use crate::store::{self, Document, StoreError};

/// A file that looks like a discussion.
pub(super) struct FoundFile {
    pub(super) path: PathBuf,
}

/// Returns all Markdown files below a folder, sorted by path. Leaves out hidden files and summaries.
pub(super) fn files_below(folder: &Path) -> Result<Vec<FoundFile>, WorkspaceError> {
    walk(WalkDir::new(folder))
}

/// Returns the Markdown files directly in a folder, without its subfolders.
pub(super) fn files_in(folder: &Path) -> Result<Vec<FoundFile>, WorkspaceError> {
    walk(WalkDir::new(folder).max_depth(1))
}

fn walk(walk: WalkDir) -> Result<Vec<FoundFile>, WorkspaceError> {
    let mut files = Vec::new();
    // Paths in one folder begin alike, so comparing whole paths sorts by name without cutting the names out first.
    let by_name = |a: &DirEntry, b: &DirEntry| a.path().as_os_str().cmp(b.path().as_os_str());
    let walk = walk.sort_by(by_name).into_iter();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry)) {
        let entry = entry.map_err(|error| {
            WorkspaceError::unreadable_folder(error.path().unwrap_or(Path::new("")), &error)
        })?;
        let kind = entry.file_type();
        let is_file = kind.is_file() || (kind.is_symlink() && entry.path().is_file());
        if is_file && is_discussion(entry.path()) {
            files.push(FoundFile { path: entry.into_path() });
        }
    }
    Ok(files)
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

pub(super) fn is_discussion(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes().to_ascii_lowercase();
    name.ends_with(b".md") && !is_summary(path)
}

/// Returns true if the file name is that of a summary of a discussion (`output.summary_files`).
pub(super) fn is_summary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes().to_ascii_lowercase();
    name.ends_with(b".sum.md")
}

#[cfg(test)]
thread_local! {
    /// Instead of the number of processors, for tests.
    static THREADS: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
}

/// Returns the number of processors that this process may use.
fn processors() -> usize {
    #[cfg(test)]
    if let Some(threads) = THREADS.get() {
        return threads;
    }
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs `work` for each item on all processors, and returns the results in order.
pub(super) fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = processors().min(items.len().max(1));
    let next = AtomicUsize::new(0);
    let share = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    // This thread works too: one file then needs no other thread, whose memory would come on top of this one's.
    let mut all: Vec<(usize, R)> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(share)).collect();
        let mut all = share();
        for thread in others {
            all.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}

/// The maximum number of checks of a path. A link may replace a file after its check, and then the path is checked
/// again.
const TRIES: u32 = 16;

impl Workspace {
    /// Limits the files that an agent may name: none outside of `root`, if there is one, and none with a hard link,
    /// which may be a file from anywhere. Its discussions are in the folder of discussions: other Markdown files may be
    /// instructions that agents obey. `root` is canonical.
    #[must_use]
    pub fn for_agents(mut self, root: Option<PathBuf>) -> Self {
        self.setup.reach = ConfiguredReach { root, one_name: true, only_discussions: true };
        self
    }

    /// Returns the place to which a path leads.
    ///
    /// # Errors
    /// Fails for a link that leads out of the project.
    pub(crate) fn place(&self, path: &Path) -> Result<ProjectPlace, EscapesProject> {
        self.setup.place(path)
    }

    /// Returns the place of a file that is to be shown to models.
    ///
    /// # Errors
    /// Fails for a link that leads out of the file's project, and for an agent also for any path out of its folder.
    pub(crate) fn place_of_material(&self, path: &Path) -> Result<ProjectPlace, EscapesProject> {
        self.setup.reach.limit(boundary::resolve(&self.setup.cwd.join(path), |_, _| None)?)
    }

    /// Reads a discussion.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or for a link that leads out of its project.
    pub(crate) fn document(&self, path: &Path) -> Result<Document, WorkspaceError> {
        self.open_with(path, store::read_at)
    }

    /// Opens a path. Uses the path itself, which suffices if it contains no link, or else the target of its links.
    ///
    /// # Errors
    /// Fails for a link that leads out of the project, and with the error of `open`.
    pub(crate) fn open_with<T>(
        &self,
        path: &Path,
        open: impl Fn(&ProjectPlace) -> Result<T, StoreError>,
    ) -> Result<T, WorkspaceError> {
        if let Some(place) = self.setup.place_by_words(path) {
            match open(&place) {
                Err(error) if error.is_swapped() => {}
                opened => return opened.map_err(WorkspaceError::from),
            }
        }
        let mut tries = 1;
        loop {
            let place = self.place(path)?;
            match open(&place) {
                // Another file has its place now, so the path is checked again.
                Err(error) if error.is_swapped() && tries < TRIES => tries += 1,
                opened => return opened.map_err(WorkspaceError::from),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_work_keeps_its_order() {
        let numbers: Vec<usize> = (0..1000).collect();
        let doubled = each(&numbers, |number| number * 2);
        assert!(doubled.iter().enumerate().all(|(index, number)| *number == index * 2));
    }
}
#[cfg(test)]
mod opening_tests;
#[cfg(test)]
mod thread_tests;
