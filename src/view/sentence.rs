//! Extracts the reason of a vote: the text of its comment without the marker lines.

use std::collections::BTreeSet;

use crate::engine::{Snapshot, first_sentence};
use crate::state::{CommentFacts, Vote};
use crate::transcript::{BodyMark, Comment, EntryKind, Marker, MarkerValue};

/// Returns the reason of a vote without marker lines. If there is no other text, returns the texts of the markers.
pub(super) fn reason_of(snapshot: &Snapshot, vote: &Vote) -> String {
    let Some((comment, said)) = cast(snapshot, vote) else { return String::new() };
    let text = unmarked(comment, said);
    if !vote.is_stated() {
        return format!("no readable vote in the answer: {}", first_sentence(&text));
    }
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
