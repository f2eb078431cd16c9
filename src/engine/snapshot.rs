//! The current state of a discussion: its text, parsed and evaluated.

use std::ops::Deref;
use std::sync::Arc;

use thiserror::Error;

use super::lifecycle::settle;
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
}

impl Deref for Snapshot {
    type Target = Contents;

    fn deref(&self) -> &Contents {
        &self.0
    }
}

impl Snapshot {
    /// Changes the state by facts that are not in the file. Copies of the snapshot keep their state.
    pub(crate) fn edit_state(&mut self, edit: impl FnOnce(&mut State)) {
        edit(&mut Arc::make_mut(&mut self.0).state);
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
        let is_early = settle(&transcript, &config, &mut state);
        if is_early || !more.is_empty() {
            state.problems.extend(more);
            state.problems.sort_by_key(|problem| (problem.line, problem.column));
        }
        Self(Arc::new(Contents { transcript, config, state }))
    }

    /// Evaluates a text without the notes that depend on the time at which they were written.
    pub(super) fn unsettled(text: &str, config: DiscussionConfig) -> Self {
        let transcript = parse(text);
        let state = fold(&transcript, &config);
        Self(Arc::new(Contents { transcript, config, state }))
    }

    /// Returns the discussion as it was when its file ended at byte `end`.
    pub(super) fn until(&self, end: usize) -> Self {
        let text = &self.transcript.text;
        match text.get(..end).filter(|seen| seen.len() < text.len()) {
            Some(seen) => Self::new(parse(seen), self.config.clone()),
            None => self.clone(),
        }
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
