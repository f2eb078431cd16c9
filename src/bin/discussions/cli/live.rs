//! The shared part of `turn`, `run` and `new --run`: prints notices before the first call, runs the
//! calls with progress, then reports the result, the exit code, and the reason if the outcome is
//! negative.

use std::path::Path;
use std::sync::Arc;

use discussions::codes::{ErrorCode, StopCode};
use discussions::runner::{PreparedRun, RunOptions, Trust};
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
use crate::cli::words::{self, ways::Way};

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
    options: &RunOptions,
    form: OutputForm,
) -> Result<Exit, CommandError> {
    let prepared = prepare(shell, workspace, path, options)?;
    let ran = watch_prepared(shell, workspace, path, options, form, prepared)??;
    if ran.stopped == StopCode::Closed && ran.calls.is_empty() {
        // The discussion was closed after the check above.
        let called = CommandHint::of(shell, workspace, path);
        return Err(CommandError::from(WorkspaceError::Closed).naming(called.name()));
    }
    Ok(tell(shell, &command_hint(shell, workspace, path, options), options, &ran, form))
}

/// Returns the discussion as the suggested next commands name it, with the provider that the user chose for this one.
fn command_hint(
    shell: &Shell,
    workspace: &Workspace,
    path: &Path,
    options: &RunOptions,
) -> CommandHint {
    CommandHint::of(shell, workspace, path).with_provider(options.provider.as_deref())
}

/// Returns what is known before a run.
pub(crate) fn prepare(
    shell: &Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    options: &RunOptions,
) -> Result<PreparedRun, CommandError> {
    workspace.runs().prepare(path, options).map_err(|error| {
        let is_closed = matches!(error, WorkspaceError::Closed);
        let error = CommandError::from(error);
        if is_closed { error.naming(CommandHint::of(shell, workspace, path).name()) } else { error }
    })
}

/// Runs [`go`] for a discussion that was just created. Removes the discussion if the user does not trust the commands
/// that it would run, or if its cost exceeds the limit.
pub(crate) fn go_first(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    options: &RunOptions,
    form: OutputForm,
) -> Result<Exit, CommandError> {
    match watch_first(shell, workspace, path, options, form)? {
        Ok(ran) => {
            Ok(tell(shell, &command_hint(shell, workspace, path, options), options, &ran, form))
        }
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
    options: &RunOptions,
    form: OutputForm,
) -> Result<Result<Ran, WorkspaceError>, CommandError> {
    let ended = watch(shell, workspace, path, options, form);
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
    options: &RunOptions,
    form: OutputForm,
) -> Result<Result<Ran, WorkspaceError>, CommandError> {
    match workspace.runs().prepare(path, options) {
        Ok(prepared) => watch_prepared(shell, workspace, path, options, form, prepared),
        Err(error) => Ok(Err(error)),
    }
}

fn watch_prepared(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    options: &RunOptions,
    form: OutputForm,
    prepared: PreparedRun,
) -> Result<Result<Ran, WorkspaceError>, CommandError> {
    tell_stand_ins(shell, &prepared);
    let mut unwritten =
        if options.has_question() { None } else { unwritten(workspace, path, &prepared) };
    let consents = trust::settle(shell, workspace, &prepared.definitions())?;
    tell_assignment(shell, &prepared);
    let mut before = flags::access_notes(&prepared, options);
    before.extend(amounts::forecast_lines(&prepared, options)?);
    let detail = match form {
        _ if shell.ui.is_quiet() => Detail::Nothing,
        OutputForm { verbose: true, .. } => Detail::All,
        OutputForm { .. } => Detail::Begin,
    };
    let status = prepared.status();
    last_line_cut(shell, workspace, path, &status);
    let colours = Colours::of(status.participants.iter().map(|one| one.name.as_str()));
    let mut progress = ProgressLines::new(&shell.ui, detail, colours);
    let called = CommandHint::of(shell, workspace, path);
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
        if let Some(notice) = notice_of_event(&event.kind, &called, notices) {
            progress.warn(notice, ui);
        }
        progress.tell(&event, ui);
    };
    let ended = interrupt::finished(async {
        let mut run = prepared.trusting(Trust::Asked(consents))?.start();
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
fn tell_assignment(shell: &mut Shell, prepared: &PreparedRun) {
    let assignment = prepared.assignment();
    if !assignment.is_empty() {
        let speaks = |(provider, seats): &(String, Vec<String>)| {
            format!("{provider} for {}", seats.join(", "))
        };
        let seats: Vec<String> = assignment.iter().map(speaks).collect();
        shell.ui.hint("note", format!("providers: {}", seats.join("; ")));
    }
}

/// Returns the message for an event before a call.
fn notice_of_event(event: &EventKind, called: &CommandHint, notices: &mut Notices) -> Option<Line> {
    match event {
        EventKind::TurnStart { left_out, .. } if !left_out.is_empty() => {
            notices.stays_out(left_out, called)
        }
        EventKind::AnswerStart { provider, passed_over, .. } => {
            let missing = passed_over.as_ref()?;
            notices.passed_over(&missing.provider, &missing.why(), provider)
        }
        _ => None,
    }
}

/// Returns a note that the context still has placeholders, to be printed before an answer costs anything.
fn unwritten(workspace: &Workspace, path: &Path, prepared: &PreparedRun) -> Option<Line> {
    prepared.placeholders().map(|(first, count)| {
        let place = format!("{}:{first}", workspace.shown_path(path));
        let others = match count {
            1 => "still contains a template placeholder".to_owned(),
            count => format!("and {} more lines still contain template placeholders", count - 1),
        };
        let text = format!("{place} {others}; write your own text there");
        Line::hint("note", Line::with_commands(text))
    })
}

/// Prints which bundled templates and personas the project replaces.
pub(crate) fn stand_ins(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
) -> Result<(), CommandError> {
    tell_stand_ins(shell, &workspace.runs().prepare(path, &RunOptions::default())?);
    Ok(())
}

fn tell_stand_ins(shell: &mut Shell, prepared: &PreparedRun) {
    let Shell { ui, notices, .. } = shell;
    let stand_ins = prepared.stand_ins();
    let lines = stand_ins.iter().filter_map(|own| notices.stand_in(own.what, &own.name, &own.file));
    lines.for_each(|line| ui.note_wrapped(line));
}

/// Prints the result, the status of the discussion, and the next steps.
fn tell(
    shell: &mut Shell,
    called: &CommandHint,
    options: &RunOptions,
    ran: &Ran,
    form: OutputForm,
) -> Exit {
    let status = ran.status.status;
    let exit = if options.is_run() { exit_of_run(ran, status) } else { exit_of_turn(ran) };
    if form.json {
        if form.events { shell.ui.json_line(ran) } else { shell.ui.json(ran) }
    } else if !form.events {
        tell_people(shell, options, ran);
    }
    if exit == Exit::Interrupted {
        // The user asked for the stop, so it needs no warning. The next step continues the work.
        let verb = if options.is_run() { "run" } else { "turn" };
        shell.ui.note("Stopped. All answers so far are saved; to get the others, continue.");
        Way::new(called.command(verb, ""), "").tell(&mut shell.ui);
        return exit;
    }
    if let Some(within) = &ran.within {
        let told = format!("It stopped in a sub-discussion: {}", visible_line(within));
        shell.ui.note_wrapped(Line::from(told));
    }
    if let Some(nameable) = nameable(options, ran) {
        let models = ran.status.next.iter().flat_map(|step| &step.arguments.models);
        let models = models.into_iter().next().map(|model| format!("@{model} --ask \"TEXT\""));
        let command = called.command("turn", &models.unwrap_or_default());
        shell.ui.warning(format!(
            "the discussion is over, so no participant was asked; you can ask {nameable}"
        ));
        Way::new(command, "").tell(&mut shell.ui);
        return exit;
    }
    if exit != Exit::Done {
        shell.ui.warning(why(ran, status, options));
        if let Some(help) = refused_all(ran) {
            shell.ui.hint("help", help);
        }
        if let Some(names) = used_up(ran) {
            words::ways::way_without_credit(&names).tell(&mut shell.ui);
            return exit;
        }
    }
    words::steps::tell_next_step(&mut shell.ui, called, &ran.status.next);
    exit
}

/// Returns the providers without credit, if no participant answered because of them.
pub(crate) fn used_up(ran: &Ran) -> Option<Vec<String>> {
    let used_up = ran.calls.iter().filter(|call| call.failure.as_deref() == Some("spend_limit"));
    let mut names: Vec<String> = used_up.map(|call| call.provider.clone()).collect();
    names.sort_unstable();
    names.dedup();
    (ran.answer_count() == 0 && !names.is_empty()).then_some(names)
}

/// Prints the result and the status of the discussion.
fn tell_people(shell: &mut Shell, options: &RunOptions, ran: &Ran) {
    let status = &ran.status;
    if let Some(comments) = comments(ran) {
        shell.ui.out(format!("Discussion updated with {comments}."));
    }
    let votes: Vec<String> =
        status.tally.iter().map(|(option, count)| format!("{option}: {count}")).collect();
    if status.tally.values().any(|count| *count > 0) {
        shell.ui.wrapped("", format!("Votes: {}", votes.join(", ")));
    }
    if options.is_run() {
        shell.ui.out(format!("Status: {}", status.status.as_str()));
    }
    if let Some(sentence) = outcome::consensus_sentence(status) {
        shell.ui.wrapped("", Line::default().strong(sentence));
    }
    if options.is_run() {
        outcome::text(&mut shell.ui, status);
    }
}

/// Returns the participants that a turn can name, if this turn called none because the discussion is over.
fn nameable(options: &RunOptions, ran: &Ran) -> Option<String> {
    let over = !options.is_run() && ran.stopped == StopCode::Finished;
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
fn why(ran: &Ran, status: DecisionStatus, options: &RunOptions) -> String {
    match (ran.stopped, status) {
        (StopCode::Unpriced, _) if options.has_tools() => {
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
        "log in with its program, or fix the key in the environment; to test it: `discussions doctor {first} --ping`"
    ))
}
