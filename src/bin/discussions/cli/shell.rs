//! What every verb is given.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::transcript::visible_line;
use discussions::workspace::Workspace;

use crate::cli::error::Failure;
use crate::cli::notices::Notices;
use crate::cli::surroundings::Outside;
use crate::cli::ui::Ui;
use crate::cli::words::typed::typed;

/// How many names are told where one is to be chosen.
const NAMED: usize = 6;

/// The terminal and the machine.
pub(crate) struct Shell {
    pub(crate) ui: Ui,
    pub(crate) outside: Outside,
    pub(crate) notices: Notices,
}

impl Shell {
    /// Configuration, personas, templates and providers of the working folder.
    pub(crate) fn workspace(&mut self) -> Result<Arc<Workspace>, Failure> {
        let workspace = Arc::new(self.outside.open()?);
        workspace.broken_providers().into_iter().for_each(|why| self.ui.warning(why));
        Ok(workspace)
    }

    /// The same for a verb that asks models, or is about who they are.
    pub(crate) fn asking_workspace(&mut self) -> Result<Arc<Workspace>, Failure> {
        let workspace = self.workspace()?;
        if let Some(file) = workspace.ignored_providers() {
            self.ui.warning(format!(
                "{file} is ignored because this folder is not a project; `discussions init` makes it one"
            ));
        }
        Ok(workspace)
    }

    /// The same for a verb that goes on with a discussion: not for who is asked in one at this moment, since nothing
    /// there
    /// would count what it costs.
    pub(crate) fn running_workspace(&mut self) -> Result<Arc<Workspace>, Failure> {
        if let Some(asked) = self.outside.asked() {
            let file = asked.file.display().to_string();
            let message = format!(
                "`{}` is answering in {} now, and the cost of this run would not be counted there",
                asked.by,
                visible_line(&file)
            );
            let help = format!(
                "to open a sub-discussion: discussions discuss \"...\" --within {} --turn {} --as {}",
                typed(&visible_line(&file)),
                asked.turn,
                asked.by
            );
            return Err(Failure::input(message).help(help));
        }
        self.asking_workspace()
    }

    /// Who writes: the one named on the command line, else the person at the keyboard.
    pub(crate) fn author(
        &self,
        workspace: &Workspace,
        named: Option<&str>,
    ) -> Result<String, Failure> {
        Ok(workspace.author(named, || self.outside.login())?)
    }

    /// The discussion that is meant: the one that is named, else the only open one. Where what was typed is not
    /// how its name begins, it is told which.
    pub(crate) fn discussion(
        &mut self,
        workspace: &Workspace,
        named: Option<&Path>,
    ) -> Result<PathBuf, Failure> {
        if let Some(name) = named {
            let path = workspace.find(name)?;
            let begins = |path: &Path| {
                let name = |path: &Path| {
                    path.file_name().unwrap_or_default().to_string_lossy().to_lowercase()
                };
                name(path).starts_with(&name(named.unwrap_or(path)))
            };
            if !begins(&path) {
                self.ui.note_wrapped(format!("Found: {}", typed(&workspace.name(&path))).into());
            }
            return Ok(path);
        }
        let all = workspace.list(None)?.discussions;
        let open: Vec<&str> = all
            .iter()
            .filter(|one| one.status.as_str() == "OPEN")
            .map(|one| one.name.as_str())
            .collect();
        match open.as_slice() {
            [one] => {
                self.ui.note_wrapped(format!("Found: {}", typed(one)).into());
                Ok(workspace.find(Path::new(one))?)
            }
            [] => Err(Failure::usage("which discussion? None is open here")
                .help("`discussions list` shows all")),
            several => {
                let names: Vec<String> =
                    several.iter().take(NAMED).map(|name| typed(name).into_owned()).collect();
                let more = match several.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let message =
                    format!("which discussion? These are open: {}{more}", names.join(", "));
                Err(Failure::usage(message).help("give a name, or the beginning of one"))
            }
        }
    }

    /// Tells that git would merge discussions line by line in this clone, though the repository asks for the merge
    /// driver.
    pub(crate) fn merge_driver(&mut self, workspace: &Workspace, path: Option<&Path>) {
        if workspace.lacks_merge_driver(path) {
            self.ui.hint(
                "note",
                "this clone has no merge driver for discussions, so comments from two branches will conflict: run \
                 `discussions init`",
            );
        }
    }

    /// Tells why the summary beside a discussion could not be written. The discussion itself is safe by then.
    pub(crate) fn summary(&mut self, failed: Option<&str>) {
        if let Some(reason) = failed {
            self.ui.warning(format!("the summary was not written: {reason}"));
        }
    }
}
