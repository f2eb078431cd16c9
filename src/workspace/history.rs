//! Checks files together with the commits that changed them.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::Workspace;
use super::check::{CheckScope, failed};
use super::error::WorkspaceError;
use super::folder::each;
use super::removed::real;
use crate::codes::ProblemCode;
use crate::engine::Snapshot;
use crate::problem::{Problem, Severity};
use crate::store::{self, Present, Since};
use crate::transcript::{Control, Entry, EntryKind, Text};
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

    /// Returns true if the user edited their own comment, and no later turn has seen it.
    pub(super) fn is_own_unseen(
        &self,
        finding: &store::JournalFinding,
        snapshot: &Snapshot,
    ) -> bool {
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
