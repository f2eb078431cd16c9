//! Reads tables of two kinds. A table of markers has a row of labels above a row of values, or one
//! label and one value in each row. A table of texts has a text of one marker in each row, such as
//! a question, a weakness or a task.

use super::label::label;
use super::page::{AnswerDraft, balanced, readable};
use super::section::is_nothing;
use super::value::{LabelledValue, option};
use super::vote::Rank;
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
fn cells(row: &str) -> Vec<&str> {
    let bare = row.trim();
    let bare = bare.strip_prefix('|').unwrap_or(bare);
    let bare = bare.strip_suffix('|').unwrap_or(bare);
    bare.split('|').map(str::trim).collect()
}

/// The content of a column. A table with any other column may have another purpose, for example the status of earlier
/// points, so it is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableColumn {
    Text,
    Owner,
    Grade,
    /// A number, a date, a place or a reason. It is displayed but not read.
    Remark,
}

/// Column headings, in lower case.
const COLUMNS: [(TableColumn, &[&str]); 4] = [
    (
        TableColumn::Text,
        &["task", "item", "action", "what", "description", "point", "issue", "text", "finding"],
    ),
    (
        TableColumn::Owner,
        &["owner", "assignee", "assigned to", "who", "responsible", "for", "to", "asked"],
    ),
    (TableColumn::Grade, &["severity", "priority", "grade"]),
    (
        TableColumn::Remark,
        &[
            "#",
            "no",
            "no.",
            "nr",
            "nr.",
            "id",
            "due",
            "date",
            "deadline",
            "by",
            "when",
            "effort",
            "estimate",
            "reason",
            "rationale",
            "why",
            "where",
            "line",
            "file",
            "location",
            "section",
        ],
    ),
];

impl AnswerDraft<'_> {
    /// Reads a table below the label of a marker, or with a label as column heading. Returns true if the table was
    /// read.
    pub(super) fn rows(&mut self, block: usize, heading: Option<&FoundWord>) -> bool {
        let lines = self.blocks[block].lines.clone();
        let rows: Vec<Vec<&str>> =
            self.lines[lines.clone()].iter().map(|line| cells(line)).collect();
        let Some(([head, _], rows)) = rows.split_first_chunk::<2>() else { return false };
        let Some((found, columns)) = self.columns(head, heading) else { return false };
        if found.word == "A" || Marker::of(&found.word).value() != MarkerValue::Text {
            return false;
        }
        // If the answer marks the texts elsewhere, the table only repeats them.
        if self.strict.values().any(|mark| mark.marker.word() == found.word) {
            return false;
        }
        let below: Vec<String> =
            rows.iter().filter_map(|row| self.row(row, &columns, &found)).collect();
        if below.is_empty() {
            return false;
        }
        let last = lines.end - 1;
        self.put.insert(last, format!("{}\n\n{}\n", self.lines[last], below.join("\n")));
        true
    }

    /// Returns the kinds of the columns, and the marker of the texts.
    fn columns(
        &self,
        head: &[&str],
        heading: Option<&FoundWord>,
    ) -> Option<(FoundWord, Vec<TableColumn>)> {
        let mut found = heading.cloned();
        let mut columns = Vec::new();
        for cell in head {
            let small = cell.to_lowercase();
            let bare = small.trim_matches(|c: char| matches!(c, '*' | '_' | ' '));
            let known = COLUMNS.iter().find(|(_, names)| names.contains(&bare));
            let named = label(cell, &self.names).filter(|it| it.value.is_empty());
            let named = named.map(|it| it.found).filter(|it| it.weight == WordWeight::Own);
            let named = named.filter(|it| Marker::of(&it.word).value() == MarkerValue::Text);
            let column = match (named, known) {
                (Some(own), _) if found.as_ref().is_none_or(|it| it.word == own.word) => {
                    // Without a label above, the table is read only if its headings name a single marker.
                    found.get_or_insert(own);
                    TableColumn::Text
                }
                (_, Some((column, _))) => *column,
                _ => return None,
            };
            columns.push(column);
        }
        let texts = columns.iter().filter(|column| **column == TableColumn::Text).count();
        Some((found?, columns)).filter(|_| texts == 1)
    }

    /// Returns a row as the line of a marker.
    fn row(&self, row: &[&str], columns: &[TableColumn], found: &FoundWord) -> Option<String> {
        let cell = |wanted: TableColumn| {
            let cells = columns.iter().zip(row).filter(move |(column, _)| **column == wanted);
            let (_, cell) = cells.into_iter().next()?;
            Some(balanced(cell)).filter(|cell| !cell.is_empty())
        };
        let text =
            cell(TableColumn::Text).filter(|text| !is_nothing(text) && !text.contains("~~"))?;
        if found.word == "Q" && !text.contains(['?', '？']) {
            return None;
        }
        let note = cell(TableColumn::Grade).map(|grade| grade.to_lowercase()).unwrap_or_default();
        let grade = ["low", "medium", "high", "critical"].contains(&note.as_str());
        let note = if grade { note } else { String::new() };
        let text = self.marker_text(&FoundWord { number: None, ..found.clone() }, &note, &text)?;
        let word = &found.word;
        Some(match (cell(TableColumn::Owner), word.as_str()) {
            (Some(owner), "Q") if owner.starts_with('@') => format!("- {word}: {text} {owner}"),
            (Some(owner), "TODO") if owner.starts_with('@') => format!("- {word}: {owner} {text}"),
            (Some(owner), "TODO") if owner.chars().all(|c| c.is_alphanumeric() || c == '-') => {
                format!("- {word}: {owner}: {text}")
            }
            _ => format!("- {word}: {text}"),
        })
    }
}
