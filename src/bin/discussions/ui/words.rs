//! What can be done and what became of it, in the words of keys.

use discussions::codes::StopCode;
use discussions::view::{NextStep, ProviderState, Ran, Verb, Why, Written};

use super::message::Done;
use crate::cli::agreed;
use crate::cli::amounts;
use crate::cli::words;

/// How a run ended.
pub(super) fn ended(ran: &Ran) -> String {
    if let Some(error) = &ran.error {
        return words::result(error.code, &error.message, ran.stopped);
    }
    if !ran.calls.is_empty() && ran.answered() == 0 && ran.stopped != StopCode::Aborted {
        return "nobody could answer".to_owned();
    }
    if ran.stopped == StopCode::Finished
        && ran.calls.is_empty()
        && let Some(names) = agreed::nameable(&ran.status)
    {
        return format!("the discussion is over, so nobody was asked; T asks {names}");
    }
    let answers = match ran.calls.iter().filter(|call| call.outcome == "answered").count() {
        0 => "no new comment".to_owned(),
        1 => "1 new comment".to_owned(),
        many => format!("{many} new comments"),
    };
    match ran.stopped {
        StopCode::Aborted => format!("stopped; {answers}, which stay"),
        stopped if stopped.is_limit() => {
            format!("{answers}; a limit was reached: {}", stopped.as_str().replace('_', " "))
        }
        _ => match agreed::sentence(&ran.status) {
            Some(sentence) => format!("{answers}; {sentence}"),
            None => answers,
        },
    }
}

/// What became of a change, with what is worth knowing about it.
pub(super) fn written(written: &Written, said: String, line: String) -> Done {
    let mut notes: Vec<String> = Vec::new();
    if let Some(author) = written.author.as_ref().filter(|_| !written.is_person) {
        notes.push(format!(
            "{author} is a persona for whom a model speaks; this counts as its word"
        ));
    }
    notes.extend(written.notes.iter().map(|why| format!("no vote of the text is counted: {why}")));
    notes.extend(written.uncounted.iter().chain(&written.warnings).cloned());
    if written.closed {
        notes.push("the discussion is closed, so nobody is asked about it".to_owned());
    }
    if let Some(why) = &written.summary {
        notes.push(format!("the summary beside it was not written: {why}"));
    }
    Done { line, said, notes, ..Done::default() }
}

/// What can be done next: the key, and why.
pub(super) fn next(step: &NextStep) -> (&'static str, String) {
    let arguments = &step.arguments;
    let who = arguments.participants.iter().map(|who| format!("@{who}")).collect::<Vec<_>>();
    let who = agreed::all(&who);
    let phase = arguments.phase.as_deref().unwrap_or_default();
    let key = match (step.verb, step.why) {
        (Verb::Comment, Why::QuestionsToPerson) => "a",
        (Verb::Comment, Why::PersonVotes) => "v",
        (Verb::Comment, _) => "c",
        (Verb::Turn, Why::NobodyToAsk) => "T",
        (Verb::Turn, _) => "t",
        (Verb::Run, _) => "r",
        (Verb::Advance, _) => "p",
        (Verb::Close | Verb::Reopen, _) => "x",
    };
    let questions = match arguments.questions {
        Some(1) | None => "a question".to_owned(),
        Some(count) => format!("{count} questions"),
    };
    let why = match step.why {
        Why::StillToBeAsked => format!("{who} still to be asked"),
        Why::PhaseBegins => format!("the phase {phase} begins"),
        Why::TurnBegins => "the next turn; r goes on by itself".to_owned(),
        Why::Closed => "it is closed; opens it again".to_owned(),
        Why::Finished => format!("{} Closes it", agreed::finished(step)),
        Why::PeopleAreAsked => format!("{who} to answer"),
        Why::PersonEndsPhase => format!("a person ends the phase {phase}"),
        Why::ConditionNotMet => format!("another turn of {phase}, or p goes on"),
        Why::MentionsPending => format!("{who} called, and not heard since"),
        Why::PersonVotes => "a person's vote is needed".to_owned(),
        Why::TooFewAnswered => "too few answered; asks the others again".to_owned(),
        Why::NobodyToAsk => "nobody is left to be asked; name somebody".to_owned(),
        Why::QuestionsToPerson => format!("{questions} for {who}"),
        Why::AnswersAwaited => format!("{questions} for people still open"),
        Why::CallsWait => format!("{who} called"),
        Why::EndedWithoutConsensus => {
            "no consensus: say what was changed, and they vote again".to_owned()
        }
        Why::CommandRuns => format!("the command of {phase} can be run"),
        Why::DiscussionWithin => "a discussion within this one can go on".to_owned(),
        Why::NobodyVoted => "nobody cast a vote; they can be asked again".to_owned(),
        Why::VoteAgain => "they vote again on what was said since".to_owned(),
    };
    (key, why)
}

/// A provider's state in a word, and more about it.
pub(super) fn state(state: &ProviderState) -> (&'static str, String) {
    match state {
        ProviderState::Broken { reason } => ("broken", reason.clone()),
        ProviderState::Ready { through } => {
            ("ready", through.clone().unwrap_or_else(|| "built in".to_owned()))
        }
        ProviderState::Missing { reason, fix } => ("missing", format!("{reason}; {fix}")),
        ProviderState::NotTrusted => ("not trusted", "came with the project".to_owned()),
        ProviderState::Answers { text, ms } => {
            ("answers", format!("{}: {text}", amounts::time(*ms)))
        }
        ProviderState::Fails { message } => ("fails", message.clone()),
    }
}
