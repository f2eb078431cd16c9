//! The names that a template's expressions may use. Each is computed only if an expression uses it.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use minijinja::value::{Serde, Value};
use minijinja::{Error, ErrorKind, context};

use super::findings::FindingState;
use super::snapshot::Snapshot;
use super::texts::ReviewFinding;
use crate::state::{CommentFacts, TurnOutcome, Typed, says_none};
use crate::template::DecidedBy;
use crate::transcript::{Alias, BodyMark, Marker};

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
        self.at_depth(names, 0, &mut BTreeMap::new())
    }

    /// Computes the names at one depth. `lets` caches the values of named expressions: without it, a chain of
    /// expressions that each use the previous one twice would take exponential time.
    fn at_depth(
        &self,
        names: &BTreeSet<String>,
        depth: usize,
        lets: &mut BTreeMap<String, Value>,
    ) -> Result<Value, Error> {
        if depth > DEEPEST {
            return Err(Error::new(
                ErrorKind::InvalidOperation,
                "the expressions under `let` refer to each other in a circle",
            ));
        }
        let mut values = BTreeMap::new();
        for name in names {
            let value = match (lets.get(name), self.snapshot.template().lets.get(name)) {
                (Some(known), _) => known.clone(),
                (None, Some(expr)) => {
                    let names = self.at_depth(expr.names(), depth + 1, lets)?;
                    let value = expr.eval(names)?;
                    lets.insert(name.clone(), value.clone());
                    value
                }
                (None, None) => self.value(name),
            };
            values.insert(name.clone(), value);
        }
        Ok(Value::from_pairs(values))
    }

    fn value(&self, name: &str) -> Value {
        let state = &self.snapshot.state;
        let config = &self.snapshot.config;
        match name {
            "me" => self.me.map(Alias::as_str).into(),
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
                    context! {
                        who => vote.speaker.handle(),
                        name => vote.name.as_str(),
                        choice => vote.choice.as_str(),
                        confidence => vote.confidence.unwrap_or(0.5),
                        weight => config.weight(vote.speaker.handle()),
                        solution => said.and_then(|said| said.mark(&Marker::Solution)),
                        reason => said.map(|said| self.snapshot.body_of(said)),
                    }
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
        context! {
            who => said.speaker.handle(),
            name => said.name.as_str(),
            person => config.is_person(&said.speaker),
            asked => self.snapshot.state.was_asked_for(said),
            phase => self.phase_id(said.phase),
            round => said.round,
            body => self.snapshot.body_of(said),
            vote => said.vote.as_ref().map(|vote| vote.as_str()),
            markers,
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

/// Returns a finding as expressions see it.
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
