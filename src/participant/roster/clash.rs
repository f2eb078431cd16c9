//! Finds personas that readers or the parser could confuse.

use std::fmt;

use foldhash::HashMap;

use super::Member;
use crate::participant::Persona;
use crate::transcript::{Alias, spelling};

/// The reason why a persona conflicts with another one.
#[derive(Debug)]
pub(super) struct Clash<'r> {
    what: ClashKind,
    mine: String,
    other: &'r Member,
}

#[derive(Debug, PartialEq)]
enum ClashKind {
    Alias,
    Name,
    AliasIsName,
    NameIsAlias,
    LookAlike,
}

impl Clash<'_> {
    /// Returns true if the alias causes the clash, false if the name does.
    pub(super) fn is_about_alias(&self) -> bool {
        matches!(self.what, ClashKind::Alias | ClashKind::AliasIsName)
    }
}

/// The first index of each alias, name and spelling, in maps because a project may have thousands of persona files.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ClashPlaces {
    count: usize,
    aliases: HashMap<String, usize>,
    /// In lower case.
    names: HashMap<String, usize>,
    spellings: HashMap<String, usize>,
}

impl ClashPlaces {
    pub(super) fn of<'r>(others: impl IntoIterator<Item = &'r Member>) -> Self {
        let mut places = Self::default();
        others.into_iter().for_each(|other| places.push(&other.persona));
        places
    }

    /// Adds a persona after all others.
    pub(super) fn push(&mut self, persona: &Persona) {
        let name = persona.name.as_str();
        self.aliases.entry(persona.alias.to_string()).or_insert(self.count);
        self.names.entry(name.to_ascii_lowercase()).or_insert(self.count);
        self.spellings.entry(spelling(name)).or_insert(self.count);
        self.count += 1;
    }

    /// Returns the first persona with this alias.
    pub(super) fn by_alias(&self, alias: &Alias) -> Option<usize> {
        self.aliases.get(alias.as_str()).copied()
    }

    /// Returns the first persona with this name or alias.
    pub(super) fn by_name(&self, name: &str) -> Option<usize> {
        let name = name.to_ascii_lowercase();
        [&self.aliases, &self.names].into_iter().filter_map(|list| list.get(&name).copied()).min()
    }

    /// Returns the first persona that conflicts with `persona`.
    fn first(&self, persona: &Persona) -> Option<usize> {
        let name = persona.name.as_str();
        let spelt = self.spellings.get(&spelling(name)).copied();
        [self.by_name(persona.alias.as_str()), self.by_name(name), spelt]
            .into_iter()
            .flatten()
            .min()
    }
}

/// Returns the first clash of `persona` with another one; `other` returns the member at an index.
pub(super) fn find<'r>(
    persona: &Persona,
    places: &ClashPlaces,
    other: impl FnOnce(usize) -> Option<&'r Member>,
) -> Option<Clash<'r>> {
    let other = other(places.first(persona)?)?;
    let what = compare(persona, &other.persona)?;
    let mine = match what {
        ClashKind::Alias | ClashKind::AliasIsName => persona.alias.to_string(),
        ClashKind::Name | ClashKind::NameIsAlias | ClashKind::LookAlike => persona.name.to_string(),
    };
    Some(Clash { what, mine, other })
}

fn compare(mine: &Persona, other: &Persona) -> Option<ClashKind> {
    let is = |alias: &str, name: &str| alias.eq_ignore_ascii_case(name);
    if mine.alias == other.alias {
        Some(ClashKind::Alias)
    } else if mine.name == other.name {
        Some(ClashKind::Name)
    } else if is(mine.alias.as_str(), other.name.as_str()) {
        Some(ClashKind::AliasIsName)
    } else if is(other.alias.as_str(), mine.name.as_str()) {
        Some(ClashKind::NameIsAlias)
    } else if spelling(mine.name.as_str()) == spelling(other.name.as_str()) {
        Some(ClashKind::LookAlike)
    } else {
        None
    }
}

impl fmt::Display for Clash<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, mine, other } = self;
        let Member { persona: Persona { name, alias, .. }, origin } = other;
        match what {
            ClashKind::Alias => {
                write!(f, "the alias `{mine}` is already taken by {name} ({origin})")
            }
            ClashKind::Name => {
                write!(f, "the name `{mine}` is already taken by `{alias}` ({origin})")
            }
            ClashKind::AliasIsName => {
                write!(f, "the alias `{mine}` is already the name of `{alias}` ({origin})")
            }
            ClashKind::NameIsAlias => {
                write!(f, "the name `{mine}` is already the alias of {name} ({origin})")
            }
            ClashKind::LookAlike => {
                write!(f, "the name `{mine}` looks like `{name}`, the name of `{alias}` ({origin})")
            }
        }
    }
}
