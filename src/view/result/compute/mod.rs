//! Computes the `DiscussionResult` of a snapshot.

mod outcome;
mod votes;

use std::collections::{BTreeMap, HashMap, HashSet};

use indexmap::{IndexMap, IndexSet};

use super::discussion::{DiscussionResult, EarlyExit, Metadata};
use crate::codes::StopCode;
use crate::engine::{ConsensusState, Snapshot, Standing, Step, next};
use crate::state::{CommentFacts, Speaker, TurnOutcome};
use crate::transcript::{Alias, Comment, Control, EntryKind, Time};
use crate::view::status::{Cost, round};
use crate::view::waiting::WaitingFor;

/// Builds the result of a discussion in its current state. `stopped` is why its run stopped; if there was none, the file
/// tells how a run ended by itself, or that the discussion waits for a person.
pub fn discussion_result(
    snapshot: &Snapshot,
    file: &str,
    stopped: Option<StopCode>,
) -> DiscussionResult {
    let builder = Builder::new(snapshot);
    let stopped = stopped.or_else(|| waits_for_person(snapshot));
    let participating = builder.participating();
    let synthesis = builder.synthesis();
    let error = builder.error(&synthesis, stopped);
    let waits = stopped.is_some_and(StopCode::is_for_person);
    let waiting_for = if waits { WaitingFor::of(snapshot).who } else { Vec::new() };
    let rounds = builder.rounds();
    let review = builder.text_review();
    let cost = &snapshot.state.cost;
    DiscussionResult {
        success: error.is_none() && !waits,
        pattern: snapshot.template().id.clone(),
        topic: snapshot.state.title.clone(),
        participating_providers: participating,
        failed_providers: builder.failed(),
        total_duration_ms: rounds.iter().map(|round| round.duration_ms).sum(),
        rounds,
        voting_results: builder.voting(),
        consensus_history: builder.ballot_history(),
        final_consensus: builder.final_consensus(&synthesis),
        consensus: builder.consensus_part(&review),
        synthesis: synthesis.unwrap_or_default(),
        outcome: builder.outcome(),
        review,
        metadata: Metadata {
            started_at: builder.start_time(),
            completed_at: builder.completed(),
            total_tokens: cost.tokens,
            estimated_cost: cost.known_usd().map(round),
            estimated: cost.estimated,
            cost_summary: Cost::from(cost),
            early_exit: builder.early_exit(),
        },
        stopping_reason: builder.stopping_reason(error.as_ref(), stopped),
        error,
        waiting_for,
        file: file.to_owned(),
    }
}

/// Returns the act of a person that an unfinished discussion waits for; none if it waits for none.
fn waits_for_person(snapshot: &Snapshot) -> Option<StopCode> {
    if snapshot.outcome().standing != Standing::Open {
        return None;
    }
    match next(snapshot, snapshot.state.turns.len()) {
        Ok(Step::Stop(stop)) => Some(stop.code()).filter(|code| code.is_for_person()),
        _ => None,
    }
}

/// Returns the milliseconds that the answers took, round after round; those of one round are given at once.
pub(in crate::view) fn total_duration_ms(snapshot: &Snapshot) -> u64 {
    Builder::new(snapshot).turn_durations().iter().sum()
}

/// Returns the names of the participants that voted against the outcome.
pub(in crate::view) fn dissenters(snapshot: &Snapshot) -> Vec<String> {
    let builder = Builder::new(snapshot);
    builder.against().into_iter().map(|vote| vote.name.to_string()).collect()
}

pub(super) struct Builder<'s> {
    snapshot: &'s Snapshot,
    decision: &'s ConsensusState,
    /// The first role of each participant that has one.
    roles: HashMap<&'s Alias, &'s str>,
}

impl<'s> Builder<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        let decision = &snapshot.outcome().consensus;
        let mut roles = HashMap::new();
        for (role, holders) in &snapshot.config.roles {
            for holder in holders {
                roles.entry(holder).or_insert(role.as_str());
            }
        }
        Self { snapshot, decision, roles }
    }
}

impl Builder<'_> {
    fn participating(&self) -> Vec<String> {
        let mut names: IndexSet<String> = IndexSet::new();
        let state = &self.snapshot.state;
        let seats = self.snapshot.config.seats().map(|alias| Speaker::Persona(alias.clone()));
        let others =
            state.said.iter().filter(|said| said.speaker.counts()).map(|said| said.speaker.clone());
        for speaker in seats.chain(others) {
            if state.last_said(&speaker).is_some() {
                names.insert(speaker.handle().to_owned());
            }
        }
        names.into_iter().collect()
    }

    fn failed(&self) -> Vec<String> {
        let mut last: IndexMap<&str, bool> = IndexMap::new();
        for turn in &self.snapshot.state.turns {
            for (alias, outcome) in &turn.outcomes {
                last.insert(alias.as_str(), matches!(outcome, TurnOutcome::Failed { .. }));
            }
        }
        let mut failed: Vec<&str> =
            last.into_iter().filter(|(_, failed)| *failed).map(|(alias, _)| alias).collect();
        // Sorted in the order of the head, because calls fail in any order.
        let mut seats: HashMap<&str, usize> = HashMap::new();
        for (place, seat) in self.snapshot.config.seats().enumerate() {
            seats.entry(seat.as_str()).or_insert(place);
        }
        failed.sort_by_key(|alias| seats.get(alias));
        failed.into_iter().map(str::to_owned).collect()
    }

    /// Returns the template's final text. If it could not be written, returns the last answers under their authors'
    /// names, without those that only contain notes about a decision: the result lists these.
    pub(super) fn synthesis(&self) -> Option<String> {
        let by_template = self.snapshot.template().result.synthesis.is_some();
        let whole = self.snapshot.synthesis();
        if !by_template || self.is_written() {
            return whole;
        }
        let mut last: BTreeMap<String, String> = BTreeMap::new();
        let said = self.snapshot.state.said.iter();
        for said in said.filter(|said| said.speaker.counts() && !said.notes_a_decision()) {
            last.insert(said.speaker.handle().to_owned(), self.body(said));
        }
        let parts: Vec<String> =
            last.iter().map(|(who, body)| format!("**{who}**\n\n{body}")).collect();
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    }

    /// Returns whether the template's own expression gives a text.
    fn is_written(&self) -> bool {
        self.snapshot.written_synthesis().is_some()
    }

    fn early_exit(&self) -> EarlyExit {
        let (state, config) = (&self.snapshot.state, &self.snapshot.config);
        // A participant that can still answer does not count as skipped.
        let open = state.unfinished().filter(|_| self.snapshot.skippable_voters().is_empty());
        let over = |turn: &&crate::state::Turn| open.is_none_or(|open| open.entry != turn.entry);
        let skipped: Vec<String> = state
            .turns
            .iter()
            .filter(|turn| config.template.phases[turn.phase].voting_mode)
            .filter(over)
            .flat_map(|turn| turn.missing().filter(|alias| config.is_model(alias)))
            .map(ToString::to_string)
            .collect();
        EarlyExit { triggered: !skipped.is_empty(), skipped }
    }

    fn start_time(&self) -> String {
        self.snapshot
            .transcript
            .head
            .as_ref()
            .and_then(|head| head.created.clone())
            .unwrap_or_default()
    }

    /// Returns the time of the last block with a time. Comments that contain only notes about the decision are left out:
    /// hindsight of a year later must not make a decision look new.
    pub(in crate::view::result) fn completed(&self) -> String {
        let said = self.snapshot.state.said.iter();
        let notes: HashSet<usize> =
            said.filter(|said| said.has_only_notes()).map(|said| said.entry).collect();
        let entries = self.snapshot.transcript.entries.iter().enumerate();
        let times = entries.filter_map(|(index, entry)| match &entry.kind {
            EntryKind::Comment(comment) => comment.at().filter(|_| !notes.contains(&index)),
            EntryKind::Control(Control::Turn(turn)) => turn.at,
            EntryKind::Control(Control::Pass(pass)) => pass.at,
            EntryKind::Control(Control::Failed(failed)) => failed.at,
            _ => None,
        });
        times.max().map_or_else(|| self.start_time(), stamp)
    }

    fn comment(&self, said: &CommentFacts) -> Option<&Comment> {
        match &self.snapshot.transcript.entries.get(said.entry)?.kind {
            EntryKind::Comment(comment) => Some(comment),
            _ => None,
        }
    }

    /// Returns the text of a comment; `SOLUTION:` and `CONFIDENCE:` lines stay in it.
    fn body(&self, said: &CommentFacts) -> String {
        self.comment(said).map(Comment::body).unwrap_or_default()
    }

    fn ms(&self, said: &CommentFacts) -> u64 {
        self.comment(said).and_then(|comment| comment.reply.as_ref()?.spent.ms).unwrap_or(0)
    }

    fn tokens(&self, said: &CommentFacts) -> Option<u64> {
        let spent = &self.comment(said)?.reply.as_ref()?.spent;
        spent.tokens.map(|tokens| tokens.input.saturating_add(tokens.output))
    }

    fn line_of(&self, entry: usize) -> usize {
        self.snapshot.transcript.entries.get(entry).map_or(0, |entry| entry.line)
    }

    fn phase(&self, index: usize) -> String {
        self.snapshot.template().phases[index].id.clone()
    }

    fn role(&self, speaker: &Speaker) -> Option<String> {
        let alias = speaker.alias()?;
        self.roles.get(alias).map(|role| (*role).to_owned())
    }
}

fn stamp(at: Time) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}
