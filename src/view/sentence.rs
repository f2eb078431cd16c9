//! The decision in one sentence, by what decided: a ballot among answers, a stated decision, or an accepted text.

use super::reason::first_sentence;
use crate::engine::{Decision, Snapshot};
use crate::template::DecidedBy;
use crate::transcript::{Choice, EntryKind};

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

/// The verdict that a template computed.
pub(super) struct Judged {
    /// In one sentence: `Consensus blocked: severity HIGH, recommendation revise, average rating 2.6/5`.
    pub(super) sentence: String,
    /// The text of the phase that ended with it, and its line in the file; none if nobody wrote one.
    pub(super) text: Option<(String, usize)>,
}

/// The verdict that a template computed; none if it computes none, or is not finished.
pub(super) fn judged(snapshot: &Snapshot, decision: &Decision) -> Option<Judged> {
    let verdict = decision.verdict.as_ref()?;
    let words = |word: &str| word.replace(['_', '-'], " ");
    let with = verdict
        .with
        .iter()
        .filter_map(|(name, value)| Some(format!("{} {}", words(name), words(value.as_str()?))));
    let average = snapshot.values().ok();
    let average = average.as_ref().and_then(|values| values.get("averageRating")?.as_f64());
    let average = average.filter(|average| *average > 0.0);
    let average = average.map(|average| format!("average rating {average:.1}/5"));
    let more: Vec<String> = with.chain(average).collect();
    let is = capitalized(&words(&verdict.is));
    let sentence = if more.is_empty() { is } else { format!("{is}: {}", more.join(", ")) };
    let phase = snapshot.state.place.phase();
    // What people say later is no part of it.
    let said = snapshot.state.said.iter().find(|said| said.phase == phase);
    let text = said.and_then(|said| match &snapshot.transcript.entries.get(said.entry)?.kind {
        EntryKind::Comment(comment) => Some((comment.body(), said.line)),
        _ => None,
    });
    Some(Judged { sentence, text })
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Whether a vote asks for something else than the text as it stands.
pub(super) fn asks_for_more(choice: &Choice) -> bool {
    ASKING.iter().any(|word| choice.as_str().eq_ignore_ascii_case(word))
}
