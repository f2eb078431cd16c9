//! The only place of the program that examines the machine: working folder, environment, user.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use discussions::runner::Trust;
use discussions::view::visible_line;
use discussions::workspace::{Consents, Question, Surroundings, Workspace, WorkspaceError};

use crate::cli::pager::Pager;
use crate::cli::words::typed;

/// The variable that, with the value `all`, trusts everything that a project defines.
const TRUST: &str = "DISCUSSIONS_TRUST";

/// Returns the path of this program, to start it again.
fn own_program() -> Option<PathBuf> {
    // On Linux this path works even if an update replaced or removed the file.
    let this = Path::new("/proc/self/exe");
    if this.exists() { Some(this.to_owned()) } else { std::env::current_exe().ok() }
}

/// Returns true if the environment allows terminal codes.
pub(crate) fn knows_codes() -> bool {
    let is_set = |key| std::env::var_os(key).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// A participant that is being asked in a discussion, by the variables that its run set.
#[derive(Clone, Debug)]
pub(crate) struct CallingTurn {
    /// The discussion.
    pub(crate) file: PathBuf,
    /// The turn's number.
    pub(crate) turn: u32,
    /// The participant's alias.
    pub(crate) by: String,
}

impl CallingTurn {
    /// Makes a question part of the discussion in which the participant is being asked, if there is one.
    pub(crate) fn of(asked: Option<Self>, question: Question) -> Question {
        match asked {
            Some(Self { file, turn, by }) => question.asked_in(file, turn, by),
            None => question,
        }
    }
}

/// The environment of the program.
#[derive(Clone)]
pub(crate) struct HostEnvironment {
    pub(crate) folder: PathBuf,
    surroundings: Surroundings,
    state_folder: Option<PathBuf>,
    /// The working folder that the command line named.
    named: Option<PathBuf>,
    /// The user allows secrets to be sent to models.
    pub(crate) allows_secrets: bool,
}

impl HostEnvironment {
    /// Reads the environment, after changing to the folder that the command line named, so that editors and git start
    /// there too.
    pub(crate) fn look(there: Option<&Path>) -> io::Result<Self> {
        if let Some(there) = there {
            std::env::set_current_dir(there)?;
        }
        let mut surroundings = Surroundings::of_machine()?;
        let folder = surroundings.folder.clone();
        let state_folder = surroundings.state_folder();
        if let Some(program) = own_program() {
            let environment = std::mem::take(&mut surroundings.environment);
            surroundings.environment = environment.guarded_by(program, vec!["guard".into()]);
        }
        let named = there.map(Path::to_owned);
        Ok(Self { folder, surroundings, state_folder, named, allows_secrets: false })
    }

    /// Returns this environment with another working folder. The process stays in its own.
    #[cfg(feature = "lsp")]
    pub(crate) fn in_folder(&self, folder: &Path) -> Self {
        let mut other = self.clone();
        folder.clone_into(&mut other.folder);
        folder.clone_into(&mut other.surroundings.folder);
        other
    }

    /// Returns the command that starts this program in the current folder again.
    pub(crate) fn program(&self) -> String {
        match &self.named {
            Some(folder) => {
                format!("discussions -C {}", typed(&visible_line(&folder.to_string_lossy())))
            }
            None => "discussions".to_owned(),
        }
    }

    /// Opens the workspace of the working folder.
    pub(crate) fn open(&self) -> Result<Workspace, WorkspaceError> {
        let workspace = Workspace::open(self.surroundings.clone())?;
        let workspace = if self.allows_secrets { workspace.allowing_secrets() } else { workspace };
        Ok(match &self.state_folder {
            Some(folder) => workspace.with_consents_in(folder),
            None => workspace,
        })
    }

    /// Returns the folder of the user's trust decisions, if there is one.
    pub(crate) fn state_folder(&self) -> Option<&Path> {
        self.state_folder.as_deref()
    }

    /// Returns true if everything is trusted, and the variable's value if it is unknown.
    pub(crate) fn trusts_all(&self) -> (bool, Option<String>) {
        match self.var(TRUST) {
            Some(word) if word == "all" => (true, None),
            word => (false, word),
        }
    }

    /// Returns the project-defined commands that may run without asking the user.
    pub(crate) fn trust(&self) -> Trust {
        if self.trusts_all().0 { Trust::Asked(Consents::all()) } else { Trust::Remembered }
    }

    /// Returns the login name, from the system.
    pub(crate) fn login(&self) -> Option<String> {
        self.output("id", &["-un"])
    }

    /// Returns the editor command, as the user wrote it.
    pub(crate) fn editor(&self) -> String {
        ["VISUAL", "EDITOR"].iter().find_map(|key| self.var(key)).unwrap_or_else(|| "vi".to_owned())
    }

    /// Returns the pager command, as the user wrote it; `None` if no pager is wanted.
    pub(crate) fn pager(&self) -> Option<Pager> {
        let environment = &self.surroundings.environment;
        let said =
            |key: &str| environment.var(key).map(|value| value.to_string_lossy().into_owned());
        if said("TERM").is_none_or(|terminal| terminal.is_empty() || terminal == "dumb") {
            return None;
        }
        Pager::new(
            said("PAGER").as_deref(),
            |program| self.command_outside(program),
            said("LESS").is_none(),
        )
    }

    /// Returns the width of the terminal from the variable.
    pub(crate) fn columns(&self) -> Option<usize> {
        self.var("COLUMNS")?.parse().ok().filter(|columns| *columns >= 20)
    }

    /// Returns true if the working folder is no place for discussions: the root folder or the home folder without a
    /// configuration, or the folder of an installed agent plugin. Some agents start servers there. A folder that the
    /// command line names is always a place for discussions.
    #[cfg(feature = "mcp")]
    pub(crate) fn is_outside_projects(&self) -> bool {
        if self.named.is_some() {
            return false;
        }
        let real = |path: PathBuf| path.canonicalize().ok();
        let here = real(self.folder.clone());
        let named = |key| self.var(key).and_then(|path| real(path.into()));
        // Agents set the variable for servers of plugins. Other programs may use it for something else.
        let is_plugin = here.is_some() && named("PLUGIN_ROOT") == here;
        if is_plugin && self.folder.join("plugin.json").is_file() {
            return true;
        }
        let is_home = here.is_some() && [named("HOME"), named("USERPROFILE")].contains(&here);
        let is_general = is_home || self.folder.parent().is_none();
        is_general && !self.folder.join("discussions.yaml").is_file()
    }

    /// Creates a folder that only the user can enter. It is removed when the returned value is dropped.
    pub(crate) fn temporary_folder(&self) -> io::Result<impl AsRef<Path> + use<>> {
        self.surroundings.environment.temporary_folder()
    }

    /// Returns a command for a program. Neither the program nor one that it starts is found in a folder of the project.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let environment = self.surroundings.environment.clone().without_programs_of(&self.folder);
        if let Some(path) = environment.var("PATH") {
            command.env("PATH", path);
        }
        command
    }

    /// Returns a command for a program that needs no file of the project, so it starts in the root folder.
    pub(crate) fn command_outside(&self, program: &str) -> Command {
        let mut command = self.command(program);
        command.current_dir(self.folder.ancestors().last().unwrap_or(&self.folder));
        command
    }

    /// Returns the participant that is being asked now, from the variables of the program that started this one.
    pub(crate) fn calling_turn(&self) -> Option<CallingTurn> {
        let file = PathBuf::from(self.var("DISCUSSIONS_FILE")?);
        let turn = self.var("DISCUSSIONS_TURN")?.parse().ok()?;
        Some(CallingTurn { file, turn, by: self.var("DISCUSSIONS_PARTICIPANT")? })
    }

    fn var(&self, key: &str) -> Option<String> {
        let value = self.surroundings.environment.var(key).and_then(OsStr::to_str)?;
        Some(value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    /// Returns the output of a small program.
    fn output(&self, program: &str, args: &[&str]) -> Option<String> {
        let run = self
            .command_outside(program)
            .args(args)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(run.stdout).ok()?.trim().to_owned();
        (run.status.success() && !text.is_empty()).then_some(text)
    }
}
