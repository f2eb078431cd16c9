//! Two personas that readers, or the reader, could take for each other.

use std::fmt;

use super::Member;
use crate::participant::Persona;
use crate::transcript::spelling;

/// Why a persona cannot stand beside another.
#[derive(Debug)]
pub(super) struct Clash<'r> {
    what: What,
    mine: String,
    other: &'r Member,
}

#[derive(Debug, PartialEq)]
enum What {
    Alias,
    Name,
    AliasIsName,
    NameIsAlias,
    LookAlike,
}

impl Clash<'_> {
    /// Whether the alias is at fault, else the name.
    pub(super) fn is_about_alias(&self) -> bool {
        matches!(self.what, What::Alias | What::AliasIsName)
    }
}

/// The first of `others` that `persona` cannot stand beside.
pub(super) fn find<'r>(
    persona: &Persona,
    mut others: impl Iterator<Item = &'r Member>,
) -> Option<Clash<'r>> {
    others.find_map(|other| {
        let what = compare(persona, &other.persona)?;
        let mine = match what {
            What::Alias | What::AliasIsName => persona.alias.to_string(),
            What::Name | What::NameIsAlias | What::LookAlike => persona.name.to_string(),
        };
        Some(Clash { what, mine, other })
    })
}

fn compare(mine: &Persona, other: &Persona) -> Option<What> {
    let is = |alias: &str, name: &str| alias.eq_ignore_ascii_case(name);
    if mine.alias == other.alias {
        Some(What::Alias)
    } else if mine.name == other.name {
        Some(What::Name)
    } else if is(mine.alias.as_str(), other.name.as_str()) {
        Some(What::AliasIsName)
    } else if is(other.alias.as_str(), mine.name.as_str()) {
        Some(What::NameIsAlias)
    } else if spelling(mine.name.as_str()) == spelling(other.name.as_str()) {
        Some(What::LookAlike)
    } else {
        None
    }
}

impl fmt::Display for Clash<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, mine, other } = self;
        let Member { persona: Persona { name, alias, .. }, origin } = other;
        match what {
            What::Alias => write!(f, "the alias `{mine}` is taken already by {name} ({origin})"),
            What::Name => write!(f, "the name `{mine}` is taken already by `{alias}` ({origin})"),
            What::AliasIsName => {
                write!(f, "the alias `{mine}` is the name of `{alias}` already ({origin})")
            }
            What::NameIsAlias => {
                write!(f, "the name `{mine}` is the alias of {name} already ({origin})")
            }
            What::LookAlike => {
                write!(f, "the name `{mine}` looks like `{name}`, the name of `{alias}` ({origin})")
            }
        }
    }
}
