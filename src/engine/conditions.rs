//! Open issues of a ballot: requests of CHANGES votes, reasons of REJECT votes, and participants without a vote.

use super::snapshot::Snapshot;
use crate::state::{Ballot, Vote};
use crate::transcript::{Alias, EntryKind, Marker};

/// A CHANGES or REJECT vote with the text of its comment.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition<'s> {
    /// The vote.
    pub vote: &'s Vote,
    /// The comment without the lines of its vote and confidence.
    pub text: String,
}

impl Snapshot {
    /// Returns the CHANGES and REJECT votes of the deciding ballot, with their comments.
    pub fn conditions(&self) -> Vec<Condition<'_>> {
        let asks = |vote: &&Vote| {
            ["CHANGES", "REJECT"].iter().any(|word| vote.choice.as_str().eq_ignore_ascii_case(word))
        };
        let votes = self.deciding().into_iter().flat_map(|ballot| &ballot.votes).filter(asks);
        votes.map(|vote| Condition { vote, text: self.reason(vote) }).collect()
    }

    /// Returns the participants that took part in the deciding ballot without a vote, in the order of the head.
    /// Participants with failed calls are not included.
    pub fn abstained(&self) -> Vec<&Alias> {
        let Some(ballot) = self.deciding() else { return Vec::new() };
        let asked = |alias: &&Alias| {
            ballot.silent.contains(*alias)
                && !ballot.failed.contains(*alias)
                // A participant that the run skipped had no chance to vote.
                && self.state.last_outcome(alias).is_some()
        };
        self.config.participants.iter().filter(asked).collect()
    }

    fn deciding(&self) -> Option<&Ballot> {
        self.state.deciding(&self.config).map(|(ballot, _)| ballot)
    }

    fn reason(&self, vote: &Vote) -> String {
        let Some(said) = vote.said.and_then(|said| self.state.said.get(said)) else {
            return String::new();
        };
        let Some(EntryKind::Comment(comment)) =
            self.transcript.entries.get(said.entry).map(|entry| &entry.kind)
        else {
            return String::new();
        };
        let dropped = |mark: &&crate::transcript::BodyMark| {
            matches!(mark.marker, Marker::Vote | Marker::Confidence)
        };
        let gone: Vec<usize> = said
            .marks
            .iter()
            .filter(dropped)
            .filter_map(|mark| mark.line.checked_sub(comment.stored_line))
            .collect();
        let body = comment.body();
        let lines = body.lines().enumerate().filter(|(line, _)| !gone.contains(line));
        let kept: Vec<&str> = lines.map(|(_, line)| line).collect();
        kept.join("\n").trim().to_owned()
    }
}
