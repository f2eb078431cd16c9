//! Extracts sentences from a discussion. The decision in one sentence comes from a ballot among
//! answers, a stated decision or an accepted text. The reason of a vote is the text of its comment
//! without the marker lines.

use std::collections::BTreeSet;

use crate::engine::{ConsensusState, Snapshot, first_sentence, opening_sentence};
use crate::state::{CommentFacts, Vote};
use crate::template::DecidedBy;
use crate::transcript::{BodyMark, Choice, Comment, EntryKind, Marker, MarkerValue};

/// The options that ask for something else, even if a template counts them as agreement.
const ASKING: [&str; 2] = ["CHANGES", "REJECT"];

/// Returns the option that won a ballot among answers. Options that accept or reject a text are not answers.
pub(super) fn won(snapshot: &Snapshot, decision: &ConsensusState) -> Option<String> {
    let (_, phase) = snapshot.state.deciding(&snapshot.config)?;
    let tally = &decision.tally;
    let by_votes = snapshot.config.rules.method.decided_by() == DecidedBy::Votes;
    let answers = snapshot.config.rules.accept.is_empty()
        && !snapshot.config.options[phase].iter().any(asks_for_more);
    let decided = by_votes && decision.reached && answers && (!tally.tied || tally.tie_broken);
    tally.outcome.as_ref().filter(|_| decided).map(ToString::to_string)
}

/// Returns the text that a ballot accepted, and its first sentence; `None` if a participant states the decision.
pub(super) fn accepted(snapshot: &Snapshot, decision: &ConsensusState) -> Option<(String, String)> {
    let (ballot, _) = snapshot.state.deciding(&snapshot.config)?;
    let is_accepted = decision.reached && !ballot.votes.is_empty();
    if !is_accepted || won(snapshot, decision).is_some() || snapshot.stated_decision().is_some() {
        return None;
    }
    let text = snapshot.written_synthesis()?;
    let sentence = first_sentence(&text.replace("**", ""));
    (!sentence.is_empty()).then_some((text, sentence))
}

/// Returns the first sentence of the final text, if the discussion is finished, its outcome is a text for a reader, and
/// no phase asks the author to state the decision.
pub(super) fn opening(snapshot: &Snapshot, text: &str) -> Option<String> {
    let method = snapshot.config.rules.method;
    let mut writing = snapshot.template().phases.iter().filter(|phase| phase.writes_text());
    let states = writing.any(|phase| phase.asks.contains_key(Marker::Decision.word()));
    let ends_in_text = !text.is_empty()
        && !states
        && method.decided_by() == DecidedBy::Text
        && snapshot.last_text(snapshot.transcript.text.len()).is_some();
    let sentence = opening_sentence(text).filter(|_| ends_in_text)?;
    snapshot.is_finished().then_some(sentence)
}

/// The verdict that a template computed.
pub(super) struct Judged {
    /// The verdict in one sentence: `Consensus blocked: severity HIGH, recommendation revise, average rating 2.6/5`.
    pub(super) sentence: String,
    /// The text of the phase that ended with the verdict, and its line in the file; `None` if there is no such text.
    pub(super) text: Option<(String, usize)>,
}

/// Returns the verdict that a template computed; `None` if it computes none, or is not finished.
pub(super) fn judged(snapshot: &Snapshot, decision: &ConsensusState) -> Option<Judged> {
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
    // The first comment of the phase is the text; later comments by people are not part of it.
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

/// Returns whether a vote asks for something else than the current text.
pub(super) fn asks_for_more(choice: &Choice) -> bool {
    ASKING.iter().any(|word| choice.as_str().eq_ignore_ascii_case(word))
}

/// Returns the reason of a vote without marker lines. If there is no other text, returns the texts of the markers.
pub(super) fn reason_of(snapshot: &Snapshot, vote: &Vote) -> String {
    let Some((comment, said)) = cast(snapshot, vote) else { return String::new() };
    let text = unmarked(comment, said);
    if !text.is_empty() {
        return text;
    }
    // A note about a decision is no reason for a vote.
    let spoken = |mark: &&BodyMark| {
        !matches!(mark.marker, Marker::Vote | Marker::Confidence)
            && !mark.marker.may_name_decision()
    };
    let texts: Vec<&str> =
        said.marks.iter().filter(spoken).map(|mark| mark.text.as_str()).collect();
    texts.join(" ")
}

/// Returns the text of a vote's comment without marker lines. If there is no other text, returns all of it.
pub(super) fn said_with(snapshot: &Snapshot, vote: &Vote) -> String {
    let Some((comment, said)) = cast(snapshot, vote) else { return String::new() };
    Some(unmarked(comment, said)).filter(|text| !text.is_empty()).unwrap_or_else(|| comment.body())
}

/// Returns a text without the line that only states the decision.
pub(super) fn without_decision(text: &str, decision: Option<&str>) -> String {
    let bare = |text: &str| text.replace(['*', '_'], "").trim().to_owned();
    let stated = decision.map(|decision| bare(&format!("DECISION: {decision}")));
    let lines = text.lines().filter(|line| Some(bare(line)) != stated);
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// Returns the comment that contains a vote.
fn cast<'s>(snapshot: &'s Snapshot, vote: &Vote) -> Option<(&'s Comment, &'s CommentFacts)> {
    let said = snapshot.state.said.get(vote.said?)?;
    match &snapshot.transcript.entries.get(said.entry)?.kind {
        EntryKind::Comment(comment) => Some((comment, said)),
        _ => None,
    }
}

fn unmarked(comment: &Comment, said: &CommentFacts) -> String {
    let body = comment.body();
    let lines: Vec<&str> = body.lines().collect();
    let mut marked = BTreeSet::new();
    for mark in &said.marks {
        let first = mark.line.saturating_sub(comment.stored_line);
        // A marker with a short value takes one line; further lines of its paragraph are ordinary text.
        let length = match mark.marker.value() {
            MarkerValue::Text | MarkerValue::Option => extent(&lines, first, mark),
            _ => 1,
        };
        marked.extend(first..first + length);
    }
    let kept = lines.iter().enumerate().filter(|(at, _)| !marked.contains(at));
    let text: Vec<&str> = kept.map(|(_, line)| *line).collect();
    text.join("\n").trim().to_owned()
}

/// Returns the number of lines of a marker's text, which may continue to the end of its paragraph.
fn extent(lines: &[&str], first: usize, mark: &BodyMark) -> usize {
    let length = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let (wanted, mut seen, mut taken) = (length(&mark.text), 0, 0);
    for line in lines.iter().skip(first) {
        if taken > 0 && (seen >= wanted || line.trim().is_empty()) {
            break;
        }
        seen += match taken {
            // The marker's word is not part of the text.
            0 => length(line.split_once(':').map_or("", |(_, text)| text)),
            _ => length(line),
        };
        taken += 1;
    }
    taken
}
