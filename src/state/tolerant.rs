//! The configuration of a discussion for readers, who go on where a head is wrong.

use std::sync::Arc;

use super::{Defaults, DiscussionConfig, DiscussionConfigError};
use crate::codes::ProblemCode;
use crate::participant::Roster;
use crate::problem::{Problem, Severity};
use crate::template::Template;
use crate::transcript::{Head, Transcript};

impl DiscussionConfig {
    /// Returns the configuration of a discussion. If its rules or parameters are invalid, adds that to the problems and
    /// uses those of the template.
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
                let (consensus, parameters) = Default::default();
                let bare = Head { consensus, parameters, ..head.clone() };
                let (at, code) = (error.place(&transcript.text), ProblemCode::HeadWrong);
                problems.push(Problem::new(Severity::Error, code, at, error.to_string()));
                Self::new(Some(&bare), template, roster, defaults)
            }
            (config, _) => config,
        }
    }
}

impl DiscussionConfigError {
    /// Returns where in the head the mistake is, as line and column, as far as its words can be found.
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
