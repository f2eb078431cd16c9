//! The current state of a discussion: its text, parsed and evaluated.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::known_values::KnownValues;
use super::outcome::Outcome;
use crate::participant::Roster;
use crate::problem::Problem;
use crate::state::{Defaults, DiscussionConfig, DiscussionConfigError, State, fold};
use crate::template::{Phase, Template, VendorRule};
use crate::transcript::{Alias, Text, Transcript, parse};

/// The reason why the next step cannot be computed.
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
        /// The place in the template.
        place: String,
        /// The expression.
        expression: String,
        /// The error message of MiniJinja.
        reason: String,
    },
}

/// The current state of a discussion, read once. It owns its data, is cheap to clone, and can be stored or sent to
/// other threads.
#[derive(Clone, Debug)]
pub struct Snapshot(Arc<Contents>);

/// The contents of a snapshot.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The parsed file.
    pub transcript: Transcript,
    /// Settings that do not change.
    pub config: DiscussionConfig,
    /// The state that follows from the text.
    pub state: State,
    /// What was decided; computed on first use.
    outcome: OnceLock<Outcome>,
    /// What the template's expressions gave; each is computed on first use.
    known_values: KnownValues,
}

impl Deref for Snapshot {
    type Target = Contents;

    fn deref(&self) -> &Contents {
        &self.0
    }
}

impl Snapshot {
    /// Returns what was decided, from this file alone.
    pub fn outcome(&self) -> &Outcome {
        self.0.outcome.get_or_init(|| Outcome::of(self))
    }

    /// Changes the outcome by facts that are not in the file. Copies of the snapshot keep their outcome.
    pub(crate) fn edit_outcome(&mut self, edit: impl FnOnce(&mut Outcome)) {
        let mut outcome = self.outcome().clone();
        edit(&mut outcome);
        Arc::make_mut(&mut self.0).outcome = OnceLock::from(outcome);
    }

    /// Parses and evaluates a text with a known template.
    ///
    /// # Errors
    /// Fails if head and template do not fit together.
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

    /// Evaluates a transcript.
    pub fn new(transcript: Transcript, config: DiscussionConfig) -> Self {
        Self::with_problems(transcript, config, Vec::new())
    }

    /// Evaluates a transcript with problems that do not follow from its text alone.
    pub(crate) fn with_problems(
        transcript: Transcript,
        config: DiscussionConfig,
        more: Vec<Problem>,
    ) -> Self {
        let mut state = fold(&transcript, &config);
        state.problems.extend(more);
        let has_acts = !state.status_changes.is_empty();
        let judges = state.has_words_about_decisions() || has_acts;
        let mut snapshot = Self::unjudged(transcript, config, state);
        if judges {
            let problems = snapshot.outcome().problems.clone();
            if let Some(contents) = Arc::get_mut(&mut snapshot.0) {
                contents.state.problems.extend(problems);
            }
        }
        if let Some(contents) = Arc::get_mut(&mut snapshot.0) {
            contents.state.problems.sort_by_key(|problem| (problem.line, problem.column));
        }
        snapshot
    }

    fn unjudged(transcript: Transcript, config: DiscussionConfig, state: State) -> Self {
        let (outcome, known_values) = (OnceLock::new(), KnownValues::default());
        Self(Arc::new(Contents { transcript, config, state, outcome, known_values }))
    }

    /// Evaluates a text without the problems of its outcome.
    pub(super) fn unsettled(text: &str, config: DiscussionConfig) -> Self {
        let transcript = parse(text);
        let state = fold(&transcript, &config);
        Self::unjudged(transcript, config, state)
    }

    /// Returns the discussion as it was when its file ended at byte `end`.
    pub(super) fn until(&self, end: usize) -> Self {
        let text = &self.transcript.text;
        match text.get(..end).filter(|seen| seen.len() < text.len()) {
            Some(seen) => Self::new(parse(seen), self.config.clone()),
            None => self.clone(),
        }
    }

    pub(super) fn known_values(&self) -> &KnownValues {
        &self.0.known_values
    }

    /// Returns the template.
    pub fn template(&self) -> &Template {
        &self.config.template
    }

    /// Returns the author, if the template keeps the other participants away from the author's
    /// vendor (`vendors: apart`). Returns `None` otherwise, or if the author is no model.
    pub(crate) fn author_apart(&self) -> Option<&Alias> {
        let template = self.template();
        let (role, _) = template.roles.first().filter(|_| template.vendors == VendorRule::Apart)?;
        self.config.roles.get(role)?.first().filter(|author| self.config.is_model(author))
    }

    /// Returns the current phase.
    pub(crate) fn phase(&self) -> &Phase {
        &self.template().phases[self.state.place.phase()]
    }
}
