//! Determines the next turn with the open mentions of its participants, the participants to ask in
//! an unfinished turn, and the substitutes for a single speaker that failed.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use super::next::{Step, Stop};
use super::snapshot::Snapshot;
use crate::state::{PendingMention, Speaker, Turn, TurnOutcome};
use crate::template::{Order, Sees, Substitute};
use crate::transcript::{Alias, Control, Draft, EntryKind, TurnLine, decode, one_line};

/// A user's request for a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnRequest {
    /// The participants to ask. If empty, the phase determines them.
    pub named: Vec<Alias>,
    /// A question, which is written first, as a comment of the user.
    pub ask: Option<String>,
}

/// The value of `started_with` at the start of a run: all turns in the file are older than the run.
const FRESH: usize = usize::MAX;

/// The result of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Continue {
    /// The last turn is not over: ask these participants in it.
    Last(Vec<Alias>),
    /// A new turn begins.
    New(TurnLine),
    /// There is no participant to ask.
    Nobody,
    /// The discussion is finished: it continues only if the request names participants.
    Finished,
}

/// Decides whether a request continues the last turn or opens a new one.
pub fn resume(snapshot: &Snapshot, request: &TurnRequest) -> Continue {
    if let Some(turn) = snapshot.state.unfinished()
        && request.ask.is_none()
    {
        let missing: Vec<Alias> = turn.missing().cloned().collect();
        if request.named.is_empty() {
            return Continue::Last(missing);
        }
        if request.named.iter().all(|alias| missing.contains(alias)) {
            return Continue::Last(request.named.clone());
        }
        // A request that names all missing models, and more participants, continues the turn too.
        let models: Vec<Alias> =
            missing.into_iter().filter(|alias| snapshot.config.is_model(alias)).collect();
        if !models.is_empty() && models.iter().all(|alias| request.named.contains(alias)) {
            return Continue::Last(models);
        }
    }
    let unnamed = request.named.is_empty() && request.ask.is_none();
    let called = if unnamed { called_line(snapshot) } else { None };
    // Another turn of the last phase would cost money and replace the outcome.
    if unnamed && called.is_none() && snapshot.is_finished() {
        return Continue::Finished;
    }
    match called.or_else(|| turn_line(snapshot, request, FRESH)) {
        Some(line) => Continue::New(line),
        None => Continue::Nobody,
    }
}

/// Returns the line of the next turn, without its time. It asks the named participants, or else the phase's speakers,
/// or else the mentioned participants.
pub(super) fn turn_line(
    snapshot: &Snapshot,
    request: &TurnRequest,
    started_with: usize,
) -> Option<TurnLine> {
    let phase = snapshot.state.place.phase();
    let mut line =
        TurnLine { number: next_number(snapshot), ask: request.ask.clone(), ..TurnLine::default() };
    line.heading = phase_heading(snapshot).filter(|_| !line.is_aside());
    if !request.named.is_empty() {
        line.asks = request.named.clone();
    } else if snapshot.template().phases[phase].speakers.is_mentioned() {
        line.asks = willing(snapshot, called_models(snapshot, |_| true), started_with);
    } else {
        let config = &snapshot.config;
        let mut speakers = config.speakers(phase);
        speakers.extend(config.listeners(phase).iter().filter(|it| config.is_model(it)).cloned());
        line.asks = willing(snapshot, speakers.clone(), started_with);
        // Substitutes can take over only after the turn has begun.
        if line.asks.is_empty() && snapshot.phase().stand_in != Substitute::Nobody {
            line.asks = speakers;
        }
    }
    (!line.asks.is_empty()).then_some(line)
}

/// Returns the heading of the current phase, if neither its `PHASE` line nor an earlier turn has it. Only the first
/// phase begins without a `PHASE` line.
fn phase_heading(snapshot: &Snapshot) -> Option<String> {
    let state = &snapshot.state;
    let is_begun = state.turns_here().any(|turn| !turn.line.is_aside());
    let from = state.place.visit().from;
    let mut entries = snapshot.transcript.entries.iter();
    let phase = from.and_then(|from| entries.find(|entry| entry.span.start == from));
    let has_heading = phase.is_some_and(|entry| match &entry.kind {
        EntryKind::Control(control) => control.heading().is_some(),
        EntryKind::Comment(_) | EntryKind::Stray(_) => false,
    });
    (!is_begun && !has_heading).then(|| snapshot.phase().title().to_owned())
}

/// Returns the turn of the mentioned participants, if the phase's own turns are over or do not ask them.
fn called_line(snapshot: &Snapshot) -> Option<TurnLine> {
    let rounds = snapshot.number(&snapshot.phase().rounds).unwrap_or(1);
    let begun = snapshot.state.turns_here().filter(|turn| turn.is_round).count();
    let own = begun < rounds as usize || snapshot.phase().speakers.is_mentioned();
    let asks = called_models(snapshot, |_| true);
    if !own {
        return calls_line(snapshot, asks);
    }
    let step = turn_line(snapshot, &TurnRequest::default(), FRESH).map(Step::open);
    let asks = called_models(snapshot, PendingMention::is_by_person);
    match step {
        Some(step) if serves(snapshot, &step, &asks) => None,
        _ => calls_line(snapshot, asks),
    }
}

fn calls_line(snapshot: &Snapshot, asks: Vec<Alias>) -> Option<TurnLine> {
    let number = next_number(snapshot);
    (!asks.is_empty()).then(|| TurnLine { number, asks, mentions: true, ..TurnLine::default() })
}

/// Returns true if a step opens a turn that asks all these participants and shows them their mentions.
fn serves(snapshot: &Snapshot, step: &Step, asks: &[Alias]) -> bool {
    let Step::Write(drafts) = step else { return false };
    let Some(Draft::Control(Control::Turn(line))) = drafts.first() else { return false };
    let shown = line.is_aside() || snapshot.phase().sees == Sees::Everything;
    shown && asks.iter().all(|alias| line.asks.contains(alias))
}

/// Returns the turn of the participants that people mentioned, unless the next step asks them anyway. Leaves out
/// participants with a failed call in this run.
pub(super) fn for_people(snapshot: &Snapshot, started_with: usize, step: &Step) -> Option<Step> {
    let mut asks = called_models(snapshot, PendingMention::is_by_person);
    asks.retain(|alias| !snapshot.state.failed_since(alias, started_with));
    if serves(snapshot, step, &asks) {
        return None;
    }
    calls_line(snapshot, asks).map(Step::open)
}

/// Returns the step that continues the last turn, or `None` if the turn is over.
pub(crate) fn ask_unfinished(snapshot: &Snapshot) -> Option<Step> {
    still_missing(snapshot, &snapshot.skippable_voters())
}

/// Returns the step that continues the last turn, or `None` if the turn is over or the missing votes may be skipped.
/// `spared` are the participants that can no longer change the outcome with their votes.
pub(super) fn still_missing(snapshot: &Snapshot, spared: &[Alias]) -> Option<Step> {
    let turn = snapshot.state.unfinished()?;
    spared.is_empty().then(|| ask(snapshot, turn))
}

/// Returns true if a call failed in a turn of this run and the discussion stops at the first failure
/// (`continue_on_provider_failure=false`). No further participant is asked and paid then; the next run continues.
pub(super) fn has_failed_now(snapshot: &Snapshot, started_with: usize) -> bool {
    let state = &snapshot.state;
    let Some(turn) = state.unfinished().filter(|_| state.turns.len() > started_with) else {
        return false;
    };
    let failed = |outcome: &TurnOutcome| matches!(outcome, TurnOutcome::Failed { .. });
    snapshot.config.stops_at_failure && turn.outcomes.iter().any(|(_, outcome)| failed(outcome))
}

/// Returns the step that asks participants in an unfinished turn: a whole wave at once, or the next
/// participant in order.
fn ask(snapshot: &Snapshot, turn: &Turn) -> Step {
    let models: Vec<Alias> =
        turn.missing().filter(|alias| snapshot.config.is_model(alias)).cloned().collect();
    if models.is_empty() {
        return Step::Stop(Stop::Waiting(turn.missing().cloned().collect()));
    }
    let sequential = snapshot.template().phases[turn.phase].order == Order::Sequential;
    let first = &models[0];
    let wave = snapshot.waves(turn).find(|wave| wave.contains(first)).unwrap_or_default();
    let is_now = |alias: &Alias| if sequential { alias == first } else { wave.contains(alias) };
    Step::Ask(models.iter().filter(|alias| is_now(alias)).cloned().collect())
}

/// Returns the next turn number. It is higher than all others, even if a merge repeated some.
fn next_number(snapshot: &Snapshot) -> u32 {
    snapshot.state.turns.iter().map(|turn| turn.line.number).max().unwrap_or(0).saturating_add(1)
}

/// Drops participants with a failure in this run that a retry cannot fix. The next run asks them again, because people
/// log in, pay, or switch providers in between.
fn willing(snapshot: &Snapshot, speakers: Vec<Alias>, started_with: usize) -> Vec<Alias> {
    let state = &snapshot.state;
    let left_out = |alias: &Alias| state.left_out(alias) && state.failed_since(alias, started_with);
    speakers.into_iter().filter(|alias| !left_out(alias)).collect()
}

/// Returns the mentioned participants that a model speaks for, in the order of their mentions.
fn called_models(snapshot: &Snapshot, which: impl Fn(&PendingMention) -> bool) -> Vec<Alias> {
    let mut known = HashSet::new();
    let pending = snapshot.state.pending.iter().filter(|mention| which(mention));
    let aliases = pending.filter_map(|mention| mention.whom.alias());
    let models = aliases.filter(|alias| snapshot.config.is_model(alias) && known.insert(*alias));
    models.cloned().collect()
}

/// Returns the turn of the mentioned participants, or `None` if there are none.
pub(super) fn for_mentions(snapshot: &Snapshot, started_with: usize) -> Option<Step> {
    let asks = willing(snapshot, called_models(snapshot, |_| true), started_with);
    calls_line(snapshot, asks).map(Step::open)
}

/// Handles a last round with too few answers: a later run asks again once, otherwise the run stops.
pub(super) fn too_few(snapshot: &Snapshot, spared: usize, started_with: usize) -> Option<Step> {
    let state = &snapshot.state;
    let here: Vec<(usize, &Turn)> = {
        let visit = state.place.number();
        state.turns.iter().enumerate().filter(|(_, turn)| turn.visit == visit).collect()
    };
    let round = here.iter().rposition(|(_, turn)| turn.is_round)?;
    let group: Vec<&(usize, &Turn)> =
        here[round..].iter().filter(|(_, turn)| turn.is_round || turn.line.again).collect();
    let asked = &group.first()?.1.line.asks;
    // In a phase with substitutes only a text counts, no matter which participant wrote it. A pass is neither a text
    // nor a rating.
    let stands_in = snapshot.phase().stand_in != Substitute::Nobody;
    let passes = !stands_in && snapshot.takes_a_pass(snapshot.state.place.phase());
    let counts = |outcome: &TurnOutcome| match outcome {
        TurnOutcome::Answered(said) => {
            state.said.get(*said).is_none_or(|said| snapshot.holds_what_is_required(said))
        }
        TurnOutcome::Passed => passes,
        TurnOutcome::Failed { .. } => false,
    };
    let answered: BTreeSet<&Alias> = group
        .iter()
        .flat_map(|(_, turn)| &turn.outcomes)
        .filter(|(_, outcome)| counts(outcome))
        .map(|(alias, _)| alias)
        .collect();
    // A participant that spoke earlier and has no part in this turn still counts as a contributor (INV-DISC-101).
    let known: BTreeSet<&Alias> = asked.iter().collect();
    let elsewhere = snapshot.config.participants.iter().filter(|alias| {
        !known.contains(alias)
            && !state.left_out(alias)
            && state.last_said(&Speaker::Persona((*alias).clone())).is_some()
    });
    let needed = snapshot.config.min_answers.saturating_sub(elsewhere.count()).max(1);
    let failed = group.iter().flat_map(|(_, turn)| &turn.outcomes).any(|(who, outcome)| {
        matches!(outcome, TurnOutcome::Failed { .. }) && !answered.contains(who)
    });
    let stopped = snapshot.config.stops_at_failure && failed;
    if !stopped && answered.len() + spared >= needed.min(asked.len()) {
        return None;
    }
    if stands_in && let Some(next) = stand_in(snapshot, &group, started_with) {
        return Some(Step::open(TurnLine {
            number: next_number(snapshot),
            asks: vec![next],
            again: true,
            ..TurnLine::default()
        }));
    }
    let failed: Vec<Alias> =
        asked.iter().filter(|alias| !answered.contains(alias)).cloned().collect();
    let again = willing(snapshot, failed, started_with);
    let (last, _) = group.last()?;
    if *last < started_with && !again.is_empty() {
        return Some(Step::open(TurnLine {
            number: next_number(snapshot),
            asks: again,
            again: true,
            ..TurnLine::default()
        }));
    }
    Some(Step::Stop(Stop::TooFew))
}

/// Returns the next substitute that has not been tried yet.
fn stand_in(snapshot: &Snapshot, group: &[&(usize, &Turn)], started_with: usize) -> Option<Alias> {
    let tried: BTreeSet<&Alias> = group.iter().flat_map(|(_, turn)| &turn.line.asks).collect();
    let able = willing(snapshot, snapshot.stand_ins(), started_with);
    able.into_iter().find(|alias| !tried.contains(alias))
}

/// Returns the participants of `first` that the turn awaits before it asks `asked`. In a parallel turn these are all
/// that have not answered; in a sequential one, only those before `asked`.
pub(crate) fn awaited_first(snapshot: &Snapshot, asked: &[Alias], first: &[String]) -> Vec<Alias> {
    let Some(turn) = snapshot.state.unfinished() else { return Vec::new() };
    let is_awaited = |alias: &&Alias| first.iter().any(|word| word == alias.as_str());
    let missing = turn.missing();
    match snapshot.template().phases[turn.phase].order {
        Order::Sequential => {
            missing.take_while(|alias| !asked.contains(alias)).filter(is_awaited).cloned().collect()
        }
        Order::Parallel => missing.filter(is_awaited).cloned().collect(),
    }
}

/// Maximum number of characters of a quotation.
const LONGEST: usize = 400;

/// One mention that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalledParticipants<'s> {
    /// The author of the mention.
    pub by: &'s Speaker,
    /// True if the author is a person.
    pub by_person: bool,
    /// Line number in the file, from 1.
    pub line: usize,
    /// The quoted question in one line, at most 400 characters.
    pub question: String,
}

impl Snapshot {
    /// Returns the open mentions of a participant above the line `before`, in the order of the file. Each quotes the
    /// question or sentence that contains it; with `whole`, it quotes the entire line instead, if that has at most
    /// `whole` bytes.
    pub fn calls_to(
        &self,
        alias: &Alias,
        before: usize,
        whole: Option<usize>,
    ) -> Vec<CalledParticipants<'_>> {
        let mut pending = self.state.pending.iter();
        let Some(mine) = pending.find(|mention| mention.whom.alias() == Some(alias)) else {
            return Vec::new();
        };
        let calls = mine.calls(before).into_iter();
        calls
            .map(|call| CalledParticipants {
                by: &call.by,
                by_person: call.by_person,
                line: call.line,
                question: self.quoted(call.entry, call.quote(), whole),
            })
            .collect()
    }

    fn quoted(&self, entry: usize, asked: Range<usize>, whole: Option<usize>) -> String {
        let stored = match self.transcript.entries.get(entry).map(|entry| &entry.kind) {
            Some(EntryKind::Comment(comment)) => comment.stored.as_str(),
            _ => "",
        };
        let range = match (whole, surrounding_lines(stored, &asked)) {
            (Some(most), Some(line)) if line.len() <= most => line,
            _ => asked,
        };
        let text = one_line(&decode(stored.get(range).unwrap_or_default()));
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", text[..end].trim_end()),
            None => text,
        }
    }
}

/// Returns the range of the lines around `range`, without the list or quote prefix at its start.
fn surrounding_lines(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let start = text.get(..range.start)?.rfind('\n').map_or(0, |newline| newline + 1);
    let rest = text.get(range.end..)?;
    let end = range.end + rest.find('\n').unwrap_or(rest.len());
    let line = text.get(start..end)?;
    let bare = line.trim_start_matches(['-', '*', '>', ' ']);
    Some(end - bare.len()..end)
}

/// Maximum number of substitutes that are tried. If several fail in a row, another problem is likely.
const MOST: usize = 2;

impl Snapshot {
    /// Returns the substitutes that the current phase allows, in order. Empty if it allows none.
    pub(crate) fn stand_ins(&self) -> Vec<Alias> {
        let models = || self.config.participants.iter().filter(|alias| self.config.is_model(alias));
        match self.phase().stand_in {
            Substitute::Nobody => Vec::new(),
            Substitute::Participant => models().cloned().collect(),
            Substitute::Neutral => {
                let argued = self.argued();
                let seats: HashSet<&Alias> = self.config.seats().collect();
                let roster = self.config.roster().iter().map(|member| &member.persona);
                let others = roster.filter(|it| it.kind.votes() && !seats.contains(&it.alias));
                let others = others.map(|it| &it.alias).filter(|it| self.config.is_model(it));
                let all = models().chain(others).filter(|alias| !argued.contains(*alias));
                all.take(MOST).cloned().collect()
            }
        }
    }

    /// Returns the participants that are not neutral: they hold a role, or have spoken in a phase that needs no neutral
    /// speaker.
    fn argued(&self) -> HashSet<Alias> {
        let neutral = |phase: usize| self.template().phases[phase].stand_in == Substitute::Neutral;
        let said = self.state.said.iter().filter(|said| !neutral(said.phase));
        let spoke = said.filter_map(|said| match &said.speaker {
            Speaker::Persona(alias) => Some(alias),
            _ => None,
        });
        spoke.chain(self.config.roles.values().flatten()).cloned().collect()
    }
}
