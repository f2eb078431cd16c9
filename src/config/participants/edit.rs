//! Edits the text of a persona: the current definition stays in force until a valid one can replace it.

use std::fs;
use std::path::{Path, PathBuf};

use super::{EditError, defined, folder, path_of};
use crate::codes::Fix;
use crate::config::{ConfigError, Setup, file};
use crate::participant::{Persona, PersonaOrigin, PersonaSource, Roster};
use crate::transcript::Alias;
use crate::yaml::LoadError;

/// The text of a persona while it is edited.
#[derive(Clone, Debug)]
pub(crate) struct PersonaDraft {
    origin: PersonaOrigin,
    path: PathBuf,
    /// The alias in the current text; `None` if that is broken.
    alias: Option<Alias>,
    /// The current text, from the file or the bundled persona.
    before: String,
    /// The text that was rejected the last time.
    rejected: Option<String>,
}

/// The result of editing a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edited {
    /// The text equals the current one, so nothing was written.
    Unchanged,
    /// The new text is in force.
    Saved,
}

impl PersonaDraft {
    /// Starts with the text of a persona: the one that was rejected the last time, or else the current one.
    ///
    /// # Errors
    ///
    /// Fails like [`path_of`]. Also fails if there is no folder for a changed bundled persona, or if a file cannot be
    /// read.
    pub(crate) fn of(setup: &Setup, asked: &str) -> Result<Self, EditError> {
        let whole = setup.roster.resolve(asked).ok().map(|member| &member.persona);
        let (origin, path, before) = match (path_of(setup, asked)?, defined(setup, asked)) {
            (Some(path), Some(origin)) => {
                let before = read(&path)?.unwrap_or_default();
                (origin.clone(), path, before)
            }
            _ => {
                let persona = &setup.roster.resolve(asked)?.persona;
                let folder = folder(setup).ok_or(EditError::NoFolder)?;
                let path = folder.join(format!("{}.yaml", persona.alias));
                let origin = match setup.project {
                    Some(_) => PersonaOrigin::Project(path.clone()),
                    None => PersonaOrigin::User(path.clone()),
                };
                (origin, path, persona.write()?)
            }
        };
        // A file behind a link out of the project is neither shown nor written.
        if let PersonaOrigin::Project(path) = &origin {
            own(path)?;
            own(&rejected_path(path))?;
        }
        let is_broken = setup.roster.broken().iter().any(|broken| broken.origin == origin);
        let alias = whole.filter(|_| !is_broken).map(|persona| persona.alias.clone());
        let rejected = read(&rejected_path(&path))?;
        Ok(Self { origin, path, alias, before, rejected })
    }

    /// Returns the text to edit.
    pub(crate) fn text(&self) -> &str {
        self.rejected.as_ref().unwrap_or(&self.before)
    }

    /// Returns the file for the text. It need not exist yet.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the edited text in force. An invalid text never replaces a valid one: it is stored beside the file, with
    /// `.rejected` after the file's name.
    ///
    /// # Errors
    ///
    /// Returns [`EditError::Wrong`] with the place of the error, or [`EditError::File`].
    pub(crate) fn finish(self, setup: &Setup, edited: &str) -> Result<Edited, EditError> {
        let kept = rejected_path(&self.path);
        let outcome = if self.alias.is_some() && edited == self.before {
            Edited::Unchanged
        } else {
            // If the current definition is broken too, the new attempt may replace it.
            let to = if self.alias.is_some() { &kept } else { &self.path };
            if let Err(error) = self.check(setup, edited, &setup.shown_path(to)) {
                write(to, edited)?;
                return Err(EditError::Wrong { error, rejected: self.alias.is_some() });
            }
            write(&self.path, edited)?;
            Edited::Saved
        };
        if self.rejected.is_some() {
            fs::remove_file(&kept)
                .map_err(|source| EditError::File { path: kept.clone(), source })?;
        }
        Ok(outcome)
    }

    /// Checks that a text still describes the persona with this alias, and that it does not conflict with other
    /// personas.
    fn check(&self, setup: &Setup, text: &str, shown: &str) -> Result<(), LoadError> {
        let persona = Persona::read(text, shown)?;
        if let Some(alias) = self.alias.as_ref().filter(|alias| **alias != persona.alias) {
            let line =
                text.lines().position(|line| line.starts_with("alias")).map_or(0, |at| at + 1);
            let message =
                format!("the alias must stay `{alias}`, but here it is `{}`", persona.alias);
            return Err(
                LoadError::at(shown, text, 1, (line, 1), message).with_fix(Fix::AddParticipant)
            );
        }
        let mut roster = Roster::clone(&setup.roster);
        let (origin, shown, text) = (self.origin.clone(), shown.to_owned(), text.to_owned());
        roster.layer([PersonaSource { origin: origin.clone(), shown, text }]);
        let admitted = roster.iter().any(|it| it.origin == origin && it.persona == persona);
        match roster.broken().last() {
            Some(broken) if !admitted => Err(broken.error.clone()),
            _ => Ok(()),
        }
    }
}

/// Returns the file for a rejected text.
fn rejected_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".rejected");
    name.into()
}

fn read(path: &Path) -> Result<Option<String>, EditError> {
    file::read(path).map_err(|error| match error {
        ConfigError::Load(error) => EditError::Write(error),
        ConfigError::Read { path, source } => EditError::File { path, source },
        ConfigError::Outside(outside) => EditError::Outside(outside),
    })
}

fn own(path: &Path) -> Result<(), EditError> {
    match file::insist_own(path) {
        Err(ConfigError::Outside(outside)) => Err(outside.into()),
        _ => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), EditError> {
    file::replace(path, text).map_err(|source| EditError::File { path: path.to_owned(), source })
}
