//! Describes next steps with this program's commands and flags.

use discussions::view::{NextStep, Why};

use crate::cli::command_hint::CommandHint;
use crate::cli::consensus_line::{all, finished};
use crate::cli::ui::{Line, Ui};
use crate::cli::words::typed::typed;

/// Prints the next steps.
pub(crate) fn tell(ui: &mut Ui, called: &CommandHint, steps: &[NextStep]) {
    for step in steps {
        match in_words(step, called) {
            NextStepWords::Next(line) => ui.note_wrapped(Line::hint("next", line)),
            NextStepWords::Note(line) => ui.note_wrapped(line),
        }
    }
}

enum NextStepWords {
    Next(Line),
    Note(Line),
}

/// Returns the command first and its purpose after it, so that a user who copies the line copies a command.
fn in_words(step: &NextStep, called: &CommandHint) -> NextStepWords {
    let NextStep { verb, arguments, why, .. } = step;
    let who = &arguments.participants;
    let mentions: Vec<String> = who.iter().map(|who| format!("@{who}")).collect();
    let first = who.first().map_or("NAME", String::as_str);
    let phase = arguments.phase_title.as_deref().unwrap_or_default();
    // The library's verbs are spelt like the commands.
    let with = |more: &str| Line::default().whole(called.command(verb.as_str(), more));
    let command = with("");
    let other = |verb: &str, more: &str| Line::default().whole(called.command(verb, more));
    let why_so = |line: Line, why: String| line.text(format!("    ({why})"));
    NextStepWords::Next(match why {
        Why::StillToBeAsked => why_so(command, format!("{} not asked yet", mentions.join(" "))),
        Why::PhaseBegins => why_so(command, format!("enters {phase}")),
        Why::CommandRuns => why_so(command, format!("runs the command of {phase}")),
        Why::DiscussionWithin => why_so(command, "a sub-discussion is next".to_owned()),
        Why::TurnBegins => {
            command.text(", or ").then(other("run", "")).text(" to continue automatically")
        }
        Why::PeopleAreAsked => {
            why_so(with(&format!("--as {first}")), format!("{} to answer", all(who)))
        }
        Why::PersonEndsPhase => why_so(command, format!("a person must end the phase {phase}")),
        Why::ConditionNotMet => {
            command.text(format!(" for another turn of {phase}, or ")).then(other("advance", ""))
        }
        Why::CallsWait => why_so(command, format!("asks {}", mentioned(&mentions))),
        Why::EndedWithoutConsensus => Line::from("no consensus; comment on what changed with ")
            .then(command)
            .text(", then ")
            .then(other("run", ""))
            .text(" to vote again"),
        Why::NobodyVoted => why_so(command, "no votes were cast; asks again".to_owned()),
        Why::VoteAgain => why_so(command, "votes again on the new comments".to_owned()),
        Why::AnswersAwaited => command.text(" after the answer, or ").then(with("--no-wait")),
        Why::MentionsPending if verb.as_str() == "turn" => command
            .text(format!("    (asks {}), or ", mentioned(&mentions)))
            .then(other("advance", ""))
            .text(" to continue without an answer"),
        Why::MentionsPending => {
            why_so(command, format!("continues without {}", mentioned(&mentions)))
        }
        Why::PersonVotes => {
            let vote = arguments.vote.as_deref().unwrap_or_default();
            why_so(
                other("vote", &typed(vote)),
                "a person has to vote: this or another option".to_owned(),
            )
        }
        Why::Closed => {
            return NextStepWords::Note(
                Line::from("the discussion is closed; to reopen it: ").then(command),
            );
        }
        Why::Finished => {
            let text = format!("{}; to close it: ", finished(step).trim_end_matches('.'));
            return NextStepWords::Note(Line::from(text.as_str()).then(command));
        }
        Why::TooFewAnswered => {
            let text = "too few participants answered; to ask the others again: ";
            return NextStepWords::Note(Line::from(text).then(command));
        }
        Why::NobodyToAsk => {
            let text = "all participants have answered; to ask one again: ";
            return NextStepWords::Note(Line::from(text).then(with("@alias")));
        }
        Why::QuestionsToPerson => {
            let questions = match arguments.questions {
                Some(1) | None => "a question".to_owned(),
                Some(count) => format!("{count} questions"),
            };
            let text = format!("@{first} is asked {questions}: ");
            let more = format!("{} \"TEXT\" --as {}", arguments.question_word(), typed(first));
            return NextStepWords::Note(Line::from(text).then(other("answer", &more)));
        }
    })
}

/// Returns mentions, with the reason why they wait: `@a and @b, who were mentioned`.
fn mentioned(mentions: &[String]) -> String {
    let verb = if mentions.len() == 1 { "was" } else { "were" };
    format!("{}, who {verb} mentioned", all(mentions))
}
