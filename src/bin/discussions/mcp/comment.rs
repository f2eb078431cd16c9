//! The tool `say`: an agent answers as a participant, or adds a comment from outside.

use std::path::Path;

use tokio::task::block_in_place;

use discussions::workspace::{CommentRequest, Workspace};

use super::context::ServerContext;
use super::results::{ToolResult, ToolState};
use super::run::SEAT;
use super::tools::Say;
use super::words::McpError;

/// The type of a person among the participants.
const PERSON: &str = "human";

/// Writes the comment.
pub(super) fn say(door: &ServerContext, asked: Say) -> Result<ToolResult, McpError> {
    block_in_place(|| {
        let workspace = door.open_to_write()?;
        let path = door.find(&workspace, &asked.discussion)?;
        insist_on_own_name(&workspace, &path)?;
        let turn = workspace.discussions().your_turn(&path, SEAT)?;
        // A vote by an author who is not a participant would count as a person's vote.
        let votes = asked.vote.is_some() || asked.text.to_lowercase().contains("vote:");
        if votes && turn.as_ref().is_none_or(|turn| turn.options.is_empty()) {
            return Err(McpError::input(
                "you can vote only as participant `me`, and only when asked to",
            )
            .help("start the discussion with `me` among the participants, or leave out the vote"));
        }
        let proposes = notes_about_proposals(&asked.text);
        let remark = CommentRequest { author: SEAT.to_owned(), text: asked.text, vote: asked.vote };
        let written = workspace.discussions().comment(&path, &remark)?;
        let mut next = vec!["`continue` to go on".to_owned()];
        if written.closed {
            next = vec![
                "the discussion is closed, so no participant will be asked about it".to_owned(),
            ];
        }
        Ok(ToolResult {
            state: ToolState::Recorded,
            file: written.file,
            seat: SEAT.to_owned(),
            notes: [written.notes, written.uncounted, written.hints, proposes, written.warnings]
                .concat(),
            next,
            ..ToolResult::default()
        })
    })
}

/// Returns what lines of an agent about decisions do not do.
fn notes_about_proposals(text: &str) -> Vec<String> {
    let begins = |word: &str| {
        let mut lines = text.lines().map(|line| line.trim_start_matches(['-', '*', ' ']));
        lines.any(|line| line.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word)))
    };
    let mut notes = Vec::new();
    if begins("+1 D") {
        notes.push("an agent's `+1` adopts no proposal; a person's does, at the next closing");
    }
    if begins("SUPERSEDES:") {
        notes.push("an agent's `SUPERSEDES:` replaces no decision; a person can write the line");
    }
    notes.into_iter().map(str::to_owned).collect()
}

/// Checks that no person uses the name under which agents write.
fn insist_on_own_name(workspace: &Workspace, path: &Path) -> Result<(), McpError> {
    let status = workspace.discussions().status(path)?;
    let is_persons = status
        .participants
        .iter()
        .any(|one| one.alias.as_deref() == Some(SEAT) && one.kind.as_str() == PERSON);
    if is_persons {
        Err(McpError::input(format!("a person named `{SEAT}` takes part here"))
            .help("your comment would look like theirs; a person can add it under their own name"))
    } else {
        Ok(())
    }
}
