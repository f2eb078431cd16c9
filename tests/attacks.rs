//! Attacks written as files, each driven through the channel by which it would come.
//!
//! A file in `cases/attacks/` says which mechanism is defended, then brings texts against it; [`file`] says how it is
//! read. Whatever a text says, only what was meant may be added, nothing earlier may change its meaning, and nothing may
//! be hidden when the file is rendered.

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

/// By which way a hostile text comes in.
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

/// What the program is expected to do with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    /// It is recorded.
    #[default]
    Recorded,
    /// The model is asked again; what can be kept is kept.
    Again,
    /// It says that it has nothing to say.
    Pass,
    /// It is not taken at all.
    Refused,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    /// What the file that it stands in defends.
    mechanism: String,
    channel: Channel,
    /// What the attacker is after.
    aim: String,
    /// The discussion that is attacked.
    #[serde(default = "feature")]
    template: String,
    /// The vote that the text legitimately gives.
    vote: Option<String>,
    /// The parameter or the persona's field that holds the text.
    field: Option<String>,
    #[serde(default)]
    outcome: Outcome,
    /// `\u{..}`, `\r`, `\t` and `\0` in the text stand for those characters.
    #[serde(default)]
    escapes: bool,
    /// How it stands in the file, so that every renderer shows it.
    stored: Option<String>,
    /// Words that are markup, and so need not be seen when rendered: addresses, keys of JSON.
    #[serde(default)]
    markup: Vec<String>,
}

fn feature() -> String {
    "feature".to_owned()
}

/// As many as have been written: none is given up.
const LEAST: usize = 968;

#[derive(Debug)]
struct Attack {
    /// The folder's name, a slash, and the case's name.
    name: String,
    header: Header,
    text: String,
}

impl Attack {
    /// Whether the text stands in a file as it has to.
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
