//! Searches for words in all discussions at once.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Workspace;
use super::error::WorkspaceError;
use super::find::DiscussionNames;
use super::folder::{FoundFile, each, files_below};
use super::overview::is_discussion;
use crate::engine::{Decision, Snapshot};
use crate::search::{Corpus, Looked, SearchWords, passages, rank, since};
use crate::transcript::{Alias, Time, time};
use crate::view::{self, FoundKind, Sighted, Standing, Unreadable};

/// A search and its filters.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The words, separated by blanks. A discussion must contain all of them, in any case, as words or parts of words.
    pub words: String,
    /// Only find places of this kind.
    pub kind: Option<FoundKind>,
    /// Only find text by this participant or person: an alias or a name.
    pub by: Option<String>,
    /// Only find text written since this time, as far as the file contains times.
    pub since: Option<Time>,
    /// Only search discussions with this status.
    pub status: Option<Standing>,
    /// The maximum number of places; 0 means no limit.
    pub limit: usize,
}

/// A discussion that contains the words, and the data of its row.
struct ReadDiscussion {
    looked: Looked,
    sighted: Sighted,
    title: String,
    status: Standing,
}

impl Search {
    /// Returns true if the author passes the filter.
    fn keeps(&self, snapshot: &Snapshot, author: Option<&str>) -> bool {
        let Some(by) = self.by.as_deref().map(|by| by.trim().trim_start_matches('@')) else {
            return true;
        };
        let alias = Alias::parse(by).ok();
        let persona =
            alias.and_then(|alias| Some(snapshot.config.persona(&alias)?.name.to_string()));
        let same =
            |name: &str| author.is_some_and(|author| author.to_lowercase() == name.to_lowercase());
        same(by) || persona.is_some_and(|name| same(&name))
    }
}

impl Workspace {
    /// Returns a search for words without filters.
    pub fn searching(&self, words: impl Into<String>) -> Search {
        Search { words: words.into(), ..Search::default() }
    }

    /// Parses the start of a period: a day, a point in time, or an age (`30d`, `2w`).
    ///
    /// # Errors
    /// Fails with a message for people that explains the notation.
    pub fn moment(&self, text: &str) -> Result<Time, String> {
        since(text, self.now())
    }

    /// Returns the places in the discussions of this workspace where the words occur, the most relevant first.
    ///
    /// # Errors
    /// Fails like [`Workspace::list`].
    pub fn search(&self, search: &Search) -> Result<view::SearchResult, WorkspaceError> {
        let folder = self.output_directory();
        self.setup.insist_inside(&folder)?;
        let files = if folder.is_dir() { files_below(&folder)? } else { Vec::new() };
        let files: Vec<(usize, FoundFile)> = files.into_iter().enumerate().collect();
        let words = SearchWords::of(&search.words);
        let with: Vec<AtomicUsize> = (0..words.len()).map(|_| AtomicUsize::new(0)).collect();
        let (names, now) = (DiscussionNames::of(self), self.now());
        let read = each(&files, |(index, FoundFile { path, .. })| {
            let read = || -> Result<Option<ReadDiscussion>, WorkspaceError> {
                let document = self.document(path)?;
                let stand = words.stand_in(document.text.as_bytes());
                for (count, _) in with.iter().zip(&stand).filter(|(_, stands)| **stands) {
                    count.fetch_add(1, Ordering::Relaxed);
                }
                if stand.is_empty() || stand.contains(&false) {
                    return Ok(None);
                }
                let snapshot = self.snapshot_of(&document)?;
                let sighted = self.sighted(path, &document, &snapshot, &names, now);
                let is_one = is_discussion(&document, &snapshot);
                Ok(is_one.then(|| looked(search, &snapshot, *index, sighted)).flatten())
            };
            read().map_err(|error| Unreadable { message: error.to_string(), fix: error.fix() })
        });
        let mut result = view::SearchResult { folder: self.exactly(&folder), ..Default::default() };
        let mut all = Vec::new();
        for one in read {
            match one {
                Ok(read) => all.extend(read),
                Err(unreadable) => result.unreadable.push(unreadable),
            }
        }
        let with = with.into_iter().map(AtomicUsize::into_inner).collect();
        let corpus = Corpus { files: files.len(), with };
        let (looked, rest): (Vec<Looked>, Vec<_>) = all
            .into_iter()
            .map(|read| (read.looked, (read.sighted, read.title, read.status)))
            .unzip();
        let hits = rank(&words, &corpus, &looked, now);
        result.total = hits.len();
        let most = if search.limit == 0 { usize::MAX } else { search.limit };
        let place = |file: usize| looked.partition_point(|one| one.file < file);
        result.found = hits
            .into_iter()
            .take(most)
            .map(|hit| {
                let (sighted, title, status) = &rest[place(hit.file)];
                view::Found {
                    file: sighted.file.clone(),
                    line: hit.line,
                    kind: hit.kind,
                    author: hit.author,
                    text: hit.text,
                    title: title.clone(),
                    status: *status,
                    at: hit.at.map(time),
                    score: (hit.score * 1e3).round() / 1e3,
                    name: sighted.name.clone(),
                    places: hit.places,
                }
            })
            .collect();
        Ok(result)
    }
}

/// Returns the data of one discussion; `None` if its status does not pass the filter.
fn looked(
    search: &Search,
    snapshot: &Snapshot,
    file: usize,
    sighted: Sighted,
) -> Option<ReadDiscussion> {
    let decision = Decision::of(snapshot);
    if search.status.is_some_and(|status| status != decision.status) {
        return None;
    }
    let updated = sighted.updated(snapshot);
    let mut passages = passages(snapshot, updated);
    passages.retain(|one| {
        let at = one.at.or(updated);
        search.kind.is_none_or(|kind| kind == one.kind)
            && search.keeps(snapshot, one.author.as_deref())
            && search.since.is_none_or(|since| at.is_some_and(|at| at >= since))
    });
    let agreed = decision.reached;
    let title = snapshot.state.title.clone();
    let looked = Looked { file, passages, agreed, updated };
    Some(ReadDiscussion { looked, sighted, title, status: decision.status })
}
