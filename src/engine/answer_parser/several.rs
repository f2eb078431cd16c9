//! Lines with more than one label.

use super::label::{Labelled, Sign, label};
use super::page::{AnswerDraft, Parts, readable};
use super::words::WordWeight;
use crate::transcript::{BlockKind, Marker, MarkerValue};

impl AnswerDraft<'_> {
    /// Reads the marker in `**Gravest worry.** CONCERN: shared device`. Reads `**Final answer:** VOTE: READY` only if
    /// `other` is true: the first label is a synonym for a vote. Other bold words before a vote may name its author.
    pub(super) fn behind_label(
        &mut self,
        block: usize,
        line: usize,
        parts: &Parts<'_>,
        other: bool,
    ) {
        if self.blocks[block].kind == BlockKind::Heading {
            return;
        }
        let Some(end) = lead(parts.text, other) else { return };
        let (before, rest) = parts.text.split_at(end);
        let rest = rest.trim_start_matches([' ', '-', '–', '—', ':', '*']);
        let Some(labelled) = label(rest, &self.names) else { return };
        let plain = labelled.capitals && labelled.sign == Sign::Colon && !labelled.code;
        if !plain || labelled.value.is_empty() || labelled.found.weight == WordWeight::Past {
            return;
        }
        let (before, word) = (before.trim_end(), &labelled.found.word);
        // `**Options.** A: a table, B: a file` labels choices. After other words, an answer must name its question.
        if word == "A" && labelled.found.number.is_none() && !labelled.value.starts_with(" Q") {
            return;
        }
        match Marker::of(word).value() {
            MarkerValue::Option if other => self.vote(block, line, parts, &labelled),
            MarkerValue::Text => {
                let Some(text) = self.marker_text(&labelled.found, &labelled.note, labelled.value)
                else {
                    return;
                };
                let put = match self.blocks[block].kind {
                    BlockKind::Item { .. } => format!("{}{word}: {before} {text}", parts.mark),
                    _ => format!("{}{before}\n{word}: {text}", parts.mark),
                };
                self.put.insert(line, put);
            }
            _ => {}
        }
    }

    /// Reads lines such as `**Rating: 3/5** **Risk: medium**` or `CONFIDENCE: 0.7 | VOTE: READY`.
    pub(super) fn several(&mut self, block: usize, line: usize, parts: &Parts<'_>) -> bool {
        let starts = self.starts(parts.text);
        if starts.len() < 2 || starts.first() != Some(&0) {
            return false;
        }
        let ends = starts.iter().skip(1).copied().chain([parts.text.len()]);
        let pieces: Vec<&str> =
            starts.iter().zip(ends).map(|(start, end)| &parts.text[*start..end]).collect();
        let mut others: Vec<String> = Vec::new();
        let mut votes: Vec<Labelled<'_>> = Vec::new();
        for piece in pieces {
            let piece = piece.trim_end_matches(|c: char| " |,;·(*_/–—-".contains(c));
            let piece = if piece.contains('(') { piece } else { piece.trim_end_matches(')') };
            let Some(labelled) = label(piece, &self.names) else { return false };
            let word = &labelled.found.word;
            if word == "VOTE" {
                votes.push(labelled);
                continue;
            }
            let Some(value) = readable(word, labelled.value) else { return false };
            others.push(format!("{}{word}: {value}", parts.mark));
        }
        let others = others.join("\n");
        for labelled in &votes {
            let before = self.claims.len();
            self.vote(block, line, parts, labelled);
            for claim in &mut self.claims[before..] {
                claim.edits = vec![(line, Some(others.clone()))];
            }
        }
        if votes.is_empty() {
            self.put.insert(line, others);
        }
        true
    }

    /// Returns the positions of labels with typed values on a line.
    pub(super) fn starts(&self, text: &str) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            // A space alone is not a separator, because the next word may still belong to the value.
            let before = text[..at].trim_end_matches(' ');
            let begins = at == 0 || before.ends_with(|c: char| "|(*_·/,;–—-".contains(c));
            let typed = begins.then(|| label(rest, &self.names)).flatten().filter(|labelled| {
                labelled.sign != Sign::None
                    && labelled.sign != Sign::Dash
                    && !labelled.code
                    && labelled.found.weight != WordWeight::Other
                    && Marker::of(&labelled.found.word).value() != MarkerValue::Text
            });
            let step = match typed {
                Some(labelled) => {
                    starts.push(at);
                    rest.len() - labelled.value.len()
                }
                None => 0,
            };
            at += step.max(rest.chars().next().map_or(1, char::len_utf8));
        }
        starts
    }
}

/// Returns the end of the words before a label: bold words or, if `other` is true, the first label with its colon.
fn lead(text: &str, other: bool) -> Option<usize> {
    if let Some(inner) = text.strip_prefix("**") {
        return inner.find("**").map(|end| end + 4);
    }
    text.find(':').map(|colon| colon + 1).filter(|_| other)
}
