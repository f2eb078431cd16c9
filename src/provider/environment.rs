//! The environment for child processes. The caller passes it; nothing here reads the environment of this process.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::command::ProcessGuard;
use super::sanitize_output::SecretRedactor;
use crate::boundary::path_without_projects;
use crate::store::TemporaryFolder;

/// Variables that every program needs. A project could otherwise take them from all programs by calling them keys.
const NEVER_KEYS: [&str; 9] =
    ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TMPDIR", "USERPROFILE"];
/// The variable with the folders in which programs are found.
const PATH: &str = "PATH";

/// Environment variables, the home folder, and the folder for temporary folders, passed in by the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    vars: BTreeMap<OsString, OsString>,
    home: Option<PathBuf>,
    /// A folder of the user's own; calls and editors get temporary folders in it.
    own: PathBuf,
    /// True if folders of the project were taken out of `PATH`.
    skips_project: bool,
    /// The names of variables that hold keys.
    secret: BTreeSet<OsString>,
    guard: Option<ProcessGuard>,
}

impl Environment {
    /// Creates an environment with these variables. `home` replaces a leading `~`. `own` is a folder of the user's own,
    /// such as the one for caches; it need not exist. Each call gets a temporary folder in it.
    pub fn new<K: Into<OsString>, V: Into<OsString>>(
        vars: impl IntoIterator<Item = (K, V)>,
        home: Option<PathBuf>,
        own: PathBuf,
    ) -> Self {
        let vars = vars.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        Self { vars, home, own, skips_project: false, secret: BTreeSet::new(), guard: None }
    }

    /// Returns this environment with a `PATH` that finds no program of the projects around a folder: without relative
    /// entries, and without entries inside of these projects.
    #[must_use]
    pub fn without_programs_of(mut self, folder: &Path) -> Self {
        if let Some(path) = self.vars.get_mut(OsStr::new(PATH)) {
            let safe = path_without_projects(path, folder, self.home.as_deref());
            self.skips_project |= safe != *path;
            *path = safe;
        }
        self
    }

    /// Returns true if folders of the project were taken out of `PATH`.
    pub(super) fn skips_project(&self) -> bool {
        self.skips_project
    }

    /// Returns this environment with these variables marked as keys: a program gets a key only if it needs it. Variables
    /// that every program needs are never keys, whatever a definition says.
    #[must_use]
    pub fn keeping<K: Into<OsString>>(mut self, names: impl IntoIterator<Item = K>) -> Self {
        let is_key = |name: &OsString| !NEVER_KEYS.iter().any(|never| name == never);
        self.secret.extend(names.into_iter().map(Into::into).filter(is_key));
        self
    }

    /// Returns this environment with a guard: a second process, started as `program` with `args`, that ends the
    /// programs of calls if this process is killed. The second process has to pass its standard input and its last
    /// argument to [`Workspace::guard`](crate::workspace::Workspace::guard).
    #[must_use]
    pub fn guarded_by(mut self, program: PathBuf, args: Vec<OsString>) -> Self {
        self.guard = Some(ProcessGuard::new(program, args));
        self
    }

    /// Returns the guard of calls, if there is one.
    pub(super) fn guard(&self) -> Option<&ProcessGuard> {
        self.guard.as_ref()
    }

    /// Returns this environment without unneeded keys: those with names for which `needed` returns false.
    pub(super) fn with_keys(&self, needed: impl Fn(&str) -> bool) -> Self {
        let mut env = self.clone();
        let is_needed = |name: &OsString| name.to_str().is_some_and(&needed);
        env.vars.retain(|name, _| !self.secret.contains(name) || is_needed(name));
        env
    }

    /// Returns the value of a variable, if it is set.
    pub fn var(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        self.vars.get(name.as_ref()).map(OsString::as_os_str)
    }

    /// Returns the values of variables that hold keys.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secret.iter().filter_map(|name| self.vars.get(name)?.to_str())
    }

    /// Returns a text in which `[key]` replaces the keys.
    pub(crate) fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        SecretRedactor::of(self).redact(text)
    }

    /// Returns all variables, ordered by name.
    pub(crate) fn vars(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.vars.iter().map(|(key, value)| (key.as_os_str(), value.as_os_str()))
    }

    /// Returns the home folder, if there is one.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Returns the folder of the user's own that contains temporary folders.
    pub(crate) fn own_folder(&self) -> &Path {
        &self.own
    }

    /// Creates a folder that only the user can enter. It is removed when the returned value is dropped.
    ///
    /// # Errors
    /// Fails if the folder for temporary folders belongs to another user or cannot be written.
    pub fn temporary_folder(&self) -> io::Result<impl AsRef<Path> + use<>> {
        self.new_folder()
    }

    /// Creates a folder that only the user can enter. It is removed when the returned value is dropped.
    pub(crate) fn new_folder(&self) -> io::Result<TemporaryFolder> {
        TemporaryFolder::create_in(&self.own)
    }

    /// Returns this environment with these variables added or replaced.
    #[must_use]
    pub(crate) fn with<K: Into<OsString>, V: Into<OsString>>(
        mut self,
        vars: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        self.vars.extend(vars.into_iter().map(|(key, value)| (key.into(), value.into())));
        self
    }
}
