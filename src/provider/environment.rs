//! The environment for child processes. The caller passes it; nothing here reads the environment of this process.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::command::ProcessGuard;
use super::sanitize_output::SecretRedactor;

/// Environment variables, the home folder, and the folder for temporary files, passed in by the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    vars: BTreeMap<OsString, OsString>,
    home: Option<PathBuf>,
    temp: PathBuf,
    /// The names of variables that hold keys.
    secret: BTreeSet<OsString>,
    guard: Option<ProcessGuard>,
}

impl Environment {
    /// Creates an environment with these variables. `home` replaces a leading `~`. Each call gets an empty folder of
    /// its own below `temp`.
    pub fn new<K: Into<OsString>, V: Into<OsString>>(
        vars: impl IntoIterator<Item = (K, V)>,
        home: Option<PathBuf>,
        temp: PathBuf,
    ) -> Self {
        let vars = vars.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        Self { vars, home, temp, secret: BTreeSet::new(), guard: None }
    }

    /// Returns this environment with these variables marked as keys: a program gets a key only if it needs it.
    #[must_use]
    pub fn keeping<K: Into<OsString>>(mut self, names: impl IntoIterator<Item = K>) -> Self {
        self.secret.extend(names.into_iter().map(Into::into));
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

    /// Returns the folder for temporary files.
    pub fn temp(&self) -> &Path {
        &self.temp
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
