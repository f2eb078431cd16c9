//! Provides the names that a template's expressions may use, and computes a name only if an
//! expression uses it. Also computes the results that a template defines with these names: its
//! text, its verdict, its values.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use minijinja::value::{Serde, Value};
use minijinja::{Error, ErrorKind, context};
use serde_json::Value as JsonValue;

use super::findings::FindingState;
use super::known_values::{KnownValues, LetValue};
use super::lazy_text::WithLazyText;
use super::snapshot::{Snapshot, SnapshotError};
use super::texts::ReviewFinding;
use crate::state::{Ballot, CommentFacts, TurnOutcome, Typed, says_none};
use crate::template::{DecidedBy, Expr};
use crate::transcript::{Alias, BodyMark, EntryKind, Marker, Text};

/// Maximum depth of named expressions that use each other.
const DEEPEST: usize = 16;

/// The names that are available to one evaluation.
pub(super) struct ExpressionScope<'s> {
    snapshot: &'s Snapshot,
    me: Option<&'s Alias>,
}

impl<'s> ExpressionScope<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, me: Option<&'s Alias>) -> Self {
        Self { snapshot, me }
    }

    /// Returns the values of these names.
    pub(super) fn values(&self, names: &BTreeSet<String>) -> Result<Value, Error> {
        match self.me {
            None => self.at_depth(names, 0, self.snapshot.known_values()),
            // With another `me`, named expressions may have other values.
            Some(_) => self.at_depth(names, 0, &KnownValues::default()),
        }
        .map(|(values, _)| values)
    }

    /// Computes the names at one depth. Also returns how many expressions under `let` use each other for them. `lets`
    /// keeps the values of named expressions: without it, a chain of expressions that each use the previous one twice
    /// would take exponential time.
    fn at_depth(
        &self,
        names: &BTreeSet<String>,
        depth: usize,
        lets: &KnownValues,
    ) -> Result<(Value, usize), Error> {
        let (mut values, mut height) = (Vec::with_capacity(names.len()), 0);
        for name in names {
            let value = match self.snapshot.template().lets.get(name) {
                Some(expr) => {
                    let known = self.let_value(name, expr, depth, lets)?;
                    height = height.max(known.height);
                    known.value
                }
                None => self.value(name),
            };
            values.push((name.as_str(), value));
        }
        Ok((Value::from_pairs(values), height))
    }

    fn let_value(
        &self,
        name: &str,
        expr: &Expr,
        depth: usize,
        lets: &KnownValues,
    ) -> Result<LetValue, Error> {
        let in_circle = || {
            Error::new(
                ErrorKind::InvalidOperation,
                "the expressions under `let` refer to each other in a circle",
            )
        };
        // A known value fails here as if it were computed now, so the order of the questions does not matter.
        if let Some(known) = lets.let_value(name) {
            return if depth + known.height > DEEPEST { Err(in_circle()) } else { Ok(known) };
        }
        if depth == DEEPEST {
            return Err(in_circle());
        }
        let (names, height) = self.at_depth(expr.names(), depth + 1, lets)?;
        let known = LetValue { value: expr.eval(names)?, height: height + 1 };
        lets.keep_let(name, known.clone());
        Ok(known)
    }

    /// Returns the value of one of the engine's names. Within one snapshot, only `me` may have several.
    fn value(&self, name: &str) -> Value {
        if name == "me" {
            return self.me.map(Alias::as_str).into();
        }
        let known = self.snapshot.known_values();
        known.name(name).unwrap_or_else(|| {
            let value = self.computed(name);
            known.keep_name(name, value.clone());
            value
        })
    }

    fn computed(&self, name: &str) -> Value {
        let state = &self.snapshot.state;
        let config = &self.snapshot.config;
        match name {
            "title" => state.title.as_str().into(),
            "context" => self.snapshot.transcript.context().into(),
            "params" => Value::from(Serde(&config.parameters)),
            "participants" => {
                config.participants.iter().map(|alias| Value::from(alias.as_str())).collect()
            }
            "roles" => Value::from(Serde(&config.roles)),
            "phase" => self.phase_id(state.place.phase()).into(),
            "round" => state.round.into(),
            "turn" => state.turns.len().into(),
            "visits" => {
                let phases = config.template.phases.iter().map(|phase| phase.id.clone());
                Value::from_pairs(phases.zip(state.place.entered.iter().copied()))
            }
            "votes" => state
                .ballot
                .votes
                .iter()
                .map(|vote| {
                    let said = vote.said.and_then(|at| state.said.get(at));
                    let facts = context! {
                        who => vote.speaker.handle(),
                        name => vote.name.as_str(),
                        choice => vote.choice.as_str(),
                        confidence => vote.counted_confidence(config),
                        weight => config.weight(vote.speaker.handle()),
                        solution => said.and_then(|said| said.mark(&Marker::Solution)),
                        reason => (),
                    };
                    WithLazyText::value(facts, "reason", said.map(|said| self.stored(said)))
                })
                .collect(),
            "consensus" => self.consensus(),
            // A comment that only answers a mention is not a contribution to its phase.
            "said" => {
                let said = state.said.iter().filter(|said| !state.answers_aside(said));
                said.map(|said| self.comment_value(said)).collect()
            }
            "text" => {
                let end = self.snapshot.transcript.text.len();
                let text = self.snapshot.last_text(end);
                text.map_or_else(|| context! { body => "" }, |said| self.comment_value(said))
            }
            "findings" => self.snapshot.last_findings().iter().map(finding_value).collect(),
            "marks" => self.marks(),
            "failed" => self
                .with_last_outcome(|outcome| matches!(outcome, Some(TurnOutcome::Failed { .. }))),
            "missing" => self.with_last_outcome(|outcome| outcome.is_none()),
            "not_shown" => {
                config.not_shown.iter().map(|one| Value::from(one.file.as_str())).collect()
            }
            "pending" => {
                let handles: BTreeSet<&str> =
                    state.pending.iter().map(|mention| mention.whom.handle()).collect();
                handles.into_iter().map(Value::from).collect()
            }
            _ => Value::UNDEFINED,
        }
    }

    fn consensus(&self) -> Value {
        let method = self.snapshot.config.rules.method;
        let by_votes = method.decided_by() == DecidedBy::Votes;
        // Expressions see only the tally, because the template's verdict is computed from these same expressions.
        let tally = self.snapshot.tally().unwrap_or_default();
        context! {
            method => method.as_str(),
            by_votes,
            reached => tally.carries,
            outcome => tally.outcome.as_ref().map(|choice| choice.as_str()),
            tied => tally.tied,
            tie => tally.tied,
            human_required => tally.human_required,
            leaders => tally.leaders.iter().map(ToString::to_string).collect::<Vec<_>>(),
        }
    }

    /// Returns the handles of participants with a matching outcome in the last turn that asked them, in the order of
    /// asking.
    fn with_last_outcome(&self, of_kind: impl Fn(Option<&TurnOutcome>) -> bool) -> Value {
        let mut last: IndexMap<&Alias, Option<&TurnOutcome>> = IndexMap::new();
        for turn in &self.snapshot.state.turns {
            for alias in &turn.line.asks {
                last.insert(alias, turn.outcomes.get(alias));
            }
        }
        last.into_iter()
            .filter(|(_, outcome)| of_kind(*outcome))
            .map(|(alias, _)| Value::from(alias.as_str()))
            .collect()
    }

    fn phase_id(&self, index: usize) -> &str {
        self.snapshot.template().phases.get(index).map_or("", |phase| &phase.id)
    }

    fn comment_value(&self, said: &CommentFacts) -> Value {
        let config = &self.snapshot.config;
        let mut markers: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for mark in &said.marks {
            markers.entry(mark.marker.word()).or_default().push(mark.text.as_str().into());
        }
        let facts = context! {
            who => said.speaker.handle(),
            name => said.name.as_str(),
            person => config.is_person(&said.speaker),
            asked => self.snapshot.state.was_asked_for(said),
            phase => self.phase_id(said.phase),
            round => said.round,
            body => (),
            vote => said.vote.as_ref().map(|vote| vote.as_str()),
            markers,
        };
        WithLazyText::value(facts, "body", Some(self.stored(said)))
    }

    /// Returns the body of a comment as it is stored.
    fn stored(&self, said: &CommentFacts) -> Text {
        match self.snapshot.transcript.entries.get(said.entry).map(|entry| &entry.kind) {
            Some(EntryKind::Comment(comment)) => comment.stored.clone(),
            _ => Text::default(),
        }
    }

    /// Returns the list of each known marker. Lists without entries are present and empty, so that templates need no
    /// checks.
    fn marks(&self) -> Value {
        let words = Marker::words()
            .map(str::to_owned)
            .chain(self.snapshot.template().markers.iter().cloned());
        let mut all: BTreeMap<String, Vec<Value>> = words.map(|word| (word, Vec::new())).collect();
        let state = &self.snapshot.state;
        // An answer to a question outside of the phase contributes no ratings.
        for said in state.said.iter().filter(|said| !state.answers_aside(said)) {
            for mark in said.marks.iter().filter(|mark| !says_none(mark)) {
                let (level, value) = typed(mark);
                all.entry(mark.marker.word().to_owned()).or_default().push(context! {
                    who => said.speaker.handle(),
                    name => said.name.as_str(),
                    value,
                    level,
                    phase => self.phase_id(said.phase),
                    round => said.round,
                });
            }
        }
        Value::from_pairs(all)
    }
}

/// Returns the value of a finding for expressions.
fn finding_value(one: &ReviewFinding<'_>) -> Value {
    context! {
        who => one.said.speaker.handle(),
        name => one.said.name.as_str(),
        quote => one.finding.quote.as_str(),
        proof => one.finding.proof.as_str(),
        instead => one.finding.instead.as_str(),
        founded => one.state != FindingState::Unfounded,
    }
}

/// Returns a marker's value in the type of its marker, and the level in front of a text.
fn typed(mark: &BodyMark) -> (Option<String>, Value) {
    let value = match Typed::of(mark) {
        Some(Typed::Text(text)) => return levelled(text),
        Some(Typed::Number(number)) if number.fract() == 0.0 => Value::from(number as i64),
        Some(Typed::Number(number) | Typed::Share(number)) => Value::from(number),
        Some(Typed::Word(word)) => Value::from(word),
        None => Value::from(()),
    };
    (None, value)
}

/// Splits off the level: `(high) text`, `[high] text` and `high: text`.
fn levelled(text: &str) -> (Option<String>, Value) {
    let bracketed = [('(', ')'), ('[', ']')]
        .iter()
        .find_map(|(open, close)| text.strip_prefix(*open)?.split_once(*close));
    if let Some((level, rest)) = bracketed.or_else(|| text.split_once(':')) {
        let level = level.trim().to_lowercase();
        if ["low", "medium", "high", "critical"].contains(&level.as_str()) {
            return (Some(level), Value::from(rest.trim()));
        }
    }
    (None, Value::from(text))
}

/// A verdict that a template computes.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The word for the verdict.
    pub is: String,
    /// Additional values of the verdict.
    pub with: IndexMap<String, JsonValue>,
    /// True if the verdict is a "no".
    pub blocks: bool,
}

impl Snapshot {
    /// Returns the stated decision of the participant that was asked to decide, or `None` if there is none yet.
    pub(crate) fn stated_decision(&self) -> Option<&str> {
        let decides = |said: &&CommentFacts| {
            self.template().phases[said.phase].decides() && self.state.was_asked_for(said)
        };
        self.state.said.iter().rev().find(decides)?.mark(&Marker::Decision)
    }

    /// Returns the decision that the explanation of a ballot states; `None` if no explanation follows its last vote. The
    /// explanation of an earlier ballot belongs to the past.
    pub(super) fn explained_decision(&self, ballot: &Ballot) -> Option<&str> {
        let last_vote = ballot.votes.iter().filter_map(|vote| vote.said).max();
        let decides = |(_, said): &(usize, &CommentFacts)| {
            self.template().phases[said.phase].decides() && self.state.was_asked_for(said)
        };
        let mut said = self.state.said.iter().enumerate().rev();
        let (index, said) = said.find(decides)?;
        said.mark(&Marker::Decision).filter(|_| Some(index) > last_vote)
    }

    /// Returns the last comment of the participant that was asked to write or decide, with its text. `None` if no phase
    /// has asked for one yet.
    pub(crate) fn final_text(&self) -> Option<(&CommentFacts, String)> {
        let written = |said: &&CommentFacts| {
            let asked = said.turn.is_some() && !self.state.answers_aside(said);
            asked && self.template().phases[said.phase].decides()
        };
        let said = self.state.said.iter().rev().find(written)?;
        match &self.transcript.entries.get(said.entry)?.kind {
            EntryKind::Comment(comment) => Some((said, comment.body())),
            _ => None,
        }
    }

    /// Returns the final text: the value of the template's expression, or else the last comment
    /// outside of voting phases (INV-DISC-009).
    pub fn synthesis(&self) -> Option<String> {
        self.written_synthesis().or_else(|| {
            let voting = |phase: usize| self.template().phases[phase].voting_mode;
            let counts =
                |said: &&CommentFacts| !voting(said.phase) && self.state.was_asked_for(said);
            let said = self.state.said.iter().rev().find(counts)?;
            match &self.transcript.entries.get(said.entry)?.kind {
                EntryKind::Comment(comment) => Some(comment.body()),
                _ => None,
            }
        })
    }

    /// Returns the final text that the template's expression computes, or `None` if the expression yields no text.
    pub(crate) fn written_synthesis(&self) -> Option<String> {
        let value = self.eval(self.template().result.synthesis.as_ref()?).ok()?;
        value.as_str().map(str::to_owned).filter(|text| !text.trim().is_empty())
    }

    /// Returns the dissent that the writer of the final text noted: alias or name, the objection, and the line of the
    /// final text's comment, from 1.
    ///
    /// A note may begin with the name of the participant that objects, as in `AI-Security: ...`. Without a name, the
    /// objection is the writer's own.
    pub(crate) fn noted_dissent(&self) -> Vec<(String, String, usize)> {
        let value = self.template().result.dissent.as_ref().and_then(|expr| self.eval(expr).ok());
        let texts = value.iter().filter_map(|value| value.try_iter().ok()).flatten();
        let decides = |said: &&CommentFacts| {
            self.template().phases[said.phase].decides() && self.state.was_asked_for(said)
        };
        let writer = self.state.said.iter().rev().find(decides);
        let line = writer.map_or(0, |said| said.line);
        let writer = writer.map(|said| said.speaker.handle().to_owned()).unwrap_or_default();
        texts
            .filter_map(|text| text.as_str().map(str::to_owned))
            .map(|text| {
                match text.split_once([':', ',']).map(|(who, held)| (self.seat(who), held)) {
                    Some((Some(alias), held)) => (alias, held.trim().to_owned(), line),
                    _ => (writer.clone(), text, line),
                }
            })
            .collect()
    }

    /// Returns the alias of the participant with this alias or name, with or without `@`.
    fn seat(&self, word: &str) -> Option<String> {
        let word = word.trim().trim_matches('*').trim_start_matches('@');
        let mut seats = self.config.seats();
        let seat = seats.find(|alias| {
            alias.as_str().eq_ignore_ascii_case(word)
                || self.config.name_of(alias).eq_ignore_ascii_case(word)
        });
        seat.map(ToString::to_string)
    }

    /// Returns the first verdict with a true condition, or `None` if no verdict applies.
    ///
    /// # Errors
    /// Fails if an expression of the template fails.
    pub fn verdict(&self) -> Result<Option<Verdict>, SnapshotError> {
        for verdict in &self.template().result.verdict {
            let holds = match &verdict.when {
                Some(expr) => self.eval(expr)?.is_true(),
                None => true,
            };
            if holds {
                return Ok(Some(Verdict {
                    is: verdict.is.clone(),
                    with: verdict.with.clone(),
                    blocks: verdict.blocks,
                }));
            }
        }
        Ok(None)
    }

    /// Returns one of the template's named result values; `None` if it has none of this name.
    ///
    /// # Errors
    /// Fails if the expression fails.
    pub(super) fn result_value(&self, name: &str) -> Result<Option<Value>, SnapshotError> {
        self.template().result.values.get(name).map(|expr| self.eval(expr)).transpose()
    }

    /// Returns the template's named result values, as JSON.
    ///
    /// # Errors
    /// Fails if an expression of the template fails.
    pub fn values(&self) -> Result<IndexMap<String, JsonValue>, SnapshotError> {
        let pairs = self.template().result.values.iter().map(|(name, expr)| {
            let value: Value = self.eval(expr)?;
            Ok((name.clone(), serde_json::to_value(&value).unwrap_or(JsonValue::Null)))
        });
        pairs.collect()
    }
}
