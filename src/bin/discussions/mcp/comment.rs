//! The tool `say`: an agent answers as a participant, or adds a comment from outside.

use std::path::Path;

use tokio::task::block_in_place;

use discussions::view::{NextStep, Status, Why};
use discussions::workspace::{CommentRequest, Workspace};

use super::context::ServerContext;
use super::record::{adoption, new_proposals};
use super::results::{ToolResult, ToolState};
use super::run::SEAT;
use super::tools::Say;
use super::words::McpError;
use crate::cli::words::steps;

/// The type of a person among the participants.
const PERSON: &str = "human";

/// Writes the comment.
pub(super) fn say(door: &ServerContext, asked: Say) -> Result<ToolResult, McpError> {
    block_in_place(|| {
        let workspace = door.open_to_write()?;
        let path = door.find(&workspace, &asked.discussion)?;
        let before = insist_on_own_name(&workspace, &path)?;
        let turn = workspace.discussions().your_turn(&path, SEAT)?;
        // A vote by an author who is not a participant would count as a person's vote.
        let votes = asked.vote.is_some() || asked.text.to_lowercase().contains("vote:");
        if votes && turn.as_ref().is_none_or(|turn| turn.options.is_empty()) {
            return Err(McpError::input(
                "you can vote only as participant `me`, and only when asked to",
            )
            .help("start the discussion with `me` among the participants, or leave out the vote"));
        }
        let mut notes = notes_about_proposals(&asked.text);
        notes.extend(notes_about_questions(&asked.text, &before));
        let remark = CommentRequest { author: SEAT.to_owned(), text: asked.text, vote: asked.vote };
        let written = workspace.discussions().comment(&path, &remark)?;
        let after = workspace.discussions().status(&path)?;
        let mut next: Vec<String> = (after.next.iter())
            .filter(|step| step.why != Why::QuestionsToPerson || is_new(step, &before))
            .filter_map(steps::for_agent)
            .collect();
        // In the agent's own turn proposals are the matter of the discussion, not a decision of the user.
        if turn.is_none() {
            next.extend(adoption(&after, &new_proposals(&before, &after), &[]));
        }
        if written.closed {
            notes.push("the discussion is closed, so no participant will be asked about it".into());
        }
        Ok(ToolResult {
            state: ToolState::Recorded,
            file: written.file,
            seat: SEAT.to_owned(),
            notes: [written.notes, written.uncounted, written.hints, notes, written.warnings]
                .concat(),
            next,
            ..ToolResult::default()
        })
    })
}

/// Returns true if a step for a person did not exist before.
fn is_new(step: &NextStep, before: &Status) -> bool {
    !before.next.contains(step)
}

/// Returns the lines of a text, without signs of lists and emphasis.
fn bare_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.trim_start_matches(['-', '*', ' ']))
}

fn begins(line: &str, word: &str) -> bool {
    line.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word))
}

/// Returns what lines of an agent about decisions do not do.
fn notes_about_proposals(text: &str) -> Vec<String> {
    let has = |word: &str| bare_lines(text).any(|line| begins(line, word));
    let mut notes = Vec::new();
    if has("+1 D") {
        notes.push("an agent's `+1` adopts no proposal; a person's does, at the next closing");
    }
    if has("SUPERSEDES:") {
        notes.push("an agent's `SUPERSEDES:` replaces no decision; a person can write the line");
    }
    notes.into_iter().map(str::to_owned).collect()
}

/// Returns how to ask a person, if a text seems to ask one in a way that asks nobody; and that an agent cannot answer for
/// a person.
fn notes_about_questions(text: &str, status: &Status) -> Vec<String> {
    let mut notes = Vec::new();
    if bare_lines(text).any(|line| begins(line, "QUESTION:")) {
        notes.push(
            "`QUESTION:` asks no person; to ask a person, begin a line with `Q: @name`".to_owned(),
        );
    }
    let is_model = |name: &str| {
        let mut participants = status.participants.iter();
        participants.any(|one| {
            one.kind.is_asked()
                && one.alias.as_deref().is_some_and(|it| it.eq_ignore_ascii_case(name))
        })
    };
    for line in bare_lines(text).filter(|line| !begins(line, "Q:") && !begins(line, "TODO:")) {
        let people = mentioned(line).filter(|name| !is_model(name) && *name != SEAT);
        for name in people {
            let note =
                format!("@{name} in a sentence asks no person; begin a line with `Q: @{name}`");
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    let waits = |number: u32| {
        let mut questions = status.questions().iter();
        questions.any(|one| one.number == number && one.waits_for_people())
    };
    for line in bare_lines(text).filter(|line| begins(line, "A:")) {
        let numbers = line
            .split(|c: char| !c.is_alphanumeric())
            .filter_map(|word| word.strip_prefix(['Q', 'q'])?.parse::<u32>().ok());
        notes.extend(numbers.filter(|number| waits(*number)).map(|number| {
            format!("Q{number} is a question to a person, so an agent's `A:` does not answer it")
        }));
    }
    notes
}

/// Returns the names behind `@` in a line.
fn mentioned(line: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    line.match_indices('@').filter_map(move |(at, _)| {
        let is_apart = !line[..at].ends_with(is_name);
        let rest = &line[at + 1..];
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        (is_apart && name.starts_with(char::is_alphabetic)).then_some(name)
    })
}

/// Checks that no person uses the name under which agents write. Returns the status of the discussion.
pub(super) fn insist_on_own_name(workspace: &Workspace, path: &Path) -> Result<Status, McpError> {
    let status = workspace.discussions().status(path)?;
    let is_persons = status
        .participants
        .iter()
        .any(|one| one.alias.as_deref() == Some(SEAT) && one.kind.as_str() == PERSON);
    if is_persons {
        Err(McpError::input(format!("a person named `{SEAT}` takes part here"))
            .help("your comment would look like theirs; a person can add it under their own name"))
    } else {
        Ok(status)
    }
}
