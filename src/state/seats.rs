//! The participants that a head names, indexed by alias, name and skeleton, because a head may name thousands.

use std::sync::OnceLock;

use foldhash::{HashMap, HashSet};

use crate::participant::Persona;
use crate::transcript::{Alias, Name, skeleton};

/// Participants without a persona file.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    personas: Vec<Persona>,
    /// The index of the first participant with an alias.
    by_alias: HashMap<Alias, usize>,
    /// The index of the first participant with this name or alias.
    by_name: HashMap<Name, usize>,
    /// The skeletons of all names and aliases, computed on first use.
    looks: OnceLock<HashSet<String>>,
}

impl Named {
    /// Adds a participant after all others.
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

    /// Returns the first participant with this alias.
    pub(super) fn by_alias(&self, alias: &Alias) -> Option<&Persona> {
        self.by_alias.get(alias).map(|&place| &self.personas[place])
    }

    /// Returns the first participant with this name or alias.
    pub(super) fn by_name(&self, name: &Name) -> Option<&Persona> {
        self.by_name.get(name).map(|&place| &self.personas[place])
    }

    /// Returns true if the name or alias of a participant has this skeleton.
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

/// The participants, divided by their right to vote.
#[derive(Clone, Debug, Default)]
pub(super) struct Seating {
    /// Participants that vote.
    pub(super) voting: HashSet<Alias>,
    /// Participants in the background and holders of roles.
    pub(super) outside: HashSet<Alias>,
}
