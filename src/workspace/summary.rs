//! A short summary of a discussion as Markdown, for `.sum.md` files.

use std::fmt::Write as _;

use crate::engine::{Decision, Snapshot};
use crate::state::{QuestionStatus, TaskStatus};

/// Votes, decisions, open questions, tasks and concerns of a discussion. A pure function of its file.
pub fn summary(snapshot: &Snapshot) -> String {
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
