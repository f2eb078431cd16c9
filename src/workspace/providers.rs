//! Lists, checks, pings, adds and removes providers.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::ProviderSettings;
use super::error::{Help, WorkspaceError};
use crate::config;
use crate::provider::{
    Availability, BrokenDefinition, Consents, Layer, NewProvider, Provider, ProviderName,
    RegistryEntry, RemoveError, Timeout, TrustError, ping, remove_definition,
};
use crate::transcript::{Alias, visible_line};
use crate::view::{self, CheckedProvider, FileChange, Foreign, ProviderState};

/// The maximum time of a ping. It replaces a longer time limit of the provider.
const PATIENCE: Duration = Duration::from_secs(60);

impl ProviderSettings<'_> {
    /// Returns all providers, the built-in ones first, each at the place of its first definition.
    pub fn list_providers(&self, consents: &Consents) -> Vec<view::Provider> {
        let shown = |entry: &RegistryEntry| view::Provider {
            name: entry.definition.common.name.to_string(),
            runs: entry.definition.kind.as_written().into_owned(),
            description: entry.definition.common.description.clone(),
            strengths: entry.definition.common.strengths.clone(),
            origin: entry.origin.to_string(),
            trusted: self.covers(entry, consents),
        };
        let broken = self.registry().broken().iter().filter_map(|broken| {
            Some(view::Provider {
                name: broken.name.clone()?,
                runs: String::new(),
                description: format!("cannot be used: {}", self.in_a_line(broken)),
                strengths: Vec::new(),
                origin: broken.origin.to_string(),
                trusted: true,
            })
        });
        self.registry().entries().iter().map(shown).chain(broken).collect()
    }

    /// Returns the names of all providers that can be used.
    pub fn provider_names(&self) -> impl Iterator<Item = &str> {
        self.registry().entries().iter().map(|entry| entry.definition.common.name.as_str())
    }

    /// Returns the problems of files that define providers, one sentence each.
    pub fn broken_providers(&self) -> Vec<String> {
        // Only files of the user or the project can be wrong, and most have none.
        if self.setup.providers.is_empty() && self.setup.unreadable_providers.is_empty() {
            return Vec::new();
        }
        let told = self.registry().broken().iter().map(|broken| {
            let why = self.in_a_line(broken);
            match &broken.name {
                Some(name) => {
                    format!("the provider `{}` cannot be used: {why}", visible_line(name))
                }
                None => format!("no provider of this file can be used: {why}"),
            }
        });
        told.collect()
    }

    /// Returns a `providers.yaml` in the working folder that is not read, because the folder is not a project.
    pub fn ignored_providers(&self) -> Option<String> {
        let path = self.setup.cwd.join("providers.yaml");
        let own = self.setup.user_dir.as_ref() == Some(&self.setup.cwd);
        (self.setup.project.is_none() && !own && path.is_file()).then(|| self.shown_path(&path))
    }

    /// Ensures that a provider of a name exists.
    ///
    /// # Errors
    /// Fails if there is none; the error contains similar names.
    pub fn insist_on_provider(&self, name: &str) -> Result<(), WorkspaceError> {
        self.registry().find(name)?;
        Ok(())
    }

    /// Returns what a provider lacks, such as its key or its program, and how to get it; `None` if nothing is known to be
    /// missing. Runs nothing.
    ///
    /// # Errors
    /// Fails like [`ProviderSettings::insist_on_provider`].
    pub fn missing_part(&self, name: &str) -> Result<Option<String>, WorkspaceError> {
        Ok(match self.state(self.registry().find(name)?.as_ref()) {
            ProviderState::Missing { reason, fix } => Some(format!("{reason}. {fix}")),
            _ => None,
        })
    }

    /// Checks if all providers, or only the named one, could be called. Runs nothing.
    ///
    /// # Errors
    /// Fails if there is no provider of that name; the error contains similar names.
    pub fn check_providers(
        &self,
        only: Option<&str>,
        consents: &Consents,
    ) -> Result<Vec<CheckedProvider>, WorkspaceError> {
        let known = |entry: &Cow<'_, RegistryEntry>| {
            let mut checked = self.checked(entry);
            let is_ready = matches!(checked.state, ProviderState::Ready { .. });
            if is_ready && !self.covers(entry, consents) {
                checked.state = ProviderState::NotTrusted;
            }
            checked
        };
        let mut all: Vec<CheckedProvider> = self.chosen(only)?.iter().map(known).collect();
        if only.is_none() {
            all.extend(self.registry().broken().iter().filter_map(|broken| {
                let state = ProviderState::Broken { reason: self.in_a_line(broken) };
                Some(CheckedProvider { name: broken.name.clone()?, state })
            }));
        }
        Ok(all)
    }

    /// Returns the project-defined commands of the providers that [`ProviderSettings::ping_providers`] would call.
    ///
    /// # Errors
    /// Fails like [`ProviderSettings::check_providers`].
    pub fn needed_for_ping(&self, only: Option<&str>) -> Result<Vec<Foreign>, WorkspaceError> {
        let ready = |entry: &&Cow<'_, RegistryEntry>| {
            matches!(self.state(entry), ProviderState::Ready { .. })
        };
        let foreign = |entry: &Cow<'_, RegistryEntry>| {
            entry.foreign(self.call_environment(), self.setup.base()).ok().flatten()
        };
        let chosen = self.chosen(only)?;
        let all = chosen.iter().filter(ready).filter_map(foreign);
        Ok(all.map(|foreign| self.shown_foreign(&foreign, true)).collect())
    }

    /// Checks providers like [`ProviderSettings::check_providers`], and also sends one small question to each available one,
    /// all at once. That costs a small call each. `told` receives all called providers, and then each one when it has
    /// answered. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// Fails like [`ProviderSettings::check_providers`].
    pub async fn ping_providers(
        &self,
        only: Option<&str>,
        consents: &Consents,
        mut told: impl FnMut(&[CheckedProvider]),
    ) -> Result<Vec<CheckedProvider>, WorkspaceError> {
        let chosen = self.chosen(only)?;
        let mut all: Vec<CheckedProvider> =
            chosen.iter().map(|entry| self.checked(entry)).collect();
        let mut asked = Vec::new();
        let mut running = JoinSet::new();
        for (index, entry) in chosen.iter().enumerate() {
            if !matches!(all[index].state, ProviderState::Ready { .. }) {
                continue;
            }
            let trusted = consents.trust(entry, self.call_environment(), self.setup.base());
            let opened =
                trusted.and_then(|it| it.open(self.call_environment()).map_err(TrustError::from));
            match opened {
                Ok(provider) => {
                    let patience = patience(entry.definition.common.timeout);
                    asked.push(all[index].clone());
                    running.spawn(async move { (index, answer(provider, patience).await) });
                }
                Err(TrustError::NotTrusted(_)) => all[index].state = ProviderState::NotTrusted,
                Err(error) => {
                    all[index].state = ProviderState::Broken { reason: error.to_string() }
                }
            }
        }
        told(&asked);
        while let Some(done) = running.join_next().await {
            // A call that an internal error ended does not affect the others; its provider stays ready.
            let Ok((index, state)) = done else { continue };
            all[index].state = state;
            told(std::slice::from_ref(&all[index]));
        }
        Ok(all)
    }

    /// Defines a provider in the user's configuration folder, which all projects of the user read. `keys` are keys of
    /// `providers.yaml`, written in the given order. An open workspace does not notice the change.
    ///
    /// # Errors
    /// Fails if the name is invalid or taken, if a key is invalid, if there is no such folder, or if the file cannot be
    /// read or written.
    pub fn add_provider(
        &self,
        name: &str,
        keys: Vec<(&'static str, String)>,
    ) -> Result<FileChange, WorkspaceError> {
        let new = NewProvider::with_name(name, keys)?;
        let folder = self.user_folder()?;
        let path = folder.join("providers.yaml");
        let before = config::read(&path)?.unwrap_or_default();
        let text = new.added_to(&before, &self.shown_path(&path))?;
        match config::replace(&path, &text) {
            Ok(()) => Ok(FileChange { file: self.shown_path(&path), changed: true }),
            Err(source) => Err(WorkspaceError::unwritable_file(&path, &source)),
        }
    }

    /// Removes a provider from the user's configuration folder. Comments and all other text of the file stay. An open
    /// workspace does not notice the change.
    ///
    /// # Errors
    /// Fails if the user defines no provider of that name: it is unknown, or the program or the project defines it. Also
    /// fails if its definition shares text with others, or if the file cannot be read or written.
    pub fn remove_provider(&self, name: &str) -> Result<FileChange, WorkspaceError> {
        let asked = ProviderName::parse(name)?;
        let folder = self.user_folder()?;
        let path = folder.join("providers.yaml");
        let (text, file) = (config::read(&path)?.unwrap_or_default(), self.shown_path(&path));
        // The name in the file, if the user named an alias.
        let named = || {
            let entry = self.registry().find(name).ok()?;
            matches!(entry.origin, Layer::User(_)).then(|| entry.definition.common.name.clone())
        };
        let removed = match remove_definition(&text, &asked, &file)? {
            Some(rest) => Some(rest),
            None => match named() {
                Some(own) => remove_definition(&text, &own, &file)?,
                None => None,
            },
        };
        let Some(rest) = removed else { return Err(self.not_removable(name)) };
        match config::replace(&path, &rest) {
            Ok(()) => Ok(FileChange { file, changed: true }),
            Err(source) => Err(WorkspaceError::unwritable_file(&path, &source)),
        }
    }

    fn user_folder(&self) -> Result<&Path, WorkspaceError> {
        self.setup.user_dir.as_deref().ok_or_else(|| {
            WorkspaceError::fail("there is no folder for your configuration")
                .with_help(Help::NameUserFolder)
        })
    }

    /// Returns the reason why a provider that the user does not define cannot be removed.
    fn not_removable(&self, name: &str) -> WorkspaceError {
        let broken = self.registry().broken().iter().find(|it| it.name.as_deref() == Some(name));
        let (origin, name) = match self.registry().find(name) {
            Ok(entry) => (entry.origin.clone(), entry.definition.common.name.to_string()),
            Err(error) => match broken {
                Some(broken) => (broken.origin.clone(), name.to_owned()),
                None => return error.into(),
            },
        };
        match origin {
            Layer::BuiltIn => RemoveError::BuiltIn { name }.into(),
            Layer::Project(path) => {
                RemoveError::OfProject { name, file: self.shown_path(&path) }.into()
            }
            // Another part of the file is so broken that its definitions cannot be told apart.
            Layer::User(path) => {
                RemoveError::Entangled { name, file: self.shown_path(&path) }.into()
            }
        }
    }

    /// Describes the problem of a definition in a line, with its place and its fix.
    fn in_a_line(&self, broken: &BrokenDefinition) -> String {
        let mut error = broken.error.clone();
        error.origin = self.shown_path(Path::new(&error.origin));
        let mends = error.hint.take().map_or_else(String::new, |hint| format!("; {hint}"));
        error.to_string().lines().next().unwrap_or_default().to_owned() + &mends
    }

    /// Returns all providers, or only the named one.
    pub(super) fn chosen(
        &self,
        only: Option<&str>,
    ) -> Result<Vec<Cow<'_, RegistryEntry>>, WorkspaceError> {
        Ok(match only {
            Some(name) => vec![self.registry().find(name)?],
            None => self.registry().entries().iter().map(Cow::Borrowed).collect(),
        })
    }

    fn checked(&self, entry: &RegistryEntry) -> CheckedProvider {
        CheckedProvider { name: entry.definition.common.name.to_string(), state: self.state(entry) }
    }

    fn state(&self, entry: &RegistryEntry) -> ProviderState {
        match entry.availability(self.call_environment(), self.setup.base()) {
            Err(error) => ProviderState::Broken { reason: error.to_string() },
            Ok(Availability::Ready { through }) => {
                let tested = entry.definition.kind.is_tested(self.call_environment());
                ProviderState::Ready { through, tested }
            }
            Ok(Availability::Missing { reason, fix }) => ProviderState::Missing { reason, fix },
        }
    }
}

async fn answer(provider: Arc<dyn Provider>, patience: Duration) -> ProviderState {
    let who = Alias::parse("ping").unwrap_or_else(|error| unreachable!("a constant: {error}"));
    match ping(provider.as_ref(), who, patience).await {
        Ok(ping) => ProviderState::Answers {
            text: ping.reply.text,
            ms: u64::try_from(ping.took.as_millis()).unwrap_or(u64::MAX),
        },
        Err(error) => ProviderState::Fails { message: error.message },
    }
}

fn patience(timeout: Timeout) -> Duration {
    timeout.get().min(PATIENCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ping_waits_no_longer_than_the_provider_timeout() {
        assert_eq!(patience(Timeout::parse("5s").unwrap()), Duration::from_secs(5));
        assert_eq!(patience(Timeout::parse("300s").unwrap()), PATIENCE);
    }
}
