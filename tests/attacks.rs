//! Attacks written as files, each driven through the channel by which it would come.
//!
//! A file in `cases/attacks/` names the mechanism that it attacks and contains texts against it; [`file`] describes the
//! format. Every text may add only what was intended, must not change the meaning of earlier text, and must not hide
//! anything in the rendered file.

mod appended;
mod created;
mod file;
mod merged;
mod normal;
mod pages;
mod rendered;

use std::collections::HashSet;

use serde::Deserialize;

use self::file::attacks;
use self::normal::Normal;
pub(crate) use self::pages::pages;

/// The channel of a hostile text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Channel {
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
enum Outcome {
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
struct Header {
    /// The mechanism that the file attacks.
    mechanism: String,
    channel: Channel,
    /// The goal of the attacker.
    aim: String,
    /// The attacked discussion.
    #[serde(default = "feature")]
    template: String,
    /// The vote that the text validly contains.
    vote: Option<String>,
    /// The parameter or persona field that contains the text.
    field: Option<String>,
    #[serde(default)]
    outcome: Outcome,
    /// `\u{..}`, `\r`, `\t` and `\0` in the text stand for those characters.
    #[serde(default)]
    escapes: bool,
    /// The expected form in the file, which every renderer shows.
    stored: Option<String>,
    /// Words that are markup and need not be visible when rendered: addresses, keys of JSON.
    #[serde(default)]
    markup: Vec<String>,
}

fn feature() -> String {
    "feature".to_owned()
}

/// The number of attacks that exist; none may be removed.
const LEAST: usize = 968;

#[derive(Debug)]
struct Attack {
    /// The folder's name, a slash, and the case's name.
    name: String,
    header: Header,
    text: String,
}

impl Attack {
    /// Returns whether the text is in the file in its expected form.
    fn stands_in(&self, file: &str) -> Result<(), String> {
        match self.header.stored.as_ref().filter(|stored| !file.contains(stored.as_str())) {
            Some(stored) => Err(format!("`{stored}` does not stand in:\n{file}")),
            None => Ok(()),
        }
    }

    fn run(&self, normal: &Normal) -> Result<(), String> {
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

#[test]
fn no_attack_forges_or_hides_text() {
    let normal = Normal::new();
    let wanted = std::env::var("ATTACK").ok();
    let mut broken = Vec::new();
    for attack in attacks() {
        if wanted.as_ref().is_some_and(|wanted| !attack.name.contains(wanted.as_str())) {
            continue;
        }
        if let Err(reason) = attack.run(&normal) {
            let header = &attack.header;
            broken
                .push(format!("{} ({}; {}): {reason}", attack.name, header.mechanism, header.aim));
        }
    }
    assert!(broken.is_empty(), "{} attacks:\n\n{}", broken.len(), broken.join("\n\n"));
}

#[test]
fn all_attacks_are_loaded_and_have_unique_names() {
    let attacks = attacks();
    let mechanisms: HashSet<_> = attacks.iter().map(|attack| &attack.header.mechanism).collect();
    println!("{} attacks on {} mechanisms", attacks.len(), mechanisms.len());
    assert!(attacks.len() >= LEAST, "{} of at least {LEAST} attacks", attacks.len());
    let names: HashSet<_> = attacks.iter().map(|attack| &attack.name).collect();
    assert_eq!(names.len(), attacks.len(), "two attacks have one name");
    for (index, attack) in attacks.iter().enumerate() {
        let twin = attacks[..index].iter().find(|other| {
            other.text == attack.text
                && other.header.channel == attack.header.channel
                && other.header.template == attack.header.template
                && other.header.field == attack.header.field
        });
        assert!(twin.is_none(), "{} and {}", attack.name, twin.map_or("", |twin| &twin.name));
    }
}
