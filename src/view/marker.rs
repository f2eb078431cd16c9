//! The built-in markers, as editors offer them.

use crate::state::ItemKind;
use crate::transcript::Marker;

/// A built-in marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkerHelp {
    /// Its word, such as `TODO`.
    pub word: &'static str,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// The kind of the items that it names by number: `SETTLED: C1`.
    pub names: Option<ItemKind>,
}

impl MarkerHelp {
    /// Returns all built-in markers.
    pub fn all() -> impl Iterator<Item = Self> {
        Marker::all_built_in().map(|(marker, word, about)| Self {
            word,
            about,
            names: ItemKind::named_by(marker),
        })
    }

    /// Returns the kind of the items that the marker with this word names by number.
    pub fn named_by(word: &str) -> Option<ItemKind> {
        Self::all().find(|marker| marker.word == word)?.names
    }
}
