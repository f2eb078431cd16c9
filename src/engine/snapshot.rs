//! A discussion as it stands: its text, read and folded.

use std::ops::Deref;
use std::sync::Arc;

use thiserror::Error;

use super::scope::Scope;
use crate::participant::Roster;
use crate::problem::Problem;
use crate::state::{Defaults, DiscussionConfig, DiscussionConfigError, State, Tally, fold};
use crate::template::{Condition, Expr, Int, Order, Phase, Template, TextTemplate};
use crate::transcript::{Alias, Text, Transcript, parse};

/// Why a step cannot be found.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// Head and template do not fit together.
    #[error(transparent)]
    DiscussionConfig(#[from] DiscussionConfigError),
    /// An expression of the template failed.
    #[error("template `{template}`, {place}: `{expression}` cannot be computed: {reason}")]
    Expression {
        /// The template.
        template: String,
        /// Where in it.
        place: String,
        /// The expression.
        expression: String,
        /// What MiniJinja says.
        reason: String,
    },
}

/// A discussion as it stands, read once: it owns all that it tells, is cheap to clone, and can be kept or sent anywhere.
#[derive(Clone, Debug)]
pub struct Snapshot(Arc<Contents>);

/// What a snapshot holds.
#[derive(Debug)]
pub struct Contents {
    /// The file, read.
    pub transcript: Transcript,
    /// What is fixed.
    pub config: DiscussionConfig,
    /// What it has come to.
    pub state: State,
}

impl Deref for Snapshot {
    type Target = Contents;

    fn deref(&self) -> &Contents {
        &self.0
    }
}

impl Snapshot {
    /// Reads and folds a text whose template is known.
    ///
    /// # Errors
    /// When head and template do not fit together.
    pub fn read(
        text: impl Into<Text>,
        template: &Arc<Template>,
        roster: &Arc<Roster>,
        defaults: &Defaults,
    ) -> Result<Self, DiscussionConfigError> {
        let transcript = parse(text);
        let config = DiscussionConfig::new(transcript.head.as_ref(), template, roster, defaults)?;
        Ok(Self::new(transcript, config))
    }

    /// Folds a transcript.
    pub fn new(transcript: Transcript, config: DiscussionConfig) -> Self {
        Self::with_problems(transcript, config, Vec::new())
    }

    /// Folds a transcript about which more is known to be wrong than its text says.
    pub fn with_problems(
        transcript: Transcript,
        config: DiscussionConfig,
        more: Vec<Problem>,
    ) -> Self {
        let mut state = fold(&transcript, &config);
        if !more.is_empty() {
            state.problems.extend(more);
            state.problems.sort_by_key(|problem| (problem.line, problem.column));
        }
        Self(Arc::new(Contents { transcript, config, state }))
    }

    /// The template.
    pub fn template(&self) -> &Template {
        &self.config.template
    }

    /// The current phase.
    pub fn phase(&self) -> &Phase {
        &self.template().phases[self.state.place.phase()]
    }

    /// Whether a condition holds.
    pub(super) fn holds(&self, condition: &Condition) -> Result<bool, SnapshotError> {
        match condition {
            Condition::Fixed(value) => Ok(*value),
            Condition::Expr(expr) => Ok(self.eval(expr)?.is_true()),
        }
    }

    /// The number that an int gives; negative ones are 0.
    pub(super) fn number(&self, int: &Int) -> Result<u32, SnapshotError> {
        match int {
            Int::Number(number) => Ok(*number),
            Int::Expr(expr) => {
                let number = i64::try_from(self.eval(expr)?)
                    .map_err(|error| self.failed(expr.place(), expr.source(), &error))?;
                Ok(u32::try_from(number.max(0)).unwrap_or(u32::MAX))
            }
        }
    }

    pub(super) fn eval(&self, expr: &Expr) -> Result<minijinja::Value, SnapshotError> {
        let names = Scope::new(self, None).values(expr.names());
        let value = names.and_then(|names| expr.eval(names));
        value.map_err(|error| self.failed(expr.place(), expr.source(), &error))
    }

    pub(super) fn render(
        &self,
        text: &TextTemplate,
        me: Option<&Alias>,
    ) -> Result<String, SnapshotError> {
        let names = Scope::new(self, me).values(text.names());
        let rendered = names.and_then(|names| text.render(names));
        rendered.map_err(|error| self.failed(text.place(), "", &error))
    }

    fn failed(&self, place: &str, text: &str, error: &minijinja::Error) -> SnapshotError {
        SnapshotError::Expression {
            template: self.template().id.clone(),
            place: place.to_owned(),
            expression: text.trim().to_owned(),
            reason: error.to_string(),
        }
    }

    /// What the votes come to, those left aside whom an early exit does not ask any more.
    pub fn tally(&self) -> Option<Tally> {
        let (ballot, phase) = self.state.deciding(&self.config)?;
        let mut ballot = ballot.clone();
        if phase == self.state.place.phase() {
            ballot.silent.extend(self.spared());
        }
        Some(Tally::of(&ballot, &self.config, &self.config.options[phase]))
    }

    /// Participants of the unfinished turn whose votes can no longer change the outcome, where the phase allows it.
    ///
    /// Only in sequential phases: the calls of a parallel turn are all begun with its line, and whether a run was
    /// stopped in between must not change the result.
    pub fn spared(&self) -> Vec<Alias> {
        let Some(turn) = self.state.unfinished() else { return Vec::new() };
        let phase = &self.template().phases[turn.phase];
        let missing: Vec<Alias> = turn.missing().cloned().collect();
        let enough = turn.answered() >= self.config.min_answers;
        let allowed = enough
            && phase.voting_mode
            && phase.order == Order::Sequential
            && self.holds(&phase.early_exit).unwrap_or(false);
        let options = &self.config.options[turn.phase];
        if allowed && crate::state::settled(&self.state.ballot, &self.config, options, &missing) {
            missing
        } else {
            Vec::new()
        }
    }
}
