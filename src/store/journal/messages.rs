//! Messages about the findings of the journal check.

use super::check::{Fate, JournalFinding};
use super::records::JournalRecord;
use crate::codes::{Fix, ProblemCode};
use crate::problem::{Problem, Severity};
use crate::transcript::visible_line;

impl JournalFinding {
    /// Returns the finding in the form that `check` reports.
    pub fn problem(&self) -> Problem {
        let what = first_words(&self.record.block);
        let (severity, code, line, message) = match &self.fate {
            Fate::Dropped if self.is_accepted => (
                Severity::Warning,
                ProblemCode::BlockDropped,
                0,
                format!(
                    "{what} was written {} and is no longer in the file; a line in the file accepts this, but that line \
                     was not written in this folder",
                    self.when()
                ),
            ),
            Fate::Dropped if self.is_undone => (
                Severity::Warning,
                ProblemCode::BlockDropped,
                0,
                format!(
                    "{what} was written {} but never committed; `git checkout` or `git stash` removed it from the \
                     file",
                    self.when()
                ),
            ),
            Fate::Dropped => (
                Severity::Error,
                ProblemCode::BlockDropped,
                0,
                format!("{what} was written {} and is no longer in the file", self.when()),
            ),
            Fate::Unframed { lines } => (
                Severity::Error,
                ProblemCode::BlockDropped,
                lines.start + 1,
                format!(
                    "{what} was written {} and its text is still here, but the `---` above or below it is missing",
                    self.when()
                ),
            ),
            Fate::Elsewhere { commit } => (
                Severity::Note,
                ProblemCode::BlockElsewhere,
                0,
                format!(
                    "{what} is not in this version of the file, but in commit {}",
                    commit.get(..12).unwrap_or(commit)
                ),
            ),
            Fate::Edited { line } => (
                Severity::Warning,
                ProblemCode::BlockEdited,
                *line,
                if self.is_accepted {
                    format!(
                        "{what} was written {} and has changed since; a line in the file accepts this, but that line was \
                         not written in this folder",
                        self.when()
                    )
                } else {
                    format!("{what} was written {} and has changed since", self.when())
                },
            ),
            Fate::Moved { line } => (
                Severity::Warning,
                ProblemCode::AnswerMoved,
                *line,
                format!(
                    "a merge moved {what}, which answers a question by its number; check that the number still names the right \
                     question"
                ),
            ),
            Fate::Unreadable { journal, lines } => {
                let (which, them) = match lines.end() - lines.start() {
                    0 => (format!("line {}", lines.start()), "the line"),
                    _ => (format!("lines {} to {}", lines.start(), lines.end()), "these lines"),
                };
                (
                    Severity::Warning,
                    ProblemCode::JournalDamaged,
                    0,
                    format!(
                        "{which} of {} cannot be read, so what was recorded there is not checked; see if a comment is \
                         missing, then delete {them}",
                        visible_line(&journal.to_string_lossy())
                    ),
                )
            }
            Fate::Foreign { journal, lines } => {
                let which = match lines {
                    1 => "1 line was".to_owned(),
                    _ => format!("{lines} lines were"),
                };
                (
                    Severity::Note,
                    ProblemCode::JournalForeign,
                    0,
                    format!(
                        "in {}, {which} written in another folder and cannot be checked here; delete the journal if \
                         you did not copy this folder yourself",
                        journal.display()
                    ),
                )
            }
            Fate::Tracked { journal } => (
                Severity::Warning,
                ProblemCode::JournalTracked,
                0,
                format!(
                    "git tracks {}, so anyone could have written it; this journal is ignored",
                    journal.display()
                ),
            ),
        };
        let fix = match self.fate {
            Fate::Dropped | Fate::Unframed { .. } => Some(Fix::Restore),
            Fate::Edited { .. } | Fate::Moved { .. } => Some(Fix::Accept),
            Fate::Tracked { .. } => Some(Fix::Untrack),
            _ => None,
        };
        Problem::new(severity, code, (line, usize::from(line > 0)), message).with_fix(fix)
    }
}

impl JournalFinding {
    /// Returns the finding for a comment that its own author edited before any turn saw it.
    pub(crate) fn as_own_edit(&self) -> Problem {
        let what = first_words(&self.record.block);
        let message = format!("{what} was edited by its author; no later turn has seen it");
        let problem = self.problem();
        Problem { severity: Severity::Note, code: ProblemCode::OwnEdit, message, ..problem }
    }

    /// Returns the person who wrote the comment; `None` for an answer of a model and for a control line.
    pub(crate) fn author(&self) -> Option<&str> {
        let mut lines = self.record.block.lines();
        let name = lines.next()?.strip_prefix("Name: ")?;
        let is_answer = lines.next().is_some_and(|line| line.starts_with("<!-- REPLY"));
        (!is_answer).then_some(name.trim())
    }

    /// Returns the time of writing for a message, if it is known.
    fn when(&self) -> String {
        let at = self.record.said.map(|at| at.format("on %Y-%m-%d at %H:%M (UTC)").to_string());
        at.unwrap_or_else(|| "through this program".to_owned())
    }
}

impl JournalRecord {
    /// Returns who wrote the block and how it begins, or the control line.
    pub(crate) fn first_words(&self) -> String {
        first_words(&self.block)
    }
}

/// Returns author and first words of a comment, or the control line.
fn first_words(block: &str) -> String {
    let mut lines = block.lines();
    let first = lines.next().unwrap_or_default();
    let Some(name) = first.strip_prefix("Name: ") else { return format!("`{first}`") };
    let words = lines
        .find(|line| !line.trim().is_empty() && !line.starts_with("<!-- "))
        .unwrap_or_default();
    let start: String = words.trim().chars().take(40).collect();
    let more = if start.len() < words.trim().len() { "..." } else { "" };
    format!("{name}'s comment \"{start}{more}\"")
}
