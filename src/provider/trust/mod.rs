//! Nothing that a project brings along is called before the user agreed to it.
//!
//! Whoever clones a project did not write its `providers.yaml`. Only a [`Trusted`] entry can be
//! opened, and only [`Consents`] make one.

mod fingerprint;
mod ledger;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

pub(crate) use self::fingerprint::{Fingerprint, NamedFile};
pub use self::ledger::LedgerError;
pub(crate) use self::ledger::{Consent, Ledger};
use super::{Entry, Environment, Fact, Kind, Layer, OpenError, Provider, ProviderName};

/// A definition of the project's, with all that consent to it is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Foreign {
    /// The definition.
    pub entry: Entry,
    /// The project's folder.
    pub project: PathBuf,
    /// Files of the project that its command or environment names.
    pub files: Vec<NamedFile>,
    /// What consent is remembered by.
    pub fingerprint: Fingerprint,
    /// The text of its script, as it was when the fingerprint was taken.
    script: Option<String>,
}

/// What the user agreed to; nothing by default.
#[derive(Clone, Debug, Default)]
pub struct Consents {
    all: bool,
    /// By fingerprint.
    given: BTreeSet<String>,
}

/// A definition that may be called: the user's own, a built-in one, or one that was agreed to.
#[derive(Clone, Debug)]
pub struct Trusted {
    entry: Entry,
    project: PathBuf,
    script: Option<String>,
}

/// A definition of the project's that nobody agreed to.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{name}` is defined by this project ({}:{line}), and you have not trusted it yet", .path.display())]
pub struct NotTrusted {
    /// Its name.
    pub name: ProviderName,
    /// The file it is defined in.
    pub path: PathBuf,
    /// The line there.
    pub line: usize,
}

/// Why there is no proof that a definition may be called.
#[derive(Debug, Error)]
pub enum TrustError {
    /// Nobody agreed to it.
    #[error(transparent)]
    NotTrusted(#[from] NotTrusted),
    /// What it would call cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl Entry {
    /// Whether the project brought it along: everything of its own but made-up answers under a
    /// name that nobody had.
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self.origin, Layer::Project(_))
            && !(self.definition.kind == Kind::Mock && self.replaces.is_empty())
    }

    /// What consent would be about, where it is needed. Nothing is run.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when its script cannot be read.
    pub(crate) fn foreign(
        &self,
        env: &Environment,
        project: &Path,
    ) -> Result<Option<Foreign>, OpenError> {
        if !self.is_foreign() {
            return Ok(None);
        }
        let script = self.script(project)?;
        // Else a link to a project would be another project.
        let project = project.canonicalize().unwrap_or_else(|_| project.to_owned());
        let files = fingerprint::files(self, env, &project);
        let fingerprint = Fingerprint::of(self, &project, &files, script.as_deref());
        Ok(Some(Foreign { entry: self.clone(), project, files, fingerprint, script }))
    }
}

impl Consents {
    /// Consent to whatever there is: for machines that run what they check out anyway.
    pub fn all() -> Self {
        Self { all: true, ..Self::default() }
    }

    /// Whether they are for whatever there is.
    pub fn are_for_all(&self) -> bool {
        self.all
    }

    /// Adds what has this fingerprint.
    pub fn agree(&mut self, fingerprint: &str) {
        self.given.insert(fingerprint.to_owned());
    }

    /// Whether what has this fingerprint was agreed to.
    pub fn covers(&self, fingerprint: &str) -> bool {
        self.all || self.given.contains(fingerprint)
    }

    /// Whether this was agreed to, exactly as it is.
    pub(crate) fn cover(&self, foreign: &Foreign) -> bool {
        self.covers(foreign.fingerprint.as_str())
    }

    /// Proof that a definition may be called. `env` is what its commands will see; `project` is
    /// the folder of `workdir: project`.
    ///
    /// # Errors
    ///
    /// `TrustError` when nobody agreed to it as it is now, or its script cannot be read.
    pub fn trust(
        &self,
        entry: &Entry,
        env: &Environment,
        project: &Path,
    ) -> Result<Trusted, TrustError> {
        // What is opened is what was judged: a script is read once for both.
        let script = match entry.foreign(env, project)? {
            None => entry.script(project)?,
            Some(foreign) if self.cover(&foreign) => foreign.script,
            Some(foreign) => return Err(foreign.refused().into()),
        };
        Ok(Trusted { entry: entry.clone(), project: project.to_owned(), script })
    }
}

impl Trusted {
    /// The same with answers of no more than so many tokens: nobody has to agree to less.
    pub(crate) fn at_most(mut self, tokens: Option<u32>) -> Self {
        if let Some(tokens) = tokens {
            self.entry.definition = self.entry.definition.at_most(tokens);
        }
        self
    }

    /// The provider. `env` is what its commands see.
    ///
    /// A program that is not installed is no error here: see [`Provider::availability`].
    ///
    /// # Errors
    ///
    /// [`OpenError`] when its script is broken.
    pub fn open(&self, env: &Environment) -> Result<Arc<dyn Provider>, OpenError> {
        self.entry.make(env, &self.project, self.script.as_deref())
    }
}

impl Foreign {
    /// Its name.
    pub(crate) fn name(&self) -> &ProviderName {
        &self.entry.definition.common.name
    }

    /// All that consent to it is about, besides what it takes the place of and its files.
    pub(crate) fn facts(&self, env: &Environment) -> Vec<Fact> {
        self.entry.definition.kind.facts(env, self.entry.folders(&self.project))
    }

    /// The file that defines it.
    pub(crate) fn path(&self) -> &Path {
        match &self.entry.origin {
            Layer::Project(path) | Layer::User(path) => path,
            Layer::BuiltIn => Path::new(""),
        }
    }

    /// That nobody agreed to it.
    pub(crate) fn refused(&self) -> NotTrusted {
        NotTrusted {
            name: self.name().clone(),
            path: self.path().to_owned(),
            line: self.entry.line,
        }
    }
}

#[cfg(test)]
mod tests;
