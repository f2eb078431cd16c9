//! From a file to a snapshot. Readers take a head that is wrong and go on without it; writers refuse it.

use std::path::Path;
use std::sync::Arc;

use super::Workspace;
use super::error::WorkspaceError;
use crate::codes::ProblemCode;
use crate::engine::Snapshot;
use crate::problem::{Problem, Severity};
use crate::state::{Defaults, DiscussionConfig, DiscussionConfigError};
use crate::store::{self, Document, Excerpt, StoreError};
use crate::template::Template;
use crate::transcript::{Head, Transcript, parse};
use crate::yaml::LoadError;

impl Workspace {
    /// A discussion as its file stands now, whatever is wrong with it.
    ///
    /// # Errors
    /// A file that cannot be read, one behind a link out of its project, and a default template that is broken.
    pub fn snapshot(&self, path: &Path) -> Result<Snapshot, WorkspaceError> {
        self.snapshot_of(&self.document(path)?)
    }

    /// A document as it can be understood: what is wrong with it is among the problems, and left out.
    ///
    /// # Errors
    /// A default template that is broken.
    pub(crate) fn snapshot_of(&self, document: &Document) -> Result<Snapshot, WorkspaceError> {
        let transcript = parse(&document.text);
        let mut problems = document.problems.clone();
        let template = match self.template_of(&transcript) {
            Err(error) if named(&transcript).is_some() => {
                let code = ProblemCode::TemplateUnknown;
                let message = match &error {
                    WorkspaceError::Template { .. } => {
                        format!("{error}; {}", self.template_folders())
                    }
                    _ => error.to_string(),
                };
                let problem = Problem::new(Severity::Error, code, (1, 1), message);
                problems.push(problem.with_fix(error.fix()));
                self.template(self.default_template())?
            }
            template => template?,
        };
        let config = match (self.config(transcript.head.as_ref(), &template), &transcript.head) {
            (Err(error), Some(head)) => {
                let (consensus, parameters) = Default::default();
                let bare = Head { consensus, parameters, ..head.clone() };
                let place = place(&transcript.text, &error);
                problems.push(Problem::new(
                    Severity::Error,
                    ProblemCode::HeadWrong,
                    place,
                    error.to_string(),
                ));
                self.config(Some(&bare), &template)
            }
            (config, _) => config,
        }?;
        Ok(self.fold(transcript, config, problems))
    }

    /// A document with all that a writer needs: text in UTF-8, the head's own template, a head that fits it.
    ///
    /// # Errors
    /// What is not so, with its place.
    pub(crate) fn exact(&self, document: &Document) -> Result<Snapshot, WorkspaceError> {
        document.insist_exact()?;
        let transcript = parse(&document.text);
        // Between conflict marks nobody can say whose words a block holds, or whether it counts.
        let marks = transcript.problems.iter().filter(|it| it.code == ProblemCode::Conflict);
        if let Some(line) = marks.map(|problem| problem.line).min() {
            return Err(StoreError::Conflict { path: document.path.clone(), line }.into());
        }
        let template = self.template_of(&transcript)?;
        let head = transcript.head.as_ref();
        let config = self.config(head, &template).map_err(|error| match head {
            None => WorkspaceError::from(error),
            Some(_) => {
                let origin = self.setup.shown(&document.path);
                let place = place(&document.text, &error);
                LoadError::at(&origin, &document.text, 1, place, error.to_string()).into()
            }
        })?;
        Ok(self.fold(transcript, config, Vec::new()))
    }

    /// A discussion as far as a comment's writer reads it: a long one only at its beginning and its end.
    ///
    /// # Errors
    /// A file that cannot be read, and one behind a link out of its project.
    pub(crate) fn excerpt(&self, path: &Path) -> Result<Excerpt, WorkspaceError> {
        self.open_with(path, store::excerpt_at)
    }

    /// Returns whether a discussion is so long that a comment reads only its beginning and its end.
    #[must_use]
    pub fn is_long(&self, path: &Path) -> bool {
        self.open_with(path, |place| Ok(store::length(place))).ok().flatten() > Some(store::LONG)
    }

    /// [`Self::exact`] of what a file holds now.
    pub(crate) fn exact_at(&self, path: &Path) -> Result<Snapshot, WorkspaceError> {
        self.exact(&self.document(path)?)
    }

    /// A text as the file of this path that it would be.
    ///
    /// # Errors
    /// What is not as a writer needs it.
    pub(crate) fn exact_text(&self, path: &Path, text: &str) -> Result<Snapshot, WorkspaceError> {
        self.exact(&Document {
            path: path.to_owned(),
            text: text.into(),
            problems: Vec::new(),
            wrong: None,
            modified: None,
        })
    }

    /// The template that a head names, else the default one.
    fn template_of(&self, transcript: &Transcript) -> Result<Arc<Template>, WorkspaceError> {
        self.template(named(transcript).unwrap_or(self.default_template()))
    }

    fn config(
        &self,
        head: Option<&Head>,
        template: &Arc<Template>,
    ) -> Result<DiscussionConfig, DiscussionConfigError> {
        DiscussionConfig::new(head, template, &self.setup.roster, &self.defaults_for(template))
    }

    fn defaults_for(&self, template: &Template) -> Defaults {
        let mut defaults = self.defaults();
        if defaults.participants.is_empty() && template.participants.default.is_empty() {
            defaults.participants = Self::fallback_participants();
        }
        defaults
    }
}

fn named(transcript: &Transcript) -> Option<&str> {
    transcript.head.as_ref()?.template.as_deref()
}

/// Where in the head a mistake stands, as far as its words can be found.
fn place(text: &str, error: &DiscussionConfigError) -> (usize, usize) {
    let word = error.key();
    let mut head = text.lines().enumerate().take_while(|(_, line)| line.trim_end() != "-->");
    let found = head.find_map(|(index, line)| {
        let at = line.find(word)?;
        Some((index + 1, line[..at].chars().count() + 1))
    });
    found.unwrap_or((1, 1))
}
