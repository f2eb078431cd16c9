//! Mentions that wait for an answer.

use super::charter::Charter;
use super::speaker::{Speaker, Speakers};
use crate::problem::{Problem, Severity};
use crate::transcript::{Alias, Mention};

/// Somebody was mentioned and has not spoken since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingMention {
    /// Who is mentioned.
    pub whom: Speaker,
    /// By whom.
    pub by: Speaker,
    /// Line of the mention.
    pub line: usize,
}

/// Mentions of a file so far.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    pub(super) pending: Vec<PendingMention>,
    /// Names that nobody had when they were mentioned: a person may come later.
    unknown: Vec<(String, PendingMention)>,
}

impl Mentions {
    /// Whoever speaks or passes has answered what they were asked.
    pub(super) fn spoke(&mut self, speaker: &Speaker, speakers: &Speakers) {
        if let Speaker::Person(name) = speaker {
            self.unknown.retain(|(mention, _)| speakers.person(mention) != Some(name));
        }
        self.pending.retain(|mention| mention.whom != *speaker);
    }

    pub(super) fn add(
        &mut self,
        by: &Speaker,
        mentions: &[Mention],
        charter: &Charter<'_>,
        speakers: &Speakers,
    ) {
        for mention in mentions {
            let pending =
                |whom: Speaker| PendingMention { whom, by: by.clone(), line: mention.line };
            if mention.name.eq_ignore_ascii_case("all") {
                for alias in &charter.participants {
                    self.push(pending(Speaker::Persona(alias.clone())));
                }
            } else if let Some(persona) =
                Alias::parse(&mention.name).ok().and_then(|alias| charter.persona(&alias))
            {
                self.push(pending(Speaker::Persona(persona.alias.clone())));
            } else if let Some(persona) = by_name(&mention.name, charter) {
                self.push(pending(Speaker::Persona(persona)));
            } else if let Some(person) = speakers.person(&mention.name) {
                self.push(pending(Speaker::Person(person.clone())));
            } else {
                self.unknown.push((mention.name.clone(), pending(Speaker::Report)));
            }
        }
    }

    fn push(&mut self, mention: PendingMention) {
        if mention.whom != mention.by {
            self.pending.push(mention);
        }
    }

    /// At the file's end: mentions of nobody who ever spoke are worth a warning.
    pub(super) fn finish(
        self,
        speakers: &Speakers,
        problems: &mut Vec<Problem>,
    ) -> Vec<PendingMention> {
        let mut pending = self.pending;
        for (name, mention) in self.unknown {
            match speakers.person(&name) {
                // They have spoken, before or after: `spoke` took away what they answered.
                Some(person) => pending
                    .push(PendingMention { whom: Speaker::Person(person.clone()), ..mention }),
                None => problems.push(Problem::new(
                    Severity::Warning,
                    "mention-unknown",
                    (mention.line, 1),
                    format!("nobody here is called `@{name}`, so nobody will answer"),
                )),
            }
        }
        pending
    }
}

fn by_name(mention: &str, charter: &Charter<'_>) -> Option<Alias> {
    let name = crate::transcript::Name::parse(mention).ok()?;
    charter.by_name(&name).map(|persona| persona.alias.clone())
}
