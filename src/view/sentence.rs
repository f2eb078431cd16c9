//! The decision in one sentence, by what decided: a ballot among answers, a stated decision, or an accepted text.

use super::reason::first_sentence;
use crate::engine::{Decision, Snapshot};
use crate::template::DecidedBy;
use crate::transcript::Choice;

/// The options that ask for something else, whatever a template calls an agreement.
const ASKING: [&str; 2] = ["CHANGES", "REJECT"];

/// The option that won a ballot among answers. Options that accept or refuse a text are no answers.
pub(super) fn won(snapshot: &Snapshot, decision: &Decision) -> Option<String> {
    let (_, phase) = snapshot.state.deciding(&snapshot.config)?;
    let tally = &decision.tally;
    let by_votes = snapshot.config.rules.method.decided_by() == DecidedBy::Votes;
    let answers = snapshot.config.rules.accept.is_empty()
        && !snapshot.config.options[phase].iter().any(asks_for_more);
    let decided = by_votes && decision.reached && answers && (!tally.tied || tally.tie_broken);
    tally.outcome.as_ref().filter(|_| decided).map(ToString::to_string)
}

/// The text that a ballot accepted, and its first sentence; none if somebody states the decision.
pub(super) fn accepted(snapshot: &Snapshot, decision: &Decision) -> Option<(String, String)> {
    let (ballot, _) = snapshot.state.deciding(&snapshot.config)?;
    let is_accepted = decision.reached && !ballot.votes.is_empty();
    if !is_accepted || won(snapshot, decision).is_some() || snapshot.stated_decision().is_some() {
        return None;
    }
    let text = snapshot.written_synthesis()?;
    let sentence = first_sentence(&text.replace("**", ""));
    (!sentence.is_empty()).then_some((text, sentence))
}

/// Whether a vote asks for something else than the text as it stands.
pub(super) fn asks_for_more(choice: &Choice) -> bool {
    ASKING.iter().any(|word| choice.as_str().eq_ignore_ascii_case(word))
}
