//! Replaces the letters of an anonymous view by names.

mod letters;

use self::letters::Letters;
use super::snapshot::Snapshot;
use super::view::letters as of_everybody;
use super::words::Words;

/// The replacement of letters by names in an answer: the file contains names, although the prompt did not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pseudonyms {
    /// `Participant A` and `@participant-a`, which are unambiguous.
    whole: Vec<(String, String)>,
    /// Single letters, which may mean something else.
    bare: Letters,
}

impl Pseudonyms {
    /// Returns the names for the letters of a discussion, or no names if its template is not anonymous.
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        if !snapshot.template().anonymous {
            return Self::default();
        }
        let (mut whole, mut names) = (Vec::new(), Vec::new());
        for (alias, letter) in of_everybody(snapshot) {
            let name = snapshot.config.name_of(&alias).to_owned();
            if let Some((_, short)) = letter.rsplit_once(' ')
                && let [short] = *short.as_bytes()
            {
                names.push((char::from(short), name.clone()));
            }
            whole.push((mention(&letter), format!("@{alias}")));
            whole.push((letter, name));
        }
        let options = snapshot.config.options.iter().flatten().map(|option| option.as_str());
        let text = &snapshot.transcript.text;
        let topic = &text[snapshot.transcript.preamble.start.min(text.len())
            ..snapshot.transcript.topic_end().min(text.len())];
        let bare = Letters::new(names).without(options).without_labels_of(topic);
        Self { whole, bare }
    }

    /// Replaces letters in a body by names and aliases. Code and addresses stay unchanged.
    pub(crate) fn text(&self, body: &str) -> String {
        if self.whole.is_empty() {
            return body.to_owned();
        }
        // Single letters are replaced first: after the full forms, a list such as `Participant A and B` would be split.
        Words::new(self.whole.clone()).replace(&self.bare.replace(body))
    }
}

/// Returns the form in which a letter is mentioned.
pub(super) fn mention(letter: &str) -> String {
    format!("@{}", letter.replace(' ', "-").to_lowercase())
}
