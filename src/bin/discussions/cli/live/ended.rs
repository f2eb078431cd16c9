//! The end of a run: its result, the exit code, and the reason if the answer is no.

use discussions::codes::StopCode;
use discussions::view::{Ran, Standing, visible_line};

use discussions::runner::Work;

use super::OutputForm;
use crate::cli::command_hint::CommandHint;
use crate::cli::consensus_line;
use crate::cli::error::Exit;
use crate::cli::outcome;
use crate::cli::shell::Shell;
use crate::cli::ui::Line;
use crate::cli::words::next_step;

/// Prints the result, the status of the discussion, and the next steps.
pub(super) fn tell(
    shell: &mut Shell,
    called: &CommandHint,
    work: &Work,
    ran: &Ran,
    form: OutputForm,
) -> Exit {
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
    next_step::tell(&mut shell.ui, called, &ran.status.next);
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
    if let Some(sentence) = consensus_line::sentence(status) {
        shell.ui.wrapped("", Line::default().strong(sentence));
    }
    if matches!(work, Work::Run(_)) {
        outcome::text(&mut shell.ui, status);
    }
}

/// Returns the participants that a turn can name, if this turn called none because the discussion is over.
fn nameable(work: &Work, ran: &Ran) -> Option<String> {
    let over = matches!(work, Work::Turn(_)) && ran.stopped == StopCode::Finished;
    over.then(|| consensus_line::nameable(&ran.status)).flatten()
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

fn exit_of_run(ran: &Ran, status: Standing) -> Exit {
    if ran.stopped == StopCode::Aborted {
        return Exit::Interrupted;
    }
    // A limit is the reason, even if calls failed before it.
    if !ran.stopped.is_limit() && !ran.calls.is_empty() && ran.answer_count() == 0 {
        return Exit::NoAnswer;
    }
    match (ran.stopped, status) {
        (stopped, _) if stopped.is_limit() => Exit::No,
        (_, Standing::Blocked) => Exit::No,
        (_, Standing::Consensus | Standing::Answered | Standing::Closed) => Exit::Done,
        (StopCode::NobodyToAsk, Standing::Open) => Exit::NoAnswer,
        (
            StopCode::Finished | StopCode::ConditionNotMet | StopCode::TooFewAnswers,
            Standing::Open,
        ) => Exit::No,
        (_, Standing::Open) => Exit::Done,
    }
}

/// Returns the reason why the answer is no.
fn why(ran: &Ran, status: Standing, work: &Work) -> String {
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
        (_, Standing::Blocked) => "the votes block the discussion".to_owned(),
        (StopCode::TooFewAnswers, _) => "too few participants answered for the turn to count".to_owned(),
        (StopCode::NobodyToAsk, _) => "there are no participants to ask".to_owned(),
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
