//! Labels without a value on their line: the value, or a list of texts, follows below.

use super::label::label;
use super::page::{AnswerDraft, Parts, readable};
use super::value::LabelledValue;
use super::words::FoundWord;
use crate::transcript::{BlockKind, Marker, MarkerValue};

/// Words that state the status of a list item. A list with one of these words reports on earlier
/// items and adds none.
const ACCOUNT: [&str; 12] = [
    "taken up",
    "turned down",
    "settled",
    "resolved",
    "addressed",
    "closed",
    "withdrawn",
    "answered",
    "accepted",
    "rejected",
    "dealt with",
    "done",
];

/// Words that may follow `none` in a statement that nothing exists.
const ABSENT: [&str; 15] = [
    "at present",
    "at the moment",
    "at this point",
    "at this time",
    "else",
    "for now",
    "from me",
    "from my side",
    "known",
    "left",
    "more",
    "new",
    "so far",
    "to add",
    "yet",
];

impl AnswerDraft<'_> {
    /// Reads the value or the list below a label.
    pub(super) fn section(&mut self, block: usize, line: usize, found: &FoundWord) {
        let within = self.blocks[block].kind == BlockKind::Paragraph
            && line + 1 < self.blocks[block].lines.end;
        let target = if within { block } else { block + 1 };
        let Some((kind, first)) = self.blocks.get(target).map(|it| (it.kind, it.lines.start))
        else {
            return;
        };
        let first = if within { line + 1 } else { first };
        let put = self.put.len();
        match kind {
            BlockKind::Paragraph
                if label(self.lines[first], &self.names).is_none() && !self.is_marked(first) =>
            {
                let parts = self.parts(first, kind, false);
                self.headed(block, line, target, first, &parts, found);
            }
            BlockKind::Item { list } => self.items(list, found),
            BlockKind::Table => {
                self.rows(target, Some(found));
            }
            _ => {}
        }
        // The file's parser would read the label alone as a marker without a text.
        if self.put.len() > put && self.is_marked(line) {
            self.put.insert(line, String::new());
        }
    }

    /// Reads one value or text below its label.
    fn headed(
        &mut self,
        block: usize,
        line: usize,
        target: usize,
        first: usize,
        parts: &Parts<'_>,
        found: &FoundWord,
    ) {
        match Marker::of(&found.word).value() {
            MarkerValue::Option => {
                let Some((rank, said)) = self.said_of(found, parts.text) else { return };
                // If a reason follows the vote, both lines stay unchanged: a heading and prose.
                let plain = matches!(&said, LabelledValue::One { behind, .. } if behind.is_empty());
                let edits = if plain {
                    vec![(first, None), (line, None)]
                } else {
                    vec![(first, Some(parts.text.to_owned()))]
                };
                let headed = self.blocks[block].lines.start == line;
                self.claim(
                    target,
                    rank,
                    said,
                    parts.text,
                    if headed { edits } else { vec![(first, None)] },
                );
            }
            MarkerValue::Text => {
                let asks = parts.text.contains(['?', '？']);
                if found.plural || found.word.len() == 1 && !asks {
                    return;
                }
                if let Some(text) = self.marker_text(found, "", parts.text) {
                    self.put.insert(first, format!("{}: {text}", found.word));
                }
            }
            _ => {
                if let Some(value) = readable(&found.word, parts.text) {
                    self.put.insert(first, format!("{}: {value}", found.word));
                }
            }
        }
    }

    /// Reads the items of a list below their label.
    fn items(&mut self, list: usize, found: &FoundWord) {
        let blocks: Vec<usize> = (0..self.blocks.len())
            .filter(|&at| self.blocks[at].kind == BlockKind::Item { list })
            .collect();
        let is_text = Marker::of(&found.word).value() == MarkerValue::Text;
        if !is_text && blocks.len() > 1 || found.word == "A" {
            return;
        }
        let told = |&&at: &&usize| {
            let lines = self.blocks[at].lines.clone();
            let said = self.lines[lines].join(" ").to_lowercase();
            ACCOUNT.iter().any(|word| {
                said.contains(&format!(": {word}")) || said.contains(&format!("– {word}"))
            })
        };
        if blocks.iter().filter(told).count() * 2 > blocks.len() {
            return;
        }
        for block in blocks {
            let (kind, line) = (self.blocks[block].kind, self.blocks[block].lines.start);
            let parts = self.parts(line, kind, true);
            if parts.boxed
                || self.is_marked(line)
                || label(parts.text, &self.names).is_some_and(|it| !it.value.is_empty())
            {
                continue;
            }
            if !is_text {
                self.headed(block, line, block, line, &parts, found);
                continue;
            }
            let asks = self.lines[self.blocks[block].lines.clone()].join(" ").contains(['?', '？']);
            if is_nothing(parts.text) || found.word == "Q" && !asks {
                continue;
            }
            if let Some(text) =
                self.marker_text(&FoundWord { number: None, ..found.clone() }, "", parts.text)
            {
                self.write(block, line, &parts, &found.word, &text);
            }
        }
    }
}

/// Returns true if a text says that nothing exists: `None.`, `n/a`, `None so far, but ...`; not `None of the copies is
/// tested`.
pub(super) fn is_nothing(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric()).replace(['*', '_'], "");
    let first = text.split(['.', ',', ';', '(', '–', '—', '!']).next().unwrap_or_default();
    let bare = first.trim().to_lowercase();
    let rest = match ["none", "nothing", "n/a", "na"].iter().find_map(|no| bare.strip_prefix(no)) {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest.trim(),
        _ => return bare.is_empty(),
    };
    rest.is_empty() || rest.starts_with("that i ") || ABSENT.contains(&rest)
}
