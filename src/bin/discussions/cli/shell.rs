//! The objects that every command uses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::view::visible_line;
use discussions::workspace::Workspace;

use crate::cli::environment::HostEnvironment;
use crate::cli::error::CommandError;
use crate::cli::notices::Notices;
use crate::cli::ui::Ui;
use crate::cli::words::typed::typed;

/// The maximum number of names in a message that asks for a choice.
const NAMED: usize = 6;

/// Which discussions an error names if several could be meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Candidates {
    /// Open ones; others only if none is open.
    Open,
    /// Open ones and decided ones: all that can still be closed.
    NotClosed,
    /// All.
    All,
}

/// The terminal, the environment, and the notices already printed.
pub(crate) struct Shell {
    pub(crate) ui: Ui,
    pub(crate) outside: HostEnvironment,
    pub(crate) notices: Notices,
}

impl Shell {
    /// Opens the workspace: configuration, personas, templates and providers of the working folder.
    pub(crate) fn workspace(&mut self) -> Result<Arc<Workspace>, CommandError> {
        let workspace = Arc::new(self.outside.open()?);
        workspace.broken_providers().into_iter().for_each(|why| self.ui.warning(why));
        Ok(workspace)
    }

    /// Opens the workspace for a command that calls models or defines participants.
    pub(crate) fn asking_workspace(&mut self) -> Result<Arc<Workspace>, CommandError> {
        let workspace = self.workspace()?;
        if let Some(file) = workspace.ignored_providers() {
            self.ui.warning(format!(
                "{file} is ignored because this folder is not a project; `discussions init` makes it one"
            ));
        }
        Ok(workspace)
    }

    /// Opens the workspace for a command that continues a discussion. Fails for a model that is answering in a
    /// discussion at the moment, because that discussion would not count the cost.
    pub(crate) fn running_workspace(&mut self) -> Result<Arc<Workspace>, CommandError> {
        if let Some(asked) = self.outside.calling_turn() {
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
            return Err(CommandError::input(message).help(help));
        }
        self.asking_workspace()
    }

    /// Returns the author: the name on the command line, or else the person at the keyboard.
    pub(crate) fn author(
        &self,
        workspace: &Workspace,
        named: Option<&str>,
    ) -> Result<String, CommandError> {
        Ok(workspace.author(named, || self.outside.login())?)
    }

    /// Returns the discussion that the command line names, or else the only open one. If its name does not begin with
    /// the typed text, prints the name.
    pub(crate) fn discussion(
        &mut self,
        workspace: &Workspace,
        named: Option<&Path>,
    ) -> Result<PathBuf, CommandError> {
        self.find(workspace, named, Candidates::Open)
    }

    /// Finds a discussion as [`Shell::discussion`] does, for closing it: the error names decided ones too.
    pub(crate) fn discussion_to_close(
        &mut self,
        workspace: &Workspace,
        named: Option<&Path>,
    ) -> Result<PathBuf, CommandError> {
        self.find(workspace, named, Candidates::NotClosed)
    }

    /// Finds a discussion as [`Shell::discussion`] does, for commands that are often used on decided ones. If the user
    /// names none and it is unclear which one is meant, the error also names those that are not open.
    pub(crate) fn discussion_in_any_state(
        &mut self,
        workspace: &Workspace,
        named: Option<&Path>,
    ) -> Result<PathBuf, CommandError> {
        self.find(workspace, named, Candidates::All)
    }

    fn find(
        &mut self,
        workspace: &Workspace,
        named: Option<&Path>,
        candidates: Candidates,
    ) -> Result<PathBuf, CommandError> {
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
        let named = |is_wanted: &dyn Fn(&str) -> bool| -> Vec<&str> {
            let wanted = all.iter().filter(|one| is_wanted(one.status.as_str()));
            wanted.map(|one| one.name.as_str()).collect()
        };
        let open = named(&|status| status == "OPEN");
        let others = named(&|status| match candidates {
            Candidates::NotClosed => !["OPEN", "CLOSED"].contains(&status),
            Candidates::Open | Candidates::All => status != "OPEN",
        });
        let message = match (open.as_slice(), others.as_slice()) {
            ([one], _) => {
                self.ui.note_wrapped(format!("Found: {}", typed(one)).into());
                return Ok(workspace.find(Path::new(one))?);
            }
            ([], []) => {
                return Err(CommandError::usage("which discussion? None is open here")
                    .help("`discussions list` shows all"));
            }
            ([], others) => format!("None is open here; there are: {}", several(others)),
            (open, others) if !others.is_empty() && candidates != Candidates::Open => {
                format!("These are open: {}; not open: {}", several(open), several(others))
            }
            (open, _) => format!("These are open: {}", several(open)),
        };
        Err(CommandError::usage(format!("which discussion? {message}"))
            .help("give a name, or the beginning of one"))
    }

    /// Prints a note if the repository asks for the merge driver and this clone lacks it, so that git would merge
    /// discussions line by line.
    pub(crate) fn merge_driver(&mut self, workspace: &Workspace, path: Option<&Path>) {
        if workspace.lacks_merge_driver(path) {
            self.ui.hint(
                "note",
                "this clone has no merge driver for discussions, so comments from two branches will conflict: run \
                 `discussions init`",
            );
        }
    }

    /// Warns that the summary of a discussion could not be written. The discussion itself is already stored.
    pub(crate) fn summary(&mut self, failed: Option<&str>) {
        if let Some(reason) = failed {
            self.ui.warning(format!("the summary was not written: {reason}"));
        }
    }
}

/// Lists the first names, and says how many there are beyond them.
fn several(discussions: &[&str]) -> String {
    let names = discussions.iter().take(NAMED).map(|name| typed(name).into_owned());
    let names: Vec<String> = names.collect();
    let more = match discussions.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", names.join(", "))
}
