//! Mentions that wait for an answer.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::discussion_config::DiscussionConfig;
use super::speaker::{Speaker, Speakers, handles};
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::{Alias, Mention, Name};

/// Somebody was mentioned and has not spoken since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingMention {
    /// Who is mentioned.
    pub whom: Speaker,
    /// Line of the first mention, counted from 1.
    pub line: usize,
    /// Mentions by name, in the file's order.
    named: Vec<Place>,
    /// All calls of `@all` in the file, and from which on they wait; none for whom `@all` does not mean.
    everybody: Option<(Arc<[Place]>, usize)>,
}

impl PendingMention {
    /// Where the first mention is, as line and column.
    fn first(&self) -> Option<(usize, usize)> {
        let everybody =
            self.everybody.iter().flat_map(|(calls, from)| calls[*from..].iter().take(2));
        let all = everybody.filter(|call| call.by != self.whom).map(Place::at).next();
        self.named.first().map(Place::at).into_iter().chain(all).min()
    }

    /// Who mentioned them before a line, each once, in the file's order: who mentions somebody several times waits for
    /// one answer.
    pub fn callers(&self, before: usize) -> Vec<&Speaker> {
        let everybody = self.everybody.iter().flat_map(|(calls, from)| &calls[*from..]);
        let mut places: Vec<&Place> = self.named.iter().chain(everybody).collect();
        places.sort_by_key(|place| place.at());
        let mut known = HashSet::new();
        places
            .into_iter()
            .filter(|place| place.line < before && place.by != self.whom)
            .map(|place| &place.by)
            .filter(|by| known.insert(*by))
            .collect()
    }
}

/// Where somebody was mentioned, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    by: Speaker,
    line: usize,
    column: usize,
}

impl Place {
    fn at(&self) -> (usize, usize) {
        (self.line, self.column)
    }
}

/// All places where one is mentioned, each mentioner's first.
#[derive(Debug, Default)]
struct Places {
    list: Vec<Place>,
    by: HashSet<Speaker>,
}

impl Places {
    /// One who mentions somebody again waits for the same answer.
    fn add(&mut self, place: Place) {
        if self.by.insert(place.by.clone()) {
            self.list.push(place);
        }
    }
}

/// Mentions of a file so far. Found by whom they mean: a discussion may mention somebody in every comment.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    pending: HashMap<Speaker, Places>,
    /// Calls of `@all`, each comment's first, once for everybody: as many may call as there are to be called.
    everybody: Vec<Place>,
    /// How many of these stood there when a speaker answered all of them.
    answered: HashMap<Speaker, usize>,
    /// Names in small letters that nobody had when they were mentioned: a person may come later.
    unknown: BTreeMap<String, Places>,
}

impl Mentions {
    /// Whoever speaks or passes has answered what they were asked.
    pub(super) fn spoke(&mut self, speaker: &Speaker, speakers: &Speakers) {
        if let Speaker::Person(name) = speaker {
            for handle in handles(name).filter(|handle| speakers.person(handle) == Some(name)) {
                self.unknown.remove(&handle);
            }
        }
        self.pending.remove(speaker);
        if !self.everybody.is_empty() {
            self.answered.insert(speaker.clone(), self.everybody.len());
        }
    }

    pub(super) fn add(
        &mut self,
        by: &Speaker,
        mentions: &[Mention],
        config: &DiscussionConfig,
        speakers: &Speakers,
    ) {
        let mut all = false;
        for mention in mentions {
            let place = || Place { by: by.clone(), line: mention.line, column: mention.column };
            if mention.name.eq_ignore_ascii_case("all") {
                if !std::mem::replace(&mut all, true) {
                    self.everybody.push(place());
                }
                continue;
            }
            let persona = Alias::parse(&mention.name)
                .ok()
                .and_then(|alias| config.persona(&alias))
                .or_else(|| config.by_name(&Name::parse(&mention.name).ok()?));
            if let Some(persona) = persona {
                self.push(Speaker::Persona(persona.alias.clone()), place());
            } else if let Some(person) = speakers.person(&mention.name.to_lowercase()) {
                self.push(Speaker::Person(person.clone()), place());
            } else {
                self.unknown.entry(mention.name.to_lowercase()).or_default().add(place());
            }
        }
    }

    fn push(&mut self, whom: Speaker, place: Place) {
        if whom != place.by {
            self.pending.entry(whom).or_default().add(place);
        }
    }

    /// At the file's end: mentions of nobody who ever spoke are worth a warning.
    pub(super) fn finish(
        mut self,
        config: &DiscussionConfig,
        speakers: &Speakers,
        problems: &mut Vec<Problem>,
    ) -> Vec<PendingMention> {
        for (name, places) in self.unknown {
            // They have spoken, before or after: `spoke` took away what they answered.
            if let Some(person) = speakers.person(&name) {
                let pending = self.pending.entry(Speaker::Person(person.clone())).or_default();
                pending.list.extend(places.list);
                continue;
            }
            problems.extend(places.list.iter().map(|place| {
                Problem::new(
                    Severity::Warning,
                    ProblemCode::MentionUnknown,
                    (place.line, place.column),
                    format!("no participant is called `@{name}`, so nobody is asked"),
                )
            }));
        }
        let everybody: Arc<[Place]> = self.everybody.into();
        let mut pending: HashMap<Speaker, PendingMention> = HashMap::new();
        for alias in config.seats() {
            let whom = Speaker::Persona(alias.clone());
            let from = self.answered.get(&whom).copied().unwrap_or(0);
            // Their own call is the first behind their answer, if there is one.
            if let Some(first) = everybody[from..].iter().take(2).find(|call| call.by != whom) {
                let everybody = Some((Arc::clone(&everybody), from));
                let (line, named) = (first.line, Vec::new());
                pending.insert(whom.clone(), PendingMention { whom, line, named, everybody });
            }
        }
        for (whom, Places { list: mut named, .. }) in self.pending {
            named.sort_by_key(Place::at);
            let Some(line) = named.first().map(|place| place.line) else { continue };
            let mention = pending.entry(whom.clone()).or_insert_with(|| PendingMention {
                whom,
                line,
                named: Vec::new(),
                everybody: None,
            });
            (mention.line, mention.named) = (mention.line.min(line), named);
        }
        let mut seats = HashMap::new();
        for (seat, alias) in config.seats().enumerate() {
            seats.entry(alias).or_insert(seat);
        }
        let mut pending: Vec<PendingMention> = pending.into_values().collect();
        // In file order, which every machine has alike; `@all` names several at one place.
        pending.sort_by_cached_key(|mention| {
            let seat = mention.whom.alias().and_then(|alias| seats.get(alias));
            (mention.first(), seat, mention.whom.handle().to_owned())
        });
        pending
    }
}
