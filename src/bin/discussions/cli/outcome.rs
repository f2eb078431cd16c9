//! Formats the result of a discussion for users, with sentences about its votes.

use std::collections::{BTreeMap, BTreeSet};

use discussions::view::{DiscussionResult, NextStep, Status};
use serde::Serialize;

use crate::cli::amounts;
use crate::cli::live::OutputForm;
use crate::cli::markdown;
use crate::cli::shell::Shell;
use crate::cli::ui::{Line, Ui};

/// Writes the document; after events, as one more line.
pub(crate) fn json(shell: &mut Shell, form: OutputForm, document: &impl Serialize) {
    if form.events { shell.ui.json_line(document) } else { shell.ui.json(document) }
}

/// Prints the text of the outcome, formatted if it goes to a terminal. Prints nothing if the outcome is only in the
/// votes.
pub(crate) fn text(ui: &mut Ui, status: &Status) {
    let Some(outcome) = status.outcome.as_ref().filter(|outcome| outcome.line.is_some()) else {
        return;
    };
    let word = status.decided.text_heading();
    ui.out("");
    match &outcome.decision {
        Some(decision) => {
            ui.wrapped("", Line::default().strong(word).text(": ").text(decision.as_str()));
        }
        None => ui.out(Line::default().strong(word)),
    }
    ui.out("");
    readable(ui, &outcome.text_alone);
    ui.out("");
}

/// Prints a text, formatted for a terminal and unchanged elsewhere.
fn readable(ui: &mut Ui, text: &str) {
    match ui.width() {
        Some(width) => {
            let lines = markdown::lines(text, &BTreeMap::new(), width);
            lines.into_iter().for_each(|line| ui.out(line));
        }
        None => ui.out(text.trim_end()),
    }
}

/// Removes the line with the confidence, which is shown with the vote.
fn without_confidence(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("CONFIDENCE:"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Shows a result to people: the final text first, then how it was reached.
pub(crate) fn tell(shell: &mut Shell, result: &DiscussionResult, verbose: bool) {
    if verbose {
        for round in &result.rounds {
            shell.ui.out(Line::default().strong(format!("Round {}", round.round_number)));
            shell.ui.out("");
            for response in &round.responses {
                // This text is printed once, below.
                if response.content == result.synthesis {
                    continue;
                }
                let mut line = Line::default().strong(&response.provider);
                if let Some(role) = &response.role {
                    line = line.faint(format!(" ({role})"));
                }
                if let Some(vote) = &response.vote {
                    line = line.text(format!(" votes {vote}"));
                    if let Some(confidence) = response.confidence {
                        line = line.faint(format!(" (confidence {confidence})"));
                    }
                }
                shell.ui.out(line);
                shell.ui.out("");
                let error = response.error.as_ref().map(|error| format!("No answer: {error}"));
                let said = match response.vote {
                    Some(_) => without_confidence(&response.content),
                    None => response.content.clone(),
                };
                readable(&mut shell.ui, error.as_deref().unwrap_or(said.trim_end()));
                shell.ui.out("");
            }
        }
    }
    shell.ui.wrapped("", Line::default().strong(result.headline().trim_end_matches('.')));
    shell.ui.out("");
    let facts = &result.outcome.facts;
    for one in facts.standing_ones() {
        let name = if facts.in_force { "Decision" } else { "Answer" };
        field(shell, name, &one.text);
    }
    if facts.decision.is_some() {
        shell.ui.out("");
    }
    let alone = result.outcome.text_alone();
    let text = if alone.is_empty() { result.synthesis.trim_end() } else { alone.as_str() };
    // The user was already told that no participant answered.
    let nobody = result.error.as_ref().is_some_and(|error| error.code.is_shortage());
    if !(text.is_empty() && nobody) {
        readable(&mut shell.ui, if text.is_empty() { "There is no final text." } else { text });
        shell.ui.out("");
    }
    let responses = result.rounds.iter().flat_map(|round| &round.responses);
    let spoke: BTreeSet<&str> = responses
        .filter(|response| response.error.is_none())
        .map(|response| response.provider.as_str())
        .collect();
    if !spoke.is_empty() {
        let spoke: Vec<&str> = spoke.into_iter().collect();
        field(shell, "Participants", &spoke.join(", "));
    }
    findings(shell, result);
    tally(shell, result);
    for one in &result.outcome.dissent {
        field(
            shell,
            "Dissent",
            &place(&one.participant, &one.vote_in_words(), &one.text, one.line),
        );
    }
    let dissent = &result.outcome.dissent;
    let told = |line: usize| dissent.iter().any(|one| one.line == line);
    for one in result.outcome.conditions.iter().filter(|one| !told(one.line)) {
        field(shell, "Condition", &place(&one.participant, &one.vote, &one.text, one.line));
    }
    for note in result.outcome.notes.lines() {
        field(shell, "Note", &note);
    }
    for task in result.outcome.tasks.iter().filter(|task| task.is_open()) {
        field(shell, "Task", &format!("{}: {}", task.label(), task.text));
    }
    for question in &result.outcome.open_questions {
        field(shell, "Open", &format!("Q{}: {}", question.number, question.text));
    }
    let numbered = facts.decisions.iter().filter(|one| one.number.is_some());
    for one in numbered.filter(|one| !one.stands() || one.reason.is_some()) {
        let label = one.label().unwrap_or_default();
        let text = one.reason.as_deref().unwrap_or(&one.text);
        field(shell, "Decisions", &format!("{label}: {text} ({})", one.words()));
    }
    let method = result.consensus.method;
    let degraded = match (result.consensus.degraded, result.consensus.reached) {
        (false, _) => "",
        (true, true) => ", although not all participants could answer",
        (true, false) if nobody => " because too few participants answered",
        (true, false) => ", and not all participants could answer",
    };
    field(shell, "Outcome", &format!("{}{degraded} ({method})", facts.words()));
    let spent = &result.metadata.cost_summary;
    let about = if spent.estimated { "~" } else { "" };
    let cost = format!(
        "{} calls, {about}{} tokens, {}, {}",
        spent.total_calls,
        spent.total_tokens,
        spent.money(),
        amounts::seconds(result.total_duration_ms)
    );
    field(shell, "Cost", &cost);
    if !result.failed_providers.is_empty() {
        field(shell, "Failed", &result.failed_providers.join(", "));
    }
    if result.metadata.early_exit.triggered {
        let skipped = result.metadata.early_exit.skipped.join(", ");
        field(shell, "Skipped", &format!("{skipped}; their votes could not change the outcome"));
    }
    field(shell, "File", &result.file);
}

fn place(who: &str, vote: &str, text: &str, line: usize) -> String {
    let text = if text.is_empty() { String::new() } else { format!(": {text}") };
    format!("{who}, {vote}{text} (line {line})")
}

/// Shows each finding in one line, with the reason of a declined one.
fn findings(shell: &mut Shell, result: &DiscussionResult) {
    let review = &result.review;
    for one in &review.findings {
        let place = one.place().map(|place| format!("{place}, ")).unwrap_or_default();
        let mut text = format!("{}, {}: \"{}\"", one.number, one.state, one.short_quote());
        if one.is_declined() {
            text = format!("{text}: {}", one.proof.trim());
        }
        field(shell, "Finding", &format!("{text} ({}, {place}line {})", one.name, one.line));
    }
    if let Some(note) = review.opinion_note() {
        shell.ui.wrapped("", Line::from(note));
    }
}

fn tally(shell: &mut Shell, result: &DiscussionResult) {
    let Some(voting) = &result.voting_results else { return };
    let counts: Vec<String> =
        voting.votes.iter().map(|(option, count)| format!("{option}: {count}")).collect();
    let winner = match (&voting.winner, voting.tied) {
        (winner, true) => match &voting.tie_broken_by {
            Some(who) => format!("; a tie, and {who} chose {winner}"),
            None => "; a tie".to_owned(),
        },
        (winner, _) if winner.is_empty() => String::new(),
        (winner, _) => match result.consensus.agreement_score {
            Some(share) => format!("; {winner} has {:.0} % of the weighted votes", share * 100.0),
            None => format!("; {winner} leads"),
        },
    };
    field(shell, "Votes", &format!("{}{winner}", counts.join(", ")));
}

fn field(shell: &mut Shell, name: &str, text: &str) {
    shell.ui.wrapped("", Line::default().faint(format!("{name}: ")).text(text));
}

/// Returns who agrees or who blocks; `None` while the vote is open.
pub(crate) fn consensus_sentence(status: &Status) -> Option<String> {
    let consensus = &status.consensus;
    if !consensus.blocked_by.is_empty() {
        return Some(format!("Blocked by {}", all(&consensus.blocked_by)));
    }
    let outcome = consensus.outcome.as_ref().filter(|_| consensus.reached && !consensus.by_text)?;
    reached(outcome, &status.agreeing_names())
}

fn reached(outcome: &str, agree: &[impl AsRef<str>]) -> Option<String> {
    (!agree.is_empty()).then(|| format!("Consensus reached: {outcome} by {}", all(agree)))
}

/// Returns the sentence at the end of a discussion about its open points: `Decided. Open: 3 questions, 3 tasks.`
pub(crate) fn finished(step: &NextStep) -> String {
    let end = match (step.arguments.is_decided, step.arguments.is_answered) {
        (true, _) => "Decided.",
        (_, true) => "Answered, not voted on; a person decides it by closing the discussion.",
        (false, false) => "The discussion is over.",
    };
    match step.arguments.left_open() {
        Some(open) => format!("{end} Open: {open}."),
        None => format!("{end} Nothing is open."),
    }
}

/// Returns the participants for which a model answers, as mentions; `None` if there are none.
pub(crate) fn nameable(status: &Status) -> Option<String> {
    let models = status.participants.iter().filter(|one| one.kind.is_asked());
    let names: Vec<String> =
        models.filter_map(|one| Some(format!("@{}", one.alias.as_ref()?))).collect();
    (!names.is_empty()).then(|| all(&names))
}

/// Prints the effect of a vote that was just cast.
pub(crate) fn tell_consensus(
    shell: &mut Shell,
    outcome: Option<&str>,
    agreed: &[String],
    blocked_by: &[String],
) {
    let sentence = match blocked_by {
        [] => outcome.and_then(|outcome| reached(outcome, agreed)),
        names => Some(format!("Blocked by {}", all(names))),
    };
    if let Some(sentence) = sentence {
        shell.ui.wrapped("", Line::default().strong(sentence));
    }
}

/// Joins names: `a, b and c`.
pub(crate) fn all<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_with_commas_and_and() {
        assert_eq!(all(&["a"]), "a");
        assert_eq!(all(&["a", "b", "c"]), "a, b and c");
    }
}
