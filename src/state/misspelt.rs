//! Names that are probably a participant's with a typing error. Votes under such a name do not count.

use super::discussion_config::DiscussionConfig;
use crate::similarity::is_misspelling_of;
use crate::transcript::Name;

/// The prefix of the names of bundled personas.
const PERSONA: &str = "AI-";

/// A name that is probably a misspelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misspelt {
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
pub(super) struct Misspellings {
    /// The names and aliases of all participants, each with the participant's name.
    participants: Vec<(String, Name)>,
}

impl Misspellings {
    /// Collects the names of all participants and role holders.
    pub(super) fn of(config: &DiscussionConfig) -> Self {
        let seats = config.participants.iter().chain(&config.background);
        let seats = seats.chain(config.roles.values().flatten());
        let names = seats.filter_map(|alias| config.persona(alias)).flat_map(|persona| {
            let words = [persona.name.to_string(), persona.alias.to_string()];
            words.map(|word| (word, persona.name.clone()))
        });
        Self { participants: names.collect() }
    }

    /// Returns the misspelling if a name without a participant is probably a participant's with a typing error; none
    /// if the name may be a person's.
    pub(super) fn find(&self, name: &Name, config: &DiscussionConfig) -> Option<Misspelt> {
        let near = |(word, _): &&(String, Name)| is_misspelling_of(name.as_str(), word);
        let meant = self.participants.iter().find(near).map(|(_, name)| name.clone());
        let found = Misspelt { name: name.clone(), meant };
        let is_suspect = found.meant.is_some() || found.is_like_persona();
        (is_suspect && !config.knows_person(name)).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Defaults, Speaker, State, fold};
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
