//! What `turn`, `run` and `new --run` share: asking with progress, then telling what came of it.

use std::path::Path;
use std::sync::Arc;

use discussions::config::Scope;
use discussions::engine::{Status, Stop};
use discussions::participant::{Member, Origin};
use discussions::runner::{
    Abort, Observer, RunError, RunOptions, RunReport, Runner, Stopped, TurnOptions,
};
use discussions::view::{self, Event, EventKind};
use discussions::workspace::{Workspace, WorkspaceError};

use crate::cli::error::{Exit, Failure};
use crate::cli::interrupt;
use crate::cli::notices::Notices;
use crate::cli::progress::Progress;
use crate::cli::shell::Shell;
use crate::cli::trust;
use crate::cli::ui::Line;
use crate::cli::words::next_step;

/// What goes to standard output.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Form {
    /// The closing report as one JSON document.
    pub(crate) json: bool,
    /// Each event as one line of JSON.
    pub(crate) events: bool,
}

/// What is asked of the runner.
pub(crate) enum Work {
    /// One turn.
    Turn(TurnOptions),
    /// Turn after turn.
    Run(RunOptions),
}

/// Refuses a closed discussion, before anything is printed.
pub(crate) fn refuse_closed(workspace: &Workspace, path: &Path) -> Result<(), Failure> {
    if workspace.snapshot(path)?.state.closed { Err(WorkspaceError::Closed.into()) } else { Ok(()) }
}

/// Asks, tells what happens, and how it ended.
pub(crate) fn go(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
    form: Form,
) -> Result<Exit, Failure> {
    refuse_closed(workspace, path)?;
    let report = watch(shell, workspace, path, work, form)??;
    if report.stopped == Stopped::Stop(Stop::Closed) && report.calls.is_empty() {
        // Somebody closed it since we looked.
        return Err(WorkspaceError::Closed.into());
    }
    tell(shell, workspace, path, work, &report, form)
}

/// Asks and tells what happens.
///
/// # Errors
/// Outside: no runtime. Inside: why the run could not begin or go on.
pub(crate) fn watch(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
    form: Form,
) -> Result<Result<RunReport, RunError>, Failure> {
    stand_ins(shell, workspace, path)?;
    let runner = Runner::new(Arc::clone(workspace));
    let needed = match work {
        Work::Turn(options) => runner.needed(path, Some(&options.request), &options.calls),
        Work::Run(options) => runner.needed(path, None, &options.calls),
    };
    // What is wrong otherwise is told by the run itself, in its order.
    let needed = needed.unwrap_or_default();
    let runner = runner.with_consents(trust::settle(shell, workspace, &needed)?);
    let mut progress = Progress::new(&shell.ui);
    let Shell { ui, notices, .. } = shell;
    let mut observe = |event: Event| {
        if form.events {
            ui.json_line(&event);
        }
        if let Some(notice) = told(&event.kind, notices) {
            progress.line(notice, ui);
        }
        progress.tell(&event, ui);
    };
    let ended =
        interrupt::abortable(async |abort| ask(&runner, path, work, &mut observe, abort).await)?;
    if let Ok(report) = &ended {
        shell.summary(report.summary.as_deref());
    }
    Ok(ended)
}

/// What has to be said before somebody is asked.
fn told(event: &EventKind, notices: &mut Notices) -> Option<Line> {
    let EventKind::AnswerStart { provider, passed_over, .. } = event else { return None };
    passed_over.as_ref().and_then(|missing| notices.passed_over(missing, provider))
}

/// Says what the project has put in the place of what comes with the program.
pub(crate) fn stand_ins(
    shell: &mut Shell,
    workspace: &Workspace,
    path: &Path,
) -> Result<(), Failure> {
    let Shell { ui, notices, .. } = shell;
    let templates = workspace.setup.templates.iter().any(|layer| layer.scope == Scope::Project);
    let is_own = |member: &Member| matches!(member.origin, Origin::Project(_));
    if !templates && !workspace.setup.roster.iter().any(is_own) {
        return Ok(());
    }
    let lines = notices.stand_ins(workspace, &workspace.snapshot(path)?);
    lines.into_iter().for_each(|line| ui.note(line));
    Ok(())
}

async fn ask(
    runner: &Runner,
    path: &Path,
    work: &Work,
    observer: Observer<'_>,
    abort: Abort,
) -> Result<RunReport, RunError> {
    match work {
        Work::Turn(options) => runner.turn(path, options, observer, abort).await,
        Work::Run(options) => runner.run(path, options, observer, abort).await,
    }
}

fn tell(
    shell: &mut Shell,
    workspace: &Workspace,
    path: &Path,
    work: &Work,
    report: &RunReport,
    form: Form,
) -> Result<Exit, Failure> {
    let snapshot = workspace.snapshot(path)?;
    let document = report.view(view::Status::of(&snapshot, shell.exact(path)));
    let status = document.status.status;
    let exit = match work {
        Work::Turn(_) => exit_of_turn(report),
        Work::Run(_) => exit_of_run(report, status),
    };
    let problem = if exit == Exit::Done { None } else { Some(why(report, status)) };
    if form.json {
        if form.events { shell.ui.json_line(&document) } else { shell.ui.json(&document) }
    } else if !form.events {
        if !report.calls.is_empty() || exit != Exit::Done {
            shell.ui.out(format!("Discussion updated with {}.", comments(report)));
        }
        let votes: Vec<String> = document
            .status
            .tally
            .iter()
            .map(|(option, count)| format!("{option}: {count}"))
            .collect();
        shell.ui.out(format!("Votes: {}", votes.join(", ")));
        if matches!(work, Work::Run(_)) {
            shell.ui.out(format!("Status: {}", status.as_str()));
        }
    }
    if let Some(problem) = problem {
        shell.ui.warning(problem);
    }
    next_step::tell(&mut shell.ui, &document.status.next);
    Ok(exit)
}

fn comments(report: &RunReport) -> String {
    let new = report.calls.iter().filter(|call| call.outcome.as_str() == "answered").count();
    match new {
        0 => "no new comments".to_owned(),
        1 => "1 new comment".to_owned(),
        new => format!("{new} new comments"),
    }
}

fn exit_of_turn(report: &RunReport) -> Exit {
    match &report.stopped {
        Stopped::Aborted => Exit::Interrupted,
        _ if report.answered() > 0 => Exit::Done,
        // The turn waits for a person.
        Stopped::Stop(Stop::Waiting(_)) => Exit::Done,
        _ => Exit::NoAnswer,
    }
}

fn exit_of_run(report: &RunReport, status: Status) -> Exit {
    if report.stopped == Stopped::Aborted {
        return Exit::Interrupted;
    }
    if !report.calls.is_empty() && report.answered() == 0 {
        return Exit::NoAnswer;
    }
    match (&report.stopped, status) {
        (Stopped::Limit(_), _) | (_, Status::Blocked) => Exit::No,
        (_, Status::Consensus | Status::Closed) => Exit::Done,
        (Stopped::Stop(stop), Status::Open) => match stop {
            Stop::Waiting(_)
            | Stop::PhaseEnd
            | Stop::Mentions(_)
            | Stop::PersonVote
            | Stop::Closed => Exit::Done,
            Stop::Finished | Stop::Trigger | Stop::TooFew => Exit::No,
            Stop::Nobody => Exit::NoAnswer,
        },
        (Stopped::TurnOver { .. } | Stopped::Aborted, Status::Open) => Exit::Done,
    }
}

/// Why the answer is no.
fn why(report: &RunReport, status: Status) -> String {
    match (&report.stopped, status) {
        (Stopped::Aborted, _) => {
            "stopped; what was answered stays, the rest is asked next time".to_owned()
        }
        (Stopped::Limit(limit), _) if limit.as_str() == "unpriced" => {
            "what a provider costs is not known, and money is limited; --unpriced asks it all the same, and `price` in \
             providers.yaml says it"
                .to_owned()
        }
        (Stopped::Limit(limit), _) if limit.as_str() == "max_usd" => {
            "no call fits into the money that is left; --max-usd sets how much that is".to_owned()
        }
        (Stopped::Limit(limit), _) => {
            let flag = limit.as_str().replace('_', "-");
            format!("a limit was reached; --{flag} sets it")
        }
        _ if !report.calls.is_empty() && report.answered() == 0 => "nobody could answer".to_owned(),
        (_, Status::Blocked) => "the votes block it".to_owned(),
        (Stopped::Stop(Stop::TooFew), _) => "too few answered for the turn to count".to_owned(),
        (Stopped::Stop(Stop::Nobody), _) => "there is nobody to ask".to_owned(),
        _ => "no consensus was reached".to_owned(),
    }
}
