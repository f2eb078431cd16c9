//! The answers of each round.

use std::collections::{BTreeMap, HashMap};

use super::{Builder, stamp};
use crate::state::{CommentFacts, Speaker, Turn};
use crate::template::Order;
use crate::transcript::{Alias, Control, EntryKind};
use crate::view::result::discussion::{Response, Round};

impl Builder<'_> {
    pub(super) fn rounds(&self) -> Vec<Round> {
        let mut rounds: BTreeMap<u32, Round> = BTreeMap::new();
        let state = &self.snapshot.state;
        for said in state.said.iter().filter(|said| said.speaker.counts()) {
            // A comment before the first round belongs to the first round.
            let number = said.round.max(1);
            let round = rounds
                .entry(number)
                .or_insert_with(|| Round { round_number: number, ..Round::default() });
            round.responses.push(self.response(said, number));
        }
        let mut turns = state.turns.iter().peekable();
        let mut last: HashMap<&Alias, &Turn> = HashMap::new();
        for entry in &self.snapshot.transcript.entries {
            let EntryKind::Control(Control::Failed(failed)) = &entry.kind else { continue };
            if failed.was_stopped() {
                continue;
            }
            while let Some(turn) = turns.next_if(|turn| self.line_of(turn.entry) < entry.line) {
                last.extend(turn.line.asks.iter().map(|alias| (alias, turn)));
            }
            let turn = last.get(&failed.who);
            let number = turn.map_or(1, |turn| turn.round.max(1));
            let round = rounds
                .entry(number)
                .or_insert_with(|| Round { round_number: number, ..Round::default() });
            round.responses.push(Response {
                provider: failed.who.to_string(),
                round: number,
                phase: turn.map_or_else(String::new, |turn| self.phase(turn.phase)),
                role: self.role(&Speaker::Persona(failed.who.clone())),
                timestamp: failed.at.map(stamp),
                duration_ms: failed.spent.ms.unwrap_or(0),
                error: Some(format!("{}: {}", failed.code, failed.message)),
                ..Response::default()
            });
        }
        let mut times: HashMap<usize, Vec<(&Speaker, u64)>> = HashMap::new();
        for said in &state.said {
            if let Some(turn) = said.turn {
                times.entry(turn).or_default().push((&said.speaker, self.ms(said)));
            }
        }
        for (index, turn) in state.turns.iter().enumerate() {
            let took = self.took(turn, &times.remove(&index).unwrap_or_default());
            if let Some(round) = rounds.get_mut(&turn.round.max(1)) {
                round.duration_ms += took;
            }
        }
        rounds.into_values().collect()
    }

    /// Returns the duration of a turn in milliseconds. For participants that are asked at the same time, the slowest
    /// one counts.
    fn took(&self, turn: &Turn, times: &[(&Speaker, u64)]) -> u64 {
        if self.snapshot.template().phases[turn.phase].order == Order::Sequential {
            return times.iter().map(|(_, ms)| ms).sum();
        }
        let slowest = |wave: &[Alias]| {
            let asked = |who: &Speaker| matches!(who, Speaker::Persona(who) if wave.contains(who));
            times.iter().filter(|(who, _)| asked(who)).map(|(_, ms)| *ms).max().unwrap_or(0)
        };
        self.snapshot.waves(turn).map(slowest).sum()
    }

    fn response(&self, said: &CommentFacts, round: u32) -> Response {
        let reply = self.comment(said).and_then(|comment| comment.reply.clone());
        Response {
            provider: said.speaker.handle().to_owned(),
            content: self.body(said),
            round,
            phase: self.phase(said.phase),
            role: self.role(&said.speaker),
            confidence: said.confidence,
            vote: said.vote.as_ref().map(ToString::to_string),
            timestamp: reply.as_ref().and_then(|reply| reply.at).map(stamp),
            duration_ms: self.ms(said),
            error: None,
        }
    }
}
