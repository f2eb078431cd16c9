//! From a situation to its `DiscussionResult`.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::discussion::{
    Ballot, ConsensusPart, CostByProvider, CostSummary, DiscussionResult, Dissent, EarlyExit,
    FinalConsensus, Metadata, Response, Round, VotingResults,
};
use super::error::{ErrorCode, ResultError};
use crate::engine::Situation;
use crate::state::{Consensus, Outcome, Said, Speaker};
use crate::template::{Method, Order};
use crate::transcript::{Alias, Comment, Control, EntryKind, Time};

/// How a run ended, where that is not in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// By itself, or not at all: the file tells.
    #[default]
    ByItself,
    /// A person stopped it.
    Aborted,
    /// Its time was up.
    TimeUp,
    /// Its money was spent.
    MoneySpent,
    /// Another limit was reached.
    Limit,
}

/// Builds the result of a discussion as it stands.
pub fn discussion_result(
    situation: &Situation<'_>,
    file: &str,
    ending: Ending,
) -> DiscussionResult {
    let builder = Builder { situation, consensus: situation.standing().consensus };
    let participating = builder.participating();
    let synthesis = builder.synthesis();
    let error = builder.error(participating.len(), &synthesis, ending);
    let rounds = builder.rounds();
    let cost = &situation.state.cost;
    DiscussionResult {
        success: error.is_none(),
        pattern: situation.template().id.clone(),
        topic: situation.state.title.clone(),
        participating_providers: participating,
        failed_providers: builder.failed(),
        total_duration_ms: rounds.iter().map(|round| round.duration_ms).sum(),
        rounds,
        voting_results: builder.voting(),
        final_consensus: builder.final_consensus(&synthesis),
        consensus: builder.consensus_part(),
        synthesis: synthesis.unwrap_or_default(),
        metadata: Metadata {
            started_at: builder.started(),
            completed_at: builder.completed(),
            total_tokens: cost.tokens,
            estimated_cost: cost.usd,
            cost_summary: CostSummary {
                total_calls: cost.calls,
                total_tokens: cost.tokens,
                estimated_cost_usd: cost.usd,
                by_provider: cost
                    .by_provider
                    .iter()
                    .map(|one| {
                        (
                            one.provider.clone(),
                            CostByProvider {
                                calls: one.calls,
                                tokens: one.tokens,
                                cost_usd: one.usd,
                            },
                        )
                    })
                    .collect(),
            },
            early_exit: builder.early_exit(),
        },
        stopping_reason: builder.stopping_reason(error.as_ref(), ending),
        error,
        file: file.to_owned(),
    }
}

struct Builder<'s, 'a> {
    situation: &'s Situation<'a>,
    consensus: Consensus,
}

impl Builder<'_, '_> {
    fn participating(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let state = &self.situation.state;
        let seats = self.situation.charter.seats().map(|alias| Speaker::Persona(alias.clone()));
        let others =
            state.said.iter().filter(|said| said.speaker.counts()).map(|said| said.speaker.clone());
        for speaker in seats.chain(others) {
            let handle = speaker.handle().to_owned();
            if !names.contains(&handle) && state.said.iter().any(|said| said.speaker == speaker) {
                names.push(handle);
            }
        }
        names
    }

    fn failed(&self) -> Vec<String> {
        let mut last: IndexMap<&str, bool> = IndexMap::new();
        for turn in &self.situation.state.turns {
            for (alias, outcome) in &turn.outcomes {
                last.insert(alias.as_str(), matches!(outcome, Outcome::Failed { .. }));
            }
        }
        let mut failed: Vec<&str> =
            last.into_iter().filter(|(_, failed)| *failed).map(|(alias, _)| alias).collect();
        // In the head's order, whatever the order in which they failed.
        let seats: Vec<&Alias> = self.situation.charter.seats().collect();
        failed.sort_by_key(|alias| seats.iter().position(|seat| seat.as_str() == *alias));
        failed.into_iter().map(str::to_owned).collect()
    }

    /// The template's text; where nobody could write it, the last answers under their authors' names.
    fn synthesis(&self) -> Option<String> {
        let by_template = self.situation.template().result.synthesis.is_some();
        let whole = self.situation.synthesis();
        if !by_template || self.is_written() {
            return whole;
        }
        let mut last: BTreeMap<String, String> = BTreeMap::new();
        for said in self.situation.state.said.iter().filter(|said| said.speaker.counts()) {
            last.insert(said.speaker.handle().to_owned(), self.body(said));
        }
        let parts: Vec<String> =
            last.iter().map(|(who, body)| format!("**{who}**\n\n{body}")).collect();
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    }

    /// Whether the template's own expression gives a text.
    fn is_written(&self) -> bool {
        self.situation.written_synthesis().is_some()
    }

    fn error(
        &self,
        participating: usize,
        synthesis: &Option<String>,
        ending: Ending,
    ) -> Option<ResultError> {
        let charter = self.situation.charter;
        let least = charter.min_answers.min(charter.participants.len());
        let failures = &self.situation.state.failures;
        let reasons = || {
            failures
                .iter()
                .map(|failure| format!("{}: {}", failure.who, failure.message))
                .collect::<Vec<_>>()
                .join("; ")
        };
        match ending {
            Ending::TimeUp => {
                return Some(ResultError::new(
                    ErrorCode::Timeout,
                    "the time for this run was up; run it again to go on",
                ));
            }
            Ending::MoneySpent => {
                return Some(ResultError::new(
                    ErrorCode::CostBudgetExceeded,
                    "the money for this run was spent; raise --max-usd to go on",
                ));
            }
            Ending::Aborted => {
                return Some(ResultError::new(
                    ErrorCode::InvalidState,
                    "somebody stopped the run; run it again to go on",
                ));
            }
            Ending::Limit => {
                return Some(ResultError::new(
                    ErrorCode::InvalidState,
                    "a limit of turns or calls was reached; run it again to go on",
                ));
            }
            Ending::ByItself => {}
        }
        if participating == 0 {
            return Some(ResultError::new(
                ErrorCode::AllProvidersFailed,
                format!("nobody answered: {}", reasons()),
            ));
        }
        if participating < least {
            let timeouts =
                !failures.is_empty() && failures.iter().all(|failure| failure.code == "timeout");
            let code = if timeouts {
                ErrorCode::ProviderTimeout
            } else {
                ErrorCode::InsufficientProviders
            };
            return Some(ResultError::new(
                code,
                format!("{participating} answered, {least} are needed: {}", reasons()),
            ));
        }
        if !self.situation.is_finished() {
            let text_phase =
                self.situation.template().phases[self.situation.state.place.phase()].stand_in;
            let failed = self
                .situation
                .state
                .turns_here()
                .next_back()
                .is_some_and(|turn| turn.answered() == 0 && !turn.outcomes.is_empty());
            if failed && text_phase {
                return Some(ResultError::new(
                    ErrorCode::SynthesisFailed,
                    format!("nobody could write the synthesis: {}", reasons()),
                ));
            }
            if failed {
                return Some(ResultError::new(
                    ErrorCode::InsufficientProviders,
                    format!("too few answered: {}", reasons()),
                ));
            }
            return Some(ResultError::new(
                ErrorCode::InvalidState,
                "the discussion is not over; run it to go on",
            ));
        }
        if synthesis.as_ref().is_none_or(|text| text.trim().is_empty()) {
            return Some(ResultError::new(ErrorCode::SynthesisFailed, "there is no final text"));
        }
        if !self.consensus.reached {
            let how = match (self.consensus.tied, &self.consensus.outcome) {
                (true, _) => "the vote is a tie".to_owned(),
                (_, Some(outcome)) => format!(
                    "{outcome} leads, but the method `{}` asks for more",
                    charter.rules.method.as_str()
                ),
                (_, None) if charter.rules.method == Method::Moderator => {
                    "the final text states no DECISION".to_owned()
                }
                (_, None) => "nothing was decided".to_owned(),
            };
            return Some(ResultError::new(ErrorCode::ConsensusFailed, how));
        }
        None
    }

    fn stopping_reason(&self, error: Option<&ResultError>, ending: Ending) -> &'static str {
        match (ending, error.map(|error| error.code)) {
            (Ending::Aborted, _) => "user_abort",
            (Ending::TimeUp, _) => "timeout",
            (Ending::MoneySpent | Ending::Limit, _) => "max_iterations",
            (_, None) => "consensus_reached",
            (_, Some(ErrorCode::ConsensusFailed)) => "max_iterations",
            (
                _,
                Some(
                    ErrorCode::InsufficientProviders
                    | ErrorCode::AllProvidersFailed
                    | ErrorCode::ProviderTimeout
                    | ErrorCode::SynthesisFailed,
                ),
            ) => "model_unavailable",
            _ => "error",
        }
    }

    fn rounds(&self) -> Vec<Round> {
        let mut rounds: BTreeMap<u32, Round> = BTreeMap::new();
        let state = &self.situation.state;
        for said in state.said.iter().filter(|said| said.speaker.counts()) {
            // What comes before the first round belongs to it.
            let number = said.round.max(1);
            let round = rounds
                .entry(number)
                .or_insert_with(|| Round { round_number: number, ..Round::default() });
            round.responses.push(self.response(said, number));
        }
        for entry in &self.situation.transcript.entries {
            let EntryKind::Control(Control::Failed(failed)) = &entry.kind else { continue };
            let turn = state.turns.iter().rev().find(|turn| {
                turn.line.asks.contains(&failed.who) && self.line_of(turn.entry) < entry.line
            });
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
        for turn in &state.turns {
            let times = state
                .said
                .iter()
                .filter(|said| {
                    said.turn.is_some_and(|index| std::ptr::eq(&state.turns[index], turn))
                })
                .map(|said| self.ms(said));
            let sequential =
                self.situation.template().phases[turn.phase].order == Order::Sequential;
            let took: u64 = if sequential { times.sum() } else { times.max().unwrap_or(0) };
            if let Some(round) = rounds.get_mut(&turn.round.max(1)) {
                round.duration_ms += took;
            }
        }
        rounds.into_values().collect()
    }

    fn response(&self, said: &Said, round: u32) -> Response {
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

    fn voting(&self) -> Option<VotingResults> {
        let (ballot, _) = self.situation.state.deciding(self.situation.charter)?;
        let winner = self.consensus.outcome.as_ref().filter(|_| !self.consensus.tied);
        let said = &self.situation.state.said;
        Some(VotingResults {
            winner: winner.map(ToString::to_string).unwrap_or_default(),
            tied: self.consensus.tied,
            votes: self
                .consensus
                .shares
                .iter()
                .map(|share| (share.choice.to_string(), share.votes))
                .collect(),
            weighted_votes: self
                .consensus
                .shares
                .iter()
                .map(|share| (share.choice.to_string(), round(share.weighted)))
                .collect(),
            ballots: ballot
                .votes
                .iter()
                .map(|vote| Ballot {
                    provider: vote.speaker.handle().to_owned(),
                    vote: vote.choice.to_string(),
                    confidence: vote.confidence.unwrap_or(0.5),
                    reason: said.get(vote.said).map(|said| self.body(said)).unwrap_or_default(),
                })
                .collect(),
        })
    }

    fn consensus_part(&self) -> ConsensusPart {
        let method = self.situation.charter.rules.method;
        let writer = self
            .situation
            .state
            .said
            .iter()
            .rev()
            .find(|said| self.situation.template().phases[said.phase].stand_in);
        let by_text = matches!(method, Method::Synthesis | Method::Moderator);
        ConsensusPart {
            method: method.as_str(),
            synthesizer: writer.map(|said| said.speaker.handle().to_owned()),
            agreement_score: self.consensus.agreement.map(round),
            reached: self.consensus.reached,
            degraded: self.consensus.degraded || !self.failed().is_empty(),
            dissent: self.dissent(by_text),
        }
    }

    /// Votes against the outcome; where the text is the outcome, votes that are not for going ahead.
    fn dissent(&self, by_text: bool) -> Vec<Dissent> {
        let state = &self.situation.state;
        let ballot =
            state.deciding(self.situation.charter).map_or(&state.ballot, |(ballot, _)| ballot);
        let first = self.situation.charter.options[state.place.phase()].first();
        let majority = self.consensus.outcome.as_ref().or(first.filter(|_| by_text));
        // Where nothing prevailed, every position stands.
        let against = ballot.votes.iter().filter(|vote| majority != Some(&vote.choice));
        against
            .map(|vote| {
                let reason =
                    state.said.get(vote.said).map(|said| self.body(said)).unwrap_or_default();
                Dissent {
                    provider: vote.speaker.handle().to_owned(),
                    position: format!("{}: {reason}", vote.choice),
                }
            })
            .collect()
    }

    fn final_consensus(&self, synthesis: &Option<String>) -> Option<FinalConsensus> {
        let solution = synthesis.as_ref().filter(|_| self.consensus.reached)?;
        let [a, b] = self.situation.charter.participants.as_slice() else { return None };
        let voting = |said: &Said| self.situation.template().phases[said.phase].voting_mode;
        let last = |alias: &Alias| {
            let said = self
                .situation
                .state
                .said
                .iter()
                .rev()
                .find(|said| said.speaker.alias() == Some(alias) && !voting(said));
            said.map(|said| self.body(said)).unwrap_or_default()
        };
        Some(FinalConsensus {
            solution: solution.clone(),
            achieved_at_round: self.situation.state.round.max(1),
            model_a_contribution: last(a),
            model_b_contribution: last(b),
        })
    }

    fn early_exit(&self) -> EarlyExit {
        let skipped: Vec<String> = self
            .situation
            .state
            .turns
            .iter()
            .filter(|turn| self.situation.template().phases[turn.phase].voting_mode)
            .flat_map(|turn| turn.missing().map(ToString::to_string))
            .collect();
        EarlyExit { triggered: !skipped.is_empty(), skipped }
    }

    fn started(&self) -> String {
        self.situation
            .transcript
            .head
            .as_ref()
            .and_then(|head| head.created.clone())
            .unwrap_or_default()
    }

    fn completed(&self) -> String {
        let times =
            self.situation.transcript.entries.iter().filter_map(|entry| match &entry.kind {
                EntryKind::Comment(comment) => comment.reply.as_ref()?.at,
                EntryKind::Control(Control::Turn(turn)) => turn.at,
                EntryKind::Control(Control::Pass(pass)) => pass.at,
                EntryKind::Control(Control::Failed(failed)) => failed.at,
                _ => None,
            });
        times.max().map_or_else(|| self.started(), stamp)
    }

    fn comment(&self, said: &Said) -> Option<&Comment<'_>> {
        match &self.situation.transcript.entries.get(said.entry)?.kind {
            EntryKind::Comment(comment) => Some(comment),
            _ => None,
        }
    }

    /// What was said; a one-line `SOLUTION:` or `CONFIDENCE:` stays in it.
    fn body(&self, said: &Said) -> String {
        self.comment(said).map(Comment::body).unwrap_or_default()
    }

    fn ms(&self, said: &Said) -> u64 {
        self.comment(said).and_then(|comment| comment.reply.as_ref()?.spent.ms).unwrap_or(0)
    }

    fn line_of(&self, entry: usize) -> usize {
        self.situation.transcript.entries.get(entry).map_or(0, |entry| entry.line)
    }

    fn phase(&self, index: usize) -> String {
        self.situation.template().phases[index].id.clone()
    }

    fn role(&self, speaker: &Speaker) -> Option<String> {
        let alias = speaker.alias()?;
        let held = self.situation.charter.roles.iter().find(|(_, holders)| holders.contains(alias));
        held.map(|(role, _)| role.clone())
    }
}

/// Six digits behind the point are enough, and the same on every machine.
fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

fn stamp(at: Time) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}
