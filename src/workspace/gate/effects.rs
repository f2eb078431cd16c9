//! What counts in a discussion, by person: the vote that counts, and the statements that count. Pure.

use std::collections::{BTreeMap, BTreeSet};

use super::super::people::fold;
use crate::engine::Snapshot;
use crate::state::{Ballot, ItemKind};

/// The note behind a vote after the end.
const LATE: &str = " (late)";

/// What counts in one version of a discussion.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Effects {
    /// The votes that count, by person: those of the ballot, of the ballot that decided, and late ones.
    votes: BTreeMap<String, Vec<String>>,
    /// The names of the voters as written.
    names: BTreeMap<String, String>,
    /// How often each person's markers of each kind and text count.
    statements: BTreeMap<String, BTreeMap<(String, String), usize>>,
    /// The items that somebody answered or settled, with those that are open.
    closed: BTreeSet<(char, String)>,
    open: BTreeSet<(char, String)>,
}

impl Effects {
    /// Computes what counts.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let state = &snapshot.state;
        let mut effects = Self::default();
        effects.add_votes(&state.ballot, "");
        if let Some((ballot, _)) = &state.decided {
            effects.add_votes(ballot, "");
        }
        effects.add_votes(&state.late, LATE);
        for said in &state.said {
            let person = fold(said.name.as_str());
            effects.names.entry(person.clone()).or_insert_with(|| said.name.to_string());
            let own = effects.statements.entry(person).or_default();
            for mark in said.marks.iter().filter(|_| said.speaker.counts()) {
                *own.entry((mark.marker.word().to_owned(), mark.text.clone())).or_default() += 1;
            }
        }
        for kind in [ItemKind::Question, ItemKind::Task, ItemKind::Concern] {
            for item in state.items.of(kind) {
                let key = (kind.letter(), item.text.clone());
                let list = if item.is_open() { &mut effects.open } else { &mut effects.closed };
                list.insert(key);
            }
        }
        effects
    }

    /// Returns the items that were answered or settled and are open in `later`: `Q: Who pays?`.
    pub(super) fn reopened<'e>(&'e self, later: &'e Self) -> impl Iterator<Item = String> {
        let is_open =
            |key: &&(char, String)| later.open.contains(key) && !later.closed.contains(key);
        self.closed.iter().filter(is_open).map(|(letter, text)| format!("{letter}: {text}"))
    }

    /// Returns the questions and concerns that are closed, and were not in `before`: `Q: Who pays?`.
    pub(super) fn closed_since<'e>(&'e self, before: &'e Self) -> impl Iterator<Item = String> {
        // A task may be ticked from the start.
        let is_new = |key: &&(char, String)| {
            key.0 != ItemKind::Task.letter() && !before.closed.contains(*key)
        };
        self.closed.iter().filter(is_new).map(|(letter, text)| format!("{letter}: {text}"))
    }

    fn add_votes(&mut self, ballot: &Ballot, note: &str) {
        for vote in &ballot.votes {
            let person = fold(vote.name.as_str());
            self.names.entry(person.clone()).or_insert_with(|| vote.name.to_string());
            let sure = vote.confidence.map(|sure| format!(" at {sure}")).unwrap_or_default();
            let words = format!("{}{sure}{note}", vote.choice.as_str());
            let votes = self.votes.entry(person).or_default();
            if !votes.contains(&words) {
                votes.push(words);
            }
        }
    }

    /// Returns the people with another vote than in `other`, with both votes.
    pub(super) fn different_votes<'e>(
        &'e self,
        other: &'e Self,
    ) -> impl Iterator<Item = VoteDifference<'e>> {
        let mut people: Vec<&String> = self.votes.keys().chain(other.votes.keys()).collect();
        people.sort();
        people.dedup();
        people.into_iter().filter_map(|person| {
            let (before, after) = (self.votes.get(person), other.votes.get(person));
            (before != after).then(|| VoteDifference {
                person,
                name: self.names.get(person).or(other.names.get(person)).unwrap_or(person),
                before: before.map_or(&[], Vec::as_slice),
                after: after.map_or(&[], Vec::as_slice),
            })
        })
    }

    /// Returns the votes of a person.
    pub(super) fn votes_of(&self, person: &str) -> &[String] {
        self.votes.get(person).map_or(&[], Vec::as_slice)
    }

    /// Returns the people with a marker that counts less often in `later`, each with the first such marker.
    pub(super) fn lost_statements<'e>(
        &'e self,
        later: &'e Self,
    ) -> impl Iterator<Item = (&'e str, String)> {
        self.statements.iter().filter_map(|(person, own)| {
            let now = later.statements.get(person);
            let count = |key: &(String, String)| now.and_then(|now| now.get(key)).copied();
            let (key, _) = own.iter().find(|(key, times)| count(key).unwrap_or(0) < **times)?;
            let name = self.names.get(person).map_or(person.as_str(), String::as_str);
            Some((name, format!("{}: {}", key.0, key.1)))
        })
    }
}

/// A person's vote in two versions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct VoteDifference<'e> {
    /// The person, folded.
    pub(super) person: &'e str,
    /// The person's name as written.
    pub(super) name: &'e str,
    pub(super) before: &'e [String],
    pub(super) after: &'e [String],
}

impl VoteDifference<'_> {
    /// Returns true if the person's vote counted in time, and does not any more.
    pub(super) fn is_dropped(&self) -> bool {
        let counts = |votes: &[String]| votes.iter().any(|vote| !vote.ends_with(LATE));
        counts(self.before) && !counts(self.after)
    }

    /// Says the change: `READY -> REJECT`.
    pub(super) fn in_words(&self) -> String {
        let shown = |votes: &[String]| match votes {
            [] => "no vote".to_owned(),
            votes => votes.join(", "),
        };
        format!("{} -> {}", shown(self.before), shown(self.after))
    }
}

/// Returns the rules by which a discussion is read, in a form that can be compared: template, consensus, participants.
pub(super) fn rules_of(snapshot: &Snapshot) -> String {
    let config = &snapshot.config;
    format!(
        "{:?} {:?} {:?} {:?}",
        config.template, config.rules, config.participants, config.options
    )
}
