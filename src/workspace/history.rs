//! The check of discussions together with their history: each discussion as it is, and what the commits changed.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::Checks;
use super::check::{CheckScope, failed};
use super::error::WorkspaceError;
use super::files::each;
use super::gate::{CheckedModule, GateReport, GateScope, HeadDiscussion};
use super::outcomes::KnownLinks;
use crate::codes::ProblemCode;
use crate::engine::Snapshot;
use crate::problem::{Problem, Severity};
use crate::store::{self, HistoryReader, StoreError, TrackedJournals};
use crate::transcript::{Control, Entry, EntryKind, Text, parse};
use crate::view::{self, Checked};

/// What the discussions are compared with.
#[derive(Clone, Copy)]
enum CheckKind<'a> {
    /// A branch with a commit.
    Branch(&'a str),
    /// Each step of the main branch with the one before.
    Main,
    /// The index, or another index file, with the last commit.
    Index(Option<&'a Path>),
}

impl Checks<'_> {
    /// Checks the discussions, and what a branch changes in comparison with a commit, given by a name.
    pub(super) fn check_branch(
        &self,
        names: &[PathBuf],
        folder: &Path,
        name: &str,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let unknown = || StoreError::Revision { revision: name.to_owned() };
        let history = self.history_reader(Some(folder)).ok_or_else(unknown)?;
        let commit = history.commit_named(name)?;
        let scope = self.gate_scope(names, true);
        self.check_project((names, scope), folder, &history, CheckKind::Branch(&commit))
    }

    /// Checks the discussions, and all steps of the main branch.
    pub(super) fn check_main(
        &self,
        names: &[PathBuf],
        folder: &Path,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let folder = if names.is_empty() { self.setup.base() } else { folder };
        let history = self.repository_of(folder)?;
        let scope = self.gate_scope(names, true);
        self.check_project((names, scope), folder, &history, CheckKind::Main)
    }

    /// Checks what is to be committed.
    pub(super) fn check_index(
        &self,
        names: &[PathBuf],
        index: Option<&Path>,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let folder = self.setup.base();
        let history = self.repository_of(folder)?;
        // A hook names the folder that it was written for, which the configuration may have renamed since.
        let is_file = |name: &&PathBuf| {
            let path = self.setup.cwd.join(name);
            !path.is_dir() && (path.exists() || self.find(name).is_ok())
        };
        let names: Vec<PathBuf> = names.iter().filter(is_file).cloned().collect();
        let scope = self.gate_scope(&names, false);
        self.check_project((&names, scope), folder, &history, CheckKind::Index(index))
    }

    /// Checks a project, and the projects in folders below it.
    fn check_project(
        &self,
        (names, scope): (&[PathBuf], GateScope),
        folder: &Path,
        history: &HistoryReader,
        kind: CheckKind<'_>,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let is_staged = matches!(kind, CheckKind::Index(_));
        let report = match kind {
            CheckKind::Branch(commit) => self.judge_branch(history, commit, &scope),
            CheckKind::Main => self.judge_main(history, &scope),
            CheckKind::Index(index) => self.judge_index(history, index, &scope),
        };
        let found = report.as_ref().ok();
        let projects = found.map(|it| it.projects.clone()).unwrap_or_default();
        let listed = found.map(|it| it.listed.clone()).unwrap_or_default();
        let modules = found.map(|it| it.modules.clone()).unwrap_or_default();
        let mut all = self.checked_report(names, folder, report, is_staged)?;
        for CheckedModule { folder, since } in modules {
            let names = [folder.clone()];
            let inner = self.repository_of(&folder)?;
            let scope = self.gate_scope(&names, true);
            let scope = GateScope { listed: listed.clone(), is_replacement: true, ..scope };
            let kind = CheckKind::Branch(&since);
            all.extend(self.check_project((&names, scope), &folder, &inner, kind)?);
        }
        if !names.is_empty() {
            return Ok(all);
        }
        for project in projects {
            let below = self.opened_below(&self.as_named(&project))?;
            let within = self.exactly(&self.as_named(&project));
            let below = below.check();
            let scope = below.gate_scope(&[], !is_staged);
            let mut found = below.check_project((&[], scope), &project, history, kind)?;
            for one in &mut found {
                // The discussions of a project may be outside of its folder.
                let path = Path::new(&one.file);
                let outside = path.is_absolute().then(|| self.exactly(path));
                one.file = outside.unwrap_or_else(|| format!("{within}/{}", one.file));
            }
            all.extend(found);
        }
        Ok(all)
    }

    fn repository_of(&self, folder: &Path) -> Result<HistoryReader, WorkspaceError> {
        // A missing history must not pass for a history without changes.
        self.history_reader(Some(folder))
            .ok_or_else(|| WorkspaceError::no_repository(&self.shown_path(folder)))
    }

    /// Checks the discussions of a report, and adds its findings.
    fn checked_report(
        &self,
        names: &[PathBuf],
        folder: &Path,
        report: Result<GateReport, WorkspaceError>,
        is_staged: bool,
    ) -> Result<Vec<Checked>, WorkspaceError> {
        let report = match report {
            Ok(report) => report,
            Err(error @ WorkspaceError::Store(StoreError::Io { .. })) => {
                let mut all = vec![self.unchecked(folder, &error)];
                let (links, journals) = (KnownLinks::default(), TrackedJournals::default());
                let (scope, paths) =
                    (CheckScope::files(&links, &journals), self.files_to_check(names)?);
                all.extend(
                    each(&paths, |(path, named)| self.check_one(path, scope, *named))
                        .into_iter()
                        .flatten(),
                );
                return Ok(all);
            }
            Err(error) => return Err(error),
        };
        let (links, journals) = (KnownLinks::default(), TrackedJournals::default());
        // A file may be there that no side has, such as one with a name of other bytes.
        let named: Vec<PathBuf> = names.iter().filter_map(|name| self.find(name).ok()).collect();
        let mut all: Vec<Checked> = each(&report.discussions, |one: &HeadDiscussion| {
            let path = self.as_named(&one.path);
            let is_named = named.contains(&path);
            if let Some(text) = unchanged_text(one, &path).filter(|_| !is_named) {
                let transcript = parse(text);
                let is_discussion = transcript.is_discussion();
                return is_discussion.then(|| self.check_result(&path, &[], transcript.text));
            }
            let scope = CheckScope {
                text: one.text.as_deref(),
                base: one.base.as_deref(),
                is_staged,
                with_history: !is_staged,
                links: &links,
                journals: &journals,
            };
            let mut found = self.check_one(&path, scope, is_named)?;
            if one.is_skipped {
                let message = "this file is not in the working tree, so it was read from git";
                let note = Problem::new(
                    Severity::Note,
                    ProblemCode::NotCheckedOut,
                    (0, 0),
                    message.to_owned(),
                );
                found.problems.push(view::Problem::from(&note));
            }
            Some(found)
        })
        .into_iter()
        .flatten()
        .collect();
        let mut places: HashMap<String, usize> =
            all.iter().enumerate().map(|(at, one)| (one.file.clone(), at)).collect();
        for (path, findings) in &report.findings {
            let problems: Vec<Problem> = findings
                .iter()
                .filter(|finding| !finding.is_silent)
                .map(|finding| finding.problem())
                .collect();
            if problems.is_empty() {
                continue;
            }
            let file = self.exactly(&self.as_named(path));
            let at = *places.entry(file).or_insert_with_key(|file| {
                all.push(Checked {
                    file: file.clone(),
                    problems: Vec::new(),
                    text: Text::default(),
                    diffs: Vec::new(),
                    is_discussion: true,
                });
                all.len() - 1
            });
            all[at].problems.extend(problems.iter().map(view::Problem::from));
            all[at].diffs.extend(findings.iter().filter_map(|finding| finding.diff()));
        }
        let mut whole = report.whole;
        let lacks_journal = |one: &Checked| {
            has_receipt(&one.text) && !store::has_journal(&self.setup.cwd.join(&one.file))
        };
        if !is_staged && all.iter().any(lacks_journal) {
            let message =
                "this folder has no journal, so the check cannot tell which answers this program recorded"
                    .to_owned();
            whole.push(Problem::new(Severity::Note, ProblemCode::ReceiptUnknown, (0, 0), message));
        }
        if !whole.is_empty() {
            all.push(Checked {
                file: self.exactly(&self.output_directory()),
                problems: whole.iter().map(view::Problem::from).collect(),
                text: Text::default(),
                diffs: Vec::new(),
                is_discussion: false,
            });
        }
        Ok(all)
    }

    /// Returns a canonical path spelt like the working folder's path, which may contain a link.
    pub(super) fn as_named(&self, path: &Path) -> PathBuf {
        let named = self.setup.cwd.ancestors().find_map(|folder| {
            let rest = path.strip_prefix(folder.canonicalize().ok()?).ok()?;
            Some(folder.join(rest))
        });
        named.unwrap_or_else(|| path.to_owned())
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

/// Returns the text of a discussion that the branch did not change, and whose problems are therefore not new: it has no
/// links to others, and there are no journals to compare it with.
fn unchanged_text<'a>(one: &'a HeadDiscussion, path: &Path) -> Option<&'a str> {
    let text = one.base.as_deref().filter(|_| one.is_unchanged)?;
    (!text.contains(LINK) && !store::has_private_files(path)).then_some(text)
}

/// The word of links between discussions.
const LINK: &str = "SUPERSEDES";

/// Returns a note about answers that this folder's journal does not contain.
pub(super) fn unknown_receipts(count: usize) -> Option<Problem> {
    let what = if count == 1 { "1 answer was" } else { &format!("{count} answers were") };
    let message = format!(
        "{what} not recorded by the program in this folder, but may come from another clone"
    );
    (count > 0).then(|| Problem::new(Severity::Note, ProblemCode::ReceiptUnknown, (0, 0), message))
}

/// Returns true if a text contains the receipt of a model's answer.
fn has_receipt(text: &str) -> bool {
    text.contains("\n<!-- REPLY ")
}

/// Returns the canonical path that git uses; missing parts of it stay as they are.
pub(super) fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|folder| {
        let rest = path.strip_prefix(folder).ok()?;
        Some(folder.canonicalize().ok()?.join(rest))
    });
    found.unwrap_or_else(|| path.to_owned())
}
