//! From the letters of an anonymous view back to names.

use super::snapshot::Snapshot;
use super::view::letters;
use super::words::Words;

/// Names whom an answer calls by letters, so that the file names whom the prompt does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pseudonyms(Vec<(String, String)>);

impl Pseudonyms {
    /// What the letters of a discussion stand for; nothing where its template is not anonymous.
    pub fn of(snapshot: &Snapshot) -> Self {
        if !snapshot.template().anonymous {
            return Self::default();
        }
        let words = letters(snapshot).into_iter().flat_map(|(alias, letter)| {
            let name = snapshot.config.name_of(&alias).to_owned();
            [(mention(&letter), format!("@{alias}")), (letter, name)]
        });
        Self(words.collect())
    }

    /// A body with names and aliases in place of letters.
    pub fn text(&self, body: &str) -> String {
        if self.0.is_empty() { body.to_owned() } else { Words::new(self.0.clone()).replace(body) }
    }
}

/// How a letter is mentioned.
pub(super) fn mention(letter: &str) -> String {
    format!("@{}", letter.replace(' ', "-").to_lowercase())
}
