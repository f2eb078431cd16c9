//! Which vendor speaks for which seat, where nobody chose: many models are the point.

use std::path::Path;

use indexmap::IndexMap;

use super::Runner;
use super::candidate::Candidate;
use super::options::CallSettings;
use crate::engine::Snapshot;
use crate::participant::Persona;
use crate::provider::{Entry, Layer, OpenError};
use crate::transcript::Alias;
use crate::workspace::WorkspaceError;

impl Runner {
    /// One usable provider of each vendor, in the order of their definitions. What a project brought along is not among
    /// them: somebody has to choose it.
    pub(super) fn vendors(&self, persona: Option<&Persona>) -> Result<Vec<&str>, OpenError> {
        let mut vendors: IndexMap<String, &Entry> = IndexMap::new();
        for entry in self.workspace.registry.entries() {
            let name = entry.definition.common.name.as_str();
            let own = matches!(entry.origin, Layer::BuiltIn | Layer::User(_));
            let excluded = persona.is_some_and(|persona| self.excludes(persona, name));
            if !own || !entry.definition.kind.is_model() || excluded {
                continue;
            }
            let vendor = vendor(entry);
            // The one that is called as its vendor is stands for it.
            let known = vendors.get(&vendor);
            let better = |known: &&Entry| !named_for(known, &vendor) && named_for(entry, &vendor);
            if known.is_none_or(better)
                && self.is_ready(&Candidate::Defined(Box::new(entry.clone())))?
            {
                vendors.insert(vendor, entry);
            }
        }
        Ok(vendors.into_values().map(|entry| entry.definition.common.name.as_str()).collect())
    }

    /// The provider that is dealt to a seat; none where there are no several vendors to deal. Whoever is taken for what
    /// a seat is there for has it (INV-DISC-203); the others are dealt so that all have as many.
    pub(super) fn dealt<'v>(
        &self,
        snapshot: &Snapshot,
        alias: &Alias,
        vendors: &[&'v str],
    ) -> Option<&'v str> {
        let mut seats = seats(snapshot);
        if !seats.contains(&alias) {
            seats.push(alias);
        }
        let strengths: Vec<Vec<String>> = vendors.iter().map(|name| self.strengths(name)).collect();
        let suited = |seat: &Alias| -> Vec<usize> {
            let Some(persona) = snapshot.config.persona(seat) else { return Vec::new() };
            (0..vendors.len()).filter(|at| suits(&strengths[*at], persona)).collect()
        };
        // Those first whom a vendor suits, then everybody else where fewest sit; the sort keeps the order otherwise.
        let mut wishes: Vec<(&Alias, Vec<usize>)> =
            seats.into_iter().map(|seat| (seat, suited(seat))).collect();
        wishes.sort_by_key(|(_, suited)| suited.is_empty());
        let mut held = vec![0_usize; vendors.len()];
        for (seat, suited) in wishes {
            let among = if suited.is_empty() { (0..vendors.len()).collect() } else { suited };
            let place = among.into_iter().min_by_key(|at| held[*at])?;
            if seat == alias {
                return Some(vendors[place]);
            }
            held[place] += 1;
        }
        None
    }

    fn strengths(&self, provider: &str) -> Vec<String> {
        let entry = self.workspace.registry.find(provider);
        entry.map(|entry| entry.definition.common.strengths.clone()).unwrap_or_default()
    }

    /// The vendors that are asked when those of a chain fail, beginning with the next one.
    pub(super) fn after<'v>(&self, vendors: &[&'v str], chain: &[Candidate]) -> Vec<&'v str> {
        let last = chain
            .last()
            .and_then(|last| vendors.iter().position(|vendor| *vendor == last.name().as_str()));
        let start = last.map_or(0, |last| last + 1);
        let vendor_of = |name: &str| self.workspace.registry.find(name).ok().map(|it| vendor(&it));
        let known: Vec<Option<String>> =
            chain.iter().map(|candidate| vendor_of(candidate.name().as_str())).collect();
        let others = vendors.iter().cycle().skip(start).take(vendors.len()).copied();
        others.filter(|name| !known.contains(&vendor_of(name))).collect()
    }

    /// Who speaks through what, where nobody chose and several vendors are dealt over the seats; else empty.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(super) fn deal(
        &self,
        path: &Path,
        options: &CallSettings,
    ) -> Result<Vec<(String, Vec<String>)>, WorkspaceError> {
        let snapshot = self.workspace.snapshot(path)?;
        let mut deal: IndexMap<String, Vec<String>> = IndexMap::new();
        for alias in seats(&snapshot).into_iter().filter(|alias| snapshot.config.is_model(alias)) {
            if let Ok(chain) = self.chain(&snapshot, alias, options)
                && chain.dealt
                && let Some(first) = chain.candidates.first()
            {
                deal.entry(first.name().as_str().to_owned()).or_default().push(alias.to_string());
            }
        }
        Ok(if deal.len() > 1 { deal.into_iter().collect() } else { Vec::new() })
    }
}

/// Everybody who has a seat or a role, once, in the order in which vendors are dealt.
pub(super) fn seats(snapshot: &Snapshot) -> Vec<&Alias> {
    let mut seats: Vec<&Alias> = Vec::new();
    let config = &snapshot.config;
    for alias in config.seats().chain(config.roles.values().flatten()) {
        if !seats.contains(&alias) {
            seats.push(alias);
        }
    }
    seats
}

/// Whether one of these words is what a persona is there for: its alias, a word of its role, a field that it knows.
fn suits(strengths: &[String], persona: &Persona) -> bool {
    let role = persona.role.split(|c: char| !c.is_alphanumeric());
    let fields = persona.expertise.iter().map(String::as_str);
    let words = role.chain(fields).chain([persona.alias.as_str()]);
    let mut words = words.filter(|word| !word.is_empty());
    words.any(|word| strengths.iter().any(|strength| strength.eq_ignore_ascii_case(word)))
}

/// Who answers behind a definition: the program, or the host.
fn vendor(entry: &Entry) -> String {
    let written = entry.definition.kind.written();
    let first = written.split_whitespace().next().unwrap_or_default();
    match first.split_once("://") {
        Some((_, rest)) => rest.split('/').next().unwrap_or_default().to_owned(),
        None => first.rsplit('/').next().unwrap_or_default().to_owned(),
    }
}

fn named_for(entry: &Entry, vendor: &str) -> bool {
    let common = &entry.definition.common;
    std::iter::once(&common.name).chain(&common.aliases).any(|name| name.as_str() == vendor)
}
