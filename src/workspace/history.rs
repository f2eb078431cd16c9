//! The check of discussions against the commits that changed, removed or replaced them.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::Workspace;
use super::check::{CheckScope, failed, is_visible_discussion, rewrite};
use super::error::WorkspaceError;
use super::files::each;
use super::gate::Gate;
use super::outcomes::KnownLinks;
use crate::codes::ProblemCode;
use crate::engine::Snapshot;
use crate::problem::{Problem, Severity};
use crate::store::{
    self, DeletedDiscussion, Deletions, DiscussionEnding, Ended, Present, Rewrite, Since,
};
use crate::transcript::{Control, Entry, EntryKind, Text, parse, visible_line};
use crate::view::{self, Checked};

impl Workspace {
    /// Checks files, and the commits that changed them.
    pub(super) fn check_history(
        &self,
        names: &[PathBuf],
        mut paths: Vec<(PathBuf, bool)>,
        folder: &Path,
        since: Option<Since<'_>>,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let mut unchecked = None;
        let gate = self.gate(names, folder, since).unwrap_or_else(|error| {
            unchecked = Some(self.unchecked(folder, &error));
            None
        });
        let mut departed =
            store::departed(folder, Present::Files, true, since.map(|it| it.commit))?;
        let mut added = BTreeMap::new();
        if let Some(gate) = &gate {
            match self.judge_additions(gate) {
                Ok(found) => {
                    added = found.problems;
                    departed.refuse(found.refused);
                }
                Err(error) => unchecked = Some(self.unchecked(folder, &error)),
            }
            // A discussion of the compared commit is checked even if the current configuration leaves it out.
            let listed: HashSet<PathBuf> = match since {
                Some(_) => paths.iter().map(|(path, _)| real(path)).collect(),
                None => HashSet::new(),
            };
            for one in gate.earlier.iter().filter(|_| since.is_some()) {
                let is_listed = listed.contains(&one.path);
                if !is_listed && one.path.is_file() && !one.path.is_symlink() {
                    paths.push((self.as_named(&one.path), false));
                }
            }
        }
        let scope = CheckScope {
            history: true,
            since,
            staged: None,
            departed: &departed,
            gate: gate.as_ref(),
            links: &KnownLinks::default(),
        };
        let all = each(&paths, |(path, named)| self.check_one(path, scope, *named));
        let mut all: Vec<Checked> = all.into_iter().flatten().collect();
        all.extend(unchecked);
        let Some(gate) = &gate else { return Ok(all) };
        for document in self.not_checked_out(gate)? {
            let scope = CheckScope { staged: Some(&document.text), ..scope };
            if let Some(mut found) = self.check_one(&document.path, scope, false) {
                let message =
                    "this file is not in the working tree, so it was read from git".to_owned();
                let note =
                    Problem::new(Severity::Note, ProblemCode::NotCheckedOut, (0, 0), message);
                found.problems.push(view::Problem::from(&note));
                all.push(found);
            }
        }
        if since.is_some() {
            self.judge_ends(gate, Present::Files, &mut all)?;
        }
        for (path, problems) in added {
            self.add_problems(&mut all, &path, &problems);
        }
        all.extend(self.removed(names, &departed, &all, Some(gate))?);
        let lacks_journal = |one: &Checked| {
            has_receipt(&one.text) && !store::has_journal(&self.setup.cwd.join(&one.file))
        };
        let has_unknown_receipts = all.iter().any(lacks_journal);
        all.extend(self.judge_range(gate, has_unknown_receipts));
        Ok(all)
    }

    /// Returns the problem that git cannot read the history of a folder, so that it was not checked.
    fn unchecked(&self, folder: &Path, error: &dyn Display) -> Checked {
        let problem = failed(ProblemCode::Unchecked, error, folder);
        Checked {
            file: self.exactly(folder),
            problems: vec![view::Problem::from(&problem)],
            text: Text::default(),
            diffs: Vec::new(),
            is_discussion: false,
        }
    }

    /// Adds the problems that a comparison with the journal found, or the reason why there was none.
    pub(super) fn add_findings(
        &self,
        found: Result<Vec<store::JournalFinding>, store::StoreError>,
        snapshot: &Snapshot,
        path: &Path,
        problems: &mut Vec<Problem>,
    ) {
        match found {
            Ok(found) => problems.extend(found.iter().map(|finding| {
                if self.is_own_unseen(finding, snapshot) {
                    finding.as_own_edit()
                } else {
                    finding.problem()
                }
            })),
            Err(error) => problems.push(failed(ProblemCode::Unchecked, &error, path)),
        }
    }

    /// Returns true if the user edited their own comment, and no later turn has seen it.
    fn is_own_unseen(&self, finding: &store::JournalFinding, snapshot: &Snapshot) -> bool {
        let (store::Fate::Edited { line }, Some(name)) = (&finding.fate, finding.author()) else {
            return false;
        };
        let is_turn = |entry: &&Entry| matches!(entry.kind, EntryKind::Control(Control::Turn(_)));
        let turn = snapshot.transcript.entries.iter().rfind(is_turn);
        let is_author = || self.author(None, || None).is_ok_and(|author| author == name);
        turn.is_none_or(|turn| turn.line < *line) && !finding.is_accepted && is_author()
    }
}

/// Returns true if a text contains the receipt of a model's answer.
fn has_receipt(text: &str) -> bool {
    text.contains("\n<!-- REPLY ")
}

impl Workspace {
    /// Returns the problems of missing discussions below the checked folders, unless a checked file continues them.
    ///
    /// # Errors
    /// Fails if git cannot read the other versions.
    pub(super) fn removed(
        &self,
        names: &[PathBuf],
        departed: &Deletions,
        all: &[Checked],
        gate: Option<&Gate>,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let own = [self.output_directory()];
        let named: Vec<PathBuf> = match names {
            [] => own.to_vec(),
            names => names.iter().map(|name| self.setup.cwd.join(name)).collect(),
        };
        let mut named: Vec<PathBuf> = named.iter().map(|name| real(name)).collect();
        let earlier = gate.iter().flat_map(|gate| &gate.earlier);
        named.extend(earlier.map(|one| one.path.clone()));
        let mut told = Vec::new();
        for one in departed.deleted() {
            let below = |name: &PathBuf| {
                one.path.starts_with(name) && is_visible_discussion(&one.path, name)
            };
            let goes_on = || all.iter().any(|other| store::goes_on(&one.text, &other.text));
            if !named.iter().any(below) || goes_on() {
                continue;
            }
            let rewrites = departed.find_continuation(one)?;
            let problems: Vec<Problem> = match &rewrites {
                Some((path, _)) if gate.is_some_and(|gate| !gate.holds(path)) => {
                    let lost = rewrites.iter().flat_map(|(_, all)| all).map(rewrite);
                    [moved_out(one.in_tree(), one.is_meant())].into_iter().chain(lost).collect()
                }
                Some((_, rewrites)) => rewrites.iter().map(rewrite).collect(),
                None => vec![removal(one)],
            };
            if !problems.is_empty() {
                told.push(Checked {
                    file: self.exactly(&one.path),
                    problems: problems.iter().map(view::Problem::from).collect(),
                    text: Text::default(),
                    diffs: rewrites
                        .into_iter()
                        .flat_map(|(_, all)| all)
                        .map(|it: Rewrite| it.diff)
                        .collect(),
                    is_discussion: true,
                });
            }
        }
        Ok(told)
    }
}

/// Returns the canonical path that git uses; missing parts of it stay as they are.
pub(super) fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|folder| {
        let rest = path.strip_prefix(folder).ok()?;
        Some(folder.canonicalize().ok()?.join(rest))
    });
    found.unwrap_or_else(|| path.to_owned())
}

fn removal(one: &DeletedDiscussion) -> Problem {
    let entries = parse(&one.text).entries;
    let said = entries.iter().filter(|entry| matches!(entry.kind, EntryKind::Comment(_))).count();
    let what = if said == 1 { "1 comment".to_owned() } else { format!("{said} comments") };
    let by = match one.commit() {
        Some(commit) => format!("{commit} removed this discussion, and with it {what}"),
        None => {
            format!(
                "this discussion is in the last commit but would be removed, and with it {what}"
            )
        }
    };
    if one.is_meant() {
        let words = "as its message says";
        return Problem::new(
            Severity::Note,
            ProblemCode::DiscussionGone,
            (0, 0),
            format!("{by}, {words}"),
        );
    }
    let message = format!(
        "{by}; put it back, or end the message of the commit that removes it with the line `{}: {}`",
        DeletedDiscussion::TRAILER,
        visible_line(one.in_tree()),
    );
    Problem::new(Severity::Error, ProblemCode::DiscussionGone, (0, 0), message)
}

impl Workspace {
    /// Reports earlier discussions that something else replaced, or that left the folders of discussions.
    ///
    /// # Errors
    /// Fails if git cannot read a tree.
    pub(super) fn judge_ends(
        &self,
        gate: &Gate,
        present: Present<'_>,
        all: &mut Vec<Checked>,
    ) -> Result<(), WorkspaceError> {
        for ended in gate.range.ended_in_range(&gate.earlier, present)? {
            let own = self.exactly(&self.as_named(&ended.earlier.path));
            let mut others = all.iter().filter(|other| other.file != own);
            let goes_on = others.any(|other| store::goes_on(&ended.earlier.text, &other.text));
            if !goes_on {
                self.add_problems(all, &ended.earlier.path, &[ended_problem(&ended)]);
            }
        }
        for one in gate.earlier.iter().filter(|one| !gate.holds(&one.path)) {
            if one.path.is_file() {
                self.add_problems(all, &one.path, &[moved_out(&one.in_tree, false)]);
            }
        }
        Ok(())
    }
}

fn ended_problem(ended: &Ended<'_>) -> Problem {
    let what = match ended.ending {
        DiscussionEnding::Emptied => "emptied this discussion",
        DiscussionEnding::Page => "turned this discussion into a page without a comment",
        DiscussionEnding::Pointer => "replaced this discussion with a Git LFS pointer",
        DiscussionEnding::Link => "replaced this discussion with a link",
        DiscussionEnding::Folder => "replaced this discussion with a folder or submodule",
    };
    let by = ended.commit.as_deref().map_or("an uncommitted change", |commit| commit);
    let by = visible_line(by);
    if ended.is_meant {
        let message = format!("{by} {what}, as its message says");
        return Problem::new(Severity::Note, ProblemCode::DiscussionGone, (0, 0), message);
    }
    let message = format!(
        "{by} {what}; put it back, or end the commit message with the line `{}: {}`",
        DeletedDiscussion::TRAILER,
        visible_line(&ended.earlier.in_tree)
    );
    Problem::new(Severity::Error, ProblemCode::DiscussionGone, (0, 0), message)
}

/// Returns the problem of a discussion that was moved out of the folder of discussions, so that readers no longer find
/// it.
fn moved_out(in_tree: &str, is_meant: bool) -> Problem {
    let in_tree = visible_line(in_tree);
    if is_meant {
        let message = format!(
            "{in_tree} was moved out of the discussions folder, as the commit message says"
        );
        return Problem::new(Severity::Note, ProblemCode::DiscussionGone, (0, 0), message);
    }
    let message = format!(
        "this discussion is no longer in the discussions folder ({in_tree} was in it before); change \
         `output.directory`, put it back, or end the commit message with the line `{}: {in_tree}`",
        DeletedDiscussion::TRAILER,
    );
    Problem::new(Severity::Error, ProblemCode::DiscussionGone, (0, 0), message)
}
