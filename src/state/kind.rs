//! The kinds of numbered items, and what every output calls them. All lists of items iterate over this table, so a new
//! kind of item is one row here and the rows of its markers in `transcript/marker.rs`, which open and close its items.

use super::item::ItemStatus;
use crate::codes::words;
use crate::transcript::Marker;

words! {
    /// A kind of numbered item.
    pub enum ItemKind {
        /// A question, from `Q:`.
        Question = "question",
        /// A task, from `TODO:` or a checkbox.
        Task = "task",
        /// A decision, from `DECISION:`.
        Decision = "decision",
        /// A concern, from `CONCERN:`.
        Concern = "concern",
    }
}

/// The properties of a kind.
struct KindRow {
    kind: ItemKind,
    letter: char,
    /// The status of an item that is not open.
    closed: ItemStatus,
    plural: &'static str,
    title: &'static str,
    prompt_title: &'static str,
    /// The weight of its words in a search, open and closed.
    weights: (f64, f64),
}

#[rustfmt::skip]
static KINDS: [KindRow; 4] = [
    KindRow {
        kind: ItemKind::Question, letter: 'Q', closed: ItemStatus::Answered,
        plural: "questions", title: "Open questions", prompt_title: "Open questions to others", weights: (1.0, 2.0),
    },
    KindRow {
        kind: ItemKind::Task, letter: 'T', closed: ItemStatus::Done,
        plural: "tasks", title: "Tasks", prompt_title: "Open tasks", weights: (1.5, 1.5),
    },
    KindRow {
        kind: ItemKind::Decision, letter: 'D', closed: ItemStatus::Settled,
        plural: "decisions", title: "Decisions", prompt_title: "Proposals so far", weights: (3.0, 1.5),
    },
    KindRow {
        kind: ItemKind::Concern, letter: 'C', closed: ItemStatus::Settled,
        plural: "concerns", title: "Concerns", prompt_title: "Open concerns", weights: (1.0, 1.0),
    },
];

impl ItemKind {
    fn row(self) -> &'static KindRow {
        // The test below ensures that each kind has the row at its place.
        &KINDS[self as usize]
    }

    /// Returns the letter before the number: `Q` of `Q3`.
    pub fn letter(self) -> char {
        self.row().letter
    }

    /// Returns the kind with this letter.
    pub fn with_letter(letter: char) -> Option<Self> {
        KINDS.iter().find(|row| row.letter == letter).map(|row| row.kind)
    }

    /// Returns the word for several, which is also the name of their list in JSON.
    pub fn plural(self) -> &'static str {
        self.row().plural
    }

    /// Returns the word for this many: `1 concern`, `3 concerns`.
    pub fn counted(self, count: usize) -> String {
        let word = if count == 1 { self.as_str() } else { self.plural() };
        format!("{count} {word}")
    }

    /// Returns true for decisions, whose states follow rules of their own.
    pub fn is_decision(self) -> bool {
        self == Self::Decision
    }

    /// Returns true if front ends show the open ones in a way of their own: questions wait for answers, and the outcome
    /// tells what became of a proposal.
    pub fn is_shown_apart(self) -> bool {
        matches!(self, Self::Question | Self::Decision)
    }

    /// Returns the title of the list that people see.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Returns the title of the list in a prompt.
    pub(crate) fn prompt_title(self) -> &'static str {
        self.row().prompt_title
    }

    /// Returns the weight of its words in a search, relative to those of a comment.
    pub(crate) fn search_weight(self, is_open: bool) -> f64 {
        let (open, closed) = self.row().weights;
        if is_open { open } else { closed }
    }

    /// Returns the kind of the items that a marker opens.
    pub(crate) fn opened_by(marker: &Marker) -> Option<Self> {
        Self::with_letter(marker.opens()?)
    }

    /// Returns the kind of the items that a marker names by number.
    pub(crate) fn named_by(marker: &Marker) -> Option<Self> {
        Self::with_letter(marker.names()?)
    }

    /// Returns the status of an item that is no longer open.
    pub(crate) fn closed(self) -> ItemStatus {
        self.row().closed
    }

    /// Returns the kinds that have no rules of their own: one marker opens an item, others close it, and no more.
    pub fn plain() -> impl Iterator<Item = Self> {
        let ruled = |kind: &Self| matches!(kind, Self::Question | Self::Task | Self::Decision);
        Self::ALL.iter().copied().filter(move |kind| !ruled(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_row_and_its_own_letter() {
        assert!(ItemKind::ALL.iter().copied().eq(KINDS.iter().map(|row| row.kind)));
        for kind in ItemKind::ALL {
            assert_eq!(ItemKind::with_letter(kind.letter()), Some(*kind));
            let markers = Marker::all_built_in().map(|(marker, ..)| marker);
            let opening = markers.filter(|marker| ItemKind::opened_by(marker) == Some(*kind));
            assert_eq!(opening.count(), 1, "{kind}");
        }
    }
}
