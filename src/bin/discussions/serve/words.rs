//! The words of buttons and sentences on pages.

use discussions::codes::StopCode;
use discussions::view::{NextStep, Ran, Verb, Waiting, Why};
use discussions::workspace::{Help, WorkspaceError};

use crate::cli::outcome;
use crate::cli::words;

/// The help if a project-defined provider is not trusted. Pages have no button for it, so that no page can grant trust.
pub(super) const NOT_TRUSTED: &str =
    "run `discussions trust` to see what it runs and to trust it, or name another provider";

/// Returns the reason why a run could not begin or continue, with the fix.
pub(super) fn failed(error: &WorkspaceError) -> String {
    match refused(error) {
        (message, Some(help)) => format!("{message}. {help}"),
        (message, None) => message,
    }
}

/// Returns an error and its help, without commands and flags, because users cannot type them on a page.
pub(super) fn refused(error: &WorkspaceError) -> (String, Option<String>) {
    let ways = error.help();
    let own: Vec<String> = ways.iter().filter_map(help).collect();
    if own.is_empty() {
        words::message_and_hint(error.message(), &ways)
    } else {
        (error.message(), Some(own.join("; ")))
    }
}

/// Returns the help in the words of pages. Returns `None` if the command line's words name no
/// command and therefore fit pages too.
fn help(way: &Help) -> Option<String> {
    Some(match way {
        Help::ListDiscussions => "the first page lists all discussions".to_owned(),
        Help::ListParticipants => "type @ into a comment to see the participants".to_owned(),
        Help::Fix(_) => "correct it, or leave it out".to_owned(),
        Help::ListParameters(_) | Help::GiveParameter(_) | Help::GiveRole => {
            "the form cannot set it; choose another pattern".to_owned()
        }
        Help::GiveContext(_) => "fill in the field `Context`".to_owned(),
        Help::Agree => NOT_TRUSTED.to_owned(),
        Help::InstallProvider => {
            "log in to a model program on this machine or set a key in the server's environment, then restart the server"
                .to_owned()
        }
        Help::AskAlone => "choose the pattern `solo` to ask one participant alone".to_owned(),
        Help::ChooseProvider(ready) => format!("these are available: {}", ready.join(", ")),
        Help::CloseOrGoBack => "the button `Close` ends the discussion".to_owned(),
        Help::EndFirst => "the button `Close` ends it".to_owned(),
        Help::Reopen => "the button `Reopen` opens it again".to_owned(),
        Help::OtherName => "write another name into the field `As`".to_owned(),
        Help::RaiseLimit | Help::AllowUnpriced { .. } => {
            "the limits are set when the server is started".to_owned()
        }
        Help::Permissions(path) => {
            format!("check the permissions of {}", path.display())
        }
        Help::TakeOutSecrets => "remove it: secrets are not sent to models".to_owned(),
        Help::BeginProject | Help::EditParticipant(_) | Help::UseAlias(_) | Help::CheckOut => {
            "a person has to change this outside of the browser".to_owned()
        }
        Help::Hint(_)
        | Help::Nearest(_)
        | Help::Phases(_)
        | Help::Options(_)
        | Help::TakeAway(_)
        | Help::KeepConsentsElsewhere
        | Help::NameConsentFolder
        | Help::NameUserFolder
        | Help::Shorten
        | Help::Kept(_) => return None,
    })
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
    let arguments = &step.arguments;
    let who = arguments.participants.iter().map(|who| format!("@{who}")).collect::<Vec<_>>();
    let who = who.join(" and ");
    let phase = arguments.phase_title.as_deref().unwrap_or_default();
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
    let why = match step.why {
        Why::StillToBeAsked => format!("Not asked yet: {who}"),
        Why::PhaseBegins => format!("Next phase: {phase}"),
        Why::CommandRuns => format!("Ready to run the command of the phase {phase}"),
        Why::DiscussionWithin => "A sub-discussion is not finished".to_owned(),
        Why::TurnBegins => "Ready for the next turn".to_owned(),
        Why::Closed => "The discussion is closed".to_owned(),
        Why::Finished => outcome::finished(step),
        Why::PeopleAreAsked => format!("Waiting for {who} to answer"),
        Why::PersonEndsPhase => format!("A person must end the phase {phase}"),
        Why::ConditionNotMet => format!("The phase {phase} needs another turn"),
        Why::MentionsPending => format!("Mentioned, and no answer yet: {who}"),
        Why::PersonVotes => "A person's vote is needed".to_owned(),
        Why::TooFewAnswered => "Too few participants answered; ask the others again".to_owned(),
        Why::NobodyToAsk => "No participant is left to ask; mention one with @name".to_owned(),
        Why::QuestionsToPerson => {
            let number = arguments.question_word();
            format!("{} for {who}; begin with `A: {number}`", questions(arguments.questions))
        }
        Why::AnswersAwaited => format!("{} for people, still open", questions(arguments.questions)),
        Why::CallsWait => format!("Waiting for {who}, mentioned in a comment"),
        Why::EndedWithoutConsensus => {
            "No consensus; comment on what changed, then the participants vote again".to_owned()
        }
        Why::NobodyVoted => "No participant voted; ask them again".to_owned(),
        Why::VoteAgain => "Ready to vote again on the new comments".to_owned(),
    };
    NextAction { action, button, why }
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

fn questions(count: Option<usize>) -> String {
    match count {
        Some(1) | None => "A question".to_owned(),
        Some(count) => format!("{count} questions"),
    }
}
