//! Trust in definitions of a project: no provider of a project is called before the user has trusted it.
//!
//! A user who clones a project did not write its `providers.yaml`. Only a [`Trusted`] entry can be opened, and only
//! [`Consents`] create one.

mod ledger;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

pub use self::ledger::LedgerError;
pub(crate) use self::ledger::{Fingerprint, Ledger, NamedFile};
use super::{Environment, Layer, OpenError, Provider, ProviderName, RegistryEntry};
use crate::view::Fact;

/// The warning for a command that runs in the project's folder and names no file that could be hashed.
const NO_FILE_COVERED: &str = "none is covered: if the command runs a file of the project, any change of it runs without asking";

/// A project's definition, with everything that a trust decision is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ForeignDefinition {
    /// The definition.
    pub entry: RegistryEntry,
    /// The project's folder.
    pub project: PathBuf,
    /// Files of the project that its command or environment names.
    pub files: Vec<NamedFile>,
    /// The fingerprint under which a trust decision is stored.
    pub fingerprint: Fingerprint,
    /// The text of its script at the time of the fingerprint.
    script: Option<String>,
}

/// The definitions that the user trusts; none by default.
#[derive(Clone, Debug, Default)]
pub struct Consents {
    all: bool,
    /// The fingerprints of trusted definitions.
    given: BTreeSet<String>,
}

/// A definition that may be called: the user's own, a built-in one, or one that the user trusts.
#[derive(Clone, Debug)]
pub struct Trusted {
    entry: RegistryEntry,
    project: PathBuf,
    script: Option<String>,
}

/// The error for a project's definition that the user has not trusted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{name}` is defined by this project ({}:{line}), and you have not trusted it yet", .path.display())]
pub struct NotTrusted {
    /// The provider's name.
    pub name: ProviderName,
    /// The file that defines it.
    pub path: PathBuf,
    /// The line in that file.
    pub line: usize,
}

/// The reason why there is no proof that a definition may be called.
#[derive(Debug, Error)]
pub enum TrustError {
    /// The user has not trusted it.
    #[error(transparent)]
    NotTrusted(#[from] NotTrusted),
    /// Its script cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl RegistryEntry {
    /// Returns whether the definition comes from the project. Definitions of the mock under a new name do not count,
    /// because they are harmless.
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self.origin, Layer::Project(_))
            && !(self.definition.kind.is_harmless() && self.replaces.is_empty())
    }

    /// Returns everything that a trust decision would be about, or `None` if none is needed. Runs nothing.
    ///
    /// # Errors
    ///
    /// Returns [`OpenError`] if the script cannot be read.
    pub(crate) fn foreign(
        &self,
        env: &Environment,
        project: &Path,
    ) -> Result<Option<ForeignDefinition>, OpenError> {
        if !self.is_foreign() {
            return Ok(None);
        }
        let script = self.script(project)?;
        // Resolve links: otherwise a link to a project would count as another project.
        let project = project.canonicalize().unwrap_or_else(|_| project.to_owned());
        let files = ledger::fingerprinted_files(self, env, &project);
        let fingerprint = Fingerprint::of(self, &project, &files, script.as_deref());
        Ok(Some(ForeignDefinition { entry: self.clone(), project, files, fingerprint, script }))
    }
}

impl Consents {
    /// Trusts every definition: for machines that run the code of a project anyway.
    pub fn all() -> Self {
        Self { all: true, ..Self::default() }
    }

    /// Returns whether every definition is trusted.
    pub fn are_for_all(&self) -> bool {
        self.all
    }

    /// Adds the definition with this fingerprint.
    pub fn agree(&mut self, fingerprint: &str) {
        self.given.insert(fingerprint.to_owned());
    }

    /// Returns whether the definition with this fingerprint is trusted.
    pub fn covers(&self, fingerprint: &str) -> bool {
        self.all || self.given.contains(fingerprint)
    }

    /// Returns whether this definition is trusted, exactly as it is now.
    pub(crate) fn cover(&self, foreign: &ForeignDefinition) -> bool {
        self.covers(foreign.fingerprint.as_str())
    }

    /// Returns the proof that a definition may be called. `env` holds the variables for its command; `project` is the
    /// folder for `workdir: project`.
    ///
    /// # Errors
    ///
    /// Returns `TrustError` if the user has not trusted the definition as it is now, or if its script cannot be read.
    pub fn trust(
        &self,
        entry: &RegistryEntry,
        env: &Environment,
        project: &Path,
    ) -> Result<Trusted, TrustError> {
        // The script is read once, so that the opened text is the one that was checked.
        let script = match entry.foreign(env, project)? {
            None => entry.script(project)?,
            Some(foreign) if self.cover(&foreign) => foreign.script,
            Some(foreign) => return Err(foreign.as_not_trusted().into()),
        };
        Ok(Trusted { entry: entry.clone(), project: project.to_owned(), script })
    }
}

impl Trusted {
    /// Returns the definition with answers limited to this many tokens. A lower limit needs no new trust decision.
    pub(crate) fn at_most(mut self, tokens: Option<u32>) -> Self {
        if let Some(tokens) = tokens {
            self.entry.definition = self.entry.definition.at_most(tokens);
        }
        self
    }

    /// Creates the provider. `env` holds the variables for its command.
    ///
    /// A program that is not installed is not an error here: see [`Provider::availability`].
    ///
    /// # Errors
    ///
    /// Returns [`OpenError`] if its script is broken.
    pub fn open(&self, env: &Environment) -> Result<Arc<dyn Provider>, OpenError> {
        self.entry.make(env, &self.project, self.script.as_deref())
    }
}

impl ForeignDefinition {
    /// Returns the name of the provider.
    pub(crate) fn name(&self) -> &ProviderName {
        &self.entry.definition.common.name
    }

    /// Returns everything that a trust decision is about, except the definitions that this one replaces and its files.
    pub(crate) fn facts(&self, env: &Environment) -> Vec<Fact> {
        let kind = &self.entry.definition.kind;
        let uncovered = self.files.is_empty() && kind.can_reach_project();
        let uncovered = uncovered.then(|| Fact::new("its files", NO_FILE_COVERED));
        let facts = kind.facts(env, self.entry.folders(&self.project));
        facts.into_iter().chain(uncovered).collect()
    }

    /// Returns the file that defines it.
    pub(crate) fn path(&self) -> &Path {
        match &self.entry.origin {
            Layer::Project(path) | Layer::User(path) => path,
            Layer::BuiltIn => Path::new(""),
        }
    }

    /// Returns the error for an untrusted definition.
    pub(crate) fn as_not_trusted(&self) -> NotTrusted {
        NotTrusted {
            name: self.name().clone(),
            path: self.path().to_owned(),
            line: self.entry.line,
        }
    }
}

#[cfg(test)]
mod tests;
