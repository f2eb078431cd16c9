//! The tool `record`: writes a decision of the user as a proposal, and says how the user adopts it.

use std::path::Path;

use discussions::view::Status;
use discussions::workspace::{CommentRequest, Question, Workspace};
use tokio::task::block_in_place;

use super::comment::insist_on_own_name;
use super::context::ServerContext;
use super::results::{ToolResult, ToolState};
use super::run::{SEAT, real};
use super::tools::RecordParams;
use super::words::McpError;
use crate::cli::words::typed;

/// The pattern of the discussion that holds a decision alone. Its only participant is the agent, so it calls no model.
const PATTERN: &str = "solo";

/// Writes the proposal, into a new discussion if none is named.
pub(super) fn record(door: &ServerContext, asked: RecordParams) -> Result<ToolResult, McpError> {
    block_in_place(|| {
        let workspace = door.open_to_write()?;
        let decision = asked.decision.split_whitespace().collect::<Vec<_>>().join(" ");
        if decision.is_empty() {
            return Err(McpError::input("`decision` is empty").help("give it in one sentence"));
        }
        let files: Result<Vec<String>, McpError> = (asked.files.iter())
            .map(|file| Ok(door.file(file)?.to_string_lossy().into_owned()))
            .collect();
        let files = files?;
        let (path, is_new) = match (&asked.discussion, &asked.topic) {
            (Some(name), None) => (door.find(&workspace, name)?, false),
            (None, Some(topic)) => (create_record(&workspace, topic)?, true),
            _ => {
                return Err(McpError::input("give either `topic` or `discussion`")
                    .help("`topic` is the question that the decision answers"));
            }
        };
        let text = format!("DECISION: {decision}\n\n{}", asked.reasons);
        let remark = CommentRequest {
            author: SEAT.to_owned(),
            text: text.trim_end().to_owned(),
            vote: None,
        };
        let before = insist_on_own_name(&workspace, &path)?;
        let written = workspace.discussions().comment(&path, &remark).inspect_err(|_| {
            if is_new {
                // A file that cannot be removed stays and holds the question.
                let _ = workspace.discussions().take_back(&path);
            }
        })?;
        let after = workspace.discussions().status(&path)?;
        let numbers = new_proposals(&before, &after);
        Ok(ToolResult {
            state: ToolState::Recorded,
            title: after.title.clone(),
            notes: [written.notes, written.uncounted, written.warnings].concat(),
            next: adoption(&after, &numbers, &files).into_iter().collect(),
            file: written.file,
            seat: SEAT.to_owned(),
            ..ToolResult::default()
        })
    })
}

/// Creates the discussion of a decision.
fn create_record(workspace: &Workspace, topic: &str) -> Result<std::path::PathBuf, McpError> {
    let question = Question {
        topic: topic.to_owned(),
        pattern: Some(PATTERN.to_owned()),
        participants: vec![SEAT.to_owned()],
        agents: vec![SEAT.to_owned()],
        recall: Some(0),
        ..Question::default()
    };
    Ok(real(Path::new(&workspace.discussions().question(&question)?.path)))
}

/// Returns the numbers of the proposals that a comment of the agent added.
pub(super) fn new_proposals(before: &Status, after: &Status) -> Vec<u32> {
    let known: Vec<u32> = before.decided.decisions.iter().filter_map(|one| one.number).collect();
    let proposed = after.decided.decisions.iter().filter(|one| !one.stands() && !one.is_over());
    proposed.filter_map(|one| one.number).filter(|number| !known.contains(number)).collect()
}

/// Returns how a person makes proposals decisions; `None` if there is none.
pub(super) fn adoption(status: &Status, numbers: &[u32], files: &[String]) -> Option<String> {
    if numbers.is_empty() {
        return None;
    }
    let labels: Vec<String> = numbers.iter().map(|number| format!("D{number}")).collect();
    let mut command =
        format!("discussions close {} --adopt {}", typed(&status.file), labels.join(","));
    for file in files {
        command.push_str(&format!(" --affects {}", typed(file)));
    }
    let is = if numbers.len() == 1 { "is a proposal" } else { "are proposals" };
    Some(format!("{} {is}; your user makes it a decision with: `{command}`", labels.join(", ")))
}
