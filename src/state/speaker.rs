//! Who a name in a comment's head is.

use foldhash::HashMap;

use super::discussion_config::DiscussionConfig;
use super::misspelt::{Misspellings, Misspelt};
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::{Alias, Name, is_agent, is_reserved, likeness, skeleton, spelling};

/// The name by which the program itself writes reports; nothing in them counts.
pub(crate) const RESERVED_NAME: &str = "Discussions";

/// Who speaks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// A known persona, by name or alias.
    Persona(Alias),
    /// Anybody else: a person.
    Person(Name),
    /// A program that people use, without a seat: it may say something, and counts for nobody.
    Agent(Name),
    /// The program's own report.
    Report,
    /// A name that looks like a participant's but is spelt otherwise, or is the program's own; it never counts.
    Lookalike(Name),
}

impl Speaker {
    /// The alias of a persona.
    pub fn alias(&self) -> Option<&Alias> {
        match self {
            Self::Persona(alias) => Some(alias),
            _ => None,
        }
    }

    /// What mentions and results call them: the alias, or the name.
    pub fn handle(&self) -> &str {
        match self {
            Self::Persona(alias) => alias.as_str(),
            Self::Person(name) | Self::Agent(name) | Self::Lookalike(name) => name.as_str(),
            Self::Report => RESERVED_NAME,
        }
    }

    /// Whether what they say is counted at all.
    pub(crate) fn counts(&self) -> bool {
        matches!(self, Self::Persona(_) | Self::Person(_) | Self::Agent(_))
    }

    /// Whether they are somebody whose word a discussion waits for, or may come to its end by.
    pub(crate) fn takes_part(&self) -> bool {
        matches!(self, Self::Persona(_) | Self::Person(_))
    }
}

/// Finds out who is who, and remembers it: a discussion has few names and many comments.
#[derive(Debug, Default)]
pub(super) struct Speakers {
    known: HashMap<String, Speaker>,
    /// The persons who spoke so far, by how they are spelt.
    persons: HashMap<String, Name>,
    /// The same by how they look at a glance.
    by_look: HashMap<String, Name>,
    /// Persons who look like one who spoke before them, and that one; until it is told.
    alike: HashMap<String, Name>,
    /// The names of participants, made for the first name of a person.
    misspellings: Option<Misspellings>,
    /// Names that are probably a participant's, misspelt.
    misspelt: HashMap<String, Misspelt>,
    /// Whom a mention means, in small letters; the first who spoke under it.
    by_handle: HashMap<String, Name>,
}

impl Speakers {
    pub(super) fn resolve(&mut self, name: &Name, config: &DiscussionConfig) -> Speaker {
        if let Some(speaker) = self.known.get(name.as_str()) {
            return speaker.clone();
        }
        let speaker = self.find(name, config);
        self.known.insert(name.as_str().to_owned(), speaker.clone());
        speaker
    }

    fn find(&mut self, name: &Name, config: &DiscussionConfig) -> Speaker {
        if let Some(persona) = config.by_name(name).filter(|one| !config.is_guest(&one.alias)) {
            return Speaker::Persona(persona.alias.clone());
        }
        if name.as_str().eq_ignore_ascii_case(RESERVED_NAME) {
            return Speaker::Report;
        }
        if is_agent(name) {
            return Speaker::Agent(name.clone());
        }
        if is_reserved(name) || config.looks_like_persona(&skeleton(name.as_str())) {
            return Speaker::Lookalike(name.clone());
        }
        let misspellings = self.misspellings.get_or_insert_with(|| Misspellings::of(config));
        if let Some(misspelt) = misspellings.find(name, config) {
            self.misspelt.insert(name.as_str().to_owned(), misspelt);
            return Speaker::Lookalike(name.clone());
        }
        let spelt = spelling(name.as_str());
        match self.persons.get(&spelt) {
            Some(person) if person != name => Speaker::Lookalike(name.clone()),
            Some(person) => Speaker::Person(person.clone()),
            None => {
                self.persons.insert(spelt, name.clone());
                self.glance(likeness(name.as_str()), name);
                for handle in handles(name) {
                    self.by_handle.entry(handle).or_insert_with(|| name.clone());
                }
                Speaker::Person(name.clone())
            }
        }
    }

    /// Returns what is wrong with a name that is probably a participant's, misspelt.
    pub(super) fn misspelt(&self, name: &Name) -> Option<&Misspelt> {
        self.misspelt.get(name.as_str())
    }

    /// Returns all misspelt names, sorted.
    pub(super) fn doubted(&self) -> Vec<Name> {
        let mut names: Vec<Name> = self.misspelt.values().map(|it| it.name.clone()).collect();
        names.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
        names
    }

    /// Returns what is wrong with the name of a comment at this line.
    pub(super) fn problems(&mut self, speaker: &Speaker, name: &Name, line: usize) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut tell = |severity, code, message| {
            problems.push(Problem::new(severity, code, (line, 7), message));
        };
        if let Speaker::Lookalike(name) = speaker {
            let alike = "looks like a participant's name but is spelt with other characters";
            let its = "its vote does not count";
            match self.misspelt(name) {
                Some(it) => tell(Severity::Warning, ProblemCode::NameLookalike, it.message()),
                None if is_reserved(name) => tell(
                    Severity::Error,
                    ProblemCode::NameReserved,
                    format!("`{name}` is reserved for the program; {its}"),
                ),
                None => tell(
                    Severity::Error,
                    ProblemCode::NameLookalike,
                    format!("`{name}` {alike}; {its}"),
                ),
            }
        }
        if let Some(other) = self.take_alike(name) {
            let message = format!(
                "`{name}` looks like the earlier name `{other}`, but counts as a different speaker"
            );
            tell(Severity::Warning, ProblemCode::NameLookalike, message);
        }
        problems
    }

    /// Remembers whom a person looks like, be it by digits for letters or a dot at the end.
    fn glance(&mut self, look: String, name: &Name) {
        match self.by_look.get(&look) {
            Some(other) => {
                self.alike.insert(name.as_str().to_owned(), other.clone());
            }
            None if look.is_empty() => {}
            None => {
                self.by_look.insert(look, name.clone());
            }
        }
    }

    /// The person who spoke before and whom this one looks like; told once.
    fn take_alike(&mut self, name: &Name) -> Option<Name> {
        self.alike.remove(name.as_str())
    }

    /// The person whom a mention in small letters means.
    pub(super) fn person(&self, mention: &str) -> Option<&Name> {
        self.by_handle.get(mention)
    }
}

/// What a person may be mentioned by: the name, with `-` or `_` for blanks, or its first word.
pub(crate) fn handles(name: &Name) -> impl Iterator<Item = String> {
    let name = name.as_str().to_lowercase();
    let first = name.split(' ').next().unwrap_or_default().to_owned();
    let mut handles = vec![name.replace(' ', "-"), name.replace(' ', "_"), first, name];
    handles.sort_unstable();
    handles.dedup();
    handles.into_iter()
}
