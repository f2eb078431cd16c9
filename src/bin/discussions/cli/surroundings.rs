//! The only place that looks at the machine: working folder, environment, configuration folder, who is at the keyboard.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use directories::{BaseDirs, ProjectDirs};
use discussions::provider::{Environment, Ledger};
use discussions::store::user_name;
use discussions::transcript::Name;
use discussions::workspace::{Surroundings, SystemClock, Workspace, WorkspaceError};

/// Overrides the user's configuration folder.
const CONFIG_DIR: &str = "DISCUSSIONS_CONFIG_DIR";

/// Overrides the folder in which is kept what the user trusts.
const STATE_DIR: &str = "DISCUSSIONS_STATE_DIR";

/// Where it says `all`, whatever a project brings along is trusted.
const TRUST: &str = "DISCUSSIONS_TRUST";

/// Who writes when nobody can be found out.
const NAMELESS: &str = "Human";

/// What a folder is to git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Files under version control.
    WorkTree,
    /// Git's own files: a bare repository, or `.git`.
    Gits,
    /// Nothing.
    NoRepository,
}

/// What the machine says.
pub(crate) struct Outside {
    pub(crate) folder: PathBuf,
    user_folder: Option<PathBuf>,
    state_folder: Option<PathBuf>,
    environment: Environment,
}

impl Outside {
    /// Looks once.
    pub(crate) fn look() -> io::Result<Self> {
        let folder = std::env::current_dir()?;
        let home = BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
        let environment = Environment::new(std::env::vars_os(), home, std::env::temp_dir());
        let given = |variable| {
            let given = environment.var(variable).filter(|given| !given.is_empty())?;
            Some(folder.join(given))
        };
        let own = || ProjectDirs::from("", "", "discussions");
        let user_folder =
            given(CONFIG_DIR).or_else(|| own().map(|dirs| dirs.config_dir().to_owned()));
        let state_folder = given(STATE_DIR).or_else(|| {
            own().map(|dirs| dirs.state_dir().unwrap_or(dirs.data_local_dir()).to_owned())
        });
        Ok(Self { folder, user_folder, state_folder, environment })
    }

    /// The workspace of the working folder.
    pub(crate) fn open(&self) -> Result<Workspace, WorkspaceError> {
        Workspace::open(Surroundings {
            folder: self.folder.clone(),
            user_folder: self.user_folder.clone(),
            environment: self.environment.clone(),
            clock: Arc::new(SystemClock),
        })
    }

    /// Where the user's own providers are defined, if there is a place for that.
    pub(crate) fn providers(&self) -> Option<PathBuf> {
        Some(self.user_folder.as_ref()?.join("providers.yaml"))
    }

    /// What the user trusts, where there is a folder to keep it in.
    pub(crate) fn ledger(&self) -> Option<Ledger> {
        self.state_folder.as_deref().map(Ledger::within)
    }

    /// Whether the user's home is in a folder.
    pub(crate) fn lives_in(&self, folder: &Path) -> bool {
        let home = self.environment.home().and_then(|home| home.canonicalize().ok());
        home.is_some_and(|home| home.starts_with(folder))
    }

    /// Whether everything is trusted, and what the variable says that means nothing.
    pub(crate) fn trusts_all(&self) -> (bool, Option<String>) {
        match self.var(TRUST) {
            Some(word) if word == "all" => (true, None),
            word => (false, word),
        }
    }

    /// The person at the keyboard: the configuration's author, else git's, else the login name.
    pub(crate) fn author(&self, workspace: &Workspace) -> Name {
        let by_git = || user_name(&self.folder);
        let by_login = || ["USER", "LOGNAME", "USERNAME"].iter().find_map(|key| self.var(key));
        let by_system = || self.output("id", &["-un"]);
        let found = workspace
            .author()
            .cloned()
            .or_else(|| by_git().and_then(|name| nearest_name(&name)))
            .or_else(|| by_login().and_then(|name| nearest_name(&name)))
            .or_else(|| by_system().and_then(|name| nearest_name(&name)));
        found.unwrap_or_else(nameless)
    }

    /// The program that edits texts, as its user wrote it.
    pub(crate) fn editor(&self) -> String {
        ["VISUAL", "EDITOR"].iter().find_map(|key| self.var(key)).unwrap_or_else(|| "vi".to_owned())
    }

    /// The folder for temporary files.
    pub(crate) fn temp(&self) -> &Path {
        self.environment.temp()
    }

    /// Where the working folder lies, as git sees it: what is nearest upwards counts.
    pub(crate) fn place(&self) -> Place {
        let found = self.folder.ancestors().find_map(|folder| {
            if folder.join(".git").exists() {
                return Some(Place::WorkTree);
            }
            let is_gits = ["objects", "refs"].iter().all(|part| folder.join(part).is_dir())
                && folder.join("HEAD").is_file();
            is_gits.then_some(Place::Gits)
        });
        found.unwrap_or(Place::NoRepository)
    }

    fn var(&self, key: &str) -> Option<String> {
        let value = self.environment.var(key).and_then(OsStr::to_str)?;
        Some(value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    /// What a small program prints.
    fn output(&self, program: &str, args: &[&str]) -> Option<String> {
        let run = Command::new(program)
            .args(args)
            // From the root a relative entry of `PATH` names nothing that came with a project.
            .current_dir(self.folder.ancestors().last().unwrap_or(&self.folder))
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(run.stdout).ok()?.trim().to_owned();
        (run.status.success() && !text.is_empty()).then_some(text)
    }
}

/// A name without what the format does not allow in one: `O'Brien` writes as `OBrien`.
fn nearest_name(text: &str) -> Option<Name> {
    let allowed = |c: &char| Name::parse(&format!("a{c}a")).is_ok();
    Name::parse(&text.chars().filter(allowed).take(64).collect::<String>()).ok()
}

fn nameless() -> Name {
    Name::parse(NAMELESS).unwrap_or_else(|error| unreachable!("a constant name: {error}"))
}
