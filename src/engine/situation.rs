//! A discussion as it stands: its text, read and folded.

use thiserror::Error;

use super::scope::Scope;
use crate::state::{Charter, CharterError, Consensus, Defaults, State, fold};
use crate::template::{Condition, Expressions, Int, Order, Template};
use crate::transcript::{Alias, Transcript};

/// Why a step cannot be found.
#[derive(Debug, Error)]
pub enum SituationError {
    /// Head and template do not fit together.
    #[error(transparent)]
    Charter(#[from] CharterError),
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

/// A discussion as it stands.
#[derive(Debug)]
pub struct Situation<'a> {
    /// The file, read.
    pub transcript: &'a Transcript<'a>,
    /// What is fixed.
    pub charter: &'a Charter<'a>,
    /// What it has come to.
    pub state: State,
    pub(super) expressions: Expressions,
}

impl<'a> Situation<'a> {
    /// Folds a transcript.
    pub fn new(transcript: &'a Transcript<'a>, charter: &'a Charter<'a>) -> Self {
        let state = fold(transcript, charter);
        Self { transcript, charter, state, expressions: Expressions::default() }
    }

    /// The template.
    pub fn template(&self) -> &'a Template {
        self.charter.template
    }

    /// Whether a condition holds.
    pub(super) fn holds(&self, place: &str, condition: &Condition) -> Result<bool, SituationError> {
        match condition {
            Condition::Fixed(value) => Ok(*value),
            Condition::Expr(text) => Ok(self.eval(place, text)?.is_true()),
        }
    }

    /// The number that an int gives; negative ones are 0.
    pub(super) fn number(&self, place: &str, int: &Int) -> Result<u32, SituationError> {
        match int {
            Int::Number(number) => Ok(*number),
            Int::Expr(text) => {
                let value = self.eval(place, text)?;
                let number =
                    i64::try_from(value).map_err(|error| self.failed(place, text, &error))?;
                Ok(u32::try_from(number.max(0)).unwrap_or(u32::MAX))
            }
        }
    }

    pub(super) fn eval(&self, place: &str, text: &str) -> Result<minijinja::Value, SituationError> {
        let names = self
            .expressions
            .names_in_expression(text)
            .map_err(|error| self.failed(place, text, &error))?;
        let names = Scope::new(self, None)
            .values(&names)
            .map_err(|error| self.failed(place, text, &error))?;
        self.expressions.eval(text, names).map_err(|error| self.failed(place, text, &error))
    }

    pub(super) fn render(
        &self,
        place: &str,
        text: &str,
        me: Option<&Alias>,
    ) -> Result<String, SituationError> {
        let names = self
            .expressions
            .names_in_template(text)
            .map_err(|error| self.failed(place, "", &error))?;
        let names =
            Scope::new(self, me).values(&names).map_err(|error| self.failed(place, "", &error))?;
        self.expressions.render(text, names).map_err(|error| self.failed(place, "", &error))
    }

    fn failed(&self, place: &str, text: &str, error: &minijinja::Error) -> SituationError {
        SituationError::Expression {
            template: self.template().id.clone(),
            place: place.to_owned(),
            expression: text.trim().to_owned(),
            reason: error.to_string(),
        }
    }

    /// What the votes come to, those left aside whom an early exit does not ask any more.
    pub fn consensus(&self) -> Option<Consensus> {
        let (ballot, phase) = self.state.deciding(self.charter)?;
        let mut ballot = ballot.clone();
        if phase == self.state.place.phase() {
            ballot.silent.extend(self.spared());
        }
        Some(Consensus::of(&ballot, self.charter, &self.charter.options[phase]))
    }

    /// Participants of the unfinished turn whose votes can no longer change the outcome, where the phase allows it.
    ///
    /// Only in sequential phases: the calls of a parallel turn are all begun with its line, and whether a run was
    /// stopped in between must not change the result.
    pub fn spared(&self) -> Vec<Alias> {
        let Some(turn) = self.state.unfinished() else { return Vec::new() };
        let phase = &self.template().phases[turn.phase];
        let missing: Vec<Alias> = turn.missing().cloned().collect();
        let enough = turn.answered() >= self.charter.min_answers;
        let allowed = enough
            && phase.voting_mode
            && phase.order == Order::Sequential
            && self
                .holds(&format!("phase `{}`, early_exit", phase.id), &phase.early_exit)
                .unwrap_or(false);
        let options = &self.charter.options[turn.phase];
        if allowed && crate::state::settled(&self.state.ballot, self.charter, options, &missing) {
            missing
        } else {
            Vec::new()
        }
    }

    /// Reads a head's discussion with everything that it depends on.
    ///
    /// # Errors
    /// When head and template do not fit together.
    pub fn charter(
        transcript: &Transcript<'_>,
        template: &'a Template,
        roster: &'a crate::participant::Roster,
        defaults: &Defaults,
    ) -> Result<Charter<'a>, CharterError> {
        Charter::new(transcript.head.as_ref(), template, roster, defaults)
    }
}
