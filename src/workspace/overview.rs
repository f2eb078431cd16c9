//! All discussions of a folder, read at once: the list, the waiting steps, the decisions, and the search for words.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use super::Discussions;
use super::environment::{plain, time_of};
use super::error::WorkspaceError;
use super::files::{FoundFile, each, files_below};
use super::find::DiscussionNames;
use super::nest::parent_file;
use super::outcomes::LinkEnd;
use crate::engine::{DecisionStatus, ItemState, Snapshot, Standing, Superseding};
use crate::search::{Corpus, Looked, SearchWords, passages, rank, since};
use crate::store::{Document, RunLocks};
use crate::transcript::{Alias, Time, time};
use crate::view::{
    self, Decided, FoundKind, ItemKind, Listed, Parent, Sighted, Unreadable, newest_date,
};

/// Instead of a line, in the states of decisions: the only decision of the file, in whatever line a search finds it.
pub(super) const WHOLE_FILE: usize = usize::MAX;

/// The number of decisions on the dashboard.
const DECIDED: usize = 3;

impl Discussions<'_> {
    /// Returns the statistics of all discussions below a folder. Without a folder, uses the folder of new discussions.
    ///
    /// # Errors
    /// Fails like [`Discussions::list`].
    pub fn stats(&self, folder: Option<&Path>) -> Result<view::Stats, WorkspaceError> {
        let look =
            |snapshot: &Snapshot, sighted: &Sighted, _: &Path| view::Counted::of(snapshot, sighted);
        let (folder, read, superseding) = self.read_linked(folder, look)?;
        let (mut counted, mut unreadable) = (Vec::new(), Vec::new());
        for (path, one) in read {
            match one {
                Ok(one) => {
                    let path = plain(&path);
                    let later = superseding.to(&path).map(|link| self.exactly(&link.from));
                    counted.push(one.replaced_by(later.collect()));
                }
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
            list_row(snapshot, sighted, path, &running)
        })?;
        let mut list = view::List { folder, ..view::List::default() };
        let mut all = Vec::new();
        for one in read {
            match one {
                Ok(one) => all.push(one),
                Err(unreadable) => list.unreadable.push(unreadable),
            }
        }
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
    /// Fails like [`Discussions::list`].
    pub fn dashboard(&self) -> Result<Option<view::Dashboard>, WorkspaceError> {
        if !self.setup.is_project() {
            return Ok(None);
        }
        let running = RunLocks::default();
        let (folder, read) = self.read_all(None, |snapshot, sighted, path| {
            (list_row(snapshot, sighted, path, &running), Decided::of(snapshot, sighted))
        })?;
        let mut board = view::Dashboard { folder, ..view::Dashboard::default() };
        let mut open = Vec::new();
        for one in read {
            match one {
                Ok((listed, decided)) => {
                    board.discussions += 1;
                    board.due.extend(Some(&listed.0).filter(|one| !one.due.is_empty()).cloned());
                    let is_open = listed.0.status == DecisionStatus::Open;
                    open.extend(Some(listed).filter(|(_, waiting)| is_open || !waiting.is_empty()));
                    board.decided.extend(decided.filter(|one| one.facts.decision.is_some()));
                }
                Err(unreadable) => board.unreadable.push(unreadable),
            }
        }
        board.due.sort_by_key(Listed::first_due);
        open.sort_by(|(a, _), (b, _)| b.updated.cmp(&a.updated));
        for (listed, waiting) in open {
            if listed.status == DecisionStatus::Open {
                board.open.push(listed);
            }
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
        modified: Option<SystemTime>,
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
                None => names.committed(path).or(modified).map(time_of),
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

    /// Returns the folder, as it is shown, and the result of `look` for each discussion below it, by path. The outcomes
    /// of the snapshots say what other discussions of the folder replaced.
    pub(super) fn read_all<T: Send>(
        &self,
        folder: Option<&Path>,
        look: impl Fn(&Snapshot, &Sighted, &Path) -> T + Sync,
    ) -> Result<(String, Vec<Result<T, Unreadable>>), WorkspaceError> {
        let (folder, read, _) = self.read_linked(folder, look)?;
        Ok((folder, read.into_iter().map(|(_, looked)| looked).collect()))
    }

    /// Like `read_all`, with the path of each discussion and the links between them. Each file is read once; those to
    /// which others link are read again, and `look` sees them twice.
    pub(super) fn read_linked<T: Send>(
        &self,
        folder: Option<&Path>,
        look: impl Fn(&Snapshot, &Sighted, &Path) -> T + Sync,
    ) -> Result<ReadFolder<T>, WorkspaceError> {
        let folder = folder.map_or_else(|| self.output_directory(), |it| self.setup.cwd.join(it));
        self.setup.insist_inside(&folder)?;
        let found = if folder.is_dir() { files_below(&folder)? } else { Vec::new() };
        let (names, now) = (DiscussionNames::of(self), self.now());
        let told =
            |error: WorkspaceError| Unreadable { message: error.to_string(), fix: error.fix() };
        let read = each(&found, |FoundFile { path, .. }| {
            let looked = self.document(path).and_then(|document| {
                let snapshot = self.snapshot_of(&document)?;
                if !is_discussion(&document, &snapshot) {
                    return Ok(None);
                }
                let modified = document.modified;
                let sighted = self.sighted(path, modified, &snapshot, &names, now);
                let looked = look(&snapshot, &sighted, path);
                let has_links = !snapshot.state.superseded.is_empty();
                let end = has_links.then(|| (path.to_owned(), LinkEnd { snapshot, modified }));
                Ok(Some((looked, end)))
            });
            looked.map_err(told).transpose()
        });
        let (mut all, mut linking) = (Vec::new(), Vec::new());
        for (file, read) in found.iter().zip(read) {
            match read {
                Some(Ok((looked, links))) => {
                    all.push((file.path.clone(), Ok(looked)));
                    linking.extend(links);
                }
                Some(Err(unreadable)) => all.push((file.path.clone(), Err(unreadable))),
                None => {}
            }
        }
        let links = self.decisions().links_of(linking);
        let changed: HashSet<&Path> = links.superseding.changed().collect();
        let places = all.iter().enumerate().filter_map(|(at, (path, looked))| {
            let plain = plain(path);
            let is_changed = looked.is_ok() && changed.contains(plain.as_path());
            Some((at, path.clone(), links.end(&plain).filter(|_| is_changed)?.clone()))
        });
        let places: Vec<(usize, PathBuf, LinkEnd)> = places.collect();
        let again = each(&places, |(_, path, LinkEnd { snapshot, modified })| {
            let mut snapshot = snapshot.clone();
            links.superseding.apply(&plain(path), &mut snapshot);
            let sighted = self.sighted(path, *modified, &snapshot, &names, now);
            look(&snapshot, &sighted, path)
        });
        for ((at, ..), looked) in places.iter().zip(again) {
            all[*at].1 = Ok(looked);
        }
        let superseding = links.superseding;
        Ok((self.exactly(&folder), all, superseding))
    }
}

/// The folder, as it is shown, what was read of each file, and the links between them.
pub(super) type ReadFolder<T> = (String, Vec<(PathBuf, Result<T, Unreadable>)>, Superseding);

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
    let running = listed.status == DecisionStatus::Open && running.is(path);
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
    pub status: Option<DecisionStatus>,
    /// The maximum number of places; 0 means no limit.
    pub limit: usize,
}

/// A discussion that contains the words, and the data of its row.
pub(super) struct ReadDiscussion {
    pub(super) looked: Looked,
    pub(super) sighted: Sighted,
    pub(super) title: String,
    pub(super) status: DecisionStatus,
    pub(super) standing: Standing,
    /// The states of the decisions, in words too, by their lines.
    pub(super) states: HashMap<usize, (ItemState, String)>,
    /// How the outcome stands, in words.
    pub(super) words: String,
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

impl Discussions<'_> {
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
    /// Fails like [`Discussions::list`].
    pub fn search(&self, search: &Search) -> Result<view::SearchResult, WorkspaceError> {
        let folder = self.output_directory();
        self.setup.insist_inside(&folder)?;
        let files = if folder.is_dir() { files_below(&folder)? } else { Vec::new() };
        let files: Vec<(usize, FoundFile)> = files.into_iter().enumerate().collect();
        let words = SearchWords::of(&search.words);
        let with: Vec<AtomicUsize> = (0..words.len()).map(|_| AtomicUsize::new(0)).collect();
        let (names, now) = (DiscussionNames::of(self), self.now());
        let read = each(&files, |(index, FoundFile { path, .. })| {
            let read = || -> Result<(Option<_>, Option<ReadDiscussion>), WorkspaceError> {
                let document = self.document(path)?;
                let stand = words.stand_in(document.text.as_bytes());
                for (count, _) in with.iter().zip(&stand).filter(|(_, stands)| **stands) {
                    count.fetch_add(1, Ordering::Relaxed);
                }
                if stand.is_empty() || stand.contains(&false) {
                    return Ok((self.decisions().linking(path, &document), None));
                }
                let snapshot = self.snapshot_of(&document)?;
                let modified = document.modified;
                let sighted = self.sighted(path, modified, &snapshot, &names, now);
                let is_one = is_discussion(&document, &snapshot);
                let found = is_one.then(|| looked(search, &snapshot, *index, sighted)).flatten();
                let has_links = !snapshot.state.superseded.is_empty();
                let end = has_links.then(|| (path.to_owned(), LinkEnd { snapshot, modified }));
                Ok((end, found))
            };
            read().map_err(|error| Unreadable { message: error.to_string(), fix: error.fix() })
        });
        let (mut linking, mut found) = (Vec::new(), Vec::new());
        for one in read {
            found.push(one.map(|(end, looked)| {
                linking.extend(end);
                looked
            }));
        }
        let links = self.decisions().links_of(linking);
        for ((_, FoundFile { path }), looked_at) in files.iter().zip(&mut found) {
            let path = plain(path);
            let (Ok(Some(one)), Some(end)) = (looked_at, links.end(&path)) else { continue };
            let mut snapshot = end.snapshot.clone();
            links.superseding.apply(&path, &mut snapshot);
            let (index, sighted) = (one.looked.file, one.sighted.clone());
            if let Some(again) = looked(search, &snapshot, index, sighted) {
                *one = again;
            }
        }
        let mut result = view::SearchResult { folder: self.exactly(&folder), ..Default::default() };
        let mut all = Vec::new();
        for one in found {
            match one {
                Ok(read) => all.extend(read),
                Err(unreadable) => result.unreadable.push(unreadable),
            }
        }
        let mut with: Vec<usize> = with.into_iter().map(AtomicUsize::into_inner).collect();
        let records = self.decisions().records();
        all.extend(self.decisions().searched_records(
            search,
            (&records, &names),
            &words,
            (files.len(), &mut with),
        ));
        result.unreadable.extend(self.decisions().unreadable_records(&records, None));
        let corpus = Corpus { files: files.len() + records.found.len(), with };
        let (looked, rest): (Vec<Looked>, Vec<_>) = all
            .into_iter()
            .map(|read| {
                let ReadDiscussion { looked, sighted, title, status, standing, states, words } =
                    read;
                (looked, (sighted, title, status, standing, states, words))
            })
            .unzip();
        let hits = rank(&words, &corpus, &looked, now);
        result.total = hits.len();
        let most = if search.limit == 0 { usize::MAX } else { search.limit };
        let place = |file: usize| looked.partition_point(|one| one.file < file);
        result.found = hits
            .into_iter()
            .take(most)
            .map(|hit| {
                let (sighted, title, status, standing, states, words) = &rest[place(hit.file)];
                let state = states
                    .get(&hit.line)
                    .or_else(|| states.get(&WHOLE_FILE))
                    .filter(|_| hit.kind == FoundKind::Item(ItemKind::Decision));
                view::Found {
                    file: sighted.file.clone(),
                    line: hit.line,
                    kind: hit.kind,
                    author: hit.author,
                    text: hit.text,
                    title: title.clone(),
                    status: *status,
                    standing: *standing,
                    state: state.map(|(state, _)| *state),
                    words: state.map_or_else(|| words.clone(), |(_, words)| words.clone()),
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
    let outcome = snapshot.outcome();
    if search.status.is_some_and(|status| status != outcome.status) {
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
    let agreed = outcome.standing == Standing::InForce;
    let title = snapshot.state.title.clone();
    let looked = Looked { file, passages, agreed, updated };
    let states = outcome.items.iter().map(|item| (item.line, (item.state, item.words())));
    Some(ReadDiscussion {
        looked,
        sighted,
        title,
        status: outcome.status,
        standing: outcome.standing,
        states: states.collect(),
        words: outcome.words(),
    })
}
