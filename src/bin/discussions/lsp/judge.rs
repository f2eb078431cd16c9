//! Judges texts: opens the workspace of a document, checks its text, and keeps the last reading for requests.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::codes::ProblemCode;
use discussions::view::{Problem, Severity, Shown, visible_line};
use discussions::workspace::{Workspace, WorkspaceError};

use super::convert::{ClientFacts, path_of};
use super::text::{IndexedText, TextRange};
use crate::cli::environment::HostEnvironment;

/// The size of a document in bytes above which it is not checked.
pub(super) const LARGEST: usize = 8 << 20;

/// The most problems of one document.
const MOST: usize = 1_000;

/// The text of a document at one version.
#[derive(Clone, Debug)]
pub(super) struct DocumentText {
    /// The address of the document.
    pub(super) uri: Arc<str>,
    /// The client's version.
    pub(super) version: i64,
    /// The text.
    pub(super) text: Arc<str>,
    /// True if the text was not changed since it was opened or saved.
    pub(super) is_saved: bool,
}

/// A problem with its place in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlacedProblem {
    /// The place.
    pub(super) range: TextRange,
    /// 1 for an error, 2 for a warning, 3 for information.
    pub(super) severity: u8,
    /// The stable word; empty if there is none.
    pub(super) code: &'static str,
    /// The message.
    pub(super) message: String,
    /// The text of the line, which tells a problem from an equal one elsewhere.
    pub(super) line_text: String,
}

/// A document as it was read last.
pub(super) struct Analysis {
    /// The version of the text.
    pub(super) version: i64,
    /// The file that the text belongs to; for a new document, one that does not exist.
    pub(super) path: PathBuf,
    /// The text.
    pub(super) text: IndexedText,
    /// Its content.
    pub(super) shown: Shown,
    /// The workspace that judged it.
    pub(super) workspace: Arc<Workspace>,
    /// The user's name.
    pub(super) author: Arc<str>,
}

/// The problems that only a full check finds, and the text that it checked.
struct SlowProblems {
    text: Arc<str>,
    problems: Vec<Problem>,
}

/// An open workspace with the name of its user.
#[derive(Clone)]
struct OpenWorkspace {
    workspace: Arc<Workspace>,
    author: Arc<str>,
}

/// Judges the documents of one client.
pub(super) struct Judge {
    outside: HostEnvironment,
    workspaces: HashMap<PathBuf, OpenWorkspace>,
    analyses: HashMap<Arc<str>, Arc<Analysis>>,
    slow: HashMap<Arc<str>, SlowProblems>,
}

impl Judge {
    /// Creates a judge; folders of clients are opened in this environment.
    pub(super) fn new(outside: HostEnvironment) -> Self {
        let (workspaces, analyses, slow) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { outside, workspaces, analyses, slow }
    }

    /// Forgets a closed document.
    pub(super) fn forget(&mut self, uri: &str) {
        self.analyses.remove(uri);
        self.slow.remove(uri);
    }

    /// Checks a document and remembers its content. Returns `None` for a page that is not a discussion.
    pub(super) fn check(
        &mut self,
        document: &DocumentText,
        facts: &ClientFacts,
        is_full: bool,
    ) -> Option<Vec<PlacedProblem>> {
        let indexed = IndexedText::new(document.text.to_string(), facts.encoding);
        match self.problems(document, facts, is_full) {
            Ok(found) => {
                let found = found?;
                let mut placed: Vec<PlacedProblem> =
                    found.iter().map(|problem| place(problem, &indexed)).collect();
                if placed.len() > MOST {
                    placed.sort_by_key(|problem| problem.severity);
                    placed.truncate(MOST);
                }
                Some(placed)
            }
            Err(error) => {
                let is_discussion = ["\nName: ", "<!-- DISCUSSION"];
                let is_discussion = is_discussion.iter().any(|sign| document.text.contains(sign));
                let range = super::convert::whole_line(&indexed, 0);
                is_discussion.then(|| vec![unreadable(&error, range)])
            }
        }
    }

    fn problems(
        &mut self,
        document: &DocumentText,
        facts: &ClientFacts,
        is_full: bool,
    ) -> Result<Option<Vec<Problem>>, WorkspaceError> {
        let (path, is_file) = self.path(document, facts);
        let workspace = self.workspace(&path, facts, is_full)?.workspace;
        let text = judged(document);
        let is_full = is_full && is_file;
        let checked = match (is_file, is_full) {
            (false, _) => workspace.check().check_new_text(&path, &text)?,
            (true, false) => workspace.check().check_text_quickly(&path, &text)?,
            (true, true) => workspace.check().check_text(&path, &text)?,
        };
        let Some(checked) = checked else {
            self.forget(&document.uri);
            return Ok(None);
        };
        let mut found = checked.problems;
        if is_full {
            let problems = found.iter().filter(|one| is_slow(one)).cloned().collect();
            let slow = SlowProblems { text: Arc::clone(&document.text), problems };
            self.slow.insert(Arc::clone(&document.uri), slow);
        } else if let Some(slow) = self.slow.get(&document.uri) {
            // A journal that git tracks proves nothing.
            if slow.problems.iter().any(|one| one.code == ProblemCode::JournalTracked) {
                found.retain(|one| !is_of_journal(one.code));
            }
            found.extend(slow.moved_to(&document.text));
        }
        if !document.is_saved {
            if found.iter().any(|one| one.code == ProblemCode::Torn) {
                let shown = workspace.check().snapshot_text(&path, &text)?;
                let last = shown.entries.last().map_or(0, |entry| entry.line);
                found.retain(|one| one.code != ProblemCode::Torn || one.line < last);
            }
            if found.iter().any(|one| is_edit(one.code)) {
                let changes = workspace.check().recorded_changes(&path, &text);
                for problem in found.iter_mut().filter(|one| is_edit(one.code)) {
                    // An edit may still be undone before it is saved.
                    problem.severity = Severity::Note;
                    let change = changes.iter().find(|change| change.line == problem.line);
                    if let Some(change) = change {
                        let (author, at) = (change.author.as_deref(), change.at.as_deref());
                        problem.message = changed_sentence(author, at);
                    }
                }
            }
        }
        Ok(Some(found))
    }

    /// Reads a document again after a check, so that completions know the last text. Only for clients that asked for one
    /// before.
    pub(super) fn refresh(&mut self, document: &DocumentText, facts: &ClientFacts) {
        if self.analyses.contains_key(&document.uri) {
            self.read(document, facts);
        }
    }

    /// Returns the reading of a document's text, a new one if the last one is of another version. `None` for a page that
    /// is not a discussion.
    pub(super) fn read(
        &mut self,
        document: &DocumentText,
        facts: &ClientFacts,
    ) -> Option<Arc<Analysis>> {
        let known = self.analyses.get(&document.uri);
        if let Some(known) = known.filter(|known| known.version == document.version) {
            return Some(Arc::clone(known));
        }
        let (path, _) = self.path(document, facts);
        let open = self.workspace(&path, facts, false).ok()?;
        let shown = open.workspace.check().snapshot_text(&path, &judged(document)).ok()?;
        if !open.workspace.check().is_meant_as_discussion(&path, &judged(document)) {
            return None;
        }
        let analysis = Arc::new(Analysis {
            version: document.version,
            path,
            text: IndexedText::new(document.text.to_string(), facts.encoding),
            shown,
            workspace: open.workspace,
            author: open.author,
        });
        self.analyses.insert(Arc::clone(&document.uri), Arc::clone(&analysis));
        Some(analysis)
    }

    /// Returns the last reading of a document, of whatever version, or else a new one.
    pub(super) fn read_any(
        &mut self,
        document: &DocumentText,
        facts: &ClientFacts,
    ) -> Option<Arc<Analysis>> {
        match self.analyses.get(&document.uri) {
            Some(known) => Some(Arc::clone(known)),
            None => self.read(document, facts),
        }
    }

    /// Returns the text of a document on disk; `None` if it has no readable file.
    pub(super) fn saved_text(
        &mut self,
        document: &DocumentText,
        facts: &ClientFacts,
    ) -> Option<String> {
        let (path, is_file) = self.path(document, facts);
        let workspace = self.workspace(&path, facts, false).ok()?.workspace;
        is_file.then(|| workspace.check().saved_text(&path).ok()).flatten()
    }

    /// Returns the workspaces of all folders of the client.
    pub(super) fn workspaces(&mut self, facts: &ClientFacts) -> Vec<(PathBuf, Arc<Workspace>)> {
        let folders = facts.folders.iter();
        let open = |folder: &PathBuf| {
            let workspace = self.workspace(&folder.join("x.md"), facts, true).ok()?.workspace;
            Some((folder.clone(), workspace))
        };
        folders.filter_map(open).collect()
    }

    /// Returns the path of a document, and true if it is a file. A document that was never saved counts as a file of the
    /// first folder, so that it knows the participants there.
    fn path(&self, document: &DocumentText, facts: &ClientFacts) -> (PathBuf, bool) {
        match path_of(&document.uri) {
            Some(path) => (path, true),
            None => {
                let folder = facts.folders.first().unwrap_or(&self.outside.folder);
                (folder.join("untitled.md"), false)
            }
        }
    }

    /// Opens the workspace of a path: the innermost folder of the client that contains it, or else the file's own folder.
    /// `anew` reads its configuration again.
    fn workspace(
        &mut self,
        path: &Path,
        facts: &ClientFacts,
        anew: bool,
    ) -> Result<OpenWorkspace, WorkspaceError> {
        let folders = facts.folders.iter().filter(|folder| path.starts_with(folder));
        let folder = folders.max_by_key(|folder| folder.components().count());
        let folder = folder.map_or_else(|| path.parent().unwrap_or(path), PathBuf::as_path);
        if let Some(open) = self.workspaces.get(folder).filter(|_| !anew) {
            return Ok(open.clone());
        }
        self.workspaces.remove(folder);
        let workspace = self.outside.in_folder(folder).open()?;
        let workspace = if facts.trusts { workspace } else { workspace.without_git() };
        let author = workspace.author(None, || None)?.into();
        let open = OpenWorkspace { workspace: Arc::new(workspace), author };
        self.workspaces.insert(folder.to_owned(), open.clone());
        Ok(open)
    }
}

/// Returns the text to judge. An unsaved last line without a newline is being typed, so it counts as finished.
fn judged(document: &DocumentText) -> Arc<str> {
    if document.is_saved || document.text.is_empty() || document.text.ends_with('\n') {
        Arc::clone(&document.text)
    } else {
        format!("{}\n", document.text).into()
    }
}

/// Returns true for a problem that only a full check finds, because it depends on git or on other discussions.
fn is_slow(problem: &Problem) -> bool {
    match problem.code {
        ProblemCode::LinkBroken
        | ProblemCode::LinkContradicted
        | ProblemCode::BlockElsewhere
        | ProblemCode::JournalTracked => true,
        ProblemCode::BlockDropped => problem.line == 0,
        _ => false,
    }
}

fn is_edit(code: ProblemCode) -> bool {
    matches!(code, ProblemCode::BlockEdited | ProblemCode::OwnEdit)
}

fn is_of_journal(code: ProblemCode) -> bool {
    matches!(
        code,
        ProblemCode::BlockDropped
            | ProblemCode::BlockEdited
            | ProblemCode::OwnEdit
            | ProblemCode::AnswerMoved
    )
}

impl SlowProblems {
    /// Returns the problems on the lines that a later text still has.
    fn moved_to(&self, text: &str) -> Vec<Problem> {
        let (old, new): (Vec<&str>, Vec<&str>) =
            (self.text.lines().collect(), text.lines().collect());
        let same = old.iter().zip(&new).take_while(|(one, two)| one == two).count();
        let ends = old.iter().rev().zip(new.iter().rev());
        let most = old.len().min(new.len()) - same;
        let same_end = ends.take(most).take_while(|(one, two)| one == two).count();
        let moved = |line: usize| match line {
            0 => Some(0),
            line if line <= same => Some(line),
            line if line > old.len() - same_end => Some(line + new.len() - old.len()),
            _ => None,
        };
        let all = self.problems.iter().filter_map(|problem| {
            let line = moved(problem.line)?;
            Some(Problem { line, end_line: Some(line), ..problem.clone() })
        });
        all.collect()
    }
}

/// Returns a sentence about an edit of a recorded comment.
fn changed_sentence(author: Option<&str>, at: Option<&str>) -> String {
    let Some(author) = author else {
        return "This changes a recorded line.".to_owned();
    };
    let author = visible_line(author);
    match at.and_then(day_and_time) {
        Some(at) => format!("This changes {author}'s recorded comment of {at}."),
        None => format!("This changes {author}'s recorded comment."),
    }
}

/// Returns a time in words: `25 November, 10:03 UTC`.
fn day_and_time(at: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let month: usize = at.get(5..7)?.parse().ok()?;
    let day: u32 = at.get(8..10)?.parse().ok()?;
    Some(format!("{day} {}, {} UTC", MONTHS.get(month.checked_sub(1)?)?, at.get(11..16)?))
}

pub(super) fn place(problem: &Problem, text: &IndexedText) -> PlacedProblem {
    // A problem without a place is shown on the first line.
    let (line, column) = (problem.line.max(1), problem.column.max(1));
    let start = text.byte_of_check(line, column);
    let end = match (problem.end_line, problem.end_column) {
        (Some(line), Some(column)) if line > 0 => text.byte_of_check(line, column),
        _ => start,
    };
    let range = text.range(start..end.max(start));
    PlacedProblem {
        range,
        severity: match problem.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Note => 3,
        },
        code: problem.code.as_str(),
        message: visible_line(&problem.message),
        line_text: text.line(range.start.line).to_owned(),
    }
}

fn unreadable(error: &WorkspaceError, range: TextRange) -> PlacedProblem {
    let code = ProblemCode::Unreadable.as_str();
    let message = error.to_string().lines().map(visible_line).collect::<Vec<_>>().join("\n");
    PlacedProblem { range, severity: 1, code, message, line_text: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_of_a_recorded_comment_is_said_in_words() {
        let told = changed_sentence;
        assert_eq!(
            told(Some("Mira"), Some("2026-11-25T10:03:09Z")),
            "This changes Mira's recorded comment of 25 November, 10:03 UTC."
        );
        assert_eq!(told(Some("Mira"), Some("é")), "This changes Mira's recorded comment.");
        assert_eq!(told(None, None), "This changes a recorded line.");
    }
}
