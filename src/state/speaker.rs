//! The speaker for a name in the head of a comment. If a name is probably a participant's name with
//! a typing error, its votes do not count.

use std::hash::BuildHasher as _;

use foldhash::HashMap;
use foldhash::fast::RandomState;

use super::discussion_config::DiscussionConfig;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::similarity::ComparedWord;
use crate::transcript::{Alias, Name, is_agent, is_reserved, likeness, skeleton, spelling};

/// The name under which the program writes reports; markers in a report are ignored.
pub(crate) const RESERVED_NAME: &str = "Discussions";

/// Returns whether a name is the one of the program's own reports.
pub(crate) fn is_report(name: &Name) -> bool {
    name.as_str().eq_ignore_ascii_case(RESERVED_NAME)
}

/// The author of a comment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// A known persona, by name or alias.
    Persona(Alias),
    /// A person: every name that is none of the others.
    Person(Name),
    /// An agent that is not a participant: it may comment, but its votes are not counted.
    Agent(Name),
    /// The program's own report.
    Report,
    /// A name that resembles a participant's with another spelling, or that is reserved; it never counts.
    Lookalike(Name),
}

impl Speaker {
    /// Returns the alias of a persona.
    pub fn alias(&self) -> Option<&Alias> {
        match self {
            Self::Persona(alias) => Some(alias),
            _ => None,
        }
    }

    /// Returns the name for mentions and results: the alias, or the name.
    pub fn handle(&self) -> &str {
        match self {
            Self::Persona(alias) => alias.as_str(),
            Self::Person(name) | Self::Agent(name) | Self::Lookalike(name) => name.as_str(),
            Self::Report => RESERVED_NAME,
        }
    }

    /// Returns true if comments of this speaker count at all.
    pub(crate) fn counts(&self) -> bool {
        matches!(self, Self::Persona(_) | Self::Person(_) | Self::Agent(_))
    }

    /// Returns true if a discussion may wait for this speaker, or end because of its comment.
    pub(crate) fn takes_part(&self) -> bool {
        matches!(self, Self::Persona(_) | Self::Person(_))
    }
}

/// A resolver of names to speakers. It caches its results, because a discussion has few names and many comments.
#[derive(Debug, Default)]
pub(super) struct SpeakerIndex {
    known: HashMap<String, Speaker>,
    /// The people that have commented so far, in this order. The maps below contain their indices.
    people: Vec<Name>,
    /// The people by the spelling of their names.
    by_spelling: HashMap<String, u32>,
    /// The people by the look of their names.
    by_look: HashMap<String, u32>,
    /// People with a name like an earlier person's, with that person; removed once reported.
    alike: HashMap<String, Name>,
    /// The names of participants; collected at the first name of a person.
    misspellings: Option<Misspellings>,
    /// Names that are probably a misspelt participant's.
    misspelt: HashMap<String, Misspelt>,
    /// Maps the hash of a lower-case mention to the first person that it fits. Several mentions fit each person, so
    /// their texts would take most of the memory of a discussion of many people.
    by_handle: HashMap<u64, u32>,
    hasher: RandomState,
}

impl SpeakerIndex {
    pub(super) fn resolve(&mut self, name: &Name, config: &DiscussionConfig) -> Speaker {
        if let Some(speaker) = self.known.get(name.as_str()) {
            return speaker.clone();
        }
        let speaker = self.classify(name, config);
        let is_new = !self.by_spelling.contains_key(&spelling(name.as_str()));
        if is_new && matches!(&speaker, Speaker::Person(_)) {
            self.add_person(name);
        }
        self.known.insert(name.as_str().to_owned(), speaker.clone());
        speaker
    }

    /// Returns the speaker of a name, without the effects of a comment: a person that only closes a discussion has not
    /// commented.
    pub(super) fn classify(&mut self, name: &Name, config: &DiscussionConfig) -> Speaker {
        if let Some(speaker) = self.known.get(name.as_str()) {
            return speaker.clone();
        }
        if let Some(persona) = config.by_name(name).filter(|one| !config.is_guest(&one.alias)) {
            return Speaker::Persona(persona.alias.clone());
        }
        if is_report(name) {
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
        match self.by_spelling.get(&spelt).and_then(|place| self.people.get(*place as usize)) {
            Some(person) if person != name => Speaker::Lookalike(name.clone()),
            Some(person) => Speaker::Person(person.clone()),
            None => Speaker::Person(name.clone()),
        }
    }

    /// Records a person that comments for the first time.
    fn add_person(&mut self, name: &Name) {
        let place = u32::try_from(self.people.len()).unwrap_or(u32::MAX);
        self.people.push(name.clone());
        self.by_spelling.insert(spelling(name.as_str()), place);
        self.glance(likeness(name.as_str()), name, place);
        for handle in handles(name) {
            self.by_handle.entry(self.hasher.hash_one(&*handle)).or_insert(place);
        }
    }

    /// Returns the misspelling for a name that is probably a participant's.
    pub(super) fn misspelt(&self, name: &Name) -> Option<&Misspelt> {
        self.misspelt.get(name.as_str())
    }

    /// Returns all misspelt names, sorted.
    pub(super) fn doubted(&self) -> Vec<Name> {
        let mut names: Vec<Name> = self.misspelt.values().map(|it| it.name.clone()).collect();
        names.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
        names
    }

    /// Returns the problems with the author's name of a comment at this line.
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

    /// Records which earlier name a person's name resembles, for example with digits for letters or a dot at the end.
    fn glance(&mut self, look: String, name: &Name, place: u32) {
        match self.by_look.get(&look).and_then(|other| self.people.get(*other as usize)) {
            Some(other) => {
                self.alike.insert(name.as_str().to_owned(), other.clone());
            }
            None if look.is_empty() => {}
            None => {
                self.by_look.insert(look, place);
            }
        }
    }

    /// Returns the earlier person with a similar name, and removes the entry so that it is reported once.
    fn take_alike(&mut self, name: &Name) -> Option<Name> {
        self.alike.remove(name.as_str())
    }

    /// Returns the person that a lower-case mention refers to.
    pub(super) fn person(&self, mention: &str) -> Option<&Name> {
        let place = *self.by_handle.get(&self.hasher.hash_one(mention))?;
        let person = self.people.get(place as usize)?;
        // Two mentions may have one hash.
        handles(person).any(|handle| handle == mention).then_some(person)
    }
}

/// Returns the handles by which a person can be mentioned: the name, the name with `-` or `_` for spaces, or its
/// first word.
pub(crate) fn handles(name: &Name) -> impl Iterator<Item = String> {
    let name = name.as_str().to_lowercase();
    if !name.contains(' ') {
        return vec![name].into_iter();
    }
    let first = name.split(' ').next().unwrap_or_default().to_owned();
    let mut handles = vec![name.replace(' ', "-"), name.replace(' ', "_"), first, name];
    handles.sort_unstable();
    handles.dedup();
    handles.into_iter()
}

/// The prefix of the names of bundled personas.
const PERSONA: &str = "AI-";

/// A name that is probably a misspelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Misspelt {
    /// The name as written.
    pub(crate) name: Name,
    /// The participant with a similar name.
    pub(crate) meant: Option<Name>,
}

impl Misspelt {
    /// Returns true if a name begins like a persona's.
    pub(super) fn is_like_persona(&self) -> bool {
        let start = self.name.as_str().get(..PERSONA.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(PERSONA))
    }

    /// Returns a message: why the name does not count, which participant it may mean, and what to do if it is a
    /// person's.
    pub(super) fn message(&self) -> String {
        let name = &self.name;
        let why = match &self.meant {
            Some(meant) => format!(
                "`{name}` is nearly the name of participant `{meant}`, so this comment does not count; did you mean `{meant}`?"
            ),
            None => format!(
                "`{name}` begins with `{PERSONA}` but no participant has this name, so this comment does not count."
            ),
        };
        format!(
            "{why} If `{name}` is a person, add `people: {{{name}: [ADDRESS]}}` to discussions.yaml"
        )
    }
}

/// A finder of misspelt names in one discussion.
#[derive(Debug)]
struct Misspellings {
    /// The names and aliases of all participants, each with the participant's name.
    participants: Vec<(ComparedWord, Name)>,
    /// The indices of participants' words with the same length and letters: one of them tells if any can be meant. A
    /// head may have tens of thousands of participants, and a file as many other people.
    alike: Vec<Vec<usize>>,
}

impl Misspellings {
    /// Collects the names of all participants and role holders.
    pub(super) fn of(config: &DiscussionConfig) -> Self {
        let seats = config.participants.iter().chain(&config.background);
        let seats = seats.chain(config.roles.values().flatten());
        let names = seats.filter_map(|alias| config.persona(alias)).flat_map(|persona| {
            let words = [persona.name.as_str(), persona.alias.as_str()];
            words.map(|word| (ComparedWord::new(word), persona.name.clone()))
        });
        let participants: Vec<(ComparedWord, Name)> = names.collect();
        let mut alike: HashMap<(usize, u64), Vec<usize>> = HashMap::default();
        for (index, (word, _)) in participants.iter().enumerate() {
            alike.entry(word.length_and_letters()).or_default().push(index);
        }
        Self { participants, alike: alike.into_values().collect() }
    }

    /// Returns the misspelling if a name without a participant is probably a participant's with a typing error; none
    /// if the name may be a person's.
    pub(super) fn find(&self, name: &Name, config: &DiscussionConfig) -> Option<Misspelt> {
        let written = ComparedWord::new(name.as_str());
        let word = |index: usize| &self.participants[index].0;
        let groups = self.alike.iter().filter(|group| written.may_mean(word(group[0])));
        let near =
            groups.flatten().copied().filter(|index| written.is_misspelling_of(word(*index)));
        // The first in the head, whatever the order of the groups.
        let meant = near.min().map(|index| self.participants[index].1.clone());
        let found = Misspelt { name: name.clone(), meant };
        let is_suspect = found.meant.is_some() || found.is_like_persona();
        (is_suspect && !config.knows_person(name)).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Defaults, State, fold};
    use super::*;
    use crate::codes::ProblemCode;
    use crate::participant::Roster;
    use crate::template::Template;
    use crate::transcript::parse;

    const TEMPLATE: &str = "---
id: few
title: Few
summary: few
participants: {default: [architect, security]}
phases:
  - {id: vote, instructions: x, voting_mode: true}
---
# {{ title }}
";

    fn read(head: &str, name: &str, people: &[&str]) -> State {
        let template = Arc::new(Template::read(TEMPLATE, "few.md", "few").unwrap());
        let roster = Arc::new(Roster::bundled());
        let people = people.iter().map(|name| Name::parse(name).unwrap()).collect();
        let defaults = Defaults { people, ..Defaults::default() };
        let text = format!("{head}# T\n\n---\n\nName: {name}\n\nVOTE: READY\n\n---\n");
        let transcript = parse(text);
        let head = transcript.head.as_ref();
        let config = DiscussionConfig::new(head, &template, &roster, &defaults).unwrap();
        fold(&transcript, &config)
    }

    fn is_told(state: &State) -> bool {
        state.problems.iter().any(|problem| problem.code == ProblemCode::NameLookalike)
    }

    #[test]
    fn misspelt_persona_is_no_person_unless_it_is_known() {
        for name in ["AI-Architekt", "ai-nobody", "AI-Securty", "Architekt", "Securiti"] {
            let state = read("", name, &[]);
            assert!(is_told(&state) && state.said.is_empty(), "{name}");
            assert_eq!(state.doubted, [Name::parse(name).unwrap()]);
            let state = read("", name, &["Rob", name]);
            assert!(!is_told(&state) && state.doubted.is_empty(), "{name}");
            assert!(matches!(state.said[0].speaker, Speaker::Person(_)), "{name}");
        }
    }

    #[test]
    fn name_near_a_participant_is_decided_by_the_head() {
        let head = |people| {
            format!("<!-- DISCUSSION\nparticipants: [mark, security]\npeople: {people}\n-->\n\n")
        };
        assert!(is_told(&read(&head("[mark]"), "Marc", &[])));
        assert!(!is_told(&read(&head("[mark, marc]"), "Marc", &[])));
    }

    #[test]
    fn other_names_are_people() {
        for name in ["Mira", "Al", "Aida", "AI", "Kim", "Archie"] {
            assert!(!is_told(&read("", name, &[])), "{name}");
        }
    }
}
