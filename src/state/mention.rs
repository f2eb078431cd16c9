//! Mentions that wait for an answer.
//!
//! A mention by a person always asks for an answer. A mention by a participant asks for one only in a question or at
//! the beginning of a paragraph; other mentions are references and wait for nothing (format page, "Calls").

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::discussion_config::DiscussionConfig;
use super::speaker::{Speaker, SpeakerIndex, handles};
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::{Alias, Manner, Mention, Name};

/// One mention that asks for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MentionCall {
    /// The author of the mention.
    pub by: Speaker,
    /// True if the author is a person.
    pub by_person: bool,
    /// Index of the comment in the transcript's entries.
    pub entry: usize,
    /// Line of the mention, counted from 1.
    pub line: usize,
    column: usize,
    /// The question or sentence to quote, as a byte range of the comment's stored text.
    quote: (u32, u32),
}

impl MentionCall {
    /// Returns the question or sentence to quote, as a byte range of the comment's stored text.
    pub fn quote(&self) -> Range<usize> {
        self.quote.0 as usize..self.quote.1 as usize
    }

    fn at(&self) -> (usize, usize) {
        (self.line, self.column)
    }
}

/// A participant or person that was mentioned and has not answered since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingMention {
    /// The participant or person that was mentioned.
    pub whom: Speaker,
    /// Line of the first waiting mention, counted from 1.
    pub line: usize,
    /// Mentions by name, in file order.
    named: Vec<MentionCall>,
    /// All mentions of `@all` in the file, and the index of the first one that waits; none if `@all` does not include
    /// this speaker.
    mentions_of_all: Option<(Arc<[MentionCall]>, usize)>,
}

impl PendingMention {
    /// Returns line and column of the first waiting mention.
    fn first(&self) -> Option<(usize, usize)> {
        let mut mentions_of_all =
            self.mentions_of_all.iter().flat_map(|(calls, from)| &calls[*from..]);
        let all = mentions_of_all.find(|call| call.by != self.whom).map(MentionCall::at);
        self.named.first().map(MentionCall::at).into_iter().chain(all).min()
    }

    /// Returns the waiting mentions before a line, in file order.
    pub fn calls(&self, before: usize) -> Vec<&MentionCall> {
        let mentions_of_all = self.mentions_of_all.iter().flat_map(|(calls, from)| &calls[*from..]);
        let calls = self.named.iter().chain(mentions_of_all);
        let mut calls: Vec<&MentionCall> =
            calls.filter(|call| call.line < before && call.by != self.whom).collect();
        calls.sort_by_key(|call| call.at());
        calls
    }

    /// Returns true if a person is among the authors of the waiting mentions.
    pub fn is_by_person(&self) -> bool {
        let mentions_of_all =
            self.mentions_of_all.iter().flat_map(|(calls, from)| calls[*from..].iter());
        self.named.iter().chain(mentions_of_all).any(|call| call.by_person && call.by != self.whom)
    }
}

/// The target of a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Whom {
    Everybody,
    Speaker(Speaker),
    /// No speaker has this name yet; the name is in lower case.
    Unknown(String),
}

impl Whom {
    pub(super) fn of(name: &str, config: &DiscussionConfig, speakers: &SpeakerIndex) -> Self {
        if name.eq_ignore_ascii_case("all") {
            return Self::Everybody;
        }
        let persona = Alias::parse(name)
            .ok()
            .and_then(|alias| config.persona(&alias))
            .or_else(|| config.by_name(&Name::parse(name).ok()?));
        let small = name.to_lowercase();
        match (persona, speakers.person(&small)) {
            (Some(persona), _) => Self::Speaker(Speaker::Persona(persona.alias.clone())),
            (None, Some(person)) => Self::Speaker(Speaker::Person(person.clone())),
            (None, None) => Self::Unknown(small),
        }
    }
}

/// The waiting mentions of one participant.
#[derive(Debug, Default)]
struct MentionCalls {
    list: VecDeque<MentionCall>,
    /// The number of these that people wrote.
    people: usize,
}

impl MentionCalls {
    /// Adds a mention; two mentions of one participant in the same sentence count once.
    fn add(&mut self, call: MentionCall) {
        let same = |last: &MentionCall| (last.entry, last.quote) == (call.entry, call.quote);
        if !self.list.back().is_some_and(same) {
            self.people += usize::from(call.by_person);
            self.list.push_back(call);
        }
    }

    /// Removes the mentions in entries before `shown`.
    fn answer(&mut self, shown: usize) {
        while let Some(call) = self.list.pop_front_if(|call| call.entry < shown) {
            self.people -= usize::from(call.by_person);
        }
    }
}

/// Mentions of a name that no speaker has.
#[derive(Debug, Default)]
struct Unknown {
    calls: MentionCalls,
    /// Line and column of the first such mention by each author.
    places: Vec<(usize, usize)>,
    by: HashSet<Speaker>,
}

/// All mentions of a file so far, indexed by their target, because a discussion may mention a participant in every
/// comment.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    pending: HashMap<Speaker, MentionCalls>,
    /// Mentions of `@all`, only the first of each comment. They are stored once for all participants, because there
    /// may be as many mentions as participants.
    mentions_of_all: Vec<MentionCall>,
    /// The number of mentions of `@all` up to the last one that a person wrote.
    everybody_by_person: usize,
    /// The number of mentions of `@all` that each speaker has answered.
    answered: HashMap<Speaker, usize>,
    /// Mentions of names, in lower case, that no speaker had at that time; a person with this name may comment later.
    unknown: BTreeMap<String, Unknown>,
}

impl Mentions {
    /// Records that a speaker commented or passed. This answers all mentions that the speaker was shown: those in
    /// entries before `shown`.
    pub(super) fn spoke(&mut self, speaker: &Speaker, shown: usize, speakers: &SpeakerIndex) {
        if let (Speaker::Person(name), false) = (speaker, self.unknown.is_empty()) {
            for handle in handles(name).filter(|handle| speakers.person(handle) == Some(name)) {
                self.unknown.remove(&handle);
            }
        }
        if let Some(calls) = self.pending.get_mut(speaker) {
            calls.answer(shown);
            if calls.list.is_empty() {
                self.pending.remove(speaker);
            }
        }
        if !self.mentions_of_all.is_empty() {
            let answered = self.mentions_of_all.partition_point(|call| call.entry < shown);
            let known = self.answered.entry(speaker.clone()).or_default();
            *known = answered.max(*known);
        }
    }

    /// Returns true if a participant has not yet answered a mention by a person.
    pub(super) fn is_called_by_person(&self, whom: &Speaker) -> bool {
        let answered = self.answered.get(whom).copied().unwrap_or(0);
        self.pending.get(whom).is_some_and(|calls| calls.people > 0)
            || answered < self.everybody_by_person
    }

    /// Adds the mentions of a comment.
    pub(super) fn add(
        &mut self,
        by: &Speaker,
        by_person: bool,
        entry: usize,
        mentions: &[(&Mention, Whom)],
        is_no_call: impl Fn(&Mention) -> bool,
    ) {
        let mut all = false;
        for (mention, whom) in mentions {
            let small = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let call = || MentionCall {
                by: by.clone(),
                by_person,
                entry,
                line: mention.line,
                column: mention.column,
                quote: (small(mention.quote.start), small(mention.quote.end)),
            };
            let calls = (by_person || mention.manner != Manner::Reference) && !is_no_call(mention);
            match whom {
                Whom::Everybody if calls && !std::mem::replace(&mut all, true) => {
                    self.mentions_of_all.push(call());
                    if by_person {
                        self.everybody_by_person = self.mentions_of_all.len();
                    }
                }
                Whom::Speaker(whom) if calls && whom != by => {
                    self.pending.entry(whom.clone()).or_default().add(call());
                }
                // A task may be assigned to someone who is not a participant.
                Whom::Unknown(_) if is_no_call(mention) => {}
                Whom::Unknown(name) => {
                    let unknown = self.unknown.entry(name.clone()).or_default();
                    if unknown.by.insert(by.clone()) {
                        unknown.places.push((mention.line, mention.column));
                    }
                    if calls {
                        unknown.calls.add(call());
                    }
                }
                Whom::Everybody | Whom::Speaker(_) => {}
            }
        }
    }

    /// Finishes the file: returns the waiting mentions, and warns about mentions of names that no speaker has.
    pub(super) fn finish(
        mut self,
        config: &DiscussionConfig,
        speakers: &SpeakerIndex,
        problems: &mut Vec<Problem>,
    ) -> Vec<PendingMention> {
        for (name, unknown) in self.unknown {
            // The person commented at some time; `spoke` already removed the mentions that this answered.
            if let Some(person) = speakers.person(&name) {
                let pending = self.pending.entry(Speaker::Person(person.clone())).or_default();
                pending.list.extend(unknown.calls.list);
                continue;
            }
            problems.extend(unknown.places.iter().map(|place| {
                Problem::new(
                    Severity::Warning,
                    ProblemCode::MentionUnknown,
                    *place,
                    format!("no participant is called `@{name}`, so no model answers this mention"),
                )
            }));
        }
        let mentions_of_all: Arc<[MentionCall]> = self.mentions_of_all.into();
        let mut pending: HashMap<Speaker, PendingMention> = HashMap::default();
        for alias in config.seats() {
            let whom = Speaker::Persona(alias.clone());
            let from = self.answered.get(&whom).copied().unwrap_or(0);
            if let Some(first) = mentions_of_all[from..].iter().find(|call| call.by != whom) {
                let mentions_of_all = Some((Arc::clone(&mentions_of_all), from));
                let (line, named) = (first.line, Vec::new());
                pending.insert(whom.clone(), PendingMention { whom, line, named, mentions_of_all });
            }
        }
        for (whom, MentionCalls { list, .. }) in self.pending {
            let mut named: Vec<MentionCall> = list.into();
            named.sort_by_key(MentionCall::at);
            let Some(line) = named.first().map(|call| call.line) else { continue };
            let mention = pending.entry(whom.clone()).or_insert_with(|| PendingMention {
                whom,
                line,
                named: Vec::new(),
                mentions_of_all: None,
            });
            (mention.line, mention.named) = (mention.line.min(line), named);
        }
        let mut seats = HashMap::default();
        for (seat, alias) in config.seats().enumerate() {
            seats.entry(alias).or_insert(seat);
        }
        let mut pending: Vec<PendingMention> = pending.into_values().collect();
        // Sorted by place in the file, so that the order is equal on every machine; mentions by `@all` share one
        // place.
        pending.sort_by_cached_key(|mention| {
            let seat = mention.whom.alias().and_then(|alias| seats.get(alias));
            (mention.first(), seat, mention.whom.handle().to_owned())
        });
        pending
    }
}
