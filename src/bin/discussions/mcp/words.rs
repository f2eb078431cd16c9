//! What happens and what can be done, in this front end's words: its tools.

use discussions::codes::Fix;
use discussions::transcript::visible_line;
use discussions::view::{CallOutcome, Event, EventKind, NextStep, Verb, Why};
use discussions::workspace::{Help, Unused};

use crate::cli::agreed;
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

/// Returns what helps against an error in the words of tools; none if the words of the command line name no command.
pub(super) fn help(way: &Help) -> Option<&'static str> {
    Some(match way {
        Help::ListDiscussions => "`list` shows what there is",
        // An agent has no way to send secrets, and is not told of one.
        Help::TakeOutSecrets => "leave it out: secrets are not sent to models",
        Help::Fix(Fix::ListTemplates) => {
            "without `pattern` it is synthesis; this server's prompts are all patterns"
        }
        Help::Fix(Fix::ListParticipants) | Help::ListParticipants => {
            "without `participants` those of the project take part; `me` is you"
        }
        Help::Fix(Fix::ListProviders) => "without `provider` each persona's own is asked",
        Help::GiveParameter(_) | Help::ListParameters(_) => {
            "no tool sets this parameter; take another pattern"
        }
        Help::GiveContext(_) => "give what it was written from as `context`",
        Help::GiveRole => "no tool gives roles; take another pattern",
        Help::Agree => {
            "a person runs `discussions trust`, which shows what it runs, and asks; `provider` names another"
        }
        Help::InstallProvider => {
            "a person installs or logs in to a provider: `discussions providers check` shows which there are; `me` among the `participants` is you"
        }
        Help::Reopen => "a person opens it again with `discussions reopen`",
        Help::CloseOrGoBack => {
            "a person ends it with `discussions close`, or goes back with `discussions advance --to`"
        }
        _ => return None,
    })
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
        (Why::Finished, _) => {
            let finished = agreed::finished(step);
            format!("{finished} To ask more: `say` with an @alias, then `continue`")
        }
        (Why::Closed, _) => format!("it is closed; a person opens it again with {typed}"),
        (Why::NobodyToAsk, _) => "nobody is left to be asked".to_owned(),
        (_, Verb::Turn | Verb::Run) => "`continue` goes on".to_owned(),
        (_, Verb::Comment) => "`say` adds a comment".to_owned(),
        (_, Verb::Advance | Verb::Close | Verb::Reopen) => format!("a person may do {typed}"),
    }
}
