//! Who is named by a head, found by alias, name and look: a head may name thousands.

use std::sync::OnceLock;

use foldhash::{HashMap, HashSet};

use crate::participant::Persona;
use crate::transcript::{Alias, Name, skeleton};

/// Participants that no file describes.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    personas: Vec<Persona>,
    /// The first of each alias.
    by_alias: HashMap<Alias, usize>,
    /// The first whose name it is, or whose alias.
    by_name: HashMap<Name, usize>,
    /// Skeletons of names and aliases, computed when somebody asks.
    looks: OnceLock<HashSet<String>>,
}

impl Named {
    /// Adds one behind all others.
    pub(super) fn push(&mut self, persona: Persona) {
        let place = self.personas.len();
        self.by_alias.entry(persona.alias.clone()).or_insert(place);
        self.by_name.entry(persona.name.clone()).or_insert(place);
        if let Ok(alias) = Name::parse(persona.alias.as_str()) {
            self.by_name.entry(alias).or_insert(place);
        }
        self.personas.push(persona);
        self.looks = OnceLock::new();
    }

    /// The first with this alias.
    pub(super) fn by_alias(&self, alias: &Alias) -> Option<&Persona> {
        self.by_alias.get(alias).map(|&place| &self.personas[place])
    }

    /// The first whose name or alias this is.
    pub(super) fn by_name(&self, name: &Name) -> Option<&Persona> {
        self.by_name.get(name).map(|&place| &self.personas[place])
    }

    /// Whether the name or alias of one of them has this skeleton.
    pub(super) fn has_look(&self, look: &str) -> bool {
        let looks = self.looks.get_or_init(|| {
            let of = |persona: &Persona| {
                [skeleton(persona.name.as_str()), skeleton(persona.alias.as_str())]
            };
            self.personas.iter().flat_map(of).collect()
        });
        looks.contains(look)
    }
}

impl FromIterator<Persona> for Named {
    fn from_iter<I: IntoIterator<Item = Persona>>(personas: I) -> Self {
        let mut named = Self::default();
        personas.into_iter().for_each(|persona| named.push(persona));
        named
    }
}

/// Where participants sit, as far as votes depend on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Seating {
    /// The voting seats.
    pub(super) voting: HashSet<Alias>,
    /// Who sits in the background or holds a role.
    pub(super) outside: HashSet<Alias>,
}
