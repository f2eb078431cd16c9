//! The shared part of `turn`, `run` and `new --run`: runs the calls with progress, then reports the result.

mod before;
mod ended;

use std::path::Path;
use std::sync::Arc;

use discussions::codes::{ErrorCode, StopCode};
use discussions::runner::{Trust, Work};
use discussions::view::{Event, EventKind, Ran};
use discussions::workspace::{Workspace, WorkspaceError};

pub(crate) use self::before::stand_ins;
use self::before::{last_line_cut, notice_of_event, tell_deal, unwritten};
use self::ended::tell;
use crate::cli::access;
use crate::cli::colours::Colours;
use crate::cli::command_hint::CommandHint;
use crate::cli::cost;
use crate::cli::error::{CommandError, Exit};
use crate::cli::interrupt;
use crate::cli::progress::{Detail, ProgressLines};
use crate::cli::shell::Shell;
use crate::cli::trust;
use crate::cli::ui::Line;

/// The form of the output on standard output.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OutputForm {
    /// Print the final report as one JSON document.
    pub(crate) json: bool,
    /// Print each event as one line of JSON.
    pub(crate) events: bool,
    /// Print every answer in full as it arrives.
    pub(crate) verbose: bool,
}

/// Runs the work, reports progress, and reports the result.
pub(crate) fn go(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
    form: OutputForm,
) -> Result<Exit, CommandError> {
    insist_open(shell, workspace, path)?;
    let ran = watch(shell, workspace, path, work, form)??;
    if ran.stopped == StopCode::Closed && ran.calls.is_empty() {
        // The discussion was closed after the check above.
        let called = CommandHint::of(shell, workspace, path);
        return Err(CommandError::from(WorkspaceError::Closed).naming(called.name()));
    }
    Ok(tell(shell, &command_hint(shell, workspace, path, work), work, &ran, form))
}

/// Returns the discussion as the suggested next commands name it, with the provider that the user chose for this one.
fn command_hint(shell: &Shell, workspace: &Workspace, path: &Path, work: &Work) -> CommandHint {
    CommandHint::of(shell, workspace, path).with_provider(work.provider())
}

/// Ensures that a discussion is not closed.
pub(crate) fn insist_open(
    shell: &Shell,
    workspace: &Workspace,
    path: &Path,
) -> Result<(), CommandError> {
    let open = workspace.insist_open(path);
    open.map_err(|error| {
        CommandError::from(error).naming(CommandHint::of(shell, workspace, path).name())
    })
}

/// Runs [`go`] for a discussion that was just created. Removes the discussion if the user does not trust the commands
/// that it would run, or if its cost exceeds the limit.
pub(crate) fn go_first(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
    form: OutputForm,
) -> Result<Exit, CommandError> {
    match watch_first(shell, workspace, path, work, form)? {
        Ok(ran) => Ok(tell(shell, &command_hint(shell, workspace, path, work), work, &ran, form)),
        Err(error) => {
            if matches!(error.code(), ErrorCode::NotTrusted | ErrorCode::CostBudgetExceeded) {
                take_back(shell, workspace, path);
            }
            Err(error.into())
        }
    }
}

/// Runs [`watch`] for a discussion that was just created. Removes it if the run could not be prepared.
pub(crate) fn watch_first(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
    form: OutputForm,
) -> Result<Result<Ran, WorkspaceError>, CommandError> {
    let ended = watch(shell, workspace, path, work, form);
    if ended.is_err() {
        take_back(shell, workspace, path);
    }
    ended
}

fn take_back(shell: &mut Shell, workspace: &Workspace, path: &Path) {
    // A file that cannot be removed stays and contains the question.
    if workspace.take_back(path).unwrap_or(false) {
        let file = workspace.shown_path(path);
        shell.ui.note(format!("Removed: {file}"));
    }
}

/// Runs the work and reports progress.
///
/// # Errors
/// Returns the outer error if the runtime cannot be started or the preparation failed, and the inner error if the run
/// could not begin or continue.
pub(crate) fn watch(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
    form: OutputForm,
) -> Result<Result<Ran, WorkspaceError>, CommandError> {
    stand_ins(shell, workspace, path)?;
    let asks = matches!(work, Work::Turn(ask) if ask.question.is_some());
    let mut unwritten = if asks { None } else { unwritten(workspace, path)? };
    // Errors are ignored here, because the run itself reports them, in its own order.
    let needed = workspace.needed_trust(path, work).unwrap_or_default();
    let consents = trust::settle(shell, workspace, &needed)?;
    tell_deal(shell, workspace, path, work)?;
    let mut before = access::access_notes(workspace, path, work)?;
    before.extend(cost::forecast_lines(workspace, path, work)?);
    let detail = match form {
        _ if shell.ui.is_quiet() => Detail::Nothing,
        OutputForm { verbose: true, .. } => Detail::All,
        OutputForm { .. } => Detail::Begin,
    };
    let status = workspace.status(path)?;
    last_line_cut(shell, workspace, path, &status);
    let colours = Colours::of(status.participants.iter().map(|one| one.name.as_str()));
    let mut progress = ProgressLines::new(&shell.ui, detail, colours);
    let Shell { ui, notices, .. } = shell;
    let mut observe = |event: Event| {
        if form.events {
            match event.kind {
                // This event is the last one.
                EventKind::Error { .. } => ui.json_line(&event),
                _ => ui.event(&event),
            }
        }
        if matches!(event.kind, EventKind::AnswerStart { .. }) {
            for notice in unwritten.take().into_iter().chain(before.drain(..)) {
                progress.notice(notice, ui);
            }
        }
        if let Some(notice) = notice_of_event(&event.kind, notices) {
            progress.warn(notice, ui);
        }
        progress.tell(&event, ui);
    };
    let ended = interrupt::finished(async {
        let mut run = workspace.begin(path, work, Trust::Asked(consents))?;
        let handle = run.abort_handle();
        interrupt::on_signal(move || handle.abort());
        while let Some(event) = run.next().await {
            observe(event);
        }
        run.end().await
    })?;
    if let Some(sum) = progress.sum().sentence() {
        progress.line(Line::default().faint(sum), &mut shell.ui);
    }
    if let Ok(ran) = &ended {
        shell.summary(ran.summary.as_deref());
        for (name, vote) in &ran.person_votes {
            shell.ui.note(format!("{name} voted {vote} during this run"));
        }
        cost::cached(shell, ran);
    }
    Ok(ended)
}
