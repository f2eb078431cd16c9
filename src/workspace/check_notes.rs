//! Problems of a text alone, and those of the notes about decisions: patterns of affected files that are invalid or match
//! nothing, and reviews that are overdue.

use std::path::PathBuf;

use chrono::TimeDelta;
use memchr::memmem;

use super::Workspace;
use super::affected::{FileList, pattern_error};
use super::autofix::miswritten_in;
use super::error::WorkspaceError;
use super::find::DiscussionNames;
use super::replaced::KnownLinks;
use crate::codes::{Fix, ProblemCode};
use crate::engine::Snapshot;
use crate::problem::{Problem, Severity};
use crate::state::AffectedFiles;
use crate::store::{self, Document};
use crate::transcript::{Entry, EntryKind, Time, time, visible_line};
use crate::view::{self, Checked, Decided};

/// Returns a warning for each pattern of affected files that is invalid.
pub(super) fn invalid_patterns(snapshot: &Snapshot) -> impl Iterator<Item = Problem> {
    let state = &snapshot.state;
    let notes =
        [&state.lifecycle].into_iter().chain(state.decisions.iter().map(|it| &it.lifecycle));
    notes.flat_map(|notes| &notes.affects).filter_map(|affected| {
        let reason = pattern_error(&affected.pattern)?;
        let message = format!(
            "this pattern is ignored, because it is invalid: {}; write it as in a .gitignore",
            visible_line(&reason)
        );
        Some(warning(ProblemCode::PatternInvalid, affected, message))
    })
}

fn warning(code: ProblemCode, affected: &AffectedFiles, message: String) -> Problem {
    Problem::new(Severity::Warning, code, (affected.line, affected.column), message)
}

impl Workspace {
    /// Adds a warning for each pattern of affected files of a decision in force that matches no file of the project.
    ///
    /// # Errors
    /// Fails if git cannot list the files.
    pub(super) fn check_patterns(&self, all: &mut [Checked]) -> Result<(), WorkspaceError> {
        let known = KnownLinks::default();
        // The files are listed once, and only if a discussion names some.
        let mut files = None;
        for one in all.iter_mut() {
            let Some((path, snapshot)) = self.checked_snapshot(one, b"AFFECTS") else { continue };
            let links = known.links_beside(&path, self);
            let live = links.decisions_in_force(&path, &snapshot).into_iter();
            // Files of an old decision may be gone.
            let whole = links.in_force(&path, &snapshot).then_some(&snapshot.state.lifecycle);
            let notes = whole.into_iter().chain(live.map(|one| &one.lifecycle));
            let affects: Vec<&AffectedFiles> = notes.flat_map(|notes| &notes.affects).collect();
            if affects.is_empty() {
                continue;
            }
            if files.is_none() {
                let Some(listed) = store::project_files(&self.setup.root)? else { return Ok(()) };
                files = Some(FileList::new(listed));
            }
            let is_unmatched = |affected: &&&AffectedFiles| {
                let pattern = affected.pattern.trim_start_matches('!');
                let matches = files.as_ref().is_some_and(|files| files.has_match(&[pattern]));
                !matches && pattern_error(&affected.pattern).is_none()
            };
            let problems = affects.iter().filter(is_unmatched).map(|affected| {
                let message = format!(
                    "no file of the project matches this pattern: {}",
                    visible_line(&affected.pattern)
                );
                view::Problem::from(&warning(ProblemCode::PatternUnmatched, affected, message))
            });
            one.problems.extend(problems);
        }
        Ok(())
    }

    /// Adds an error for each decision in force with a day for a review that is over.
    pub fn check_reviews(&self, all: &mut [Checked]) {
        let (known, names) = (KnownLinks::default(), DiscussionNames::of(self));
        for one in all.iter_mut() {
            let Some((path, snapshot)) = self.checked_snapshot(one, b"REVIEW-BY") else { continue };
            let document = Document::of_git(path.clone(), &one.text);
            let sighted = self.sighted(&path, &document, &snapshot, &names, self.now());
            let Some(mut decided) = Decided::of(&snapshot, &sighted) else { continue };
            known.links_beside(&path, self).keep_in_force(&path, &snapshot, &mut decided.reviews);
            let overdue = decided.reviews.iter().filter(|review| review.overdue).map(|review| {
                let what = review.decision.as_deref().unwrap_or("the outcome");
                let message = format!(
                    "{what} was to be reviewed by {}; a later `REVIEW-BY:`, or a decision that replaces it, ends \
                     this error",
                    review.review_by
                );
                let place = (review.line, 1);
                let problem =
                    Problem::new(Severity::Error, ProblemCode::ReviewOverdue, place, message);
                view::Problem::from(&problem)
            });
            one.problems.extend(overdue);
            one.add_ends();
        }
    }

    /// Returns the path and the snapshot of a checked discussion; `None` if its text lacks a marker.
    fn checked_snapshot(&self, one: &Checked, marker: &[u8]) -> Option<(PathBuf, Snapshot)> {
        memmem::find(one.text.as_bytes(), marker)?;
        let path = self.setup.cwd.join(&one.file);
        let snapshot = self.snapshot_of(&Document::of_git(path.clone(), &one.text)).ok()?;
        Some((path, snapshot))
    }
}

impl Workspace {
    /// Returns the problems of a text that no other file decides.
    pub(super) fn problems_of(&self, snapshot: &Snapshot) -> Vec<Problem> {
        let mut problems = snapshot.state.problems.clone();
        // A block between conflict marks may look lost or changed. The user decides about it when resolving the
        // conflict.
        if is_conflict(&problems) {
            problems.retain(|problem| problem.code == ProblemCode::Conflict);
            return problems;
        }
        let transcript = &snapshot.transcript;
        problems.extend(transcript.entries.iter().flat_map(miswritten_in));
        problems.extend(times_in_future(&transcript.entries, self.now()));
        problems.extend(mixed_ends(&transcript.text));
        problems
    }
}

/// Returns true if a text contains a merge conflict.
pub(super) fn is_conflict(problems: &[Problem]) -> bool {
    problems.iter().any(|problem| problem.code == ProblemCode::Conflict)
}

/// The allowed difference between the clocks of two machines.
const CLOCKS: TimeDelta = TimeDelta::minutes(10);

/// Returns a warning for each comment with a time in the future.
fn times_in_future(entries: &[Entry], now: Time) -> impl Iterator<Item = Problem> {
    entries.iter().filter_map(move |entry| {
        let EntryKind::Comment(comment) = &entry.kind else { return None };
        let at = comment.at().filter(|at| *at > now + CLOCKS)?;
        let message = format!("the time of this comment, {}, is in the future", time(at));
        Some(Problem::new(Severity::Warning, ProblemCode::TimeInFuture, (entry.line, 1), message))
    })
}

/// Returns a note about mixed line ends. They do not change the content, but other programs complain about them.
fn mixed_ends(text: &str) -> Option<Problem> {
    let (crlf, lf) = store::LineEnd::count(text);
    let (few, other) = if crlf < lf { (crlf, "CR LF") } else { (lf, "LF") };
    let found = (few > 0).then(|| {
        let lines = if few == 1 { "1 line ends".to_owned() } else { format!("{few} lines end") };
        Problem::new(
            Severity::Note,
            ProblemCode::LineEndsMixed,
            (0, 0),
            format!("{lines} in {other}, the others do not; this does not change the content"),
        )
    });
    found.map(|problem| problem.with_fix(Fix::Mend))
}
