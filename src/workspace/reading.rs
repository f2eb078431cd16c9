//! Builds snapshots from files. Readers ignore a wrong head; writers reject it.

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
use crate::view::default_participants;
use crate::yaml::LoadError;

impl Workspace {
    /// Returns the current state of a discussion, even if the file has problems.
    ///
    /// # Errors
    /// Fails if the file cannot be read, for a link out of its project, and if the default template is broken.
    pub fn snapshot(&self, path: &Path) -> Result<Snapshot, WorkspaceError> {
        self.snapshot_of(&self.document(path)?)
    }

    /// Returns the snapshot of a document. Leaves out its wrong parts and lists them among the problems.
    ///
    /// # Errors
    /// Fails if the default template is broken.
    pub(crate) fn snapshot_of(&self, document: &Document) -> Result<Snapshot, WorkspaceError> {
        let transcript = parse(&document.text);
        let mut problems = document.problems.clone();
        let template = match self.template_of(&transcript) {
            Err(error) if named_template(&transcript).is_some() => {
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
        let config = DiscussionConfig::for_readers(
            &transcript,
            &template,
            &self.setup.roster,
            &self.defaults_for(&template),
            &mut problems,
        )?;
        Ok(self.fold(transcript, config, problems))
    }

    /// Returns a snapshot with everything that a writer needs: UTF-8 text, the head's own template, and a head that
    /// fits it.
    ///
    /// # Errors
    /// Fails if one of these is missing, with the place of the problem.
    pub(crate) fn exact(&self, document: &Document) -> Result<Snapshot, WorkspaceError> {
        document.insist_exact()?;
        let transcript = parse(&document.text);
        // Between conflict marks, it is uncertain to which author a block belongs, and if it counts.
        let marks = transcript.problems.iter().filter(|it| it.code == ProblemCode::Conflict);
        if let Some(line) = marks.map(|problem| problem.line).min() {
            return Err(StoreError::Conflict { path: document.path.clone(), line }.into());
        }
        let template = self.template_of(&transcript)?;
        let head = transcript.head.as_ref();
        let config = self.config(head, &template).map_err(|error| match head {
            None => WorkspaceError::from(error),
            Some(_) => {
                let origin = self.setup.shown_path(&document.path);
                let place = error.place(&document.text);
                LoadError::at(&origin, &document.text, 1, place, error.to_string()).into()
            }
        })?;
        Ok(self.fold(transcript, config, Vec::new()))
    }

    /// Reads the part of a discussion that the writer of a comment needs: of a long one, only the beginning and the
    /// end.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or for a link out of its project.
    pub(crate) fn excerpt(&self, path: &Path) -> Result<Excerpt, WorkspaceError> {
        self.open_with(path, store::excerpt_at)
    }

    /// Returns true if a discussion is so long that a comment reads only its beginning and its end.
    #[must_use]
    pub fn is_long(&self, path: &Path) -> bool {
        self.open_with(path, |place| Ok(store::length(place))).ok().flatten() > Some(store::LONG)
    }

    /// Returns [`Self::exact`] of a file's current content.
    pub(crate) fn exact_at(&self, path: &Path) -> Result<Snapshot, WorkspaceError> {
        self.exact(&self.document(path)?)
    }

    /// Returns the snapshot of a text as if it were the file of this path.
    ///
    /// # Errors
    /// Fails if a part that a writer needs is missing.
    pub(crate) fn exact_text(&self, path: &Path, text: &str) -> Result<Snapshot, WorkspaceError> {
        self.exact(&Document {
            path: path.to_owned(),
            text: text.into(),
            problems: Vec::new(),
            wrong: None,
            modified: None,
        })
    }

    /// Returns the template that the head names, or the default template.
    fn template_of(&self, transcript: &Transcript) -> Result<Arc<Template>, WorkspaceError> {
        self.template(named_template(transcript).unwrap_or(self.default_template()))
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
            defaults.participants = default_participants();
        }
        defaults
    }
}

fn named_template(transcript: &Transcript) -> Option<&str> {
    transcript.head.as_ref()?.template.as_deref()
}
