//! The configuration for readers of a discussion; it is available even if the head contains a mistake.

use std::sync::Arc;

use serde_json::Map;

use super::{Defaults, DiscussionConfig, DiscussionConfigError};
use crate::codes::ProblemCode;
use crate::participant::Roster;
use crate::problem::{Problem, Severity};
use crate::template::Template;
use crate::transcript::Transcript;

impl DiscussionConfig {
    /// Returns the configuration of a discussion. If the head's rules or parameters are invalid, adds a problem and
    /// uses the template's rules and parameters.
    ///
    /// # Errors
    /// Fails if the template and the rest of the head do not fit together.
    pub(crate) fn for_readers(
        transcript: &Transcript,
        template: &Arc<Template>,
        roster: &Arc<Roster>,
        defaults: &Defaults,
        problems: &mut Vec<Problem>,
    ) -> Result<Self, DiscussionConfigError> {
        let head = transcript.head.as_ref();
        match (Self::new(head, template, roster, defaults), head) {
            (Err(error), Some(head)) => {
                let mut bare = head.clone();
                bare.consensus = Map::new();
                bare.parameters = Map::new();
                let (at, code) = (error.place(&transcript.text), ProblemCode::HeadWrong);
                problems.push(Problem::new(Severity::Error, code, at, error.to_string()));
                Self::new(Some(&bare), template, roster, defaults)
            }
            (config, _) => config,
        }
    }
}

impl DiscussionConfigError {
    /// Returns line and column of the mistake in the head; 1 and 1 if its key is not found there.
    pub(crate) fn place(&self, text: &str) -> (usize, usize) {
        let word = self.key();
        let mut head = text.lines().enumerate().take_while(|(_, line)| line.trim_end() != "-->");
        let found = head.find_map(|(index, line)| {
            let at = line.find(word)?;
            Some((index + 1, line[..at].chars().count() + 1))
        });
        found.unwrap_or((1, 1))
    }
}
