//! The results of runs: while one goes on, after it ended, and beside what was known before it.

use std::path::Path;

use discussions::codes::StopCode;
use discussions::runner::RunHandle;
use discussions::view::Ran;
use discussions::workspace::Workspace;

use super::results::{ToolResult, ToolState};
use super::status::{last_own_entry, said_last, said_since, standing, without_texts};
use super::words::McpError;

/// Returns the status of a discussion that another program runs.
pub(super) fn running_elsewhere(
    workspace: &Workspace,
    path: &Path,
) -> Result<ToolResult, McpError> {
    let told = without_texts(standing(workspace, path)?);
    Ok(ToolResult {
        state: ToolState::Running,
        so_far: said_last(workspace, path)?,
        next: vec![format!("call `continue` with discussion {} to wait for it", told.file)],
        ..told
    })
}

/// The state of a discussion before a run.
pub(super) struct Earlier {
    /// The number of the last entry that the agent wrote.
    own_entry: usize,
    outcome: String,
}

impl Earlier {
    pub(super) fn of(workspace: &Workspace, path: &Path) -> Result<Self, McpError> {
        let own_entry = last_own_entry(workspace, path)?;
        Ok(Self { own_entry, outcome: standing(workspace, path)?.outcome })
    }

    /// Returns the result of the run: if the outcome is the earlier one, what was said since the agent wrote, without the
    /// outcome.
    pub(super) fn answered(
        &self,
        workspace: &Workspace,
        path: &Path,
        told: ToolResult,
    ) -> Result<ToolResult, McpError> {
        let is_same = !self.outcome.is_empty() && told.outcome == self.outcome;
        if !is_same || told.state == ToolState::YourTurn {
            return Ok(told);
        }
        let so_far = said_since(workspace, path, self.own_entry.max(1))?;
        if self.own_entry == 0 || so_far.is_empty() {
            return Ok(told);
        }
        let note = "the outcome is the one from before; `show` has it".to_owned();
        let notes = [told.notes.clone(), vec![note]].concat();
        Ok(ToolResult { so_far, notes, ..without_texts(told) })
    }
}

/// Returns the state of a discussion while this server runs it.
pub(super) fn running(
    workspace: &Workspace,
    path: &Path,
    going: &RunHandle,
) -> Result<ToolResult, McpError> {
    let far = going.progress();
    let told = without_texts(standing(workspace, path)?);
    Ok(ToolResult {
        state: ToolState::Running,
        answered: Some(far.ended),
        of: Some(far.asked),
        so_far: said_last(workspace, path)?,
        next: vec![format!("call `continue` with discussion {} to wait for it", told.file)],
        ..told
    })
}

/// Returns the result after a run has ended.
pub(super) fn came_to(
    workspace: &Workspace,
    path: &Path,
    ran: &Ran,
    limits_money: bool,
) -> Result<ToolResult, McpError> {
    let told = standing(workspace, path)?;
    if told.state == ToolState::YourTurn {
        return Ok(told);
    }
    let result = workspace.discussions().outcome(path, Ok(ran.stopped))?;
    let mut told = told;
    told.notes.extend(
        ran.person_votes
            .iter()
            .map(|(name, vote)| format!("{name} voted {vote} while models were answering")),
    );
    told.state = match ran.stopped {
        stopped if stopped.is_for_person() => ToolState::People,
        stopped if stopped.is_limit() => ToolState::Open,
        StopCode::Aborted => ToolState::Open,
        // `standing` knows if something is left to do, and `show` says the same.
        _ => told.state,
    };
    let is_early = ran.stopped.is_limit() || ran.stopped == StopCode::Aborted;
    told.stopped = is_early.then(|| ran.stopped.as_str());
    if let Some(error) = result.error.filter(|_| told.state != ToolState::People) {
        let trouble =
            McpError { retryable: error.retryable, ..McpError::new(error.code, error.message) };
        let help = match ran.stopped {
            StopCode::MaxUsd | StopCode::Unpriced if limits_money => {
                Some("leave out `max_usd`, or raise it, then `continue`")
            }
            StopCode::MaxUsd => Some("a person can restart the server with a higher --max-usd"),
            StopCode::Unpriced => Some("a person can set `price` in providers.yaml"),
            StopCode::MaxCalls | StopCode::Timeout => Some("`continue` to go on"),
            _ => None,
        };
        match help {
            Some(help) => told.error = Some(trouble.help(help)),
            None if error.code.is_shortage() => told.error = Some(trouble),
            // No consensus is an outcome too, so it is not an error.
            None => told.notes.push(trouble.message),
        }
        // A run that reached a limit can be continued, and its file is fine.
        let goes_on = ran.stopped.is_limit();
        if told.error.is_some() && !goes_on {
            told.state = ToolState::Failed;
        }
    }
    Ok(told)
}
