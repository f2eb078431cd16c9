//! A discussion as it stands: its text, read and folded.

use std::ops::Deref;
use std::sync::Arc;

use thiserror::Error;

use crate::participant::Roster;
use crate::problem::Problem;
use crate::state::{Defaults, DiscussionConfig, DiscussionConfigError, State, fold};
use crate::template::{Phase, Template};
use crate::transcript::{Text, Transcript, parse};

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
    pub(crate) fn with_problems(
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

    /// The same discussion as it stood when its file ended here.
    pub(super) fn until(&self, end: usize) -> Self {
        let text = &self.transcript.text;
        match text.get(..end).filter(|seen| seen.len() < text.len()) {
            Some(seen) => Self::new(parse(seen), self.config.clone()),
            None => self.clone(),
        }
    }

    /// The template.
    pub fn template(&self) -> &Template {
        &self.config.template
    }

    /// The current phase.
    pub(crate) fn phase(&self) -> &Phase {
        &self.template().phases[self.state.place.phase()]
    }
}
