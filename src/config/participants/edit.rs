//! Changing a persona's text: what is in force stays until something better can take its place.

use std::fs;
use std::path::{Path, PathBuf};

use super::{EditError, defined, folder, path_of};
use crate::codes::Fix;
use crate::config::{ConfigError, Setup, file};
use crate::participant::{Origin, Persona, Roster, Source};
use crate::transcript::Alias;
use crate::yaml::LoadError;

/// A persona's text on its way through an editor.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    origin: Origin,
    path: PathBuf,
    /// Whom the text in force describes; none where it is broken.
    alias: Option<Alias>,
    /// The text in force, of the file or of the bundled persona.
    before: String,
    /// What was rejected the last time.
    rejected: Option<String>,
}

/// What became of an edited text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edited {
    /// It is the text that was in force, so nothing was written.
    Unchanged,
    /// It is in force now.
    Saved,
}

impl Draft {
    /// Begins with the text of a persona: the one that was rejected the last time, else the one in force.
    ///
    /// # Errors
    ///
    /// As [`path_of`]; no folder for a changed bundled persona; a file that cannot be read.
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
                    Some(_) => Origin::Project(path.clone()),
                    None => Origin::User(path.clone()),
                };
                (origin, path, persona.write()?)
            }
        };
        // What stands behind a link out of the project is shown to nobody, nor written to.
        if let Origin::Project(path) = &origin {
            own(path)?;
            own(&beside(path))?;
        }
        let is_broken = setup.roster.broken().iter().any(|broken| broken.origin == origin);
        let alias = whole.filter(|_| !is_broken).map(|persona| persona.alias.clone());
        let rejected = read(&beside(&path))?;
        Ok(Self { origin, path, alias, before, rejected })
    }

    /// The text to be edited.
    pub(crate) fn text(&self) -> &str {
        self.rejected.as_ref().unwrap_or(&self.before)
    }

    /// The file that the text is for; it need not exist yet.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the edited text in force. A text that is wrong never takes a good one's place: it is kept beside, with
    /// `.rejected` behind the file's name.
    ///
    /// # Errors
    ///
    /// [`EditError::Wrong`] with the place; [`EditError::File`].
    pub(crate) fn finish(self, setup: &Setup, edited: &str) -> Result<Edited, EditError> {
        let kept = beside(&self.path);
        let outcome = if self.alias.is_some() && edited == self.before {
            Edited::Unchanged
        } else {
            // Where nothing good is in force, a better try may stand in its place.
            let to = if self.alias.is_some() { &kept } else { &self.path };
            if let Err(error) = self.check(setup, edited, &setup.shown(to)) {
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

    /// Whether a text describes the same persona as before, beside whom all others can stay.
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
        roster.layer([Source { origin: origin.clone(), shown, text }]);
        let admitted = roster.iter().any(|it| it.origin == origin && it.persona == persona);
        match roster.broken().last() {
            Some(broken) if !admitted => Err(broken.error.clone()),
            _ => Ok(()),
        }
    }
}

/// Where a rejected text is kept.
fn beside(path: &Path) -> PathBuf {
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
