//! A discussion's file, read, and what it needs to be understood.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Workspace;
use super::error::WorkspaceError;
use crate::engine::Situation;
use crate::problem::{Problem, Severity};
use crate::store::{self, Document, Receipt, Writer};
use crate::template::Template;
use crate::transcript::{Draft, Head, parse};

/// A discussion as its file stands now. Cheap to read again, and to be read again after every append.
#[derive(Debug)]
pub struct Discussion {
    /// The file's text.
    pub document: Document,
    /// The form of discussion.
    pub template: Arc<Template>,
    /// The head names a template that is not there or broken; the default one stands in, for reading only.
    pub template_problem: Option<Problem>,
}

impl Workspace {
    /// Reads a discussion.
    ///
    /// # Errors
    /// A file that cannot be read, and one behind a link out of its project.
    pub fn load(&self, path: &Path) -> Result<Discussion, WorkspaceError> {
        self.setup.insist_inside(path)?;
        self.understand(store::read(path)?)
    }

    /// Finds the template of a document.
    ///
    /// # Errors
    /// When even the default template is broken.
    pub fn understand(&self, document: Document) -> Result<Discussion, WorkspaceError> {
        let named = named_template(&document.text);
        let id = named.as_deref().unwrap_or(self.default_template());
        let (template, template_problem) = match self.template(id) {
            Ok(template) => (template, None),
            Err(error) if named.is_some() => {
                let problem =
                    Problem::new(Severity::Error, "template-unknown", (1, 1), error.to_string());
                (self.template(self.default_template())?, Some(problem))
            }
            Err(error) => return Err(error),
        };
        Ok(Discussion { document, template, template_problem })
    }

    /// Waits for other writers, then lets one read, decide and append.
    ///
    /// # Errors
    /// When the lock cannot be had, and as [`Workspace::load`].
    pub fn writer(&self, path: &Path) -> Result<Writer, WorkspaceError> {
        self.setup.insist_inside(path)?;
        Ok(Writer::lock(path, self.lock_wait)?)
    }

    /// Appends blocks, all or none.
    ///
    /// # Errors
    /// When the file cannot be written; then nothing of them is in it.
    pub fn append(&self, path: &Path, drafts: &[Draft]) -> Result<Receipt, WorkspaceError> {
        Ok(self.writer(path)?.append(drafts)?)
    }
}

impl Discussion {
    /// The file.
    pub fn path(&self) -> &PathBuf {
        &self.document.path
    }

    /// Reads, folds, and lets the caller look.
    ///
    /// A head that is wrong is a problem among the others, and its rules are left out.
    ///
    /// # Errors
    /// When the template does not hold together.
    pub fn with<T>(
        &self,
        workspace: &Workspace,
        look: impl FnOnce(&Situation<'_>) -> T,
    ) -> Result<T, WorkspaceError> {
        let transcript = parse(&self.document.text);
        let (charter, wrong) = self.charter(workspace, transcript.head.as_ref())?;
        let mut situation = Situation::new(&transcript, &charter);
        situation.state.problems.extend(self.document.problems.iter().cloned());
        situation.state.problems.extend(self.template_problem.iter().cloned());
        situation.state.problems.extend(wrong);
        situation.state.problems.sort_by_key(|problem| (problem.line, problem.column));
        Ok(look(&situation))
    }

    pub(super) fn defaults(&self, workspace: &Workspace) -> crate::state::Defaults {
        let mut defaults = workspace.defaults();
        if defaults.participants.is_empty() && self.template.participants.default.is_empty() {
            defaults.participants = Workspace::fallback_participants();
        }
        defaults
    }
}

/// The template that a text's head names. Nothing else is read.
fn named_template(text: &str) -> Option<String> {
    Head::find(text)?.template
}
