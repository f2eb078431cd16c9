//! Tables of markers: a row of labels above a row of values, or one label and one value in each row.

use super::claim::Rank;
use super::label::label;
use super::page::{AnswerDraft, readable};
use super::value::{LabelledValue, option};
use super::words::{FoundWord, WordWeight};
use crate::transcript::{Marker, MarkerValue};

impl AnswerDraft<'_> {
    /// Reads a table. The table stays unchanged; its values are written below it.
    pub(super) fn table(&mut self, block: usize) {
        let lines = self.blocks[block].lines.clone();
        if self.put.contains_key(&(lines.end - 1)) || self.rows(block, None) {
            return;
        }
        let mut rows: Vec<Vec<&str>> =
            self.lines[lines.clone()].iter().map(|line| cells(line)).collect();
        if rows.len() < 3 {
            return;
        }
        rows.remove(1);
        let Some(pairs) = self.pairs(&rows) else { return };
        let mut below = Vec::new();
        for (found, value) in pairs {
            match Marker::of(&found.word).value() {
                MarkerValue::Option => {
                    if let said @ LabelledValue::One { .. } = option(value, &self.wanted.options) {
                        self.claim(block, Rank::Label, said, value, Vec::new());
                    }
                }
                MarkerValue::Text => {}
                _ => below.extend(
                    readable(&found.word, value).map(|value| format!("{}: {value}", found.word)),
                ),
            }
        }
        if !below.is_empty() {
            let last = lines.end - 1;
            self.put.insert(last, format!("{}\n\n{}\n", self.lines[last], below.join("\n")));
        }
    }

    /// Returns labels with their values, if it is clear which value belongs to which label.
    fn pairs<'r>(&self, rows: &[Vec<&'r str>]) -> Option<Vec<(FoundWord, &'r str)>> {
        let alone = |cell: &str| {
            let labelled = label(cell, &self.names).filter(|it| it.value.is_empty())?;
            (matches!(labelled.found.weight, WordWeight::Own | WordWeight::Final)
                && !labelled.found.plural)
                .then_some(labelled.found)
        };
        // A column with another heading may name the author of the row.
        let remark = |cell: &&str| {
            matches!(cell.to_lowercase().as_str(), "reason" | "rationale" | "why" | "comment")
        };
        if let [head, row] = rows
            && head.len() == row.len()
            && head.iter().all(|cell| alone(cell).is_some() || remark(cell))
        {
            let pairs: Vec<_> = head
                .iter()
                .zip(row)
                .filter_map(|(cell, value)| Some((alone(cell)?, *value)))
                .collect();
            if !pairs.is_empty() {
                return Some(pairs);
            }
        }
        let mut pairs: Vec<(FoundWord, &str)> = Vec::new();
        for row in rows {
            if let [cell, value] = row.as_slice()
                && let Some(found) = alone(cell)
            {
                if pairs.iter().any(|(other, _)| other.word == found.word) {
                    return None;
                }
                pairs.push((found, value));
            }
        }
        (!pairs.is_empty()).then_some(pairs)
    }
}

/// Splits a row into cells.
pub(super) fn cells(row: &str) -> Vec<&str> {
    let bare = row.trim();
    let bare = bare.strip_prefix('|').unwrap_or(bare);
    let bare = bare.strip_suffix('|').unwrap_or(bare);
    bare.split('|').map(str::trim).collect()
}
