//! Chooses the providers for a participant. If the user chose none, assigns vendors: a discussion
//! is worth more with several models.

use indexmap::IndexMap;

use super::options::RunOptions;
use super::providers::{Candidate, Chain, Providers};
use crate::engine::Snapshot;
use crate::participant::Persona;
use crate::provider::{Availability, Layer, OpenError, RegistryEntry};
use crate::transcript::Alias;
use crate::view::PassedOver;
use crate::workspace::WorkspaceError;

impl Providers {
    /// Returns the providers for a participant, in order: the one that a rule chooses, then its fallbacks.
    ///
    /// The first rule that applies decides: the option of the run; the head; the persona's own wishes, in order; the
    /// configured default, or the fallback if the persona excludes the default; the usable vendors, assigned to the
    /// participants in turn. If the template keeps vendors apart, participants other than the author get another vendor
    /// than the author's before the configured default. A persona's exclusion has priority over every rule. A built-in
    /// provider that answers in place of a model is used only if it is named.
    pub(super) fn chain(
        &self,
        snapshot: &Snapshot,
        alias: &Alias,
        options: &RunOptions,
    ) -> Result<Chain, WorkspaceError> {
        let persona = snapshot.config.persona(alias);
        let configured = &self.workspace.setup.config.providers;
        let by_head =
            snapshot.transcript.head.as_ref().and_then(|head| head.providers.get(alias.as_str()));
        let own = persona.and_then(|persona| persona.provider_affinity.fallback.as_ref());
        let fallback: Vec<&String> =
            own.into_iter().chain(configured.fallback.iter().flatten()).collect();
        let mut chain = Vec::new();
        let mut wished = None;
        if let Some(named) = options.provider.as_ref().or(by_head) {
            self.link_unless_excluded(named, persona, &mut chain)?;
        }
        let named = !chain.is_empty();
        let vendors = self.vendors(persona)?;
        let author = if named { None } else { self.author_of(snapshot, alias, options)? };
        let (mut apart, mut has_wish) = (None, false);
        if !named {
            let wishes = persona
                .map(|persona| persona.providers(Some(&snapshot.template().id)))
                .unwrap_or_default();
            for wish in wishes {
                let known = chain.len();
                self.link_unless_excluded(wish, persona, &mut chain)?;
                if chain.len() > known {
                    wished = wished.or(self.pop_absent(&mut chain)?);
                }
            }
            has_wish = !chain.is_empty();
            if !has_wish && let Some(author) = &author {
                apart = self.vendor_apart(snapshot, alias, &vendors, author);
            }
            if chain.is_empty()
                && apart.is_none()
                && let Some(default) = &configured.default
            {
                self.link_unless_excluded(default, persona, &mut chain)?;
                // A configured fallback is meant to replace the default, not any other installed provider.
                if chain.is_empty() {
                    for name in &fallback {
                        let known = chain.len();
                        self.link_unless_excluded(name, persona, &mut chain)?;
                        if chain.len() > known {
                            wished = wished.or(self.pop_absent(&mut chain)?);
                        }
                    }
                }
            }
        }
        let chosen = !chain.is_empty();
        if !chosen {
            match apart.or_else(|| self.assigned_vendor(snapshot, alias, &vendors)) {
                Some(provider) => self.link(provider, &mut chain)?,
                None => self.first_installed(persona, &mut chain)?,
            }
        }
        for name in fallback {
            self.link_unless_excluded(name, persona, &mut chain)?;
        }
        // Without a configured fallback, the other vendors are the fallbacks.
        if !named && configured.fallback.is_none() {
            let mut others = self.other_vendors(&vendors, &chain);
            if let Some(author) = &author {
                others.sort_by_key(|name| self.is_vendor_of(name, author));
            }
            for vendor in others {
                self.link(vendor, &mut chain)?;
            }
        }
        // Keep the first one even if it is missing, so that the error tells the fix. Fallbacks must be installed.
        let first = chain.first().cloned().or(wished.clone());
        // A missing provider that only a persona wished for is not reported.
        let passed_over = match chain.first() {
            Some(candidate) => self.passed_over(candidate)?,
            None => None,
        };
        let mut ready = Vec::new();
        for candidate in chain {
            if self.is_ready(&candidate)? {
                ready.push(candidate);
            }
        }
        if ready.is_empty() {
            return Ok(Chain {
                candidates: first.into_iter().collect(),
                passed_over: None,
                is_assigned: false,
                is_author_again: false,
                max_tokens: options.max_tokens,
            });
        }
        let is_author_again = !has_wish
            && author.as_ref().is_some_and(|it| self.is_vendor_of(ready[0].name().as_str(), it));
        let max_tokens = options.max_tokens;
        let is_assigned = !chosen;
        Ok(Chain { candidates: ready, passed_over, is_assigned, is_author_again, max_tokens })
    }

    /// Returns the provider of the author, if this participant must have another vendor.
    fn author_of(
        &self,
        snapshot: &Snapshot,
        alias: &Alias,
        options: &RunOptions,
    ) -> Result<Option<Candidate>, WorkspaceError> {
        let author = snapshot.author_apart().filter(|author| *author != alias);
        let chain = author.map(|author| self.chain(snapshot, author, options)).transpose()?;
        Ok(chain.and_then(|chain| chain.candidates.into_iter().next()))
    }

    fn link_unless_excluded(
        &self,
        name: &str,
        persona: Option<&Persona>,
        chain: &mut Vec<Candidate>,
    ) -> Result<(), WorkspaceError> {
        let own = self.workspace.registry().find(name).ok();
        let own = own.as_ref().map_or(name, |entry| entry.definition.common.name.as_str());
        if persona.is_some_and(|persona| self.excludes(persona, own)) {
            return Ok(());
        }
        self.link(name, chain)
    }

    fn passed_over(&self, candidate: &Candidate) -> Result<Option<PassedOver>, OpenError> {
        Ok(match self.availability(candidate)? {
            Availability::Ready { .. } => None,
            Availability::Missing { reason, fix } => {
                let provider = candidate.name().as_str().to_owned();
                Some(PassedOver { provider, reason, fix })
            }
        })
    }

    /// Removes the last candidate if it is not installed.
    fn pop_absent(&self, chain: &mut Vec<Candidate>) -> Result<Option<Candidate>, OpenError> {
        match chain.last() {
            Some(last) if !self.is_ready(last)? => Ok(chain.pop()),
            _ => Ok(None),
        }
    }

    fn first_installed(
        &self,
        persona: Option<&Persona>,
        chain: &mut Vec<Candidate>,
    ) -> Result<(), WorkspaceError> {
        for entry in self.workspace.registry().entries() {
            let name = entry.definition.common.name.as_str();
            let excluded = persona.is_some_and(|persona| self.excludes(persona, name));
            if entry.definition.kind.is_model() && !excluded {
                self.link(name, chain)?;
                if self.pop_absent(chain)?.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Refuses to begin a turn if fewer than `least` of its participants have a provider (INV-DISC-100).
    pub(super) fn ensure_enough_can_answer(
        &self,
        snapshot: &Snapshot,
        asks: &[Alias],
        least: usize,
        options: &RunOptions,
    ) -> Result<(), WorkspaceError> {
        let mut tried: Vec<String> = Vec::new();
        let (models, people): (Vec<&Alias>, Vec<&Alias>) =
            asks.iter().partition(|alias| snapshot.config.is_model(alias));
        let mut ready = 0;
        for alias in &models {
            let mut missing = Vec::new();
            let mut is_ready = false;
            let chain = self.chain(snapshot, alias, options)?;
            for link in self.open(&chain)? {
                match link.provider.availability(self.workspace.call_environment()) {
                    Availability::Ready { .. } => is_ready = true,
                    Availability::Missing { reason, fix } => {
                        missing.push(format!("{reason} ({fix})"));
                    }
                }
            }
            if is_ready {
                ready += 1;
            } else {
                tried.extend(
                    missing.into_iter().filter(|text| !tried.contains(text)).collect::<Vec<_>>(),
                );
            }
        }
        let needed = least.min(asks.len()).saturating_sub(people.len());
        // Another participant takes over only for a single speaker.
        let is_replaced =
            || Ok::<_, WorkspaceError>(asks.len() == 1 && self.has_substitute(snapshot, options)?);
        match ready {
            _ if ready >= needed || is_replaced()? => Ok(()),
            0 if tried.is_empty() => Err(WorkspaceError::NoProvider {
                tried: self.missing_programs(),
                ready: Vec::new(),
            }),
            0 => Err(WorkspaceError::NoProvider { tried, ready: self.available() }),
            _ => Err(WorkspaceError::TooFewProviders { ready, needed, tried }),
        }
    }

    /// Returns the names of all providers that run a model and can be called.
    fn available(&self) -> Vec<String> {
        let entries = self.workspace.registry().entries().iter();
        let models = entries.filter(|entry| entry.definition.kind.is_model());
        let names = models.map(|entry| entry.definition.common.name.as_str());
        let is_ready = |name: &&str| {
            let mut link = Vec::new();
            let is_known = self.link(name, &mut link).is_ok();
            let availability = link.first().filter(|_| is_known).map(|one| self.availability(one));
            matches!(availability, Some(Ok(Availability::Ready { .. })))
        };
        names.filter(is_ready).map(str::to_owned).collect()
    }

    /// Returns why each known model program is missing, each program once.
    fn missing_programs(&self) -> Vec<String> {
        let mut programs: Vec<String> = Vec::new();
        let mut absent = Vec::new();
        for entry in self.workspace.registry().entries() {
            let mut link = Vec::new();
            if self.link(entry.definition.common.name.as_str(), &mut link).is_err() {
                continue;
            }
            let there = link.first().and_then(|candidate| self.availability(candidate).ok());
            // Several definitions may call the same program.
            if let Some(Availability::Missing { reason, fix }) = there
                && !programs.contains(&reason)
            {
                absent.push(format!("{reason} ({fix})"));
                programs.push(reason);
            }
        }
        absent
    }

    /// Returns whether the phase lets others answer in place of a participant who fails, and one of them has a provider.
    fn has_substitute(
        &self,
        snapshot: &Snapshot,
        options: &RunOptions,
    ) -> Result<bool, WorkspaceError> {
        for alias in snapshot.stand_ins() {
            let chain = self.chain(snapshot, &alias, options)?;
            for candidate in &chain.candidates {
                if self.is_ready(candidate)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

impl Providers {
    /// Returns one usable provider of each vendor, in the order of their definitions. Excludes project-defined
    /// providers, because the user has to choose those.
    pub(super) fn vendors(&self, persona: Option<&Persona>) -> Result<Vec<&str>, OpenError> {
        let mut vendors: IndexMap<String, &RegistryEntry> = IndexMap::new();
        for entry in self.workspace.registry().entries() {
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
    fn assigned_vendor<'v>(
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
    fn vendor_apart<'v>(
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
    fn is_vendor_of(&self, name: &str, candidate: &Candidate) -> bool {
        let other = candidate.name().as_str();
        name == other || self.vendor_of(name).is_some_and(|own| self.vendor_of(other) == Some(own))
    }

    fn vendor_of(&self, name: &str) -> Option<String> {
        self.workspace.registry().find(name).ok().map(|entry| vendor(&entry))
    }

    fn strengths(&self, provider: &str) -> Vec<String> {
        let entry = self.workspace.registry().find(provider);
        entry.map(|entry| entry.definition.common.strengths.clone()).unwrap_or_default()
    }

    /// Returns the vendors that are called if those of a chain fail, beginning with the next one.
    fn other_vendors<'v>(&self, vendors: &[&'v str], chain: &[Candidate]) -> Vec<&'v str> {
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
