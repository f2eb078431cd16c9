//! Finds the changes between two readings of a discussion. Watching, running and replaying a file
//! all use this module, so they report equal events.

use std::collections::HashMap;

use super::event::{CallFailure, CallOutcome, EventKind};
use super::status::round;
use crate::engine::Snapshot;
use crate::state::{CommentFacts, Speaker, State, Tally, Turn, Vote, fold_watched};
use crate::template::Order;
use crate::transcript::{
    Alias, Comment, Control, Entry, EntryKind, Failed, Pass, Spent, StatusWord, Time,
};

/// One change in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The time, if the file states it.
    pub at: Option<Time>,
    /// The round, from 1, if one has begun.
    pub round: Option<u32>,
    /// The participant that it is about: an alias, or a person's name.
    pub participant: Option<String>,
    /// The kind of change, with its details.
    pub kind: EventKind,
}

/// Returns the changes from `before` to `after`, in file order. Without `before`, it returns everything that is in the
/// file.
pub fn changes(before: Option<&Snapshot>, after: &Snapshot) -> Vec<Change> {
    let Added { entries, rewritten } = Added::compare(before, after);
    let mut tale = ChangeBuilder {
        snapshot: after,
        round: None,
        turn: None,
        changes: Vec::new(),
        is_new: false,
    };
    if rewritten {
        tale.tell(None, None, EventKind::Rewritten {});
    }
    fold_watched(&after.transcript, &after.config, |index, state| {
        tale.is_new = entries[index];
        tale.entry(index, state);
    });
    tale.changes
}

/// The blocks of a reading that are new.
struct Added {
    entries: Vec<bool>,
    /// True if a block of the earlier reading is gone.
    rewritten: bool,
}

impl Added {
    fn compare(before: Option<&Snapshot>, after: &Snapshot) -> Self {
        let all = &after.transcript.entries;
        let Some(before) = before else {
            return Self { entries: vec![true; all.len()], rewritten: false };
        };
        let old = &before.transcript.entries;
        let grown = after.transcript.text.starts_with(before.transcript.text.as_str());
        // The last block may have been incomplete. It is a different block now if it was continued or closed.
        let sure = if grown { old.len().saturating_sub(1) } else { 0 };
        let mut known: HashMap<_, usize> = HashMap::new();
        for entry in &old[sure..] {
            *known.entry(identity(before, entry)).or_default() += 1;
        }
        let mut entries = vec![false; all.len()];
        for (index, entry) in all.iter().enumerate().skip(sure) {
            match known.get_mut(&identity(after, entry)) {
                Some(count) if *count > 0 => *count -= 1,
                _ => entries[index] = true,
            }
        }
        Self { entries, rewritten: !grown && known.values().any(|count| *count > 0) }
    }
}

/// Returns the identity of a block: its bytes, and whether it counts yet.
fn identity<'s>(snapshot: &'s Snapshot, entry: &'s Entry) -> (&'s str, bool) {
    let counts = match &entry.kind {
        EntryKind::Comment(comment) => comment.acknowledged(),
        EntryKind::Control(_) | EntryKind::Stray(_) => true,
    };
    (&snapshot.transcript.text[entry.span.clone()], counts)
}

/// A collector that goes through the entries and records the changes.
struct ChangeBuilder<'s> {
    snapshot: &'s Snapshot,
    /// The round that is open.
    round: Option<OpenRound>,
    /// The turn that is open.
    turn: Option<OpenSpans>,
    changes: Vec<Change>,
    /// True if the current entry is new.
    is_new: bool,
}

/// A round that has not ended.
struct OpenRound {
    number: u32,
    /// The duration of its turns so far, in milliseconds.
    ms: u64,
}

/// A turn that has not ended.
struct OpenSpans {
    index: usize,
    number: u32,
    round: u32,
    phase: usize,
    /// The duration of each of its calls, in milliseconds.
    ms: Vec<u64>,
}

impl ChangeBuilder<'_> {
    fn tell(&mut self, at: Option<Time>, participant: Option<String>, kind: EventKind) {
        let round = self.turn.as_ref().map(|turn| turn.round);
        self.changes.push(Change { at, round, participant, kind });
    }

    fn tell_new(&mut self, at: Option<Time>, participant: Option<String>, kind: EventKind) {
        if self.is_new {
            self.tell(at, participant, kind);
        }
    }

    fn entry(&mut self, index: usize, state: &State) {
        match &self.snapshot.transcript.entries[index].kind {
            EntryKind::Comment(comment) => {
                if let Some(said) = state.said.last().filter(|said| said.entry == index) {
                    self.add_comment(comment, said, state);
                }
            }
            EntryKind::Control(Control::Turn(_)) => {
                if let Some(turn) = state.turns.last() {
                    self.end_turn();
                    self.begin(state.turns.len() - 1, turn);
                }
            }
            EntryKind::Control(Control::Pass(pass)) => self.passed(pass, state),
            EntryKind::Control(Control::Failed(failed)) if failed.was_stopped() => {}
            EntryKind::Control(Control::Failed(failed)) => self.failed(failed, state),
            EntryKind::Control(Control::Phase(line)) => {
                if self.turn.is_some() {
                    self.judge(state);
                }
                self.end_turn();
                // If a run changes the phase itself, the start of its next turn shows the phase.
                if let Some(by) = line.by.clone() {
                    let phase = line.id.clone();
                    let known = self.snapshot.template().phase(&phase);
                    let title = known.map_or(phase.as_str(), |(_, phase)| phase.title()).to_owned();
                    self.tell_new(None, None, EventKind::Phase { phase, title, by });
                }
            }
            EntryKind::Control(Control::Status(line)) => {
                let status = match line.status {
                    StatusWord::Closed => "CLOSED",
                    StatusWord::Open => "OPEN",
                };
                self.tell_new(None, None, EventKind::Status { status, by: line.by.clone() });
            }
            EntryKind::Control(
                Control::VoteReset
                | Control::Accepted(_)
                | Control::Child(_)
                | Control::ChildEnd(_)
                | Control::Ended(_),
            )
            | EntryKind::Stray(_) => {}
        }
    }

    fn begin(&mut self, index: usize, turn: &Turn) {
        if turn.missing().next().is_none() {
            return;
        }
        let phase = &self.snapshot.template().phases[turn.phase];
        let (number, at) = (turn.line.number, turn.line.at);
        // A turn before the first round belongs to the first round.
        let (round, ms) = (turn.round.max(1), Vec::new());
        self.begin_round(round, at);
        self.turn = Some(OpenSpans { index, number, round, phase: turn.phase, ms });
        let asks = turn.line.asks.iter().map(ToString::to_string).collect();
        let start = EventKind::TurnStart {
            turn: number,
            phase: phase.id.clone(),
            title: phase.title().to_owned(),
            asks,
            left_out: Vec::new(),
        };
        self.tell_new(at, None, start);
        if phase.voting_mode {
            self.tell_new(at, None, EventKind::ConsensusStart {});
        }
    }

    fn begin_round(&mut self, number: u32, at: Option<Time>) {
        if self.round.as_ref().is_some_and(|round| round.number == number) {
            return;
        }
        self.end_round();
        self.round = Some(OpenRound { number, ms: 0 });
        self.tell_of_round(number, at, EventKind::RoundStart {});
    }

    fn end_round(&mut self) {
        if let Some(OpenRound { number, ms }) = self.round.take() {
            self.tell_of_round(number, None, EventKind::RoundEnd { ms });
        }
    }

    fn tell_of_round(&mut self, number: u32, at: Option<Time>, kind: EventKind) {
        if self.is_new {
            self.changes.push(Change { at, round: Some(number), participant: None, kind });
        }
    }

    fn add_comment(&mut self, comment: &Comment, said: &CommentFacts, state: &State) {
        let at = comment.reply.as_ref().and_then(|reply| reply.at);
        let who = Some(said.speaker.handle().to_owned());
        match (&comment.reply, said.turn) {
            (Some(reply), Some(turn)) => {
                // A vote that was not asked for, or that came after the ballot, is text.
                let vote = Self::cast(said, state).map(|vote| vote.choice.to_string());
                let outcome = CallOutcome::Answered { vote };
                let end = self.answer(&reply.spent, outcome, comment.body());
                self.tell_new(at, who.clone(), end);
                self.vote(said, who, state);
                self.after_answer(turn, state);
            }
            (_, turn) => {
                if said.speaker != Speaker::Report {
                    let (name, text) = (said.name.to_string(), comment.body());
                    self.tell_new(at, who.clone(), EventKind::Comment { name, text });
                    self.vote(said, who, state);
                }
                if let Some(turn) = turn {
                    self.after_answer(turn, state);
                }
            }
        }
    }

    /// Returns the vote of the comment that was read last, if it counts.
    fn cast<'v>(said: &CommentFacts, state: &'v State) -> Option<&'v Vote> {
        let index = state.said.len() - 1;
        let cast = state.ballot.of(&said.speaker).filter(|vote| vote.said == Some(index));
        cast.filter(|_| said.vote.is_some())
    }

    fn vote(&mut self, said: &CommentFacts, who: Option<String>, state: &State) {
        if let Some(vote) = Self::cast(said, state) {
            let (vote, confidence) = (vote.choice.to_string(), said.confidence);
            self.tell_new(None, who, EventKind::Vote { vote, confidence });
        }
    }

    fn passed(&mut self, pass: &Pass, state: &State) {
        let end = self.answer(&pass.spent, CallOutcome::Passed {}, String::new());
        self.tell_new(pass.at, Some(pass.who.to_string()), end);
        self.after_call(&pass.who, state);
    }

    fn failed(&mut self, failed: &Failed, state: &State) {
        let error = CallFailure {
            code: failed.code.clone(),
            message: failed.message.clone(),
            retryable: failed.retryable,
        };
        let end = self.answer(&failed.spent, CallOutcome::Failed { error }, String::new());
        self.tell_new(failed.at, Some(failed.who.to_string()), end);
        self.after_call(&failed.who, state);
    }

    fn answer(&mut self, spent: &Spent, outcome: CallOutcome, text: String) -> EventKind {
        let ms = spent.ms.unwrap_or(0);
        if let Some(turn) = &mut self.turn {
            turn.ms.push(ms);
        }
        let provider = spent.provider.clone().unwrap_or_default();
        let (finish, cached) = (spent.finish.clone(), spent.cached);
        EventKind::AnswerEnd {
            provider,
            outcome,
            ms,
            finish,
            prompt_tokens: spent.tokens.map(|tokens| tokens.input),
            answer_tokens: spent.tokens.map(|tokens| tokens.output),
            cached,
            usd: spent.usd.map(|usd| round(usd.amount)),
            estimated: spent.usd.is_some_and(|usd| usd.estimated),
            calls: spent.calls.unwrap_or(1),
            text,
            notes: Vec::new(),
        }
    }

    fn after_call(&mut self, who: &Alias, state: &State) {
        let asked = self.turn.as_ref().map(|turn| turn.index);
        if let Some(index) = asked.filter(|index| state.turns[*index].line.asks.contains(who)) {
            self.after_answer(index, state);
        }
    }

    /// Ends the turn if this was its last answer.
    fn after_answer(&mut self, index: usize, state: &State) {
        let open = self.turn.as_ref().is_some_and(|turn| turn.index == index);
        if open && state.turns[index].missing().next().is_none() {
            self.judge(state);
            self.end_turn();
        }
    }

    /// Records the result of the votes in the open turn, if they decide.
    fn judge(&mut self, state: &State) {
        let Some(phase) = self.turn.as_ref().map(|turn| turn.phase) else { return };
        let config = &self.snapshot.config;
        if !self.is_new || !config.template.phases[phase].voting_mode {
            return;
        }
        let Some((ballot, _)) = state.deciding(config) else { return };
        let tally = Tally::of(ballot, config, &config.options[phase]);
        let kind = EventKind::Consensus {
            reached: tally.carries,
            outcome: tally.outcome.map(|choice| choice.to_string()),
            blocked_by: tally.blocked_by,
        };
        self.tell(None, None, kind);
    }

    fn end_turn(&mut self) {
        let Some(turn) = &self.turn else { return };
        let order = self.snapshot.template().phases[turn.phase].order;
        let ms = match order {
            Order::Sequential => turn.ms.iter().sum(),
            Order::Parallel => turn.ms.iter().copied().max().unwrap_or(0),
        };
        let end = EventKind::TurnEnd { turn: turn.number, ms };
        if let Some(round) = &mut self.round {
            round.ms += ms;
        }
        self.tell_new(None, None, end);
        self.turn = None;
    }
}
