//! What a discussion's head fixes, and what becomes of a head that is wrong: readers go on without it, writers refuse.

use super::Workspace;
use super::discussion::Discussion;
use super::error::WorkspaceError;
use crate::problem::{Problem, Severity};
use crate::state::{Charter, CharterError};
use crate::transcript::Head;
use crate::yaml::LoadError;

impl Discussion {
    /// What is fixed, and what is wrong with it.
    ///
    /// # Errors
    /// When even the template alone does not hold together.
    pub(super) fn charter<'a>(
        &'a self,
        workspace: &'a Workspace,
        head: Option<&Head>,
    ) -> Result<(Charter<'a>, Option<Problem>), WorkspaceError> {
        let (roster, defaults) = (&workspace.setup.roster, self.defaults(workspace));
        let error = match Charter::new(head, &self.template, roster, &defaults) {
            Ok(charter) => return Ok((charter, None)),
            Err(error) => error,
        };
        let Some(head) = head else { return Err(error.into()) };
        let (consensus, parameters) = Default::default();
        let bare = Head { consensus, parameters, ..head.clone() };
        let charter = Charter::new(Some(&bare), &self.template, roster, &defaults)?;
        let place = self.place(&error);
        Ok((charter, Some(Problem::new(Severity::Error, "head-wrong", place, error.to_string()))))
    }

    /// Insists on all that a writer needs: text in UTF-8, the head's own template, a head that fits it.
    ///
    /// # Errors
    /// What is not so, with its place.
    pub fn insist(&self, workspace: &Workspace) -> Result<(), WorkspaceError> {
        self.document.insist_exact()?;
        let head = Head::find(&self.document.text);
        if let (Some(_), Some(id)) =
            (&self.template_problem, head.as_ref().and_then(|head| head.template.as_ref()))
        {
            workspace.template(id)?;
        }
        let (_, wrong) = self.charter(workspace, head.as_ref())?;
        wrong.map_or(Ok(()), |wrong| {
            let origin = workspace.setup.shown(self.path());
            let place = (wrong.line, wrong.column);
            Err(LoadError::at(&origin, &self.document.text, 1, place, wrong.message).into())
        })
    }

    /// Where in the head a mistake stands, as far as its words can be found.
    fn place(&self, error: &CharterError) -> (usize, usize) {
        let word = error.key();
        let lines = self.document.text.lines().enumerate();
        let mut head = lines.take_while(|(_, line)| line.trim_end() != "-->");
        head.find_map(|(index, line)| {
            let at = line.find(word)?;
            Some((index + 1, line[..at].chars().count() + 1))
        })
        .unwrap_or((1, 1))
    }
}
