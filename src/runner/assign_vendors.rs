//! Assigns vendors to participants if the user chose no provider: a discussion is worth more with several models, and
//! a text is reviewed best by another model than its author.

use indexmap::IndexMap;

use super::providers::{Candidate, Providers};
use crate::engine::Snapshot;
use crate::participant::Persona;
use crate::provider::{Layer, OpenError, RegistryEntry};
use crate::transcript::Alias;

impl Providers {
    /// Returns one usable provider of each vendor, in the order of their definitions. Excludes project-defined
    /// providers, because the user has to choose those.
    pub(super) fn vendors(&self, persona: Option<&Persona>) -> Result<Vec<&str>, OpenError> {
        let mut vendors: IndexMap<String, &RegistryEntry> = IndexMap::new();
        for entry in self.workspace.registry.entries() {
            let name = entry.definition.common.name.as_str();
            let own = matches!(entry.origin, Layer::BuiltIn | Layer::User(_));
            let excluded = persona.is_some_and(|persona| self.excludes(persona, name));
            if !own || !entry.definition.kind.is_model() || excluded {
                continue;
            }
            let vendor = vendor(entry);
            // A provider that has its vendor's name represents the vendor.
            let known = vendors.get(&vendor);
            let better =
                |known: &&RegistryEntry| !named_for(known, &vendor) && named_for(entry, &vendor);
            if known.is_none_or(better)
                && self.is_ready(&Candidate::Defined(Box::new(entry.clone())))?
            {
                vendors.insert(vendor, entry);
            }
        }
        Ok(vendors.into_values().map(|entry| entry.definition.common.name.as_str()).collect())
    }

    /// Returns the provider that is assigned to a participant; none if there is no vendor. Prefers vendors with
    /// strengths that suit the participant's role (INV-DISC-203), then the vendor with the fewest participants.
    pub(super) fn assigned_vendor<'v>(
        &self,
        snapshot: &Snapshot,
        alias: &Alias,
        vendors: &[&'v str],
    ) -> Option<&'v str> {
        let mut all = participants(snapshot);
        if !all.contains(&alias) {
            all.push(alias);
        }
        let strengths: Vec<Vec<String>> = vendors.iter().map(|name| self.strengths(name)).collect();
        let suited = |participant: &Alias| -> Vec<usize> {
            let Some(persona) = snapshot.config.persona(participant) else { return Vec::new() };
            (0..vendors.len()).filter(|at| suits(&strengths[*at], persona)).collect()
        };
        // Participants with a suitable vendor come first. The others then get the vendor with the fewest participants.
        // The sort is stable.
        let mut wishes: Vec<(&Alias, Vec<usize>)> =
            all.into_iter().map(|one| (one, suited(one))).collect();
        wishes.sort_by_key(|(_, suited)| suited.is_empty());
        let mut counts = vec![0_usize; vendors.len()];
        for (participant, suited) in wishes {
            let among = if suited.is_empty() { (0..vendors.len()).collect() } else { suited };
            let place = among.into_iter().min_by_key(|at| counts[*at])?;
            if participant == alias {
                return Some(vendors[place]);
            }
            counts[place] += 1;
        }
        None
    }

    /// Returns the vendor for a participant that must not have the author's vendor; `None` if no other vendor is ready.
    /// The other vendors are assigned in turn.
    pub(super) fn vendor_apart<'v>(
        &self,
        snapshot: &Snapshot,
        alias: &Alias,
        vendors: &[&'v str],
        author: &Candidate,
    ) -> Option<&'v str> {
        let others = self.other_vendors(vendors, std::slice::from_ref(author));
        let all = participants(snapshot).into_iter();
        let mut reviewers = all.filter(|one| snapshot.author_apart() != Some(*one));
        let place = reviewers.position(|one| one == alias).unwrap_or_default();
        others.get(place % others.len().max(1)).copied()
    }

    /// Returns true if the vendor of a provider is that of a candidate.
    pub(super) fn is_vendor_of(&self, name: &str, candidate: &Candidate) -> bool {
        let other = candidate.name().as_str();
        name == other || self.vendor_of(name).is_some_and(|own| self.vendor_of(other) == Some(own))
    }

    fn vendor_of(&self, name: &str) -> Option<String> {
        self.workspace.registry.find(name).ok().map(|entry| vendor(&entry))
    }

    fn strengths(&self, provider: &str) -> Vec<String> {
        let entry = self.workspace.registry.find(provider);
        entry.map(|entry| entry.definition.common.strengths.clone()).unwrap_or_default()
    }

    /// Returns the vendors that are called if those of a chain fail, beginning with the next one.
    pub(super) fn other_vendors<'v>(
        &self,
        vendors: &[&'v str],
        chain: &[Candidate],
    ) -> Vec<&'v str> {
        let last = chain
            .last()
            .and_then(|last| vendors.iter().position(|vendor| *vendor == last.name().as_str()));
        let start = last.map_or(0, |last| last + 1);
        let known: Vec<Option<String>> =
            chain.iter().map(|candidate| self.vendor_of(candidate.name().as_str())).collect();
        let others = vendors.iter().cycle().skip(start).take(vendors.len()).copied();
        others.filter(|name| !known.contains(&self.vendor_of(name))).collect()
    }
}

/// Returns all participants and holders of roles, each once, in the order in which vendors are assigned.
pub(super) fn participants(snapshot: &Snapshot) -> Vec<&Alias> {
    let mut all: Vec<&Alias> = Vec::new();
    let config = &snapshot.config;
    for alias in config.seats().chain(config.roles.values().flatten()) {
        if !all.contains(&alias) {
            all.push(alias);
        }
    }
    all
}

/// Returns whether a strength equals a persona's alias, a word of its role or a field of its expertise.
fn suits(strengths: &[String], persona: &Persona) -> bool {
    let role = persona.role.split(|c: char| !c.is_alphanumeric());
    let fields = persona.expertise.iter().map(String::as_str);
    let words = role.chain(fields).chain([persona.alias.as_str()]);
    let mut words = words.filter(|word| !word.is_empty());
    words.any(|word| strengths.iter().any(|strength| strength.eq_ignore_ascii_case(word)))
}

/// Returns the vendor behind a definition: the program or the host.
fn vendor(entry: &RegistryEntry) -> String {
    let written = entry.definition.kind.as_written();
    let first = written.split_whitespace().next().unwrap_or_default();
    match first.split_once("://") {
        Some((_, rest)) => rest.split('/').next().unwrap_or_default().to_owned(),
        None => first.rsplit('/').next().unwrap_or_default().to_owned(),
    }
}

fn named_for(entry: &RegistryEntry, vendor: &str) -> bool {
    let common = &entry.definition.common;
    std::iter::once(&common.name).chain(&common.aliases).any(|name| name.as_str() == vendor)
}
