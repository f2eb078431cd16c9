//! The objects that every command uses: the shell, the notices that are printed once, and commands for the user to
//! copy.
//!
//! A command to copy names the discussion by its shortest name, and the provider if one was chosen. A notice is printed
//! before its event, at most once per invocation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::view::visible_line;
use discussions::workspace::Workspace;

use crate::cli::environment::HostEnvironment;
use crate::cli::error::CommandError;
use crate::cli::ui::{Line, Ui};
use crate::cli::words::typed;

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
        workspace.providers().broken_providers().into_iter().for_each(|why| self.ui.warning(why));
        Ok(workspace)
    }

    /// Opens the workspace for a command that calls models or defines participants.
    pub(crate) fn asking_workspace(&mut self) -> Result<Arc<Workspace>, CommandError> {
        let workspace = self.workspace()?;
        if let Some(file) = workspace.providers().ignored_providers() {
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
        let all = workspace.discussions().list(None)?.discussions;
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

/// A discussion, as a command names it.
pub(crate) struct CommandHint {
    program: String,
    name: String,
    provider: Option<String>,
}

impl CommandHint {
    /// Uses the shortest name that finds the discussion from the folder in which the program was started.
    pub(crate) fn of(shell: &Shell, workspace: &Workspace, path: &Path) -> Self {
        let name = typed(&workspace.name(path)).into_owned();
        Self { program: shell.outside.program(), name, provider: None }
    }

    /// Adds the provider that answers for all participants, so that it also answers in the next command.
    pub(crate) fn with_provider(self, provider: Option<&str>) -> Self {
        Self { provider: provider.map(|provider| typed(provider).into_owned()), ..self }
    }

    /// Returns the name, quoted for a shell.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the command with this discussion, as the user types it.
    pub(crate) fn command(&self, verb: &str, more: &str) -> String {
        let Self { program, name, provider } = self;
        let blank = if more.is_empty() { "" } else { " " };
        let provider = provider.as_ref().filter(|_| ["run", "turn"].contains(&verb));
        let provider = provider.map(|provider| format!(" --provider {provider}"));
        format!("{program} {verb} {name}{blank}{more}{}", provider.unwrap_or_default())
    }
}

/// The notices that were already printed.
#[derive(Debug, Default)]
pub(crate) struct Notices(BTreeSet<String>);

impl Notices {
    /// Returns the notice that a project-defined command runs without confirmation, because an environment variable
    /// allows it.
    pub(crate) fn trusted_by_environment(&mut self, name: &str, place: &str) -> Option<Line> {
        self.first_time(format!(
            "this project defines {name} ({place}), and DISCUSSIONS_TRUST=all trusts it"
        ))
        .map(|text| Line::hint("note", text))
    }

    /// Returns the warning that an environment variable has an unknown value.
    pub(crate) fn unknown_trust(&mut self, word: &str) -> Option<Line> {
        self.first_time(format!("ignoring DISCUSSIONS_TRUST={word}: the only valid value is `all`"))
            .map(Line::warning)
    }

    /// Returns the notice that an untrusted provider is not used as a fallback.
    pub(crate) fn left_out(&mut self, name: &str, place: &str) -> Option<Line> {
        self.first_time(format!(
            "{name} is not used as a fallback: this project defines it ({place}), and you do not trust it; to review \
             it: `discussions trust`"
        ))
        .map(|text| Line::hint("note", text))
    }

    /// Returns the notice that the project replaces a bundled template or persona. The notice is needed
    /// although a replacement runs no command, because users know the bundled one by that name.
    pub(crate) fn stand_in(&mut self, what: &str, name: &str, file: &str) -> Option<Line> {
        self.first_time(format!("this project's {what} `{name}` ({file}) replaces the bundled one"))
            .map(|text| Line::hint("note", text))
    }

    /// Returns the warning that another provider is called instead of the intended one.
    pub(crate) fn passed_over(&mut self, who: &str, why: &str, instead: &str) -> Option<Line> {
        self.first_time(format!("using {instead} instead of {who}: {why}")).map(Line::warning)
    }

    /// Returns the warning that participants that failed permanently are skipped for the rest of the run.
    pub(crate) fn stays_out(&mut self, who: &[String], called: &CommandHint) -> Option<Line> {
        let mentions = who.iter().map(|who| format!("@{who}")).collect::<Vec<_>>().join(" ");
        self.first_time(format!(
            "skipped for the rest of this run: {}; once the cause is fixed, ask again with `{}`",
            who.join(", "),
            called.command("turn", &mentions)
        ))
        .map(Line::warning)
    }

    fn first_time(&mut self, text: String) -> Option<String> {
        self.0.insert(text.clone()).then_some(text)
    }
}
