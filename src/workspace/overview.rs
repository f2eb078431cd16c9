//! All discussions of a folder, read at once: the list, the waiting steps, the decisions, and the search for words.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Workspace;
use super::environment::time_of;
use super::error::WorkspaceError;
use super::files::{FoundFile, each, files_below};
use super::find::DiscussionNames;
use super::nest::parent_file;
use super::replaced::ReplacedDecision;
use crate::engine::Snapshot;
use crate::search::{Corpus, Looked, SearchWords, passages, rank, since};
use crate::store::{Document, RunLocks};
use crate::transcript::{Alias, Time, time};
use crate::view::{
    self, Decided, FoundKind, Listed, Parent, Sighted, Standing, Unreadable, newest_date,
};

/// The number of decisions on the dashboard.
const DECIDED: usize = 3;

impl Workspace {
    /// Returns the statistics of all discussions below a folder. Without a folder, uses the folder of new discussions.
    ///
    /// # Errors
    /// Fails like [`Workspace::list`].
    pub fn stats(&self, folder: Option<&Path>) -> Result<view::Stats, WorkspaceError> {
        let below = folder.map_or_else(|| self.output_directory(), |it| self.setup.cwd.join(it));
        let replaced = self.replaced_below(&below)?;
        let (folder, read) = self.read_all(folder, |snapshot, sighted, path| {
            let mut decided = Decided::of(snapshot, sighted);
            if let Some(decided) = &mut decided {
                self.link(&replaced, path, snapshot, decided);
            }
            view::Counted::of(snapshot, decided)
        })?;
        let (mut counted, mut unreadable) = (Vec::new(), Vec::new());
        for one in read {
            match one {
                Ok(one) => counted.push(one),
                Err(reason) => unreadable.push(reason),
            }
        }
        Ok(view::Stats::of(folder, &counted, unreadable))
    }

    /// Returns all discussions below a folder, the last changed first. Without a folder, uses the folder of new
    /// discussions. An unreadable file does not hide the others.
    ///
    /// # Errors
    /// Fails if the folder cannot be read, or for a link that leads out of its project. A missing folder is empty.
    pub fn list(&self, folder: Option<&Path>) -> Result<view::List, WorkspaceError> {
        let running = RunLocks::default();
        let (folder, read) = self.read_all(folder, |snapshot, sighted, path| {
            let links = self.links_of_snapshot(path, snapshot, sighted);
            (list_row(snapshot, sighted, path, &running), links)
        })?;
        let mut list = view::List { folder, ..view::List::default() };
        let (mut all, mut links) = (Vec::new(), Vec::new());
        for one in read {
            match one {
                Ok((one, own)) => {
                    all.push(one);
                    links.push(own);
                }
                Err(unreadable) => list.unreadable.push(unreadable),
            }
        }
        let replaced = ReplacedDecision::of(links.into_iter());
        self.drop_replaced_reviews(&replaced, all.iter_mut().map(|(listed, _)| listed));
        let rows = all.iter().filter(|_| !replaced.is_empty());
        let parts = rows.map(|(listed, _)| {
            let path = self.setup.cwd.join(&listed.file);
            (listed.file.clone(), replaced.replaced_parts(&path))
        });
        list.replaced = parts.filter(|(_, parts)| !parts.is_empty()).collect();
        all.sort_by(|(a, _), (b, _)| b.updated.cmp(&a.updated));
        for (listed, waiting) in all {
            list.discussions.push(listed);
            list.waiting.extend(waiting);
        }
        Ok(list)
    }

    /// Returns true if a run of a discussion is in progress, in any process.
    pub fn is_running(&self, path: &Path) -> bool {
        self.setup.insist_inside(path).is_ok() && RunLocks::default().is(path)
    }

    /// Returns the dashboard of the folder of discussions: the decisions to look at again, the steps that wait for
    /// people, the open discussions and the last decisions. `None` if there is neither a project nor a folder of discussions.
    ///
    /// # Errors
    /// Fails like [`Workspace::list`].
    pub fn dashboard(&self) -> Result<Option<view::Dashboard>, WorkspaceError> {
        if !self.setup.is_project() {
            return Ok(None);
        }
        let running = RunLocks::default();
        let (folder, read) = self.read_all(None, |snapshot, sighted, path| {
            let links = self.links_of_snapshot(path, snapshot, sighted);
            (list_row(snapshot, sighted, path, &running), Decided::of(snapshot, sighted), links)
        })?;
        let mut board = view::Dashboard { folder, ..view::Dashboard::default() };
        let (mut open, mut links) = (Vec::new(), Vec::new());
        for one in read {
            match one {
                Ok((listed, decided, own)) => {
                    links.push(own);
                    board.discussions += 1;
                    board.due.extend(Some(&listed.0).filter(|one| !one.due.is_empty()).cloned());
                    open.extend(Some(listed).filter(|(one, _)| one.status == Standing::Open));
                    board.decided.extend(decided);
                }
                Err(unreadable) => board.unreadable.push(unreadable),
            }
        }
        let replaced = ReplacedDecision::of(links.into_iter());
        self.drop_replaced_reviews(&replaced, board.due.iter_mut());
        board.due.retain(|one| !one.due.is_empty());
        board.due.sort_by_key(Listed::first_due);
        open.sort_by(|(a, _), (b, _)| b.updated.cmp(&a.updated));
        for (listed, waiting) in open {
            board.open.push(listed);
            board.waiting.extend(waiting);
        }
        // A decision of a sub-discussion that is also its parent's decision must not be shown twice.
        Decided::tell_repeated(&mut board.decided);
        board.decided.retain(|one| !one.repeats_parent);
        newest(&mut board.decided);
        board.decided.truncate(DECIDED);
        Ok(Some(board))
    }

    /// Returns the data of a list row that the file's text does not contain.
    pub(super) fn sighted(
        &self,
        path: &Path,
        document: &Document,
        snapshot: &Snapshot,
        names: &DiscussionNames,
        now: Time,
    ) -> Sighted {
        Sighted {
            parent: self.parent_of(path, snapshot, names),
            file: self.exactly(path),
            name: names.of_file(path),
            modified: match newest_date(snapshot) {
                // A date in the discussion takes precedence, so the file's time is not needed.
                Some(_) => None,
                None => names.committed(path).or(document.modified).map(time_of),
            },
            now,
        }
    }

    /// Returns the parent of a sub-discussion, if its file exists.
    pub(super) fn parent_of(
        &self,
        path: &Path,
        snapshot: &Snapshot,
        names: &DiscussionNames,
    ) -> Option<Parent> {
        let above = parent_file(path, snapshot.transcript.head.as_ref()?.parent.as_deref()?)?;
        let is_file = above.is_file();
        is_file.then(|| Parent { file: self.exactly(&above), name: names.of_file(&above) })
    }

    /// Returns the folder, as it is shown, and the result of `look` for each discussion below it, by path.
    pub(super) fn read_all<T: Send>(
        &self,
        folder: Option<&Path>,
        look: impl Fn(&Snapshot, &Sighted, &Path) -> T + Sync,
    ) -> Result<(String, Vec<Result<T, Unreadable>>), WorkspaceError> {
        let folder = folder.map_or_else(|| self.output_directory(), |it| self.setup.cwd.join(it));
        self.setup.insist_inside(&folder)?;
        let found = if folder.is_dir() { files_below(&folder)? } else { Vec::new() };
        let (names, now) = (DiscussionNames::of(self), self.now());
        let read = each(&found, |FoundFile { path, .. }| {
            let looked = self.document(path).and_then(|document| {
                let snapshot = self.snapshot_of(&document)?;
                let sighted = self.sighted(path, &document, &snapshot, &names, now);
                let is_one = is_discussion(&document, &snapshot);
                Ok(is_one.then(|| look(&snapshot, &sighted, path)))
            });
            let told =
                |error: WorkspaceError| Unreadable { message: error.to_string(), fix: error.fix() };
            looked.map_err(told).transpose()
        });
        Ok((self.exactly(&folder), read.into_iter().flatten().collect()))
    }
}

/// Returns true if a file is a discussion. A file that is not text may be one, so it is shown.
pub(super) fn is_discussion(document: &Document, snapshot: &Snapshot) -> bool {
    document.wrong.is_some() || snapshot.transcript.is_discussion()
}

fn list_row(
    snapshot: &Snapshot,
    sighted: &Sighted,
    path: &Path,
    running: &RunLocks,
) -> (Listed, Vec<view::Waiting>) {
    let (listed, waiting) = Listed::of(snapshot, sighted);
    let running = listed.status == Standing::Open && running.is(path);
    (Listed { running, ..listed }, waiting)
}

pub(super) fn newest(decided: &mut [Decided]) {
    decided.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.file.cmp(&b.file)));
}

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
pub(super) struct ReadDiscussion {
    pub(super) looked: Looked,
    pub(super) sighted: Sighted,
    pub(super) title: String,
    pub(super) status: Standing,
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
        let mut with: Vec<usize> = with.into_iter().map(AtomicUsize::into_inner).collect();
        let records = self.records();
        all.extend(self.searched_records(
            search,
            (&records, &names),
            &words,
            (files.len(), &mut with),
        ));
        result.unreadable.extend(self.unreadable_records(&records, None));
        let corpus = Corpus { files: files.len() + records.found.len(), with };
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
    let decision = snapshot.outcome().consensus.clone();
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
