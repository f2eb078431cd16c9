//! Tests the fold against a slow implementation that searches the entries instead of using indices.
//! Both must return equal states.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::{Ballot, Defaults, DiscussionConfig, Speaker, TurnOutcome, fold};
use crate::participant::Roster;
use crate::template::Template;
use crate::transcript::{Alias, Control, EntryKind, MarkerSet, Restored, Transcript, parse};

const TEMPLATE: &str = "---
id: law
title: Law
summary: a law
participants: {default: [architect, security, pragmatist]}
phases:
  - {id: open, instructions: x}
  - {id: vote, instructions: x, voting_mode: true, no_vote_is: CHANGES}
  - {id: few, instructions: x, speakers: [security, moderator], voting_mode: true}
---
# {{ title }}
";

/// Votes by handle, ordered by first vote; then the silent and the failed participants.
type Votes = (Vec<(String, String)>, BTreeSet<String>, BTreeSet<String>);

#[derive(Debug, Default, PartialEq)]
struct Seen {
    /// For each turn: if it is a round, and the outcomes.
    turns: Vec<(bool, BTreeMap<Alias, TurnOutcome>)>,
    votes: Votes,
    decided: Option<(Votes, usize)>,
}

struct Search<'c> {
    config: &'c DiscussionConfig,
    /// For each turn: the participants that it asks, its number, the index of its phase visit, and
    /// two flags. The first flag is true if the turn answers mentions or a user's question, the
    /// second if it answers a user's question.
    asks: Vec<(Vec<Alias>, u32, usize, bool, bool)>,
    seen: Seen,
    phase: usize,
    visit: usize,
    said: usize,
    /// True after the runner ended the last ballot, until another one begins. Votes do not count
    /// then.
    over: bool,
}

impl Search<'_> {
    fn turn_of(&self, alias: &Alias) -> Option<usize> {
        self.asks.iter().rposition(|(asks, ..)| asks.contains(alias))
    }

    fn left_out(&self, alias: &Alias) -> bool {
        let last = self.seen.turns.iter().rev().find_map(|(_, outcomes)| outcomes.get(alias));
        last == Some(&TurnOutcome::Failed { retryable: false })
    }

    fn cast(&mut self, handle: &str, choice: &str) {
        let (votes, silent, failed) = &mut self.seen.votes;
        silent.remove(handle);
        failed.remove(handle);
        match votes.iter_mut().find(|(other, _)| other == handle) {
            Some(vote) => vote.1 = choice.to_owned(),
            None => votes.push((handle.to_owned(), choice.to_owned())),
        }
    }

    fn has_voted(&self, handle: &str) -> bool {
        self.seen.votes.0.iter().any(|(other, _)| other == handle)
    }

    fn silence_in(&mut self, turn: usize, alias: &Alias, failed: bool) {
        if !self.asks[turn].3 {
            self.silence(alias, failed);
        }
    }

    fn silence(&mut self, alias: &Alias, failed: bool) {
        if self.has_voted(alias.as_str()) {
            return;
        }
        let choice = &self.config.template.phases[self.phase].no_vote_is;
        if let (false, Some(choice), true) = (failed, choice, self.config.may_vote(alias)) {
            return self.cast(alias.as_str(), choice.as_str());
        }
        if failed {
            self.seen.votes.2.insert(alias.to_string());
        } else {
            self.seen.votes.2.remove(alias.as_str());
        }
        self.seen.votes.1.insert(alias.to_string());
    }

    fn control(&mut self, control: &Control) {
        match control {
            Control::Turn(line) => {
                let speakers = self.config.speakers(self.phase);
                let asked = |alias: &Alias| line.asks.contains(alias) || self.left_out(alias);
                let is_round = !line.is_aside()
                    && !line.again
                    && !line.asks.is_empty()
                    && speakers.iter().all(asked);
                for alias in speakers.iter().filter(|alias| is_round && !line.asks.contains(alias))
                {
                    self.silence(alias, true);
                }
                self.asks.push((
                    line.asks.clone(),
                    line.number,
                    self.visit,
                    line.is_aside(),
                    line.ask.is_some(),
                ));
                self.seen.turns.push((is_round, BTreeMap::new()));
            }
            Control::Pass(pass) => {
                let Some(turn) = self.turn_of(&pass.who) else { return };
                self.seen.turns[turn].1.entry(pass.who.clone()).or_insert(TurnOutcome::Passed);
                self.silence_in(turn, &pass.who, false);
            }
            Control::Failed(failed) if failed.was_stopped() => {}
            Control::Failed(failed) => {
                let Some(turn) = self.turn_of(&failed.who) else { return };
                let outcome = TurnOutcome::Failed { retryable: failed.retryable };
                self.seen.turns[turn].1.entry(failed.who.clone()).or_insert(outcome);
                self.silence_in(turn, &failed.who, true);
            }
            Control::Phase(line) => {
                let Some((index, _)) = self.config.template.phase(&line.id) else { return };
                let is_ballot = |phase: usize| self.config.template.phases[phase].voting_mode;
                let stays_over = line.by.is_none() && (self.over || is_ballot(self.phase));
                self.over = stays_over && !is_ballot(index);
                if line.by.is_some() {
                    self.seen.decided = None;
                } else if self.config.template.phases[self.phase].voting_mode {
                    let mut votes = self.seen.votes.clone();
                    let seats = self.config.participants.iter();
                    let missing = seats.filter(|alias| !self.has_voted(alias.as_str()));
                    votes.1.extend(missing.map(ToString::to_string));
                    self.seen.decided = Some((votes, self.phase));
                }
                (self.phase, self.visit) = (index, self.visit + 1);
            }
            Control::VoteReset => {
                self.seen.votes = Votes::default();
                self.seen.decided = None;
                self.over = false;
            }
            Control::Status(_)
            | Control::Accepted(_)
            | Control::Ended(_)
            | Control::Child(_)
            | Control::ChildEnd(_) => {}
        }
    }

    fn comment(&mut self, name: &str, vote: Option<String>, restored: Option<&Restored>) {
        let alias = Alias::parse(name.trim_start_matches("AI-")).unwrap();
        let is_persona = self.config.persona(&alias).is_some();
        let mut answers = None;
        if let Some(turn) = self.turn_of(&alias).filter(|_| is_persona) {
            let outcomes = &mut self.seen.turns[turn].1;
            if matches!(outcomes.get(&alias), None | Some(TurnOutcome::Failed { .. })) {
                outcomes.insert(alias.clone(), TurnOutcome::Answered(self.said));
                answers = Some(turn);
            }
        }
        self.said += 1;
        let handle = if is_persona { alias.as_str() } else { name };
        match (vote, restored) {
            (Some(_), _) if self.over => {}
            // If a user started the turn with a question, votes in the models' answers to it do not
            // count.
            (Some(_), _) if answers.is_some_and(|turn| self.asks[turn].4) => {}
            (Some(vote), None) => self.cast(handle, &vote),
            (Some(vote), Some(restored)) => {
                let phase = &self.config.template.phases[self.phase].id;
                let here = restored.phase.as_deref() == Some(phase);
                let fresh = restored.turn.is_none()
                    || self.asks.iter().any(|(_, number, visit, ..)| {
                        *visit == self.visit && Some(*number) >= restored.turn
                    });
                if here && fresh && !self.has_voted(handle) {
                    self.cast(handle, &vote);
                }
            }
            (None, _) => {
                if let Some(turn) = answers {
                    self.silence_in(turn, &alias, false);
                }
            }
        }
    }
}

fn by_search(transcript: &Transcript, config: &DiscussionConfig) -> Seen {
    let seen = Seen::default();
    let mut search =
        Search { config, asks: Vec::new(), seen, phase: 0, visit: 0, said: 0, over: false };
    for entry in &transcript.entries {
        match &entry.kind {
            EntryKind::Control(control) => search.control(control),
            EntryKind::Comment(comment) => {
                let marks = comment.read(&MarkerSet::default()).marks;
                let vote = marks.first().map(|mark| mark.text.clone());
                search.comment(comment.name.as_str(), vote, comment.restored.as_ref());
            }
            EntryKind::Stray(_) => {}
        }
    }
    search.seen
}

fn by_fold(transcript: &Transcript, config: &DiscussionConfig) -> Seen {
    let state = fold(transcript, config);
    let votes = |ballot: &Ballot| {
        let of = |aliases: &BTreeSet<Alias>| aliases.iter().map(ToString::to_string).collect();
        let votes = ballot.votes.iter().map(|vote| {
            assert_eq!(ballot.of(&vote.speaker), Some(vote));
            (vote.speaker.handle().to_owned(), vote.choice.to_string())
        });
        (votes.collect(), of(&ballot.silent), of(&ballot.failed))
    };
    for (index, said) in state.said.iter().enumerate() {
        let last = state.said.iter().rposition(|other| other.speaker == said.speaker);
        assert_eq!(state.last_said(&said.speaker), last, "{index}");
        assert!(!matches!(said.speaker, Speaker::Lookalike(_)));
    }
    Seen {
        votes: votes(&state.ballot),
        decided: state.decided.as_ref().map(|(ballot, phase)| (votes(ballot), *phase)),
        turns: state.turns.into_iter().map(|turn| (turn.is_round, turn.outcomes)).collect(),
    }
}

fn entry() -> impl Strategy<Value = String> {
    let alias = || prop::sample::select(&["architect", "security", "pragmatist", "moderator"][..]);
    let name =
        prop::sample::select(&["AI-Architect", "AI-Security", "AI-Pragmatist", "Rob", "Eve"][..]);
    let asks = prop::collection::vec(alias(), 1..5);
    let body = prop::sample::select(&["Hm.", "VOTE: READY", "VOTE: REJECT"][..]);
    let below = prop::sample::select(
        &["", "", "", "<!-- RESTORED phase: vote, turn: 2 -->\n", "<!-- RESTORED phase: few -->\n"]
            [..],
    );
    let flag = prop::sample::select(
        &["", "", "", ", again: true", ", mentions: true", ", ask: \"Why?\""][..],
    );
    let phase = prop::sample::select(&["open", "vote", "few", "none", "vote, by: Rob"][..]);
    prop_oneof![
        4 => (asks, 1_u32..5, flag).prop_map(|(asks, number, flag)| {
            format!("<!-- TURN: {number}, asks: [{}]{flag} -->\n\n", asks.join(", "))
        }),
        1 => alias().prop_map(|who| format!("<!-- PASS who: {who}, turn: 1 -->\n\n")),
        3 => (alias(), any::<bool>()).prop_map(|(who, retryable)| {
            format!("<!-- FAILED who: {who}, turn: 1, code: x, retryable: {retryable}, message: \"x\" -->\n\n")
        }),
        1 => phase.prop_map(|phase| format!("<!-- PHASE: {phase} -->\n\n")),
        1 => Just("<!-- VOTE-RESET -->\n\n".to_owned()),
        4 => (name, below, body).prop_map(|(name, below, body)| {
            format!("---\n\nName: {name}\n{below}\n{body}\n\n---\n\n")
        }),
    ]
}

proptest! {
    #[test]
    fn indexed_state_equals_the_searched_state(entries in prop::collection::vec(entry(), 0..30)) {
        let text = format!("# T\n\n---\n\n{}", entries.concat());
        let template = Template::read(TEMPLATE, "law.md", "law").unwrap().into();
        let roster = Roster::bundled().into();
        let config = DiscussionConfig::new(None, &template, &roster, &Defaults::default()).unwrap();
        let transcript = parse(&text);
        prop_assert_eq!(by_fold(&transcript, &config), by_search(&transcript, &config));
    }
}
