//! Sentences about the result of votes.

use discussions::view::{NextStep, Status};

use crate::cli::line::Line;
use crate::cli::shell::Shell;

/// Returns who agrees or who blocks; `None` while the vote is open.
pub(crate) fn sentence(status: &Status) -> Option<String> {
    let consensus = &status.consensus;
    if !consensus.blocked_by.is_empty() {
        return Some(format!("Blocked by {}", all(&consensus.blocked_by)));
    }
    let outcome = consensus.outcome.as_ref().filter(|_| consensus.reached)?;
    reached(outcome, &status.agreeing_names())
}

fn reached(outcome: &str, agree: &[impl AsRef<str>]) -> Option<String> {
    (!agree.is_empty()).then(|| format!("Consensus reached: {outcome} by {}", all(agree)))
}

/// Returns the name of the outcome's text. While a discussion is open, its participants may still change the text.
pub(crate) fn outcome_word(status: &Status) -> &'static str {
    let outcome = status.outcome.as_ref();
    let is_verdict = outcome.is_some_and(|outcome| outcome.is_verdict);
    let has_decision = outcome.is_some_and(|outcome| outcome.decision.is_some());
    match (has_decision, status.consensus.reached) {
        _ if is_verdict => "Verdict",
        (true, true) => "Decision",
        (true, false) => "Proposed",
        (false, true) => "Final text",
        (false, false) => "Text so far",
    }
}

/// Returns the sentence at the end of a discussion about its open points: `Decided. Open: 3 questions, 3 tasks.`
pub(crate) fn finished(step: &NextStep) -> String {
    let end = if step.arguments.is_decided { "Decided." } else { "The discussion is over." };
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
pub(crate) fn tell(
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
