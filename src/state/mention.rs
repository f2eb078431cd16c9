//! Mentions that wait for an answer.

use std::collections::{BTreeMap, HashMap, HashSet};

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
    /// By whom; who mentions somebody several times waits for one answer.
    pub by: Speaker,
    /// Line of the mention, the first one.
    pub line: usize,
}

/// Where somebody was mentioned, and by whom.
#[derive(Clone, Debug)]
struct Place {
    by: Speaker,
    line: usize,
    column: usize,
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
    }

    pub(super) fn add(
        &mut self,
        by: &Speaker,
        mentions: &[Mention],
        config: &DiscussionConfig,
        speakers: &Speakers,
    ) {
        for mention in mentions {
            let place = || Place { by: by.clone(), line: mention.line, column: mention.column };
            if mention.name.eq_ignore_ascii_case("all") {
                for alias in &config.participants {
                    self.push(Speaker::Persona(alias.clone()), place());
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
        let mut pending: Vec<(Speaker, Place)> = self
            .pending
            .into_iter()
            .flat_map(|(whom, places)| {
                places.list.into_iter().map(move |place| (whom.clone(), place))
            })
            .collect();
        let mut seats = HashMap::new();
        for (seat, alias) in config.seats().enumerate() {
            seats.entry(alias).or_insert(seat);
        }
        // In file order, which every machine has alike; `@all` names several at one place.
        pending.sort_by_cached_key(|(whom, place)| {
            let seat = whom.alias().and_then(|alias| seats.get(alias));
            (place.line, place.column, seat, whom.handle().to_owned())
        });
        pending
            .into_iter()
            .map(|(whom, Place { by, line, .. })| PendingMention { whom, by, line })
            .collect()
    }
}
