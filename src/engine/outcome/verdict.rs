//! The verdict about a text, in one sentence.

use super::OutcomeText;
use crate::engine::scope::Verdict;
use crate::engine::snapshot::Snapshot;

/// A verdict that a template computed.
pub(super) struct Judged {
    /// The verdict in one sentence: `Consensus blocked: severity HIGH, recommendation revise, average rating 2.6/5`.
    pub(super) sentence: String,
    /// The text of the phase that ended with the verdict; without one, the sentence.
    pub(super) text: OutcomeText,
}

/// Returns the verdict in words; `None` if there is none.
pub(super) fn judged(snapshot: &Snapshot, verdict: Option<&Verdict>) -> Option<Judged> {
    let verdict = verdict?;
    let words = |word: &str| word.replace(['_', '-'], " ");
    let with = verdict
        .with
        .iter()
        .filter_map(|(name, value)| Some(format!("{} {}", words(name), words(value.as_str()?))));
    // Only this value is computed: the others of a review compare all findings with each other.
    let average = snapshot.result_value("averageRating").ok().flatten();
    let average = average.and_then(|value| f64::try_from(value).ok());
    let average = average.filter(|average| *average > 0.0);
    let average = average.map(|average| format!("average rating {average:.1}/5"));
    let more: Vec<String> = with.chain(average).collect();
    let is = capitalized(&words(&verdict.is));
    let sentence = if more.is_empty() { is } else { format!("{is}: {}", more.join(", ")) };
    let phase = snapshot.state.place.phase();
    // The first comment of the phase is the text; later comments by people are not part of it.
    let said = snapshot.state.said.iter().find(|said| said.phase == phase);
    let text = match said {
        Some(said) => OutcomeText { text: snapshot.body_of(said), line: Some(said.line) },
        None => OutcomeText { text: sentence.clone(), line: None },
    };
    Some(Judged { sentence, text })
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
