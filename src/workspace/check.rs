//! Checks discussions for lines that do not count, lost comments and changed text; restores lost comments.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::Checks;
use super::decision_notes::{invalid_patterns, is_conflict};
use super::error::WorkspaceError;
use super::files::{each, files_below};
use super::gate::{GateScope, markup_problems};
use super::outcomes::KnownLinks;
use crate::codes::ProblemCode;
use crate::engine::Snapshot;
use crate::problem::{Problem, Severity};
use crate::store::{
    self, Beginning, Document, Fate, GitUse, JournalFinding, Restoration, TrackedJournals,
};
use crate::transcript::{Entry, EntryKind, Text, Transcript, parse, visible_line};
use crate::view::{self, Checked};

/// The text of a discussion that a check reads, and what it is compared with.
#[derive(Clone, Copy)]
pub(super) struct CheckScope<'a> {
    /// The text to check instead of the file: the staged one, or one that is not in the working tree.
    pub(super) text: Option<&'a str>,
    /// The text in the commit to compare with. Problems that it has already are left out.
    pub(super) base: Option<&'a str>,
    /// True to check what is staged.
    pub(super) is_staged: bool,
    /// True if the history is checked, too.
    pub(super) with_history: bool,
    /// The links between discussions.
    pub(super) links: &'a KnownLinks,
    /// The journals that git tracks.
    pub(super) journals: &'a TrackedJournals,
}

impl<'a> CheckScope<'a> {
    /// A check of files as they are, without their history.
    pub(super) fn files(links: &'a KnownLinks, journals: &'a TrackedJournals) -> Self {
        Self { text: None, base: None, is_staged: false, with_history: false, links, journals }
    }
}

impl Checks<'_> {
    /// Returns the state of a discussion and what a check of it finds. Reads the file once.
    ///
    /// # Errors
    /// Fails like `Discussions::status`.
    pub fn status_and_check(
        &self,
        name: &Path,
    ) -> Result<(view::Status, Vec<Checked>), WorkspaceError> {
        let path = self.find(name)?;
        let snapshot = self.snapshot(&path)?;
        let (links, journals) = (KnownLinks::default(), TrackedJournals::default());
        let scope = CheckScope::files(&links, &journals);
        let mut checked = Vec::from_iter(self.check_snapshot(&path, &snapshot, scope, true));
        checked.extend(self.decisions().check_records(std::slice::from_ref(&path)));
        let snapshot = self.decisions().in_force(&path, snapshot);
        let status = view::Status::of(&snapshot, self.exactly(&path), self.now());
        Ok((status, with_ends(checked)))
    }

    /// Checks discussions and folders of them; without names, the folder of new discussions. With `history`, also
    /// compares every committed version with the one before. An error in one discussion does not hide problems of the
    /// others.
    ///
    /// # Errors
    /// Fails if a discussion does not exist, if a folder cannot be read, or, with `history`, outside of a repository.
    pub fn check_files(
        &self,
        names: &[PathBuf],
        history: bool,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let paths = self.files_to_check(names)?;
        let folder = self.folder_of(paths.first().map(|(path, _)| path.as_path()));
        if history {
            let mut all = self.check_main(names, &folder)?;
            self.check_patterns(&mut all)?;
            all.extend(self.left_behind(names, &all, &self.files_to_check(names)?));
            all.extend(self.decisions().check_records(names));
            return Ok(with_ends(all));
        }
        let (links, journals) = (KnownLinks::default(), TrackedJournals::default());
        let scope = CheckScope::files(&links, &journals);
        let all = each(&paths, |(path, named)| self.check_one(path, scope, *named));
        let mut all: Vec<Checked> = all.into_iter().flatten().collect();
        all.extend(self.left_behind(names, &all, &paths));
        all.extend(self.decisions().check_records(names));
        Ok(with_ends(all))
    }

    /// Returns an existing folder: the discussion's, or else the folder of new discussions or the working folder.
    fn folder_of(&self, path: Option<&Path>) -> PathBuf {
        let output = self.output_directory();
        let own = || if output.is_dir() { output.clone() } else { self.setup.cwd.clone() };
        path.and_then(Path::parent).filter(|it| it.is_dir()).map_or_else(own, Path::to_owned)
    }

    /// Checks only what this branch adds to a commit: its versions, and problems that the files did not have before.
    ///
    /// # Errors
    /// Fails like [`Checks::check_files`], or if git does not have the commit here.
    pub fn check_since(
        &self,
        names: &[PathBuf],
        commit: &str,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let folder = self.named_folder(names);
        Ok(with_ends(self.check_branch(names, &folder, commit)?))
    }

    /// Checks what is to be committed: the text in git's index, not the files. With `history`, also checks every
    /// committed version.
    ///
    /// # Errors
    /// Fails like [`Checks::check_files`], outside of a repository, or if git cannot read the index.
    pub fn check_staged(
        &self,
        names: &[PathBuf],
        history: bool,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let index = self.environment.var("GIT_INDEX_FILE").map(|file| self.setup.cwd.join(file));
        let mut all = self.check_index(names, index.as_deref())?;
        if history {
            let folder = self.named_folder(names);
            let main = self.check_main(names, &folder)?;
            for one in main {
                match all.iter_mut().find(|known| known.file == one.file) {
                    Some(known) => {
                        let new = one.problems.iter().filter(|it| !known.problems.contains(it));
                        let new: Vec<_> = new.cloned().collect();
                        known.problems.extend(new);
                    }
                    None => all.push(one),
                }
            }
        }
        Ok(with_ends(all))
    }

    /// Returns the folder that decides which repository is checked: that of the first named path, or else the project.
    pub(super) fn named_folder(&self, names: &[PathBuf]) -> PathBuf {
        let Some(name) = names.first() else { return self.setup.base().to_owned() };
        let path = self.setup.cwd.join(name);
        if path.is_dir() { path } else { self.folder_of(self.find(name).ok().as_deref()) }
    }

    /// Returns the paths that the names of a check stand for.
    pub(super) fn gate_scope(&self, names: &[PathBuf], with_folders: bool) -> GateScope {
        let named: Vec<PathBuf> = names
            .iter()
            .map(|name| {
                let path = self.setup.cwd.join(name);
                if path.is_dir() { path } else { self.find(name).unwrap_or(path) }
            })
            .collect();
        GateScope::of(&named, with_folders)
    }

    /// Restores lost comments in discussions and folders of them, one file for each step of the returned iterator.
    ///
    /// # Errors
    /// Fails like [`Checks::check_files`]. The result of a file is an error if it cannot be written or contains a
    /// conflict.
    pub fn restore(
        &self,
        names: &[PathBuf],
    ) -> Result<impl Iterator<Item = Result<view::Restored, WorkspaceError>>, WorkspaceError> {
        Ok(self.files_to_check(names)?.into_iter().map(|(path, _)| {
            let done = self.open_with(&path, |place| store::restore_at(place, self.lock_wait))?;
            let is_changed = !(done.restored.is_empty() && done.reframed.is_empty())
                || done.beginning == Beginning::Restored;
            let summary = if is_changed { self.summarize(&path) } else { None };
            Ok(restored(self.exactly(&path), &done, summary))
        }))
    }

    /// Returns the files that the names stand for; the flag is true if the user named the file
    /// itself. Of the files in a folder, only discussions count.
    pub(super) fn files_to_check(
        &self,
        names: &[PathBuf],
    ) -> Result<Vec<(PathBuf, bool)>, WorkspaceError> {
        if names.is_empty() {
            let folder = self.output_directory();
            return if folder.is_dir() { self.files_below(&folder) } else { Ok(Vec::new()) };
        }
        let mut paths = Vec::new();
        for name in names {
            let folder = self.setup.cwd.join(name);
            if folder.is_dir() {
                paths.extend(self.files_below(&folder)?);
            } else {
                paths.push((self.find(name)?, true));
            }
        }
        Ok(paths)
    }

    fn files_below(&self, folder: &Path) -> Result<Vec<(PathBuf, bool)>, WorkspaceError> {
        self.setup.insist_inside(folder)?;
        Ok(files_below(folder)?.into_iter().map(|found| (found.path, false)).collect())
    }

    /// Checks one file. Returns `None` for a page that is not a discussion, unless the user named it.
    pub(super) fn check_one(
        &self,
        path: &Path,
        scope: CheckScope<'_>,
        named: bool,
    ) -> Option<Checked> {
        let snapshot = match scope.text {
            Some(text) => self.snapshot_of(&Document {
                path: path.to_owned(),
                text: text.into(),
                problems: Vec::new(),
                wrong: None,
                modified: None,
            }),
            None => self.snapshot(path),
        };
        let snapshot = match snapshot {
            // An unreadable file must not hide problems of the others.
            Err(error) => {
                let fix = error.fix();
                let mut unread = self.unread(path, &error);
                unread.problems.iter_mut().for_each(|problem| problem.fix = fix);
                return Some(unread);
            }
            Ok(snapshot) => snapshot,
        };
        self.check_snapshot(path, &snapshot, scope, named)
    }

    /// Checks one file like [`Checks::check_one`], with the snapshot of its text.
    fn check_snapshot(
        &self,
        path: &Path,
        snapshot: &Snapshot,
        scope: CheckScope<'_>,
        named: bool,
    ) -> Option<Checked> {
        let text = snapshot.transcript.text.clone();
        let mut problems = self.problems_of(snapshot);
        if is_conflict(&problems) {
            return Some(self.check_result(path, &problems, text));
        }
        self.keep_true_hints(path, snapshot, scope.journals, &mut problems);
        problems.extend(store::agreements(&text));
        problems.extend(self.wrong_links(path, snapshot, scope.links));
        problems.extend(invalid_patterns(snapshot));
        problems.extend(markup_problems(&snapshot.transcript));
        let has_folder = path.parent().is_none_or(Path::is_dir);
        let found = match scope.text {
            // A sparse checkout may leave out the folder, too; then there is no journal.
            Some(_) if !has_folder => Ok(Vec::new()),
            Some(staged) => {
                let file = self.document(path).map(|document| document.text).unwrap_or_default();
                let base = scope.base.unwrap_or_default();
                store::check_staged(path, staged, &file, base, scope.journals)
            }
            None => store::check_asking(path, &text, GitUse::Asked(scope.journals)),
        };
        let lost = !matches!(&found, Ok(found) if found.is_empty());
        let broken = problems.iter().any(|problem| problem.code.is_of_bytes());
        if !(named || lost || broken || snapshot.transcript.is_discussion()) {
            return None;
        }
        self.add_findings(found, snapshot, path, &mut problems);
        if let Some(base) = scope.base.filter(|_| !scope.is_staged) {
            self.take_out_old(&mut problems, path, &text, base);
        }
        if scope.with_history
            && let Some(unknown) = store::unrecorded_answers(path, &text, scope.journals)
        {
            problems.extend(super::history::unknown_receipts(unknown));
        }
        Some(Checked {
            file: self.exactly(path),
            problems,
            text,
            diffs: Vec::new(),
            is_discussion: true,
        })
    }

    /// Returns the result of a check of one discussion.
    pub(super) fn check_result(&self, path: &Path, problems: &[Problem], text: Text) -> Checked {
        Checked {
            file: self.exactly(path),
            problems: problems.to_vec(),
            text,
            diffs: Vec::new(),
            is_discussion: true,
        }
    }

    /// Removes the problems that an earlier version of the file already had on an identical line.
    fn take_out_old(&self, problems: &mut Vec<Problem>, path: &Path, text: &str, base: &str) {
        if !problems.iter().any(|problem| problem.line > 0) {
            return;
        }
        let document = Document::of_git(path.to_owned(), base);
        let Ok(old) = self.snapshot_of(&document) else { return };
        let of = |problem: &Problem, text: &str| {
            let line = problem.line.checked_sub(1).and_then(|index| text.lines().nth(index));
            (problem.code, line.map(str::to_owned))
        };
        let agreements = store::agreements(&document.text);
        let patterns: Vec<Problem> = invalid_patterns(&old).collect();
        let markup = markup_problems(&old.transcript);
        let known = old.state.problems.iter().chain(&agreements).chain(&patterns).chain(&markup);
        let mut known: Vec<_> = known.map(|problem| of(problem, &document.text)).collect();
        // What another phase asks of an older vote is judged by what counts, not by the vote's words.
        let (now, before) = (parse(text), &old.transcript);
        let is_older_vote = |problem: &Problem| {
            problem.code == ProblemCode::VoteUnknown
                && comment_at(&now, problem.line).is_some_and(|words| {
                    before.entries.iter().any(|entry| words_of(before, entry) == Some(words))
                })
        };
        problems.retain(|problem| {
            if is_older_vote(problem) {
                return false;
            }
            let this = of(problem, text);
            let found = (problem.line > 0).then(|| known.iter().position(|old| *old == this));
            found.flatten().map(|index| known.swap_remove(index)).is_none()
        });
    }

    pub(super) fn unread(&self, path: &Path, error: &dyn Display) -> Checked {
        self.check_result(path, &[failed(ProblemCode::Unreadable, error, path)], Text::default())
    }

    /// Returns problems for deleted discussions in the checked folders if the journal still contains their comments.
    fn left_behind(
        &self,
        names: &[PathBuf],
        all: &[Checked],
        paths: &[(PathBuf, bool)],
    ) -> Vec<Checked> {
        let mut folders: BTreeSet<PathBuf> =
            names.iter().map(|name| self.setup.cwd.join(name)).filter(|it| it.is_dir()).collect();
        if names.is_empty() {
            folders.insert(self.output_directory());
        }
        let below = |path: &&PathBuf| folders.iter().any(|folder| path.starts_with(folder));
        let parents: Vec<PathBuf> = paths
            .iter()
            .map(|(path, _)| path)
            .filter(below)
            .filter_map(|path| path.parent())
            .map(Path::to_owned)
            .collect();
        folders.extend(parents);
        let texts: Vec<&str> = all.iter().map(|one| &*one.text).collect();
        let gone = folders.iter().flat_map(|folder| store::left_behind(folder, &texts));
        gone.map(|store::LeftBehind { path, journal, lost }| {
            let what = if lost == 1 { "1 comment" } else { &format!("{lost} comments") };
            let message = format!(
                "this discussion is missing, and with it {what} recorded in {}; put the file back, or delete the \
                 journal",
                visible_line(&self.exactly(&journal)),
            );
            let problem =
                Problem::new(Severity::Warning, ProblemCode::DiscussionGone, (0, 0), message);
            Checked {
                file: self.exactly(&path),
                problems: vec![problem],
                text: Text::default(),
                diffs: Vec::new(),
                is_discussion: true,
            }
        })
        .collect()
    }
}

/// Returns the words of the comment that contains a line.
fn comment_at(transcript: &Transcript, line: usize) -> Option<&str> {
    let entry = transcript.entries.iter().rfind(|entry| entry.line <= line)?;
    words_of(transcript, entry)
}

/// Returns the words of a comment, without blanks at their end.
fn words_of<'t>(transcript: &'t Transcript, entry: &Entry) -> Option<&'t str> {
    let EntryKind::Comment(_) = entry.kind else { return None };
    Some(transcript.text[entry.span.clone()].trim_end())
}

/// Adds the ends of problems to the results of a check.
pub(super) fn with_ends(mut all: Vec<Checked>) -> Vec<Checked> {
    all.iter_mut().for_each(Checked::add_ends);
    all
}

/// Converts the outcome of a restoration into the document for front ends.
fn restored(file: String, done: &Restoration, summary: Option<String>) -> view::Restored {
    let is_edited = |finding: &&JournalFinding| matches!(finding.fate, Fate::Edited { .. });
    let unframed = done.left.iter().filter_map(|finding| match &finding.fate {
        Fate::Unframed { lines } => Some(lines.start + 1),
        _ => None,
    });
    let displaced = done.displaced.iter().map(|(record, line)| {
        format!(
            "{} is at the end of the file now: line {line} holds another text in its old place",
            record.first_words()
        )
    });
    view::Restored {
        file,
        restored: done.restored.len(),
        given_up: done.given_up.len(),
        reframed: done.reframed.len(),
        edited: done.left.iter().filter(is_edited).count(),
        unframed: unframed.collect(),
        displaced: displaced.collect(),
        head_restored: done.beginning == Beginning::Restored,
        head_lost: done.beginning == Beginning::Lost,
        summary,
    }
}

pub(super) fn failed(code: ProblemCode, error: &dyn Display, path: &Path) -> Problem {
    let message = error.to_string();
    let named = visible_line(&path.display().to_string());
    let message = message.strip_prefix(&format!("{named}: ")).unwrap_or(&message);
    Problem::new(Severity::Error, code, (0, 0), message)
}
