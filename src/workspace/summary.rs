//! A short summary of a discussion as Markdown, for `.sum.md` files.

use std::fmt::Write as _;
use std::path::Path;

use super::Workspace;
use crate::engine::{Decision, Snapshot};
use crate::state::{QuestionStatus, TaskStatus};
use crate::store;

impl Workspace {
    /// Writes the summary beside a discussion, where the configuration wants one, as every change does by itself. The
    /// discussion is safe by then, so a failure is no error: gives why there is no summary.
    pub fn summarize(&self, path: &Path) -> Option<String> {
        if self.setup.config.output.summary_files != Some(true) {
            return None;
        }
        let text = match self.snapshot(path) {
            Ok(snapshot) => summary(&snapshot),
            Err(error) => return Some(error.to_string()),
        };
        let beside = path.with_extension("sum.md");
        store::replace(&beside, &text).err().map(|error| error.to_string())
    }
}

/// Votes, decisions, open questions, tasks and concerns of a discussion. A pure function of its file.
fn summary(snapshot: &Snapshot) -> String {
    let state = &snapshot.state;
    let status = Decision::of(snapshot).status;
    let phase = snapshot.template().phases[state.place.phase()].title();
    let mut out = format!(
        "# {}\n\nStatus: {}. Phase: {phase}. Turns: {}.\n",
        state.title,
        status.as_str(),
        state.turns.len()
    );
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let _ = write!(out, "\n## {title}\n\n{}\n", lines.join("\n"));
        }
    };
    section(
        "Votes",
        state.ballot.votes.iter().map(|vote| format!("- {}: {}", vote.name, vote.choice)).collect(),
    );
    section(
        "Decisions",
        state
            .decisions
            .iter()
            .map(|decision| {
                let supporters: Vec<&str> =
                    decision.supporters.iter().map(|name| name.as_str()).collect();
                let supported = if supporters.is_empty() {
                    String::new()
                } else {
                    format!(", supported by {}", supporters.join(", "))
                };
                format!(
                    "- D{}: {} ({}{supported})",
                    decision.number, decision.text, decision.author
                )
            })
            .collect(),
    );
    let open = state.questions.iter().filter(|question| question.status == QuestionStatus::Open);
    section(
        "Open questions",
        open.map(|question| {
            format!("- Q{}: {} ({})", question.number, question.text, question.author)
        })
        .collect(),
    );
    section(
        "Tasks",
        state
            .tasks
            .iter()
            .map(|task| {
                let done = if task.status == TaskStatus::Done { "x" } else { " " };
                let whose =
                    task.assignee.as_deref().map_or_else(String::new, |who| format!(" ({who})"));
                format!("- [{done}] T{}: {}{whose}", task.number, task.text)
            })
            .collect(),
    );
    section(
        "Concerns",
        state
            .concerns
            .iter()
            .map(|concern| format!("- {} ({})", concern.text, concern.author))
            .collect(),
    );
    out
}
