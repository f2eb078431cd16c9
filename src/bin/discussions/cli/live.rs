//! What `turn`, `run` and `new --run` share: asking with progress, then telling what came of it.

use std::path::Path;
use std::sync::Arc;

use discussions::codes::{ErrorCode, StopCode};
use discussions::runner::{Ask, RunRequest};
use discussions::transcript::visible_line;
use discussions::view::{Event, EventKind, Ran, Standing};
use discussions::workspace::{Workspace, WorkspaceError};

use crate::cli::agreed;
use crate::cli::colours::Colours;
use crate::cli::cost;
use crate::cli::error::{Exit, Failure};
use crate::cli::interrupt;
use crate::cli::notices::Notices;
use crate::cli::outcome;
use crate::cli::progress::{Detail, Progress};
use crate::cli::shell::Shell;
use crate::cli::sight;
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
    /// Every answer whole, as it arrives.
    pub(crate) verbose: bool,
}

/// What is asked for.
pub(crate) enum Work {
    /// One turn.
    Turn(Ask),
    /// Turn after turn.
    Run(RunRequest),
}

/// Asks, tells what happens, and how it ended.
pub(crate) fn go(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
    form: Form,
) -> Result<Exit, Failure> {
    insist_open(workspace, path)?;
    let ran = watch(shell, workspace, path, work, form)??;
    if ran.stopped == StopCode::Closed && ran.calls.is_empty() {
        // Somebody closed it since we looked.
        return Err(Failure::from(WorkspaceError::Closed).naming(&workspace.shown(path)));
    }
    Ok(tell(shell, work, &ran, form))
}

/// Insists that a discussion is not closed.
pub(crate) fn insist_open(workspace: &Workspace, path: &Path) -> Result<(), Failure> {
    let open = workspace.insist_open(path);
    open.map_err(|error| Failure::from(error).naming(&workspace.shown(path)))
}

/// [`go`] for a discussion that was just made: where nobody agrees to what it would call, it is taken back.
pub(crate) fn go_first(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
    form: Form,
) -> Result<Exit, Failure> {
    match watch_first(shell, workspace, path, work, form)? {
        Ok(ran) => Ok(tell(shell, work, &ran, form)),
        Err(error) => {
            if error.code() == ErrorCode::NotTrusted {
                take_back(shell, workspace, path);
            }
            Err(error.into())
        }
    }
}

/// [`watch`] for a discussion that was just made: where it cannot even be said what it may call, it is taken back.
pub(crate) fn watch_first(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
    form: Form,
) -> Result<Result<Ran, WorkspaceError>, Failure> {
    let ended = watch(shell, workspace, path, work, form);
    if ended.is_err() {
        take_back(shell, workspace, path);
    }
    ended
}

fn take_back(shell: &mut Shell, workspace: &Workspace, path: &Path) {
    // Where it cannot be taken back, it stays, and says what was to be asked.
    if workspace.take_back(path).unwrap_or(false) {
        let file = workspace.shown(path);
        shell.ui.note(format!("Taken back: {file}"));
    }
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
) -> Result<Result<Ran, WorkspaceError>, Failure> {
    stand_ins(shell, workspace, path)?;
    let asks = matches!(work, Work::Turn(ask) if ask.question.is_some());
    let mut unwritten = if asks { None } else { unwritten(workspace, path)? };
    let needed = match work {
        Work::Turn(ask) => workspace.needed_for_turn(path, ask),
        Work::Run(request) => workspace.needed_for_run(path, request),
    };
    // What is wrong otherwise is told by the run itself, in its order.
    let needed = needed.unwrap_or_default();
    let consents = trust::settle(shell, workspace, &needed)?;
    tell_deal(shell, workspace, path, work)?;
    let mut before = sight::told(workspace, path, work)?;
    before.extend(cost::ahead(workspace, path, work)?);
    let detail = match form {
        _ if shell.ui.is_quiet() => Detail::Nothing,
        Form { verbose: true, .. } => Detail::All,
        Form { .. } => Detail::Begin,
    };
    let status = workspace.status(path)?;
    for problem in &status.problems {
        if problem.code.as_str() == "last-line-cut" {
            let file = workspace.shown(path);
            let place = format!("{file}:{}", problem.line);
            let file = shell_words::quote(&file).into_owned();
            shell.ui.warning(format!(
                "{place}: {}; it does not count, and is marked as cut off with the first answer: `discussions check --fix \
                 {file}` ends it",
                problem.message
            ));
        }
    }
    let colours = Colours::of(status.participants.iter().map(|one| one.name.as_str()));
    let mut progress = Progress::new(&shell.ui, detail, colours);
    let Shell { ui, notices, .. } = shell;
    let mut observe = |event: Event| {
        if form.events {
            ui.event(&event);
        }
        if matches!(event.kind, EventKind::AnswerStart { .. }) {
            for notice in unwritten.take().into_iter().chain(before.drain(..)) {
                progress.notice(notice, ui);
            }
        }
        if let Some(notice) = told(&event.kind, notices) {
            progress.warn(notice, ui);
        }
        progress.tell(&event, ui);
    };
    let ended = interrupt::finished(async {
        let mut run = match work {
            Work::Turn(ask) => workspace.turn(path, ask, consents)?,
            Work::Run(request) => workspace.run(path, request.clone(), consents)?,
        };
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
        cost::cached(shell, ran);
    }
    Ok(ended)
}

/// Says who speaks through what, where nobody chose that.
fn tell_deal(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
) -> Result<(), Failure> {
    let provider = match work {
        Work::Turn(ask) => ask.provider.as_deref(),
        Work::Run(request) => request.provider.as_deref(),
    };
    let deal = workspace.deal(path, provider)?;
    if !deal.is_empty() {
        let speaks = |(provider, seats): &(String, Vec<String>)| {
            format!("{} through {provider}", seats.join(", "))
        };
        let seats: Vec<String> = deal.iter().map(speaks).collect();
        shell.ui.hint("note", format!("who speaks through what: {}", seats.join("; ")));
    }
    Ok(())
}

/// What has to be said before somebody is asked.
fn told(event: &EventKind, notices: &mut Notices) -> Option<Line> {
    match event {
        EventKind::TurnStart { left_out, .. } if !left_out.is_empty() => {
            notices.stays_out(&left_out.join(", "))
        }
        EventKind::AnswerStart { provider, passed_over, .. } => {
            let missing = passed_over.as_ref()?;
            notices.passed_over(&missing.provider, &missing.why(), provider)
        }
        _ => None,
    }
}

/// That nobody wrote yet what the discussion is about, to be said before anybody is paid for an answer.
fn unwritten(workspace: &Workspace, path: &Path) -> Result<Option<Line>, Failure> {
    Ok(workspace.unwritten(path)?.map(|(first, count)| {
        let place = format!("{}:{first}", workspace.shown(path));
        let others = match count {
            1 => "still holds".to_owned(),
            count => format!("and {} more lines still hold", count - 1),
        };
        let text = format!("{place} {others} what the template asks; write there what it is about");
        Line::hint("note", text)
    }))
}

/// Says what the project has put in the place of what comes with the program.
pub(crate) fn stand_ins(
    shell: &mut Shell,
    workspace: &Workspace,
    path: &Path,
) -> Result<(), Failure> {
    let Shell { ui, notices, .. } = shell;
    let lines = workspace.stand_ins(path)?;
    let lines = lines.iter().filter_map(|own| notices.stand_in(own.what, &own.name, &own.file));
    lines.for_each(|line| ui.note(line));
    Ok(())
}

fn tell(shell: &mut Shell, work: &Work, ran: &Ran, form: Form) -> Exit {
    let status = ran.status.status;
    let exit = match work {
        Work::Turn(_) => exit_of_turn(ran),
        Work::Run(_) => exit_of_run(ran, status),
    };
    if form.json {
        if form.events { shell.ui.json_line(ran) } else { shell.ui.json(ran) }
    } else if !form.events {
        tell_people(shell, work, ran);
    }
    if exit == Exit::Interrupted {
        // Nobody is warned of what they asked for, and who stopped a run goes on with that.
        let verb = if matches!(work, Work::Run(_)) { "run" } else { "turn" };
        let file = visible_line(&ran.file);
        let file = shell_words::quote(&file);
        shell.ui.note("Stopped. What was answered stays; the rest is asked when you go on.");
        shell.ui.hint("next", format!("discussions {verb} {file}"));
        return exit;
    }
    if exit != Exit::Done {
        shell.ui.warning(why(ran, status));
    }
    next_step::tell(&mut shell.ui, &ran.status.next);
    exit
}

/// What came of it, and where the discussion stands now.
fn tell_people(shell: &mut Shell, work: &Work, ran: &Ran) {
    let status = &ran.status;
    if let Some(comments) = comments(ran) {
        shell.ui.out(format!("Discussion updated with {comments}."));
    }
    let votes: Vec<String> =
        status.tally.iter().map(|(option, count)| format!("{option}: {count}")).collect();
    if status.tally.values().any(|count| *count > 0) {
        shell.ui.out(format!("Votes: {}", votes.join(", ")));
    }
    if matches!(work, Work::Run(_)) {
        shell.ui.out(format!("Status: {}", status.status.as_str()));
    }
    if let Some(sentence) = agreed::sentence(status) {
        shell.ui.out(Line::default().strong(sentence));
    }
    if matches!(work, Work::Run(_)) {
        outcome::text(&mut shell.ui, status);
    }
}

/// How many comments are new; nothing where none is.
fn comments(ran: &Ran) -> Option<String> {
    match ran.calls.iter().filter(|call| call.outcome == "answered").count() {
        0 => None,
        1 => Some("1 new comment".to_owned()),
        new => Some(format!("{new} new comments")),
    }
}

fn exit_of_turn(ran: &Ran) -> Exit {
    match ran.stopped {
        StopCode::Aborted => Exit::Interrupted,
        // Somebody was not asked who was meant.
        stopped if stopped.is_limit() => Exit::No,
        _ if ran.answered() > 0 => Exit::Done,
        // The turn waits for a person.
        StopCode::WaitingForPerson => Exit::Done,
        _ => Exit::NoAnswer,
    }
}

fn exit_of_run(ran: &Ran, status: Standing) -> Exit {
    if ran.stopped == StopCode::Aborted {
        return Exit::Interrupted;
    }
    if !ran.calls.is_empty() && ran.answered() == 0 {
        return Exit::NoAnswer;
    }
    match (ran.stopped, status) {
        (stopped, _) if stopped.is_limit() => Exit::No,
        (_, Standing::Blocked) => Exit::No,
        (_, Standing::Consensus | Standing::Closed) => Exit::Done,
        (StopCode::NobodyToAsk, Standing::Open) => Exit::NoAnswer,
        (
            StopCode::Finished | StopCode::ConditionNotMet | StopCode::TooFewAnswers,
            Standing::Open,
        ) => Exit::No,
        (_, Standing::Open) => Exit::Done,
    }
}

/// Why the answer is no.
fn why(ran: &Ran, status: Standing) -> String {
    match (ran.stopped, status) {
        (StopCode::Unpriced, _) => {
            "what a provider costs is not known, and money is limited; --unpriced asks it all the same, and `price` in \
             providers.yaml says it"
                .to_owned()
        }
        (StopCode::MaxUsd, _) => {
            "no call fits into the money that is left; --max-usd sets how much that is".to_owned()
        }
        (limit, _) if limit.is_limit() => {
            let flag = limit.as_str().replace('_', "-");
            format!("a limit was reached; --{flag} sets it")
        }
        _ if !ran.calls.is_empty() && ran.answered() == 0 => "nobody could answer".to_owned(),
        (_, Standing::Blocked) => "the votes block it".to_owned(),
        (StopCode::TooFewAnswers, _) => "too few answered for the turn to count".to_owned(),
        (StopCode::NobodyToAsk, _) => "there is nobody to ask".to_owned(),
        _ => "no consensus was reached".to_owned(),
    }
}
