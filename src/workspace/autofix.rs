//! Accepts changes of older text, and corrects handwritten markers. Both are shown before they are written.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Checks;
use super::environment::name;
use super::error::WorkspaceError;
use crate::codes::{Fix, ProblemCode};
use crate::engine::Snapshot;
use crate::problem::{Problem, Severity};
use crate::store::{self, CommittedLoss, TrackedJournals, speakers};
use crate::transcript::{Entry, EntryKind, Known, Name, miswritten, parse};
use crate::view::{Proposal, PublishedChange, Written};

impl Checks<'_> {
    /// Returns the unaccepted changes of older text, which was changed, removed or moved. Finds them in the
    /// journal and in git's history. Without names, covers all discussions in the folder of new discussions.
    ///
    /// # Errors
    /// Fails like [`Checks::check_files`], and if a file cannot be read or contains a merge conflict.
    pub fn acceptable(&self, names: &[PathBuf]) -> Result<Vec<Proposal>, WorkspaceError> {
        self.acceptable_since(names, None)
    }

    /// Returns what [`Checks::acceptable`] does, and the changes that a branch makes in comparison with a commit.
    ///
    /// # Errors
    /// Fails like [`Checks::acceptable`], or if git does not have the commit here.
    pub fn acceptable_since(
        &self,
        names: &[PathBuf],
        since: Option<&str>,
    ) -> Result<Vec<Proposal>, WorkspaceError> {
        let open = self.open_findings(names, since)?;
        let (mut open, projects) = (open.changes, open.projects);
        let mut all = Vec::new();
        for (path, _) in self.files_to_check(names)? {
            let place = self.place(&path)?;
            let published = open.remove(place.real()).unwrap_or_default();
            let found = store::changes(place.real(), &losses(&published))?;
            if found.count() > 0 || found.stale {
                all.push(Proposal {
                    file: self.exactly(&path),
                    changes: found.count(),
                    removed: found.removed(),
                    ends: 0,
                    votes: Vec::new(),
                    earlier_votes: Vec::new(),
                    diff: found.diff(),
                    digest: found.digest(),
                    path,
                    published,
                });
            }
        }
        for project in projects.iter().filter(|_| names.is_empty()) {
            let below = self.opened_below(&self.as_named(project))?;
            let within = self.exactly(&self.as_named(project));
            let found = below.check().acceptable_since(&[], since)?.into_iter();
            all.extend(found.map(|one| Proposal { file: format!("{within}/{}", one.file), ..one }));
        }
        Ok(all)
    }

    /// Returns the lines that would explain the rest of what a check reports, if the message of a commit contains them:
    /// `Recorded-for: NAME`, `Removes-Discussion: PATH`.
    ///
    /// # Errors
    /// Fails like [`Checks::acceptable_since`].
    pub fn lines_for_message(
        &self,
        names: &[PathBuf],
        since: Option<&str>,
    ) -> Result<Vec<String>, WorkspaceError> {
        let open = self.open_findings(names, since)?;
        let mut lines = open.lines;
        for project in open.projects.iter().filter(|_| names.is_empty()) {
            let below = self.opened_below(&self.as_named(project))?;
            let found = below.check().lines_for_message(&[], since)?;
            let new: Vec<String> = found.into_iter().filter(|it| !lines.contains(it)).collect();
            lines.extend(new);
        }
        Ok(lines)
    }

    /// Accepts the changes that were shown: writes a line for each into the file, so that they are
    /// accepted for all its readers. Removes deleted text from the private journals beside it.
    ///
    /// # Errors
    /// Fails if the changes to accept are different by now, if the name is invalid, or if the file cannot be written.
    pub fn accept(&self, shown: &Proposal, by: &str) -> Result<Written, WorkspaceError> {
        let by = name(by)?;
        self.insist_on_own_name(&by)?;
        let place = self.place(&shown.path)?;
        let published = losses(&shown.published);
        store::accept(&place, &shown.digest, &published, &by, self.now(), self.lock_wait)?;
        Ok(self.fix_report(&shown.path, shown.changes > 0))
    }

    /// Returns the corrections of handwritten markers in discussions; without names, in all discussions in the
    /// folder where new ones are created. `by` is the user's name, which may occur in the discussions too.
    ///
    /// # Errors
    /// Fails like [`Checks::acceptable`].
    pub fn mendable(&self, names: &[PathBuf], by: &str) -> Result<Vec<Proposal>, WorkspaceError> {
        let mut all = Vec::new();
        for (path, named) in self.files_to_check(names)? {
            self.setup.insist_inside(&path)?;
            let is_one = || self.snapshot(&path).is_ok_and(|it| it.transcript.is_discussion());
            if !named && !is_one() {
                continue;
            }
            let known = known_names(&self.snapshot(&path)?, &name(by)?);
            if let Some(mended) = store::proposed(self.place(&path)?.real(), &known)? {
                let (votes, earlier_votes) = mended.new_votes();
                all.push(Proposal {
                    file: self.exactly(&path),
                    changes: 0,
                    removed: 0,
                    ends: mended.ends,
                    votes,
                    earlier_votes,
                    diff: mended.diff(),
                    digest: mended.digest(),
                    path,
                    published: Vec::new(),
                });
            }
        }
        Ok(all)
    }

    /// Writes the corrections that were shown.
    ///
    /// # Errors
    /// Fails if the corrections are different by now, or if the file cannot be written.
    pub fn mend(&self, shown: &Proposal, by: &str) -> Result<Written, WorkspaceError> {
        let by = name(by)?;
        self.insist_on_own_name(&by)?;
        let known = known_names(&self.snapshot(&shown.path)?, &by);
        let place = self.place(&shown.path)?;
        store::mend(&place, &known, &shown.digest, &by, self.now(), self.lock_wait)?;
        Ok(self.fix_report(&shown.path, true))
    }

    fn fix_report(&self, path: &Path, changed: bool) -> Written {
        let summary = self.summarize(path);
        Written { file: self.exactly(path), changed, summary, ..Written::default() }
    }

    /// Removes the hint at `check --fix` from problems that this command does not fix: it does not
    /// change text that the program wrote, and it does not write a participant's vote.
    pub(super) fn keep_true_hints(
        &self,
        path: &Path,
        snapshot: &Snapshot,
        journals: &TrackedJournals,
        all: &mut [Problem],
    ) {
        if !all.iter().any(|problem| problem.fix == Some(Fix::Mend)) {
            return;
        }
        let text = &*snapshot.transcript.text;
        let mended = self.author(None, || None).ok().and_then(|by| {
            let known = known_names(snapshot, &name(&by).ok()?);
            store::proposed_for(path, text, &known, self.git_use(journals)).ok().flatten()
        });
        let after = mended.as_ref().map(|mended| parse(mended.text()));
        let left: HashSet<(ProblemCode, &str)> = after
            .iter()
            .flat_map(|after| {
                let miswritten = after.entries.iter().flat_map(miswritten_in);
                let problems = after.problems.iter().cloned().chain(miswritten);
                let lines: Vec<&str> = after.text.lines().collect();
                problems.map(move |it| (it.code, line_of(&lines, &it))).collect::<Vec<_>>()
            })
            .collect();
        let lines: Vec<&str> = text.lines().collect();
        for problem in all.iter_mut().filter(|problem| problem.fix == Some(Fix::Mend)) {
            if mended.is_none() || left.contains(&(problem.code, line_of(&lines, problem))) {
                problem.fix = None;
            }
        }
    }
}

fn losses(published: &[PublishedChange]) -> Vec<CommittedLoss> {
    let loss = |change: &PublishedChange| {
        let PublishedChange { was, after, text, of, now } = change.clone();
        CommittedLoss { was, after, text, of, now }
    };
    published.iter().map(loss).collect()
}

/// Returns the line of a problem as it is in the file; an empty text if the problem has no line.
fn line_of<'l>(lines: &[&'l str], problem: &Problem) -> &'l str {
    let at = problem.line.checked_sub(1);
    at.and_then(|at| lines.get(at)).map(|line| line.trim_end()).unwrap_or_default()
}

/// Returns a warning for each line of a person's comment that looks like a marker or a vote and is ignored.
pub(super) fn miswritten_in(entry: &Entry) -> Vec<Problem> {
    let EntryKind::Comment(comment) = &entry.kind else { return Vec::new() };
    if comment.reply.is_some() || comment.summary.is_some() {
        return Vec::new();
    }
    let found = miswritten(&comment.stored).into_iter();
    let problem = |(line, why)| {
        let here = (comment.stored_line + line, 1);
        Problem::new(Severity::Warning, ProblemCode::MarkerMiswritten, here, why)
            .with_fix(Fix::Mend)
    };
    found.map(problem).collect()
}

/// Returns all names that a text may refer to: the authors in the discussion, its participants, and the user.
pub(super) fn known_names(snapshot: &Snapshot, by: &Name) -> Vec<Known> {
    let config = &snapshot.config;
    let seats = config.participants.iter().chain(&config.background);
    let mut known: Vec<Known> = seats
        .filter_map(|alias| config.persona(alias))
        .map(|persona| (persona.name.clone(), vec![persona.alias.to_string()]))
        .collect();
    let people = speakers(&snapshot.transcript.text).into_iter().chain([by.clone()]);
    for name in people {
        if !known.iter().any(|(other, _)| *other == name) {
            known.push((name, Vec::new()));
        }
    }
    known
}
