//! The reasons of next steps, one row for each: in the words of a terminal, a page, the screen and an agent.
//!
//! Words in braces stand for parts of the step. On a terminal `{do}`, `{run}` and others are commands, which come before
//! their purpose, so that a user who copies the line copies a command.

use discussions::view::{NextStep, Why, visible_line};

use super::typed;
use crate::cli::outcome::{all, finished};
use crate::cli::shell::CommandHint;
use crate::cli::ui::{Line, Ui};

/// The sentences about one reason.
struct Row {
    /// Lines that begin with `next: ` if they are recommendations: a command and its purpose.
    terminal: &'static str,
    page: &'static str,
    /// Differs from the page's sentence where the screen has keys.
    screen: &'static str,
    /// Empty if an agent has nothing to do.
    agent: &'static str,
}

fn row(terminal: &'static str, page: &'static str, agent: &'static str) -> Row {
    Row { terminal, page, screen: page, agent }
}

impl Row {
    fn screen(self, screen: &'static str) -> Self {
        Self { screen, ..self }
    }
}

const CONTINUE: &str = "`continue` {calls}";
const BY_A_PERSON: &str =
    "a person must go to the next phase with `discussions {verb} {file}`; then `continue`";

const ADOPTION: &str = "nothing is left to do; your user can make the answer a decision with `discussions {verb} {file}`";

fn row_of(step: &NextStep) -> Row {
    match step.why {
        Why::StillToBeAsked => {
            row("next: {do}    ({mentions} not asked yet)", "not asked yet: {who}", CONTINUE)
        }
        Why::PhaseBegins => row("next: {do}    (enters {phase})", "next phase: {phase}", CONTINUE),
        Why::CommandRuns => row(
            "next: {do}    (runs the command of {phase})",
            "ready to run the command of the phase {phase}",
            CONTINUE,
        )
        .screen("run the command of the phase {phase}"),
        Why::DiscussionWithin => row(
            "next: {do}    (a sub-discussion is next)",
            "a sub-discussion is not finished",
            CONTINUE,
        ),
        Why::TurnBegins => row(
            "next: {do}    (asks each participant once)\nnext: {run}    (asks until a person is needed)",
            "ready for the next turn",
            CONTINUE,
        )
        .screen("next turn; r runs turn by turn"),
        Why::PeopleAreAsked => row(
            "next: {do TEXT --as}    ({names} to answer)",
            "waiting for {who} to answer",
            "a person must answer as {names} with `discussions comment {file} --as {first}`; then `continue`",
        ),
        Why::PersonEndsPhase => row(
            "next: {do}    (a person must end the phase {phase})",
            "a person must end the phase {phase}",
            BY_A_PERSON,
        ),
        Why::ConditionNotMet => row(
            "next: {do}    (another turn of {phase})\nnext: {leave}    ({leaves})",
            "the phase {phase} needs another turn",
            CONTINUE,
        )
        .screen("another turn of {phase}, or p for the next phase"),
        Why::CallsWait => row(
            "next: {do}    (asks {who}, who {was} mentioned)",
            "waiting for {who}, mentioned in a comment",
            CONTINUE,
        ),
        Why::MentionsPending if step.verb.as_str() == "turn" => row(
            "next: {do}    (asks {who}, who {was} mentioned)\nnext: {leave}    ({leaves} without an answer)",
            "mentioned, and no answer yet: {who}",
            CONTINUE,
        ),
        Why::MentionsPending => row(
            "next: {leave}    ({leaves} without {who}, who {was} mentioned)",
            "mentioned, and no answer yet: {who}",
            BY_A_PERSON,
        ),
        Why::EndedWithoutConsensus => row(
            "next: {do TEXT}    (no consensus; say what changed)\nnext: {run}    (then votes again)",
            "no consensus; comment on what changed, then the participants vote again",
            "no consensus: `say` what changed, then `continue` to vote again",
        )
        .screen("no consensus; comment on what changed, then r to vote again"),
        Why::NobodyVoted => row(
            "next: {do}    (no votes were cast; asks again)",
            "no participant voted; ask them again",
            "no vote counted. Asking all again would cost as much again and may end alike: first `say` what changed, or name \
             another `provider`; then `continue` {calls}",
        ),
        Why::VoteAgain => row(
            "next: {do}    (votes again on the new comments)",
            "ready to vote again on the new comments",
            CONTINUE,
        )
        .screen("vote again on the new comments"),
        Why::AnswersAwaited => row(
            "next: {do}    (after the answer)\nnext: {do --no-wait}    (without the answer)",
            "{questions} for people, still open",
            "people have open questions: `discussions {verb} {file} --no-wait` goes on without their answers",
        ),
        Why::PersonVotes if !step.arguments.participants.is_empty() => row(
            "next: {vote --as}    ({names} to vote: this or another option)",
            "waiting for {who} to vote",
            "{names} has to vote: `discussions vote {file} OPTION --as {first}`; then `continue`",
        ),
        Why::PersonVotes => row(
            "next: {vote}    (a person has to vote: this or another option)",
            "a person's vote is needed",
            "a person's vote is needed: `discussions vote {file}`",
        ),
        Why::Closed => row(
            "the discussion is closed; to reopen it: {do}",
            "the discussion is closed",
            "",
        )
        .screen("reopen this closed discussion"),
        Why::Finished => row(
            "{end}; to close it: {do}",
            "{end}.",
            if step.arguments.is_answered { ADOPTION } else { "" },
        )
        .screen("{end}. Close it"),
        Why::TooFewAnswered => row(
            "too few participants answered; to ask the others again: {do}",
            "too few participants answered; ask the others again",
            CONTINUE,
        ),
        Why::NobodyToAsk => row(
            "all participants have answered; to ask one again: {do @model}",
            "no participant is left to ask; mention one with @name",
            "no participant is left to ask",
        )
        .screen("no participant is left to ask; mention one"),
        Why::QuestionsToPerson => row(
            "@{first} is asked {questions}: {answer}",
            "{questions} for {who}; begin with `A: {question}`",
            "{names} has a question to answer: a person uses `discussions answer {file} {question} \"TEXT\" --as {first}`; \
             then `continue`",
        )
        .screen("{questions} for {who}"),
    }
}

/// A part of a sentence.
enum Part<'t> {
    Text(&'t str),
    /// A word in braces, without them.
    Slot(&'t str),
}

fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    text.split('{').enumerate().flat_map(|(at, part)| match part.split_once('}') {
        Some((slot, after)) if at > 0 => vec![Part::Slot(slot), Part::Text(after)],
        _ => vec![Part::Text(part)],
    })
}

/// Returns the value of a word in braces that means the same for all audiences.
fn value(step: &NextStep, slot: &str) -> String {
    let arguments = &step.arguments;
    let mentions = || arguments.participants.iter().map(|who| format!("@{who}"));
    match slot {
        "mentions" => mentions().collect::<Vec<_>>().join(" "),
        "who" => all(&mentions().collect::<Vec<_>>()),
        "names" => all(&arguments.participants),
        "was" => if arguments.participants.len() == 1 { "was" } else { "were" }.to_owned(),
        "first" => first(step).to_owned(),
        "leaves" if arguments.may_advance => "enters the next phase".to_owned(),
        "leaves" => "ends the discussion".to_owned(),
        "phase" => arguments.phase_title.clone().unwrap_or_default(),
        "question" => arguments.question_word(),
        "questions" => match arguments.questions {
            Some(1) | None => "a question".to_owned(),
            Some(count) => format!("{count} questions"),
        },
        "end" => finished(step).trim_end_matches('.').to_owned(),
        "verb" => step.verb.as_str().to_owned(),
        "calls" => calls(step),
        "file" => visible_line(&step.file),
        other => format!("{{{other}}}"),
    }
}

/// Returns whom a step asks, with the number of calls that are paid for.
fn calls(step: &NextStep) -> String {
    match step.arguments.calls.as_slice() {
        [] => "goes on".to_owned(),
        calls => {
            let s = if calls.len() == 1 { "" } else { "s" };
            format!("asks {} ({} call{s})", visible_line(&calls.join(", ")), calls.len())
        }
    }
}

fn first(step: &NextStep) -> &str {
    step.arguments.participants.first().map_or("NAME", String::as_str)
}

fn plain(step: &NextStep, text: &str) -> String {
    let words = parts(text).map(|part| match part {
        Part::Text(text) => text.to_owned(),
        Part::Slot(slot) => value(step, slot),
    });
    words.collect()
}

/// Returns a step's reason for a page.
pub(crate) fn for_page(step: &NextStep) -> String {
    let text = plain(step, row_of(step).page);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns a step's reason for the screen, where a key does it.
#[cfg(feature = "ui")]
pub(crate) fn for_screen(step: &NextStep) -> String {
    plain(step, row_of(step).screen)
}

/// Returns a step for an agent: the tool that does it, or the command if only a person may; `None` if nothing is left to
/// do, so that no agent goes on without a reason.
pub(crate) fn for_agent(step: &NextStep) -> Option<String> {
    Some(plain(step, row_of(step).agent)).filter(|sentence| !sentence.is_empty())
}

/// Prints the next steps.
pub(crate) fn tell_next_step(ui: &mut Ui, called: &CommandHint, steps: &[NextStep]) {
    for step in steps {
        for line in row_of(step).terminal.lines() {
            match line.strip_prefix("next: ") {
                Some(text) => ui.note_wrapped(Line::hint("next", in_commands(step, text, called))),
                None => ui.note_wrapped(in_commands(step, line, called)),
            }
        }
    }
}

fn in_commands(step: &NextStep, text: &str, called: &CommandHint) -> Line {
    let command = |slot: &str| {
        // The library's verbs are spelt like the commands.
        let verb = step.verb.as_str();
        Some(match slot {
            "do" => called.command(verb, ""),
            "do TEXT" => called.command(verb, "\"TEXT\""),
            "do TEXT --as" => {
                called.command(verb, &format!("\"TEXT\" --as {}", typed(first(step))))
            }
            "do --no-wait" => called.command(verb, "--no-wait"),
            "do @model" => {
                let model = step.arguments.models.first().map(|alias| format!("@{alias}"));
                called.command(verb, model.as_deref().unwrap_or_default())
            }
            "run" => called.command(slot, ""),
            // Behind the last phase there is nothing to advance to.
            "leave" if step.arguments.may_advance => called.command("advance", ""),
            "leave" => called.command("close", ""),
            "vote" | "vote --as" => {
                let vote = typed(step.arguments.vote.as_deref().unwrap_or_default());
                let by = format!(" --as {}", typed(first(step)));
                let by = if slot == "vote" { "" } else { &by };
                called.command("vote", &format!("{vote}{by}"))
            }
            "answer" => {
                let (question, first) = (step.arguments.question_word(), typed(first(step)));
                called.command("answer", &format!("{question} \"TEXT\" --as {first}"))
            }
            _ => return None,
        })
    };
    // Only commands stay on one line each.
    parts(text).fold(Line::default(), |line, part| match part {
        Part::Text(text) => line.text(text),
        Part::Slot(slot) => match command(slot) {
            Some(command) => line.whole(command),
            None => line.text(value(step, slot)),
        },
    })
}
