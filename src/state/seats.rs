//! The participants that a head names, and their roles. They are indexed by alias, name and
//! skeleton, because a head may name thousands. Also returns the participants that are asked or
//! have a vote in a phase.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use foldhash::{HashMap, HashSet};

use super::discussion_config::DiscussionConfig;
use crate::participant::Persona;
use crate::template::{Deal, Demand, Phase, Speakers, SpeakersWord, Template};
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

/// Maps each role to its holders.
pub(crate) type Seats = BTreeMap<String, Vec<Alias>>;

/// The roles after assignment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dealt {
    /// The holders of each role.
    pub roles: Seats,
    /// Roles that need a holder and for which no participant was left.
    pub empty: Vec<String>,
}

/// Assigns roles in the template's order. Each role takes its holders first from `given`, then from the remaining
/// participants in order, then from `else`.
pub fn deal(template: &Template, participants: &[Alias], given: &Seats) -> Dealt {
    let mut roles = Seats::new();
    let mut left: Vec<&Alias> = participants
        .iter()
        .filter(|alias| !given.values().flatten().any(|taken| taken == *alias))
        .collect();
    let mut empty = Vec::new();
    for (name, role) in &template.roles {
        let mut holders = given.get(name).cloned().unwrap_or_default();
        let wanted = match role.take {
            Deal::Take(count) => (count as usize).saturating_sub(holders.len()),
            Deal::Rest => left.len(),
        };
        holders.extend(left.drain(..wanted.min(left.len())).cloned());
        if holders.is_empty() && role.take != Deal::Rest {
            match role.otherwise.as_deref().map(Alias::parse) {
                Some(Ok(other)) => holders.push(other),
                // A role with `take: 0` has a holder only if one is named.
                _ if role.take == Deal::Take(0) => {}
                _ => empty.push(name.clone()),
            }
        }
        roles.insert(name.clone(), holders);
    }
    Dealt { roles, empty }
}

impl DiscussionConfig {
    /// Returns the background participants that are asked in a phase: all of them if the phase asks everyone and
    /// takes no votes.
    pub(crate) fn listeners(&self, phase: usize) -> &[Alias] {
        let phase = &self.template.phases[phase];
        let everybody = matches!(phase.speakers, Speakers::All | Speakers::Word(SpeakersWord::All));
        let votes = phase.voting_mode || phase.asks.get("VOTE") == Some(&Demand::Required);
        if everybody && !votes { &self.background } else { &[] }
    }

    /// Returns true if a phase excludes this participant.
    fn is_left_out(&self, phase: &Phase, alias: &Alias) -> bool {
        phase.except.iter().any(|name| match self.roles.get(name) {
            Some(holders) => holders.contains(alias),
            None => name == alias.as_str(),
        })
    }

    /// Returns the participants that have a vote: all except those that a voting phase excludes.
    pub(crate) fn voters(&self) -> impl Iterator<Item = &Alias> {
        self.participants.iter().filter(|alias| !self.sits_out(alias))
    }

    /// Returns true if this phase has deciding votes and excludes this participant.
    pub(super) fn sits_out(&self, alias: &Alias) -> bool {
        let mut phases = self.template.phases.iter().filter(|phase| phase.voting_mode);
        phases.any(|phase| self.is_left_out(phase, alias))
    }

    /// Returns the participants that a phase asks by its template, as far as that does not depend on mentions. A
    /// round of the phase asks all of them.
    pub(crate) fn speakers(&self, phase: usize) -> Vec<Alias> {
        let mut speakers = self.listed_speakers(phase);
        let phase = &self.template.phases[phase];
        speakers.retain(|alias| !self.is_left_out(phase, alias));
        speakers
    }

    fn listed_speakers(&self, phase: usize) -> Vec<Alias> {
        match &self.template.phases[phase].speakers {
            Speakers::All | Speakers::Word(SpeakersWord::All) => self.participants.clone(),
            Speakers::Word(SpeakersWord::Mentioned | SpeakersWord::None) => Vec::new(),
            Speakers::List(names) => {
                let (mut speakers, mut known) = (Vec::new(), HashSet::default());
                for name in names {
                    let alias = || Alias::parse(name).into_iter().collect();
                    let holders = self.roles.get(name).cloned().unwrap_or_else(|| {
                        if self.template.roles.contains_key(name) { Vec::new() } else { alias() }
                    });
                    for holder in holders {
                        if known.insert(holder.clone()) {
                            speakers.push(holder);
                        }
                    }
                }
                speakers
            }
        }
    }
}
