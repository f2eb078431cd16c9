//! Attacks written as files, each driven through the channel by which it would come.
//!
//! A file in `cases/attacks/` is a head in YAML, then the hostile text. Whatever it says, only what was meant may be
//! added, nothing earlier may change its meaning, and nothing may be hidden when the file is rendered.

mod appended;
mod created;
mod merged;
mod normal;
mod pages;
mod rendered;

use std::path::{Path, PathBuf};

use serde::Deserialize;

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

#[derive(Debug)]
struct Attack {
    name: String,
    header: Header,
    text: String,
}

impl Attack {
    fn read(path: &Path, root: &Path) -> Self {
        let name = path.strip_prefix(root).unwrap().with_extension("").display().to_string();
        let file = std::fs::read_to_string(path).unwrap();
        let (header, text) = file
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---\n"))
            .unwrap_or_else(|| panic!("{name}: no header"));
        let header: Header =
            discussions::yaml::read(header, &name).unwrap_or_else(|e| panic!("{e}"));
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = if header.escapes { unescape(text) } else { text.to_owned() };
        Self { name, header, text }
    }

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

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (c, length) = match rest.as_bytes().get(1) {
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(b'n') => ('\n', 2),
            Some(b'0') => ('\0', 2),
            Some(b'\\') => ('\\', 2),
            Some(b'u') => {
                let end = rest.find('}').unwrap();
                let code = u32::from_str_radix(&rest[3..end], 16).unwrap();
                (char::from_u32(code).unwrap(), end + 1)
            }
            other => panic!("`\\{}` is no escape", other.copied().unwrap_or(b' ') as char),
        };
        out.push(c);
        rest = &rest[length..];
    }
    out + rest
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/attacks")
}

fn attacks() -> Vec<Attack> {
    let root = root();
    let mut folders = vec![root.clone()];
    let mut attacks = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "md" => attacks.push(Attack::read(&path, &root)),
                _ => panic!("{} is no attack", path.display()),
            }
        }
    }
    attacks.sort_by(|a, b| a.name.cmp(&b.name));
    attacks
}

#[test]
fn no_attack_forges_or_hides_anything() {
    let normal = Normal::new();
    let wanted = std::env::var("ATTACK").ok();
    let mut broken = Vec::new();
    for attack in attacks() {
        if wanted.as_ref().is_some_and(|wanted| !attack.name.contains(wanted.as_str())) {
            continue;
        }
        if let Err(reason) = attack.run(&normal) {
            broken.push(format!("{} ({}): {reason}", attack.name, attack.header.aim));
        }
    }
    assert!(broken.is_empty(), "{} attacks:\n\n{}", broken.len(), broken.join("\n\n"));
}

#[test]
fn there_are_three_hundred_attacks_and_no_two_are_the_same() {
    let attacks = attacks();
    assert!(attacks.len() >= 300, "{}", attacks.len());
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
