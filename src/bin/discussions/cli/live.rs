//! The shared part of `turn`, `run` and `new --run`: prints notices before the first call, runs the
//! calls with progress, then reports the result, the exit code, and the reason if the outcome is
//! negative.

use std::path::Path;
use std::sync::Arc;

use discussions::codes::{ErrorCode, StopCode};
use discussions::runner::{Trust, Work};
use discussions::view::{DecisionStatus, Event, EventKind, Ran, Status, visible_line};
use discussions::workspace::{Workspace, WorkspaceError};

use crate::cli::amounts;
use crate::cli::colours::Colours;
use crate::cli::error::{CommandError, Exit};
use crate::cli::flags;
use crate::cli::interrupt;
use crate::cli::outcome;
use crate::cli::progress::{Detail, ProgressLines};
use crate::cli::shell::{CommandHint, Notices, Shell};
use crate::cli::trust;
use crate::cli::ui::Line;
use crate::cli::words;

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
    let mut before = flags::access_notes(workspace, path, work)?;
    before.extend(amounts::forecast_lines(workspace, path, work)?);
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
                // This event is the last line, unless a document with the fix follows.
                EventKind::Error { .. } if !form.json => ui.json_line(&event),
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
        amounts::cached_share(shell, ran);
    }
    Ok(ended)
}

/// Warns that the last line of the file is cut off.
fn last_line_cut(shell: &mut Shell, workspace: &Workspace, path: &Path, status: &Status) {
    for problem in &status.problems {
        if problem.code.as_str() == "last-line-cut" {
            let file = workspace.shown_path(path);
            let place = format!("{file}:{}", problem.line);
            let file = shell_words::quote(&file).into_owned();
            shell.ui.warning(format!(
                "{place}: {}; it is ignored, and the next answer will mark it as truncated; to complete the line first: `discussions \
                 check --fix {file}`",
                problem.message
            ));
        }
    }
}

/// Prints the providers of the participants, if the user did not choose them.
fn tell_deal(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    work: &Work,
) -> Result<(), CommandError> {
    let deal = workspace.deal(path, work.provider())?;
    if !deal.is_empty() {
        let speaks = |(provider, seats): &(String, Vec<String>)| {
            format!("{provider} for {}", seats.join(", "))
        };
        let seats: Vec<String> = deal.iter().map(speaks).collect();
        shell.ui.hint("note", format!("providers: {}", seats.join("; ")));
    }
    Ok(())
}

/// Returns the message for an event before a call.
fn notice_of_event(event: &EventKind, notices: &mut Notices) -> Option<Line> {
    match event {
        EventKind::TurnStart { left_out, .. } if !left_out.is_empty() => {
            notices.stays_out(left_out)
        }
        EventKind::AnswerStart { provider, passed_over, .. } => {
            let missing = passed_over.as_ref()?;
            notices.passed_over(&missing.provider, &missing.why(), provider)
        }
        _ => None,
    }
}

/// Returns a note that the context still has placeholders, to be printed before an answer costs anything.
fn unwritten(workspace: &Workspace, path: &Path) -> Result<Option<Line>, CommandError> {
    Ok(workspace.unwritten(path)?.map(|(first, count)| {
        let place = format!("{}:{first}", workspace.shown_path(path));
        let others = match count {
            1 => "still contains a template placeholder".to_owned(),
            count => format!("and {} more lines still contain template placeholders", count - 1),
        };
        let text = format!("{place} {others}; write your own text there");
        Line::hint("note", Line::with_commands(text))
    }))
}

/// Prints which bundled templates and personas the project replaces.
pub(crate) fn stand_ins(
    shell: &mut Shell,
    workspace: &Workspace,
    path: &Path,
) -> Result<(), CommandError> {
    let Shell { ui, notices, .. } = shell;
    let lines = workspace.stand_ins(path)?;
    let lines = lines.iter().filter_map(|own| notices.stand_in(own.what, &own.name, &own.file));
    lines.for_each(|line| ui.note_wrapped(line));
    Ok(())
}

/// Prints the result, the status of the discussion, and the next steps.
fn tell(shell: &mut Shell, called: &CommandHint, work: &Work, ran: &Ran, form: OutputForm) -> Exit {
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
        // The user asked for the stop, so it needs no warning. The next step continues the work.
        let verb = if matches!(work, Work::Run(_)) { "run" } else { "turn" };
        shell.ui.note("Stopped. All answers so far are saved; to get the others, continue.");
        let next = Line::default().whole(called.command(verb, ""));
        shell.ui.note_wrapped(Line::hint("next", next));
        return exit;
    }
    if let Some(within) = &ran.within {
        let told = format!("It stopped in a sub-discussion: {}", visible_line(within));
        shell.ui.note_wrapped(Line::from(told));
    }
    if let Some(nameable) = nameable(work, ran) {
        let command = called.command("turn", "@alias --ask TEXT");
        shell.ui.warning(format!(
            "the discussion is over, so no participant was asked; you can ask {nameable}"
        ));
        shell.ui.note_wrapped(Line::hint("next", Line::default().whole(command)));
        return exit;
    }
    if exit != Exit::Done {
        shell.ui.warning(why(ran, status, work));
        if let Some(help) = refused_all(ran) {
            shell.ui.hint("help", help);
        }
    }
    words::tell_next_step(&mut shell.ui, called, &ran.status.next);
    exit
}

/// Prints the result and the status of the discussion.
fn tell_people(shell: &mut Shell, work: &Work, ran: &Ran) {
    let status = &ran.status;
    if let Some(comments) = comments(ran) {
        shell.ui.out(format!("Discussion updated with {comments}."));
    }
    let votes: Vec<String> =
        status.tally.iter().map(|(option, count)| format!("{option}: {count}")).collect();
    if status.tally.values().any(|count| *count > 0) {
        shell.ui.wrapped("", format!("Votes: {}", votes.join(", ")));
    }
    if matches!(work, Work::Run(_)) {
        shell.ui.out(format!("Status: {}", status.status.as_str()));
    }
    if let Some(sentence) = outcome::consensus_sentence(status) {
        shell.ui.wrapped("", Line::default().strong(sentence));
    }
    if matches!(work, Work::Run(_)) {
        outcome::text(&mut shell.ui, status);
    }
}

/// Returns the participants that a turn can name, if this turn called none because the discussion is over.
fn nameable(work: &Work, ran: &Ran) -> Option<String> {
    let over = matches!(work, Work::Turn(_)) && ran.stopped == StopCode::Finished;
    over.then(|| outcome::nameable(&ran.status)).flatten()
}

/// Returns the number of new comments in words; `None` if there are none.
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
        // A limit prevented a call that the user wanted.
        stopped if stopped.is_limit() => Exit::No,
        _ if ran.answer_count() > 0 => Exit::Done,
        // The turn waits for a person.
        StopCode::WaitingForPerson => Exit::Done,
        _ => Exit::NoAnswer,
    }
}

fn exit_of_run(ran: &Ran, status: DecisionStatus) -> Exit {
    if ran.stopped == StopCode::Aborted {
        return Exit::Interrupted;
    }
    // A limit is the reason, even if calls failed before it.
    if !ran.stopped.is_limit() && !ran.calls.is_empty() && ran.answer_count() == 0 {
        return Exit::NoAnswer;
    }
    match (ran.stopped, status) {
        (stopped, _) if stopped.is_limit() => Exit::No,
        (_, DecisionStatus::Blocked) => Exit::No,
        (_, DecisionStatus::Consensus | DecisionStatus::Answered | DecisionStatus::Closed) => {
            Exit::Done
        }
        (StopCode::NobodyToAsk, DecisionStatus::Open) => Exit::NoAnswer,
        (
            StopCode::Finished | StopCode::ConditionNotMet | StopCode::TooFewAnswers,
            DecisionStatus::Open,
        ) => Exit::No,
        (_, DecisionStatus::Open) => Exit::Done,
    }
}

/// Returns the reason why the answer is no.
fn why(ran: &Ran, status: DecisionStatus, work: &Work) -> String {
    match (ran.stopped, status) {
        (StopCode::Unpriced, _) if work.has_tools() => {
            "the cost of a model with tools is unknown, and this run has a money limit; remove --look and --web, or \
             add --unpriced"
                .to_owned()
        }
        (StopCode::Unpriced, _) => {
            "the price of a provider is unknown, and this run has a money limit; add --unpriced, or set `price` in \
             providers.yaml"
                .to_owned()
        }
        (StopCode::MaxUsd, _) => {
            "the remaining budget does not cover another call; raise --max-usd, or `limits` in the discussion or the \
             configuration"
                .to_owned()
        }
        (limit, _) if limit.is_limit() => {
            let flag = limit.as_str().replace('_', "-");
            // The number of turns is limited only by the run's own flags.
            let also = match limit {
                StopCode::MaxTurns => "",
                _ => ", or `limits` in the discussion or the configuration",
            };
            format!("the run reached a limit; raise --{flag}{also}")
        }
        _ if !ran.calls.is_empty() && ran.answer_count() == 0 => "no participant could answer".to_owned(),
        (_, DecisionStatus::Blocked) => "the votes block the discussion".to_owned(),
        (StopCode::TooFewAnswers | StopCode::NobodyToAsk, _) => ran.stopped.sentence().to_owned(),
        _ => "no consensus was reached".to_owned(),
    }
}

/// Returns the fix, if all providers refused access.
fn refused_all(ran: &Ran) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for call in &ran.calls {
        if call.failure.as_deref() != Some("unauthorized") {
            return None;
        }
        if !names.contains(&call.provider.as_str()) {
            names.push(&call.provider);
        }
    }
    let first = *names.first()?;
    let first = shell_words::quote(first);
    Some(format!(
        "log in with its program, or fix the key in the environment; to test it: `discussions providers check {first} \
         --ping`"
    ))
}
