//! The words of buttons and sentences on pages.

use discussions::codes::StopCode;
use discussions::view::{NextStep, Ran, Verb, Waiting, Why};
use discussions::workspace::WorkspaceError;

use crate::cli::outcome;
use crate::cli::words;

/// Returns the reason why a run could not begin or continue, with the fix.
pub(super) fn failed(error: &WorkspaceError) -> String {
    match refused(error) {
        (message, Some(help)) => format!("{message}. {help}"),
        (message, None) => message,
    }
}

/// Returns an error and its help.
pub(super) fn refused(error: &WorkspaceError) -> (String, Option<String>) {
    words::help::for_page(error.message(), &error.help())
}

/// Returns the reason why a run ended, if the comments do not show it.
pub(super) fn end_sentence(ran: &Ran) -> Option<String> {
    if ran.stopped.is_limit() {
        let why = ran.stopped.sentence();
        return Some(format!("Limit reached: {why}. Answers so far are kept."));
    }
    if let Some(error) = &ran.error {
        return Some(format!("{} ({})", error.message, error.code.as_str()));
    }
    if !ran.calls.is_empty() && ran.answer_count() == 0 && ran.stopped != StopCode::Aborted {
        return Some("No participant could answer.".to_owned());
    }
    match ran.stopped {
        StopCode::Aborted => {
            Some("Stopped. Answers so far are kept; you can continue at any time.".to_owned())
        }
        _ => None,
    }
}

/// The next step: the action of its form, the label of its button, and the text beside it.
pub(super) struct NextAction {
    /// The last part of the form's path; `None` means that the user writes a comment.
    pub(super) action: Option<&'static str>,
    /// The label; empty if the user can only wait.
    pub(super) button: &'static str,
    pub(super) why: String,
}

/// Returns a step in the words of a page.
pub(super) fn next(step: &NextStep) -> NextAction {
    let (action, button) = match step.verb {
        Verb::Turn => (Some("turn"), "Ask the participants"),
        // A run would stop at once, because people must answer first.
        Verb::Run if step.why == Why::AnswersAwaited => (None, ""),
        Verb::Run => (Some("run"), "Continue"),
        Verb::Advance => (Some("advance"), "Next phase"),
        Verb::Comment if step.why == Why::PersonVotes => (None, "Vote"),
        Verb::Comment if step.why == Why::QuestionsToPerson => (None, "Answer"),
        Verb::Comment => (None, "Add a comment"),
        Verb::Close => (Some("close"), "Close"),
        Verb::Reopen => (Some("reopen"), "Reopen"),
    };
    NextAction { action, button, why: words::steps::for_page(step) }
}

/// Returns true if a discussion waits for this person, or for any person.
pub(super) fn waits_for(one: &Waiting, author: &str) -> bool {
    one.who.iter().any(|who| who == "human" || who.eq_ignore_ascii_case(author))
}

/// Returns a sentence to this person about what a discussion waits for.
pub(super) fn waiting(one: &Waiting, author: &str) -> String {
    let who: Vec<String> = one.who.iter().map(|who| words::mention(who)).collect();
    let who = if waits_for(one, author) {
        "You are".to_owned()
    } else if who.len() == 1 {
        format!("{} is", who.join(""))
    } else {
        format!("{} are", outcome::all(&who))
    };
    let text = one.text.as_deref().unwrap_or_default();
    let day = one.decide_by.as_ref().map(|day| format!("; {}", day.words())).unwrap_or_default();
    let what = match (one.wanted.as_str(), one.question) {
        ("answer", Some(number)) => format!("{who} asked Q{number}: {text}"),
        ("vote", _) => format!("A person's vote is needed: {text}"),
        ("nextPhase", _) => format!("A person must end the phase {text}"),
        ("conflict", _) => "The file has a merge conflict; resolve it".to_owned(),
        ("change", _) => {
            "No consensus; comment on what changed, then the participants vote again".to_owned()
        }
        _ => format!("{who} asked to comment"),
    };
    what + &day
}

/// Returns a sentence to readers of a static site about what a discussion waits for.
pub(super) fn waiting_of_site(one: &Waiting) -> String {
    let sentence = waiting(one, "");
    // A reader of the site is not the person who is asked.
    match sentence.strip_prefix("You are ") {
        Some(rest) => format!("A person is {rest}"),
        None => sentence,
    }
}

/// Returns a sentence about a decision, or about the discussion's decision as a whole.
pub(super) fn about_decision(label: Option<&str>, sentence: &str) -> String {
    format!("{}: {sentence}", label.unwrap_or("The decision"))
}
