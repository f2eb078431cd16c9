//! The check of a history: takes two trees, evaluates both, and demands that every difference in what counts is
//! explained. How git moved the text does not matter.
//!
//! [`version`] parses a version into blocks, [`compare`] finds lost and new ones, [`explain`] says who answers for a
//! new block, [`effects`] says what counts. [`judge`] puts this together for one discussion, in the steps [`losses`],
//! [`names`] and [`counts`]. These files are pure.
//! [`sides`] and [`branch`] read git and the working tree, [`main_line`] walks over the steps of the main
//! branch.

mod acceptance;
mod branch;
mod branch_words;
mod compare;
mod continuation;
mod counts;
mod decisions;
mod effects;
mod explain;
mod gone_projects;
mod judge;
mod losses;
mod main_line;
mod main_projects;
mod main_steps;
mod markup;
mod moved_project;
mod names;
mod older_pages;
mod removed;
mod rules;
mod sides;
mod submodules;
#[cfg(test)]
mod tests;
mod version;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use self::judge::Finding;
use self::sides::{Objects, Side};
pub(super) use self::submodules::CheckedModule;
use super::Checks;
use super::error::WorkspaceError;
use super::people::People;
use crate::codes::ProblemCode;
use crate::config::{Config, PeopleConfig};
use crate::problem::{Problem, Severity};
use crate::store::{self, Commit, CommitIdentity, HistoryReader};
use crate::text_diff::{TextComparison, TextUnit};
use crate::transcript::{Transcript, visible_line};
use crate::view::PublishedChange;

/// One discussion of the head, for the check of its own lines.
#[derive(Clone, Debug)]
pub(super) struct HeadDiscussion {
    pub(super) path: PathBuf,
    /// Its text, if the file on disk is not the one that is checked.
    pub(super) text: Option<String>,
    /// Its text in the base.
    pub(super) base: Option<String>,
    /// True if a sparse checkout leaves it out.
    pub(super) is_skipped: bool,
    /// True if the base has it at this path with the same bytes.
    pub(super) is_unchanged: bool,
}

/// The result of a check of a history.
#[derive(Debug, Default)]
pub(super) struct GateReport {
    pub(super) discussions: Vec<HeadDiscussion>,
    /// The findings by file.
    pub(super) findings: BTreeMap<PathBuf, Vec<Finding>>,
    /// Findings about the check as a whole.
    pub(super) whole: Vec<Problem>,
    /// The folders of other projects below the working folder, on either side.
    pub(super) projects: Vec<PathBuf>,
    /// The submodules to check inside.
    pub(super) modules: Vec<CheckedModule>,
    /// `people:` of the trusted commit, which holds in submodules, too.
    pub(super) listed: PeopleConfig,
}

impl GateReport {
    fn add(&mut self, path: PathBuf, finding: Finding) {
        let all = self.findings.entry(path).or_default();
        if !all.contains(&finding) {
            all.push(finding);
        }
    }
}

/// What is left to accept after a check.
#[derive(Debug, Default)]
pub(super) struct OpenFindings {
    pub(super) changes: BTreeMap<PathBuf, Vec<PublishedChange>>,
    /// Lines for the message of a commit.
    pub(super) lines: Vec<String>,
    /// The folders of projects below the working folder.
    pub(super) projects: Vec<PathBuf>,
}

/// What a check names: folders, or single discussions.
#[derive(Clone, Debug, Default)]
pub(super) struct GateScope {
    /// The named folders, canonical; empty: the project's folder of discussions.
    pub(super) folders: Vec<PathBuf>,
    /// The named discussions, canonical; empty: all in the folders.
    pub(super) files: Vec<PathBuf>,
    /// `people:` of a repository around this one.
    pub(super) listed: PeopleConfig,
    /// True if the head takes the place of the commit to compare with, as in a submodule. Else it is merged with it.
    pub(super) is_replacement: bool,
}

impl GateScope {
    fn has(&self, history: &HistoryReader, path: &[u8]) -> bool {
        let path = history.path_of(path);
        // The named files are canonical, and a discussion may be a link to one.
        self.files.is_empty()
            || self.files.contains(&path)
            || self.files.contains(&super::history::real(&path))
    }
}

impl Finding {
    /// Converts a finding to a problem.
    pub(super) fn problem(&self) -> Problem {
        let place = (self.line, usize::from(self.line > 0));
        Problem::new(self.severity, self.code, place, self.message.clone()).with_fix(self.fix)
    }

    /// Returns the change of the text as a unified diff.
    pub(super) fn diff(&self) -> Option<String> {
        let (old, new) = self.texts.as_ref()?;
        let ended = |text: &str| if text.is_empty() { String::new() } else { format!("{text}\n") };
        let (old, new) = (ended(old), ended(new));
        Some(TextComparison::of(TextUnit::Lines, &old, &new).unified(3, ("before", "now")))
    }
}

impl Checks<'_> {
    /// Returns the repository of the project: of the folder with the configuration, or of the first named folder.
    pub(super) fn history_reader(&self, folder: Option<&Path>) -> Option<HistoryReader> {
        HistoryReader::of(folder.unwrap_or_else(|| self.setup.base()))
    }

    /// Returns the folders of the projects below the working folder, without those inside of others.
    fn projects_below(&self, history: &HistoryReader, sides: &[&Side]) -> Vec<PathBuf> {
        let here = sides::in_tree(history.top(), &super::history::real(&self.setup.cwd));
        let here = sides::as_folder(here.unwrap_or_default());
        let file = [&b"/"[..], crate::config::Project::FILE.as_bytes()].concat();
        let mut folders: Vec<&[u8]> = sides
            .iter()
            .flat_map(|side| side.tree.below(&here))
            .filter_map(|(path, _)| path.strip_suffix(&file[..]))
            .filter(|folder| folder.len() >= here.len())
            .collect();
        folders.sort_unstable();
        folders.dedup();
        let mut outer: Vec<&[u8]> = Vec::new();
        for folder in folders {
            let is_inner =
                |it: &&&[u8]| folder.strip_prefix(**it).is_some_and(|rest| rest.starts_with(b"/"));
            if !outer.iter().any(|it| is_inner(&it)) {
                outer.push(folder);
            }
        }
        outer.into_iter().map(|folder| history.path_of(folder)).collect()
    }

    /// Returns the path of the project in its repository, empty or ending in `/`.
    fn root_in_tree(&self, history: &HistoryReader) -> Vec<u8> {
        let root = sides::in_tree(history.top(), &super::history::real(&self.setup.root));
        sides::as_folder(root.unwrap_or_default())
    }

    /// Returns the people of the trusted commit.
    fn people_of(
        &self,
        history: &HistoryReader,
        trusted: &Side,
        commit: Option<&str>,
        (root, around): (&[u8], &PeopleConfig),
        objects: &Objects,
    ) -> People {
        let mut listed = self.listed_in(trusted, root, objects);
        let around = around.iter().map(|(name, addresses)| (name.clone(), addresses.clone()));
        for (name, addresses) in around.chain(self.own_people()) {
            listed.entry(name).or_insert(addresses);
        }
        let mailmap = objects.text_at(&trusted.tree, b".mailmap");
        let (history, commit) = (history.clone(), commit.map(str::to_owned));
        People::new(&listed, mailmap.as_deref().unwrap_or_default()).with_authors(move || {
            commit.as_deref().map(|commit| history.authors(commit)).unwrap_or_default()
        })
    }

    /// Returns `people:` of a project's configuration in a tree.
    fn listed_in(&self, side: &Side, root: &[u8], objects: &Objects) -> PeopleConfig {
        let file = [root, crate::config::Project::FILE.as_bytes()].concat();
        let config = objects.text_at(&side.tree, &file);
        let config = config.and_then(|text| Config::read(&text, "").ok());
        config.and_then(|config| config.people).unwrap_or_default()
    }

    /// Returns `people:` of the user's own configuration, which no branch can change.
    fn own_people(&self) -> PeopleConfig {
        let text = self.setup.user_config().unwrap_or_default();
        Config::read(&text, "").ok().and_then(|config| config.people).unwrap_or_default()
    }

    /// Returns the changes of published text that a person can accept, by canonical path, and the lines that only a
    /// message can hold. Without a repository, there are none.
    pub(super) fn open_findings(
        &self,
        names: &[PathBuf],
        since: Option<&str>,
    ) -> Result<OpenFindings, WorkspaceError> {
        let mut open = OpenFindings::default();
        let Some(history) = self.history_reader(Some(&self.named_folder(names))) else {
            return Ok(open);
        };
        let scope = self.gate_scope(names, true);
        let mut reports = Vec::new();
        if let Some(since) = since {
            let commit = history.commit_named(since)?;
            reports.push(self.judge_branch(&history, &commit, &scope)?);
        }
        // What cannot be read cannot be accepted; a check reports it.
        reports.extend(self.judge_main(&history, &scope).ok());
        for report in reports {
            open.projects.extend(report.projects);
            for (path, findings) in report.findings {
                let known: Vec<String> = open
                    .changes
                    .get(&path)
                    .map(|all| all.iter().map(|change| change.was.clone()).collect())
                    .unwrap_or_default();
                for finding in findings {
                    if let Some(line) = finding.message_line.filter(|it| !open.lines.contains(it)) {
                        open.lines.push(line);
                    }
                    let loss = finding.loss.filter(|loss| !known.contains(&loss.was));
                    open.changes.entry(path.clone()).or_default().extend(loss);
                }
            }
        }
        open.projects.sort();
        open.projects.dedup();
        Ok(open)
    }

    /// Checks that the folders of discussions in the working tree are no links out of the project.
    fn insist_folders_inside(
        &self,
        history: &HistoryReader,
        side: &Side,
    ) -> Result<(), WorkspaceError> {
        for folder in &side.folders {
            self.setup.insist_inside(&self.as_named(&history.path_of(folder)))?;
        }
        Ok(())
    }

    /// Returns the author that git would record here.
    pub(super) fn git_identity(&self) -> Option<CommitIdentity> {
        store::git_author(&self.setup.cwd)
    }

    /// Returns the commit that would hold what is not committed.
    fn pending_commit(&self) -> Commit {
        let author = self.git_identity().unwrap_or_default();
        Commit { committer: author.clone(), author, ..Commit::default() }
    }
}

/// Returns warnings about comments that hide others from readers of the Markdown.
pub(super) fn markup_problems(transcript: &Transcript) -> Vec<Problem> {
    markup::markup_findings(transcript).iter().map(Finding::problem).collect()
}

/// Returns the error that a clone lacks objects.
fn lacks_objects() -> Problem {
    let message = store::PARTIAL_CLONE.to_owned();
    Problem::new(Severity::Error, ProblemCode::Unchecked, (0, 0), message)
}

/// Returns the problem of a history that is cut off.
fn cut_history(commit: &str) -> Problem {
    let message = format!(
        "this clone is shallow: its history begins at commit {}, and older commits were not checked; fetch the whole \
         history",
        commit.get(..12).unwrap_or(commit)
    );
    Problem::new(Severity::Warning, ProblemCode::HistoryShallow, (0, 0), message)
}

/// Describes a commit on one line, with its untrusted parts made harmless.
fn commit_words(history: &HistoryReader, objects: &Objects, commit: &Commit) -> String {
    let author = &commit.author;
    let (name, email) = (visible_line(&author.name), visible_line(&author.email));
    if commit.short().is_empty() {
        return format!("the uncommitted change by {name} <{email}>");
    }
    let committer = if commit.committer == *author {
        String::new()
    } else {
        format!(", committed by {}", visible_line(&commit.committer.name))
    };
    let signed = objects.signature(history, commit);
    let signed = signed.map(|it| format!(", signed by {}", visible_line(&it.signer)));
    format!(
        "commit {} by {name} <{email}>{committer} ({}){}",
        commit.short(),
        visible_line(commit.subject()),
        signed.unwrap_or_default(),
    )
}
