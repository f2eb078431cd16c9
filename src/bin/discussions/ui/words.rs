//! Messages about results and next steps. A next step is named by the key that the user presses for
//! it.

use discussions::codes::StopCode;
use discussions::view::{NextStep, ProviderState, Ran, Verb, Why, Written};

use super::message::ActionDone;
use crate::cli::amounts;
use crate::cli::outcome;
use crate::cli::words;

/// Returns the message about the end of a run.
pub(super) fn end_sentence(ran: &Ran) -> String {
    if let Some(error) = &ran.error {
        return words::result(error.code, &error.message, ran.stopped);
    }
    if !ran.calls.is_empty() && ran.answer_count() == 0 && ran.stopped != StopCode::Aborted {
        return "no participant could answer".to_owned();
    }
    if ran.stopped == StopCode::Finished
        && ran.calls.is_empty()
        && let Some(names) = outcome::nameable(&ran.status)
    {
        return format!("the discussion is over, so no model was called; press T to ask {names}");
    }
    let answers = match ran.calls.iter().filter(|call| call.outcome == "answered").count() {
        0 => "no new comment".to_owned(),
        1 => "1 new comment".to_owned(),
        many => format!("{many} new comments"),
    };
    match ran.stopped {
        StopCode::Aborted => format!("stopped; {answers} so far"),
        stopped if stopped.is_limit() => {
            format!("{answers}; limit reached: {}", stopped.as_str().replace('_', " "))
        }
        _ => match outcome::consensus_sentence(&ran.status) {
            Some(sentence) => format!("{answers}; {sentence}"),
            None => answers,
        },
    }
}

/// Returns the result of a change, with notes for the user.
pub(super) fn describe_written(written: &Written, said: String, line: String) -> ActionDone {
    let mut notes: Vec<String> = Vec::new();
    if let Some(author) = written.author.as_ref().filter(|_| !written.is_person) {
        notes.push(format!(
            "a model speaks for {author}; this comment counts as if the model wrote it"
        ));
    }
    notes.extend(
        written.notes.iter().map(|why| format!("the vote in the text was not counted: {why}")),
    );
    notes.extend(written.uncounted.iter().chain(&written.warnings).cloned());
    if written.closed {
        notes.push("the discussion is closed, so no participant will be asked about it".to_owned());
    }
    if let Some(why) = &written.summary {
        notes.push(format!("the summary file was not written: {why}"));
    }
    ActionDone { line, said, notes, ..ActionDone::default() }
}

/// Returns the key for a next step, and its reason.
pub(super) fn next(step: &NextStep) -> (&'static str, String) {
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
    (key, words::steps::for_screen(step))
}

/// Returns a provider's state in a word, and details about it.
pub(super) fn state(state: &ProviderState) -> (&'static str, String) {
    match state {
        ProviderState::Broken { reason } => ("broken", reason.clone()),
        ProviderState::Ready { through, tested } => {
            let through = through.clone().unwrap_or_else(|| "built in".to_owned());
            (if *tested { "ready" } else { "not checked" }, through)
        }
        ProviderState::Missing { reason, fix } => ("missing", format!("{reason}; {fix}")),
        ProviderState::NotTrusted => ("not trusted", "from this project".to_owned()),
        ProviderState::Answers { text, ms } => {
            ("answers", format!("{}: {text}", amounts::time(*ms)))
        }
        ProviderState::Fails { message } => ("fails", message.clone()),
    }
}
