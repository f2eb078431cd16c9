//! Checks discussions for lines that do not count, lost comments and changed text; restores lost comments.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::Workspace;
use super::decision_notes::{invalid_patterns, is_conflict};
use super::error::WorkspaceError;
use super::files::{each, files_below, is_discussion};
use super::gate::Gate;
use super::outcomes::KnownLinks;
use crate::codes::{Fix, ProblemCode};
use crate::engine::Snapshot;
use crate::problem::{Problem, Severity};
use crate::store::{
    self, Beginning, Deletions, Document, Fate, JournalFinding, Present, Restoration, Rewrite,
    RewriteKind, Since,
};
use crate::transcript::{Text, visible_line};
use crate::view::{self, Checked};

/// The parts of a discussion that a check covers.
#[derive(Clone, Copy)]
pub(super) struct CheckScope<'a> {
    /// Also check every committed version.
    pub(super) history: bool,
    /// Check only changes after a commit; the second value is the last commit in common with `HEAD`.
    pub(super) since: Option<Since<'a>>,
    /// The staged text, which is checked instead of the file.
    pub(super) staged: Option<&'a str>,
    /// Deleted discussions; the checked one may continue one of them.
    pub(super) departed: &'a Deletions,
    /// The authors and the discussions to compare, if the history is checked.
    pub(super) gate: Option<&'a Gate>,
    /// The links between discussions.
    pub(super) links: &'a KnownLinks,
}

impl<'a> CheckScope<'a> {
    /// A check of files as they are, without their history.
    fn files(departed: &'a Deletions, links: &'a KnownLinks) -> Self {
        Self { history: false, since: None, staged: None, departed, gate: None, links }
    }
}

impl Workspace {
    /// Returns the state of a discussion and what a check of it finds. Reads the file once.
    ///
    /// # Errors
    /// Fails like [`Workspace::status`].
    pub fn status_and_check(
        &self,
        name: &Path,
    ) -> Result<(view::Status, Vec<Checked>), WorkspaceError> {
        let path = self.find(name)?;
        let snapshot = self.snapshot(&path)?;
        let (departed, links) = (Deletions::default(), KnownLinks::default());
        let scope = CheckScope::files(&departed, &links);
        let mut checked = Vec::from_iter(self.check_snapshot(&path, &snapshot, scope, true));
        checked.extend(self.check_records(std::slice::from_ref(&path)));
        let snapshot = self.in_force(&path, snapshot);
        let status = view::Status::of(&snapshot, self.exactly(&path), self.now());
        Ok((status, with_ends(checked)))
    }

    /// Checks discussions and folders of them; without names, the folder of new discussions. With `history`, also
    /// compares every committed version with the one before. An error in one discussion does not hide problems of the
    /// others.
    ///
    /// # Errors
    /// Fails if a discussion does not exist, if a folder cannot be read, or, with `history`, outside of a repository.
    pub fn check(&self, names: &[PathBuf], history: bool) -> Result<Vec<Checked>, WorkspaceError> {
        let paths = self.files_to_check(names)?;
        let folder = self.folder_of(paths.first().map(|(path, _)| path.as_path()));
        if history {
            // A missing history must not pass for a history without changes.
            if store::staged(&folder, None)?.is_none() {
                return Err(WorkspaceError::NoRepository { folder: self.shown_path(&folder) });
            }
            let mut all = self.check_history(names, paths, &folder, None)?;
            self.check_patterns(&mut all)?;
            all.extend(self.left_behind(names, &all, &self.files_to_check(names)?));
            all.extend(self.check_records(names));
            return Ok(with_ends(all));
        }
        let (departed, links) = (Deletions::default(), KnownLinks::default());
        let scope = CheckScope::files(&departed, &links);
        let all = each(&paths, |(path, named)| self.check_one(path, scope, *named));
        let mut all: Vec<Checked> = all.into_iter().flatten().collect();
        all.extend(self.left_behind(names, &all, &paths));
        all.extend(self.check_records(names));
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
    /// Fails like [`Workspace::check`], or if git does not have the commit here.
    pub fn check_since(
        &self,
        names: &[PathBuf],
        commit: &str,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let paths = self.files_to_check(names)?;
        let folder = self.folder_of(paths.first().map(|(path, _)| path.as_path()));
        let (commit, base) = store::revision(&folder, commit)?;
        let since = Some(Since { commit: &commit, base: &base });
        Ok(with_ends(self.check_history(names, paths, &folder, since)?))
    }

    /// Checks what is to be committed: the text in git's index, not the files. With `history`, also checks every
    /// committed version.
    ///
    /// # Errors
    /// Fails like [`Workspace::check`], outside of a repository, or if git cannot read the index.
    pub fn check_staged(
        &self,
        names: &[PathBuf],
        history: bool,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let own = [self.output_directory()];
        let named: Vec<PathBuf> = match names {
            [] => own.to_vec(),
            names => names.iter().map(|name| self.setup.cwd.join(name)).collect(),
        };
        let index = self.environment.var("GIT_INDEX_FILE").map(|file| self.setup.cwd.join(file));
        let mut staged = Vec::new();
        let mut departed = Deletions::default();
        let mut gate = None;
        for name in named {
            let path = if name.is_dir() { name } else { self.find(&name).unwrap_or(name) };
            self.setup.insist_inside(&path)?;
            let found = store::staged(&path, index.as_deref())?;
            let present = Present::Index(index.as_deref());
            let folder = if path.is_dir() { path.clone() } else { self.folder_of(Some(&path)) };
            departed = store::departed(&folder, present, history, None)?;
            gate = self.gate(names, &folder, None)?;
            let found = found
                .ok_or_else(|| WorkspaceError::NoRepository { folder: self.shown_path(&path) })?;
            staged.extend(found.into_iter().filter(|one| is_visible_discussion(&one.path, &path)));
        }
        let links = &KnownLinks::default();
        let all = each(&staged, |one| match &one.text {
            Some(text) => {
                let departed = &departed;
                let (gate, staged) = (gate.as_ref(), Some(text.as_str()));
                let scope = CheckScope { history, since: None, staged, departed, gate, links };
                self.check_one(&one.path, scope, false)
            }
            None => Some(self.unread(&one.path, &"cannot be read from git's index")),
        });
        let mut all: Vec<Checked> = all.into_iter().flatten().collect();
        if let Some(gate) = &gate {
            self.judge_ends(gate, Present::Index(index.as_deref()), &mut all)?;
            for one in &staged {
                let author = self.git_identity();
                let text = one.text.as_deref().unwrap_or_default();
                let earlier =
                    departed.deleted().iter().find(|gone| store::goes_on(&gone.text, text));
                let earlier = earlier.map(|gone| gone.text.as_str());
                let problems = self.judge_staged(gate, &one.path, text, earlier, &author);
                self.add_problems(&mut all, &one.path, &problems);
            }
        }
        all.extend(self.removed(names, &departed, &all, gate.as_ref())?);
        Ok(with_ends(all))
    }

    /// Restores lost comments in discussions and folders of them, one file for each step of the returned iterator.
    ///
    /// # Errors
    /// Fails like [`Workspace::check`]. The result of a file is an error if it cannot be written or contains a
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
        let snapshot = match scope.staged {
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

    /// Checks one file like [`Workspace::check_one`], with the snapshot of its text.
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
        self.keep_true_hints(path, snapshot, &mut problems);
        problems.extend(store::agreements(&text));
        problems.extend(self.wrong_links(path, snapshot, scope.links));
        problems.extend(invalid_patterns(snapshot));
        let found = match scope.staged {
            Some(staged) => {
                let file = self.document(path).map(|document| document.text).unwrap_or_default();
                let committed = store::version_at(path, "HEAD").ok().flatten();
                store::check_staged(path, staged, &file, &committed.unwrap_or_default())
            }
            None => store::check(path, &text),
        };
        let lost = !matches!(&found, Ok(found) if found.is_empty());
        let broken = problems.iter().any(|problem| problem.code.is_of_bytes());
        if !(named || lost || broken || snapshot.transcript.is_discussion()) {
            return None;
        }
        self.add_findings(found, snapshot, path, &mut problems);
        let since = scope.since.map(|since| since.commit);
        let mut rewrites: Vec<Rewrite> = Vec::new();
        let found = match scope {
            CheckScope { history: true, departed, .. } => {
                store::history_of(path, &text, since, departed).map(Option::unwrap_or_default)
            }
            // Changes that may not be committed are reported before the commit.
            CheckScope { staged: Some(_), departed, .. } => {
                store::uncommitted(path, &text, departed)
            }
            _ => Ok(Vec::new()),
        };
        match found {
            Ok(found) => rewrites = found,
            Err(error) => problems.push(failed(ProblemCode::Unchecked, &error, path)),
        }
        if let Some(since) = scope.since {
            self.take_out_old(&mut problems, path, &text, since.base);
        }
        if let Some(gate) = scope.gate
            && scope.history
            && let Some(unknown) = store::unrecorded_answers(path, &text)
        {
            problems.extend(gate.unknown_receipts(unknown));
        }
        let is_own = |rewrite: &Rewrite| self.is_own_edit(scope.gate, rewrite);
        problems
            .extend(rewrites.iter().map(|it| if is_own(it) { own_edit() } else { rewrite(it) }));
        Some(Checked {
            file: self.exactly(path),
            problems: problems.iter().map(view::Problem::from).collect(),
            text,
            diffs: rewrites.into_iter().map(|rewrite| rewrite.diff).collect(),
            is_discussion: true,
        })
    }

    /// Returns the result of a check of one discussion.
    pub(super) fn check_result(&self, path: &Path, problems: &[Problem], text: Text) -> Checked {
        Checked {
            file: self.exactly(path),
            problems: problems.iter().map(view::Problem::from).collect(),
            text,
            diffs: Vec::new(),
            is_discussion: true,
        }
    }

    /// Removes the problems that an earlier version of the file already had on an identical line.
    fn take_out_old(&self, problems: &mut Vec<Problem>, path: &Path, text: &str, base: &str) {
        let Ok(Some(before)) = store::version_at(path, base) else { return };
        let document = Document {
            path: path.to_owned(),
            text: before.into(),
            problems: Vec::new(),
            wrong: None,
            modified: None,
        };
        let Ok(old) = self.snapshot_of(&document) else { return };
        let of = |problem: &Problem, text: &str| {
            let line = problem.line.checked_sub(1).and_then(|index| text.lines().nth(index));
            (problem.code, line.map(str::to_owned))
        };
        let agreements = store::agreements(&document.text);
        let patterns: Vec<Problem> = invalid_patterns(&old).collect();
        let known = old.state.problems.iter().chain(&agreements).chain(&patterns);
        let mut known: Vec<_> = known.map(|problem| of(problem, &document.text)).collect();
        problems.retain(|problem| {
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
                problems: vec![view::Problem::from(&problem)],
                text: Text::default(),
                diffs: Vec::new(),
                is_discussion: true,
            }
        })
        .collect()
    }
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

/// Returns true if a path in git's index is a discussion to check. `named` is the path itself or a folder above it.
pub(super) fn is_visible_discussion(path: &Path, named: &Path) -> bool {
    let within = path.strip_prefix(named).unwrap_or(Path::new(""));
    let hidden = within.iter().any(|part| part.as_encoded_bytes().starts_with(b"."));
    !hidden && (path == named || is_discussion(path))
}

/// Returns a note that an author edited their own comment, which takes nothing from other participants.
fn own_edit() -> Problem {
    let message = "an author edited their own comment, which no later turn has seen".to_owned();
    Problem::new(Severity::Note, ProblemCode::OwnEdit, (0, 0), message)
}

pub(super) fn failed(code: ProblemCode, error: &dyn Display, path: &Path) -> Problem {
    let message = error.to_string();
    let named = visible_line(&path.display().to_string());
    let message = message.strip_prefix(&format!("{named}: ")).unwrap_or(&message);
    Problem::new(Severity::Error, code, (0, 0), message)
}

pub(super) fn rewrite(rewrite: &Rewrite) -> Problem {
    let rewritten = (Severity::Error, ProblemCode::HistoryRewritten);
    let ((severity, code), what) = match rewrite.kind {
        RewriteKind::Changed => (rewritten, "changed or removed older text"),
        RewriteKind::Merge => (rewritten, "is a merge that lost or changed comments of one side"),
        RewriteKind::Deleted => (rewritten, "removed the file"),
        RewriteKind::Inserted => (
            (Severity::Note, ProblemCode::HistoryInserted),
            "inserted comments between older ones, which are unchanged; a rebase or a squash does this",
        ),
        RewriteKind::Renumbered => (
            (Severity::Warning, ProblemCode::AnswerMoved),
            "inserted comments between others, so a number now names something else; repeat the line with the right \
             number",
        ),
    };
    let message = match &rewrite.commit {
        Some(commit) => format!(
            "commit {} by {} ({}) {what}",
            commit.get(..12).unwrap_or(commit),
            rewrite.author,
            rewrite.subject
        ),
        None => format!("the uncommitted change {what}"),
    };
    let accept = (severity > Severity::Note).then_some(Fix::Accept);
    Problem::new(severity, code, (0, 0), message).with_fix(accept)
}
