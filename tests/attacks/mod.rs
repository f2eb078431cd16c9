//! Attacks written as files, each driven through the channel by which it would come.
//!
//! A file in `cases/attacks/` names the mechanism that it attacks and contains texts against it; [`file`] describes the
//! format. Every text may add only what was intended, must not change the meaning of earlier text, and must not hide
//! anything in the rendered file. `../defended_attacks.rs` runs them; the package `foreign` shows them to renderers.

pub(crate) mod appended;
pub(crate) mod created;
mod file;
mod merged;
pub(crate) mod normal;
mod rendered;

use serde::Deserialize;

pub(crate) use self::file::attacks;
use self::normal::Normal;

/// The channel of a hostile text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Channel {
    Answer,
    Comment,
    Title,
    Context,
    Parameter,
    Artifact,
    Persona,
    Merge,
}

/// The expected reaction of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// The text is recorded.
    #[default]
    Recorded,
    /// The model gets a repair request; usable parts are kept.
    Again,
    /// The answer is a pass.
    Pass,
    /// The text is refused.
    Refused,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    /// The mechanism that the file attacks.
    pub(crate) mechanism: String,
    pub(crate) channel: Channel,
    /// The goal of the attacker.
    pub(crate) aim: String,
    /// The attacked discussion.
    #[serde(default = "feature")]
    pub(crate) template: String,
    /// The vote that the text validly contains.
    vote: Option<String>,
    /// The parameter or persona field that contains the text.
    pub(crate) field: Option<String>,
    #[serde(default)]
    pub(crate) outcome: Outcome,
    /// `\u{..}`, `\r`, `\t` and `\0` in the text stand for those characters.
    #[serde(default)]
    escapes: bool,
    /// The expected form in the file, which every renderer shows.
    stored: Option<String>,
    /// Words that are markup and need not be visible when rendered: addresses, keys of JSON.
    #[serde(default)]
    pub(crate) markup: Vec<String>,
}

fn feature() -> String {
    "feature".to_owned()
}

#[derive(Debug)]
pub(crate) struct Attack {
    /// The folder's name, a slash, and the case's name.
    pub(crate) name: String,
    pub(crate) header: Header,
    pub(crate) text: String,
}

impl Attack {
    /// Returns whether the text is in the file in its expected form.
    fn stands_in(&self, file: &str) -> Result<(), String> {
        match self.header.stored.as_ref().filter(|stored| !file.contains(stored.as_str())) {
            Some(stored) => Err(format!("`{stored}` does not stand in:\n{file}")),
            None => Ok(()),
        }
    }

    pub(crate) fn run(&self, normal: &Normal) -> Result<(), String> {
        match self.header.channel {
            Channel::Answer | Channel::Comment => appended::attack(self, normal),
            Channel::Title | Channel::Context | Channel::Parameter | Channel::Artifact => {
                created::attack(self, normal)
            }
            Channel::Persona => created::persona(self, normal),
            Channel::Merge => merged::attack(self, normal),
        }
    }
}
