//! The list of decisions: all of them, those to look at again, those about some files, and those in force at a commit.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io};

use chrono::NaiveDate;

use super::Decisions;
use super::decision_notes::{FileList, day_after};
use super::environment::{link_between, plain};
use super::error::WorkspaceError;
use super::files::{each, is_discussion};
use super::find::DiscussionNames;
use super::history::real;
use super::overview::newest;
use crate::engine::{Decision, ItemState, Snapshot, Superseding};
use crate::material::{MaterialError, files_of_folder};
use crate::state::Lifecycle;
use crate::store::{self, Document, LineEnd, Range, Since, StoreError};
use crate::transcript::{parse, visible_line};
use crate::view::{
    self, Decided, FileChange, Sighted, Unreadable, decision_table, page_with_table,
};

/// The decisions to list.
#[derive(Clone, Debug, Default)]
pub struct DecisionFilter {
    /// The folder; none: the folder of new discussions.
    pub folder: Option<PathBuf>,
    /// Only decisions in force that people want to look at again by this day (UTC); the earliest day comes first.
    pub due_by: Option<NaiveDate>,
    /// Only decisions in force about one of these files or of the files in these folders. The paths start from the
    /// working folder; they need not exist.
    pub files: Vec<PathBuf>,
    /// Only decisions in force about files that differ between these commits, in git's notation; a single commit is
    /// compared with the working tree.
    pub changes: Option<String>,
    /// Only decisions that were in force at this commit, as its files tell.
    pub at: Option<String>,
    /// Also what was not adopted, and verdicts.
    pub all: bool,
}

/// A decision of the list, with what the filters need.
pub(super) struct LoggedDecision {
    pub(super) decided: Decided,
    /// The patterns of the affected files: those of the outcome, and those of each decision in force.
    affects: Vec<Vec<String>>,
}

impl LoggedDecision {
    /// Returns true if a part of the outcome that is in force is about one of the files.
    fn is_about(&self, files: &FileList) -> bool {
        self.decided.facts.decision.is_some()
            && self.affects.iter().any(|patterns| {
                files.has_match(&patterns.iter().map(String::as_str).collect::<Vec<_>>())
            })
    }
}

impl Decisions<'_> {
    /// Returns the decisions in all discussions below a folder, newest first. Without a folder, uses the folder of new
    /// discussions.
    ///
    /// # Errors
    /// Fails like `Discussions::list`.
    pub fn list_decisions(
        &self,
        folder: Option<&Path>,
    ) -> Result<view::DecisionLog, WorkspaceError> {
        let mut filter = self.decision_filter();
        filter.folder = folder.map(Path::to_owned);
        self.filtered_decisions(&filter)
    }

    /// Returns a filter that lists all decisions.
    pub fn decision_filter(&self) -> DecisionFilter {
        DecisionFilter::default()
    }

    /// Returns the last day (UTC) of a period that begins today, such as `30d` or `6 months`; without a period, today.
    ///
    /// # Errors
    /// Fails with a message for people that explains the notation.
    pub fn day_within(&self, period: Option<&str>) -> Result<NaiveDate, String> {
        let today = self.now().date_naive();
        period.map_or(Ok(today), |text| day_after(text, today))
    }

    /// Returns the decisions that pass a filter, newest first.
    ///
    /// # Errors
    /// Fails like `Discussions::list`, for a file outside of the project, for commits that git does not have, and for a
    /// commit outside of a repository.
    pub fn filtered_decisions(
        &self,
        filter: &DecisionFilter,
    ) -> Result<view::DecisionLog, WorkspaceError> {
        let folder = filter.folder.as_deref();
        let below = folder.map_or_else(|| self.output_directory(), |it| self.setup.cwd.join(it));
        let files = self.filtered_files(filter)?;
        let (mut superseding, mut open_proposals) = (Superseding::default(), 0);
        let read = match &filter.at {
            Some(commit) => self.decisions_at(&below, commit)?,
            None => {
                let proposals = AtomicUsize::new(0);
                let look = |snapshot: &Snapshot, sighted: &Sighted, _: &Path| {
                    let proposed = |item: &&Decision| item.state == ItemState::Proposed;
                    let count = snapshot.outcome().items.iter().filter(proposed).count();
                    proposals.fetch_add(count, Ordering::Relaxed);
                    logged(snapshot, sighted)
                };
                let (_, read, links) = self.discussions().read_linked(folder, look)?;
                superseding = links;
                open_proposals = proposals.into_inner();
                let names = DiscussionNames::of(self);
                let read = read.into_iter().map(|(path, one)| {
                    let mut one = one?;
                    if let Some(logged) = &mut one {
                        self.link(&superseding, &names, &path, &mut logged.decided);
                    }
                    Ok(one)
                });
                read.collect()
            }
        };
        let folder_shown = self.exactly(&below);
        let mut log =
            view::DecisionLog { folder: folder_shown, open_proposals, ..Default::default() };
        let mut kept = Vec::new();
        for one in read {
            match one {
                Ok(logged) => kept.extend(logged),
                Err(unreadable) => log.unreadable.push(unreadable),
            }
        }
        kept.retain(|one| filter.at.is_none() || one.decided.facts.in_force);
        kept.retain(|one| filter.all || one.decided.facts.was_decided());
        kept.retain(|one| files.as_ref().is_none_or(|files| one.is_about(files)));
        log.decided = kept.into_iter().map(|one| one.decided).collect();
        // Records of other tools name no files and no day for a review.
        if filter.at.is_none() && filter.due_by.is_none() && files.is_none() {
            let records = self.records();
            let mut decided = self.decided_records(&records, folder, &superseding);
            decided.retain(|one| filter.all || one.is_shown_by_default());
            log.decided.extend(decided);
            log.unreadable.extend(self.unreadable_records(&records, folder));
        }
        Decided::tell_repeated(&mut log.decided);
        newest(&mut log.decided);
        if let Some(day) = filter.due_by {
            let days = (day - self.now().date_naive()).num_days();
            let first = |one: &Decided| one.reviews.first().map(|one| one.days);
            log.decided.retain(|one| first(one).is_some_and(|first| first <= days));
            log.decided.sort_by_key(first);
        }
        Ok(log)
    }

    /// Returns the files that the decisions of a list have to be about; `None` if the filter names none.
    fn filtered_files(&self, filter: &DecisionFilter) -> Result<Option<FileList>, WorkspaceError> {
        if filter.files.is_empty() && filter.changes.is_none() {
            return Ok(None);
        }
        let mut files = self.listed_files(&filter.files)?;
        if let Some(range) = &filter.changes {
            let root = real(&self.setup.root);
            files.extend(store::changed_files(&root, range).map_err(MaterialError::from)?);
        }
        Ok(Some(FileList::new(files)))
    }

    /// Returns paths from the project's root for paths from the working folder. Of a folder, returns also its files.
    pub(super) fn listed_files(&self, paths: &[PathBuf]) -> Result<Vec<String>, WorkspaceError> {
        let mut files = Vec::new();
        for path in paths {
            let path = plain(&self.setup.cwd.join(path));
            let within = self.in_project(&path).ok_or_else(|| {
                WorkspaceError::refuse(format!(
                    "a file must be in the project {}, and {} is not",
                    visible_line(&self.setup.root.to_string_lossy()),
                    visible_line(&path.to_string_lossy()),
                ))
            })?;
            files.push(within);
            // A link may lead out of the project.
            if path.is_dir() && real(&path).starts_with(real(&self.setup.root)) {
                files.extend(files_of_folder(&path).iter().filter_map(|it| self.in_project(it)));
            }
        }
        Ok(files)
    }

    /// Returns the path from the project's root, with `/` between its parts; `None` outside of the project.
    fn in_project(&self, path: &Path) -> Option<String> {
        let root = &self.setup.root;
        let real_path = || real(path).strip_prefix(real(root)).ok().map(Path::to_owned);
        let within = path.strip_prefix(root).ok().map(Path::to_owned).or_else(real_path)?;
        let parts: Vec<_> = within.iter().map(|part| part.to_string_lossy()).collect();
        Some(parts.join("/"))
    }

    /// Returns the decisions of the discussions that a commit has below a folder, by path. Their links are those of the
    /// commit.
    fn decisions_at(
        &self,
        below: &Path,
        commit: &str,
    ) -> Result<Vec<Result<Option<LoggedDecision>, Unreadable>>, WorkspaceError> {
        self.setup.insist_inside(below)?;
        let folder = below.ancestors().find(|folder| folder.is_dir()).unwrap_or(below);
        let commit = store::revision(folder, commit)?;
        let range = Range::of(folder, Some(Since { commit: &commit, base: &commit }));
        let range =
            range.ok_or_else(|| WorkspaceError::no_repository(&self.setup.shown_path(folder)))?;
        let top = real(below);
        let is_shown = |path: &Path| {
            let within = path.strip_prefix(&top).unwrap_or(path);
            let is_hidden = within.iter().any(|part| part.as_encoded_bytes().starts_with(b"."));
            is_discussion(path) && !is_hidden
        };
        let earlier = range.earlier(std::slice::from_ref(&top))?;
        let documents: Vec<Document> = earlier
            .into_iter()
            .filter(|one| is_shown(&one.path))
            .map(|one| Document::of_git(self.check().as_named(&one.path), &one.text))
            .collect();
        let (names, now) = (DiscussionNames::of(self), self.now());
        let read = each(&documents, |document| {
            let snapshot = self.snapshot_of(document)?;
            let sighted = Sighted {
                file: self.exactly(&document.path),
                name: names.of_file(&document.path),
                modified: None,
                now,
                parent: self.discussions().parent_of(&document.path, &snapshot, &names),
            };
            Ok((snapshot, sighted))
        });
        let linking = documents.iter().zip(&read).filter_map(|(document, read)| {
            let (snapshot, _) = read.as_ref().ok()?;
            let has_links = !snapshot.state.superseded.is_empty();
            has_links.then(|| (document.path.clone(), snapshot.clone()))
        });
        let known = documents.iter().zip(&read).filter_map(|(document, read)| {
            Some((plain(&document.path), read.as_ref().ok()?.0.clone()))
        });
        let superseding = self.superseding_within(linking.collect(), known.collect());
        let all = documents.iter().zip(read).map(|(document, read)| match read {
            Ok((mut snapshot, sighted)) => {
                superseding.apply(&plain(&document.path), &mut snapshot);
                let mut one = logged(&snapshot, &sighted);
                if let Some(logged) = &mut one {
                    self.link(&superseding, &names, &document.path, &mut logged.decided);
                }
                Ok(one)
            }
            Err(error) => {
                let error: WorkspaceError = error;
                Err(Unreadable { message: error.to_string(), fix: error.fix() })
            }
        });
        Ok(all.collect())
    }
}

/// Returns a decision with what the filters need; `None` while nothing is decided.
fn logged(snapshot: &Snapshot, sighted: &Sighted) -> Option<LoggedDecision> {
    let decided = Decided::of(snapshot, sighted)?;
    let outcome = snapshot.outcome();
    let patterns = |notes: &Lifecycle| -> Vec<String> {
        notes.affects.iter().map(|one| one.pattern.clone()).collect()
    };
    let items = outcome.standing_items().map(|item| {
        let inherited = item.inherited_affects.iter().cloned();
        patterns(&item.notes).into_iter().chain(inherited).collect()
    });
    let affects = std::iter::once(patterns(&outcome.notes)).chain(items);
    let affects = affects.filter(|patterns: &Vec<String>| !patterns.is_empty()).collect();
    Some(LoggedDecision { decided, affects })
}

/// The page that a forge shows with the folder.
const PAGE: &str = "README.md";

impl Decisions<'_> {
    /// Writes the decisions below a folder as a table into the folder's README, between two marks. Text outside of the
    /// marks stays; a missing page is created. Without a folder, uses the folder of new discussions.
    ///
    /// # Errors
    /// Fails like `Discussions::list`, if the page is a discussion or not a text, if its marks are incomplete, for a
    /// merge conflict outside of the marks, and if the page cannot be written.
    pub fn write_decision_table(
        &self,
        folder: Option<&Path>,
    ) -> Result<FileChange, WorkspaceError> {
        let below = folder.map_or_else(|| self.output_directory(), |it| self.setup.cwd.join(it));
        let log = self.list_decisions(folder)?;
        let page = page_in(&below);
        let file = self.exactly(&page);
        let refused = |line: usize, reason: &str| {
            WorkspaceError::refuse(format!("{}:{line}: {reason}", self.shown_path(&page)))
        };
        let (real, old) = match self.open_with(&page, |place| {
            let read = store::read_at(place)?;
            Ok((place.real().to_owned(), Some(read)))
        }) {
            Err(WorkspaceError::Store(StoreError::NotFound { .. })) => {
                (self.place(&page)?.real().to_owned(), None)
            }
            read => read?,
        };
        let text = match &old {
            None => "",
            Some(read) => {
                read.insist_exact()?;
                read.text.as_str()
            }
        };
        let line_end = LineEnd::of(text).end("\n".to_owned());
        let table =
            decision_table(&log.decided, |to| link_between(&below, &self.setup.cwd.join(to)));
        let new = page_with_table(text, &table, &line_end)
            .map_err(|wrong| refused(wrong.line, &wrong.reason))?;
        // A conflict in the old table would look like a part of a discussion, so the new page is examined.
        if parse(new.as_str()).is_discussion() {
            return Err(refused(1, "this is a discussion; give it another name"));
        }
        let changed = old.is_none() || new != text;
        if changed {
            let failed = |source: io::Error| WorkspaceError::unwritable_file(&page, &source);
            store::replace_at(&real, &new).map_err(failed)?;
        }
        Ok(FileChange { file, changed })
    }
}

/// Returns the README of a folder in whatever case its name is written, or else the path of a new one.
fn page_in(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let mut names: Vec<_> = names.filter(|name| name.eq_ignore_ascii_case(PAGE)).collect();
    names.sort();
    // Capital letters come first, so `README.md` is chosen if there are several.
    folder.join(names.first().map_or(Path::new(PAGE), Path::new))
}
