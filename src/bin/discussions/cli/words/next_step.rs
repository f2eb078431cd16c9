//! What one can do now, in this program's words: its commands and flags.

use discussions::transcript::visible_line;
use discussions::view::{NextStep, Why};

use crate::cli::ui::Ui;

/// Shows what one can do.
pub(crate) fn tell(ui: &mut Ui, steps: &[NextStep]) {
    for step in steps {
        match in_words(step) {
            Words::Next(text) => ui.hint("next", text),
            Words::Note(text) => ui.note(text),
        }
    }
}

enum Words {
    Next(String),
    Note(String),
}

fn in_words(step: &NextStep) -> Words {
    let file = visible_line(&step.file);
    let file = shell_words::quote(&file);
    let NextStep { verb, arguments, why, .. } = step;
    let who = &arguments.participants;
    let mentions: Vec<String> = who.iter().map(|who| format!("@{who}")).collect();
    let first = who.first().map_or("NAME", String::as_str);
    let phase = arguments.phase.as_deref().unwrap_or_default();
    // What can be done is called as the commands that do it are.
    let command = format!("discussions {} {file}", verb.as_str());
    Words::Next(match why {
        Why::StillToBeAsked => format!("{command}    ({} still to be asked)", mentions.join(" ")),
        Why::PhaseBegins => format!("{command}    (enters {phase})"),
        Why::TurnBegins => format!("{command}, or discussions run {file} to go on by itself"),
        Why::PeopleAreAsked => {
            format!("{} to answer, with {command} --as {first}", who.join(" and "))
        }
        Why::PersonEndsPhase => format!("{command}    (a person ends the phase {phase})"),
        Why::ConditionNotMet => {
            format!("{command} for another turn of {phase}, or discussions advance {file}")
        }
        Why::CallsWait => {
            format!("{command}    (asks {}, who were called)", mentions.join(" and "))
        }
        Why::EndedWithoutConsensus => {
            format!(
                "say what was changed, with {command}; then discussions run {file}: they vote again"
            )
        }
        Why::VoteAgain => format!("{command}    (they vote again on what was said since)"),
        Why::AnswersAwaited => {
            format!("{command} when that is answered, or discussions run {file} --no-wait")
        }
        Why::MentionsPending if verb.as_str() == "turn" => format!(
            "{command}    (asks {}, who were called), or discussions advance {file} to go on without",
            mentions.join(" and ")
        ),
        Why::MentionsPending => {
            format!("{} to answer; {command} goes on without", mentions.join(" and "))
        }
        Why::PersonVotes => {
            let vote = arguments.vote.as_deref().unwrap_or_default();
            format!("a person's vote, with {command} \"...\" --vote {vote}")
        }
        Why::Closed => {
            return Words::Note(format!("the discussion is closed; to go on: {command}"));
        }
        Why::Finished => {
            return Words::Note(format!("nothing is left to do; to end it: {command}"));
        }
        Why::TooFewAnswered => {
            return Words::Note(format!("too few answered; to ask the others again: {command}"));
        }
        Why::NobodyToAsk => {
            let text = format!("nobody is left to be asked; name somebody: {command} @alias");
            return Words::Note(text);
        }
        Why::QuestionsToPerson => {
            let questions = match arguments.questions {
                Some(1) | None => "a question".to_owned(),
                Some(count) => format!("{count} questions"),
            };
            return Words::Note(format!("@{first} is asked {questions}: {command} --as {first}"));
        }
    })
}
