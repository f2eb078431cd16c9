//! What happens and what can be done, in this front end's words: its tools.

use discussions::transcript::visible_line;
use discussions::view::{CallOutcome, Event, EventKind, NextStep, Verb, Why};
use discussions::workspace::Unused;

use crate::cli::words;

/// What was asked for and has no effect.
pub(super) fn unused(unused: &Unused) -> String {
    match unused {
        Unused::Perspective { alias } => {
            format!("{alias} is left out: it needs `context` to judge by")
        }
        Unused::Seat { alias, template, .. } => format!(
            "{alias} has no role that speaks in `{template}`: it is heard only when called, or in a ballot"
        ),
        other => words::unused(other),
    }
}

/// What happened, where a person who waits wants to know it.
pub(super) fn event(event: &Event) -> Option<String> {
    let who = event.participant.as_deref().unwrap_or_default();
    let text = match &event.kind {
        EventKind::TurnStart { turn, title, asks, .. } => {
            format!("turn {turn}, {title}: asks {}", asks.join(", "))
        }
        EventKind::AnswerStart { provider, .. } => format!("{who} thinks ({provider})"),
        EventKind::AnswerEnd { outcome: CallOutcome::Failed { error }, .. } => {
            format!("{who} could not answer: {}", error.message)
        }
        EventKind::AnswerEnd { outcome, .. } => format!("{who} {}", outcome.as_str()),
        EventKind::Comment { name, .. } => format!("{name} says something"),
        EventKind::Vote { vote, .. } => format!("{who} votes {vote}"),
        EventKind::Phase { phase, .. } => format!("phase {phase} begins"),
        EventKind::Status { status, .. } => format!("the discussion is {status}"),
        EventKind::Error { message, .. } => message.clone(),
        _ => return None,
    };
    Some(visible_line(&text))
}

/// What one can do next. Where only a person may do it, the command that they type.
pub(super) fn next(step: &NextStep) -> String {
    let file = visible_line(&step.file);
    let who = step.arguments.participants.join(" and ");
    let typed = format!("`discussions {} {file}`", step.verb.as_str());
    let first = step.arguments.participants.first().map_or("NAME", String::as_str);
    let as_them = format!("`discussions comment {file} --as {first}`");
    let question = step.arguments.question_word();
    let answer = format!("`discussions answer {file} {question} \"TEXT\" --as {first}`");
    match (step.why, step.verb) {
        (Why::PeopleAreAsked, _) => {
            format!("a person has to answer as {who}: {as_them}; then `continue`")
        }
        (Why::QuestionsToPerson, _) => {
            format!("{who} is asked something: a person answers with {answer}; then `continue`")
        }
        (Why::AnswersAwaited, _) => {
            format!("people were asked something that is open: {typed} --no-wait goes on without")
        }
        (Why::PersonVotes, _) => format!("a person's vote is needed: `discussions vote {file}`"),
        (Why::PersonEndsPhase | Why::ConditionNotMet | Why::MentionsPending, Verb::Advance) => {
            format!("a person goes on to the next phase with {typed}; then `continue`")
        }
        (Why::EndedWithoutConsensus, _) => {
            "say with `say` what was changed, then `continue`: they vote again".to_owned()
        }
        (Why::Finished, _) => "nothing is left to do; `say` asks somebody more".to_owned(),
        (Why::Closed, _) => format!("it is closed; a person opens it again with {typed}"),
        (Why::NobodyToAsk, _) => "nobody is left to be asked".to_owned(),
        (_, Verb::Turn | Verb::Run) => "`continue` goes on".to_owned(),
        (_, Verb::Comment) => "`say` adds a comment".to_owned(),
        (_, Verb::Advance | Verb::Close | Verb::Reopen) => format!("a person may do {typed}"),
    }
}
