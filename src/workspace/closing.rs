//! A closing that adopts proposals: what a person has decided already becomes a decision in one step.

use std::path::Path;

use super::Discussions;
use super::comment::insist_unlike;
use super::decision_notes::pattern_error;
use super::environment::name;
use super::error::WorkspaceError;
use crate::engine::{ItemState, Snapshot};
use crate::transcript::{Control, Draft, NewComment, StatusLine, StatusWord, visible_line};
use crate::view::Written;

impl Discussions<'_> {
    /// Adopts proposals and closes the discussion. Writes a comment of the person with `+1` for each proposal and, if
    /// `affects` names patterns of files, with an `AFFECTS:` line; and the closing. Both are written together or not at
    /// all.
    ///
    /// # Errors
    /// Fails if the name is no person's, if a number is not that of a proposal or a pattern is invalid, or if the file
    /// cannot be read or written.
    pub fn close_adopting(
        &self,
        path: &Path,
        by: &str,
        adopted: &[u32],
        affects: &[String],
    ) -> Result<Written, WorkspaceError> {
        let by = name(by.trim().trim_start_matches('@'))?;
        let persona = self.setup.roster.by_name(&by);
        let is_known = persona.is_some();
        let author = persona.map_or(by, |persona| persona.name.clone());
        self.admit(&author)?;
        if !self.is_person(&author) {
            let reason = format!("{author} is not a person, and only a person adopts a proposal");
            return Err(not_closed(reason));
        }
        let body = adoption(adopted, affects)?;
        let said_at = Some(self.now());
        let (_, cut) = self.steer(path, |snapshot| {
            if !is_known {
                insist_unlike(&snapshot.transcript.text, &author)?;
            }
            for number in adopted {
                insist_adoptable(snapshot, *number)?;
            }
            let comment = NewComment { said_at, ..NewComment::by(author.clone(), body) };
            let closing = StatusLine { status: StatusWord::Closed, by: Some(author.to_string()) };
            let closing = Control::Status(closing);
            Ok((vec![Draft::Comment(comment), Draft::Control(closing)], ()))
        })?;
        let after = self.snapshot(path)?;
        let mut uncounted: Vec<String> = cut.into_iter().collect();
        uncounted.extend(adopted.iter().filter_map(|number| not_adopted(&after, *number)));
        let written = Written {
            changed: true,
            author: Some(author.to_string()),
            is_person: true,
            closed: true,
            uncounted,
            ..Written::default()
        };
        self.written_report(path, written)
    }
}

/// Returns the error for a closing that cannot adopt what it should.
fn not_closed(reason: String) -> WorkspaceError {
    WorkspaceError::refuse(format!("nothing was closed: {reason}"))
}

/// Returns the text of the comment that adopts proposals.
fn adoption(adopted: &[u32], affects: &[String]) -> Result<String, WorkspaceError> {
    let mut lines: Vec<String> = adopted.iter().map(|number| format!("+1 D{number}")).collect();
    for pattern in affects {
        let reason = match pattern_error(pattern) {
            None if pattern.contains(['`', '\n']) => Some("it contains a backtick or a line end"),
            None => None,
            Some(_) => Some("it is no pattern as in a .gitignore"),
        };
        if let Some(reason) = reason {
            let shown = visible_line(pattern);
            return Err(not_closed(format!("`{shown}` names no files: {reason}")));
        }
    }
    if !affects.is_empty() {
        let patterns: Vec<String> = affects.iter().map(|one| format!("`{one}`")).collect();
        let patterns = patterns.join(", ");
        lines.extend(adopted.iter().map(|number| format!("AFFECTS (D{number}): {patterns}")));
    }
    Ok(lines.join("\n\n"))
}

/// Ensures that a proposal with this number can still be adopted.
fn insist_adoptable(snapshot: &Snapshot, number: u32) -> Result<(), WorkspaceError> {
    let items = &snapshot.outcome().items;
    let Some(item) = items.iter().find(|item| item.number == Some(number)) else {
        let known: Vec<String> = items.iter().filter_map(|item| item.label()).collect();
        let known = match known.as_slice() {
            [] => "it has no proposals".to_owned(),
            known => format!("it has {}", known.join(", ")),
        };
        let reason = format!("there is no proposal D{number} in this discussion; {known}");
        return Err(not_closed(reason));
    };
    match item.state {
        ItemState::Replaced | ItemState::Withdrawn => {
            let reason = format!("D{number} is {}; propose it again", item.words());
            Err(not_closed(reason))
        }
        _ => Ok(()),
    }
}

/// Returns why a proposal is not in force after the closing; `None` if it is.
fn not_adopted(snapshot: &Snapshot, number: u32) -> Option<String> {
    let outcome = snapshot.outcome();
    let item = outcome.items.iter().find(|item| item.number == Some(number))?;
    (item.state != ItemState::InForce)
        .then(|| format!("D{number} did not become a decision: it is {}", item.words()))
}
