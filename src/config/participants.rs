//! Adds, changes and removes personas, each in a file of its own.

mod edit;

use std::io;
use std::path::{Path, PathBuf};

pub(crate) use self::edit::{Edited, PersonaDraft};
use super::{Setup, file};
use crate::boundary::EscapesProject;
use crate::participant::{Member, Persona, PersonaOrigin, ResolveError};
use crate::transcript::{Alias, visible_line};
use crate::yaml::LoadError;

/// The reason why a persona's file cannot be added, changed or removed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// There is no folder for the file.
    #[error("there is no folder for participants")]
    NoFolder,
    /// The persona is defined already.
    #[error("`{alias}` is already defined in {}", visible_line(&path.to_string_lossy()))]
    Exists {
        /// The persona.
        alias: Alias,
        /// Its file.
        path: PathBuf,
    },
    /// The persona comes with the program.
    #[error(
        "`{0}` is bundled and cannot be removed; leave it out of `default_participants`, or define your own `{0}` to \
         replace it"
    )]
    Bundled(Alias),
    /// The persona is one of several in a file.
    #[error("`{alias}` is one of several entries in {}; change it there", visible_line(&path.to_string_lossy()))]
    InList {
        /// The requested alias or name.
        alias: String,
        /// The file with the list.
        path: PathBuf,
    },
    /// There is no participant of this name.
    #[error(transparent)]
    Unknown(#[from] ResolveError),
    /// The persona cannot be written as YAML.
    #[error(transparent)]
    Write(#[from] LoadError),
    /// The edited text is wrong.
    #[error("{error}{}", if *.rejected { "; the old definition stays in use" } else { "" })]
    Wrong {
        /// The error with its place. Its origin is the file that now contains the text.
        error: LoadError,
        /// True if the text was stored beside the current file, which it could not replace.
        rejected: bool,
    },
    /// A project's file is a link that leads out of the project.
    #[error(transparent)]
    Outside(#[from] EscapesProject),
    /// The file system reports an error.
    #[error("cannot read or write {}: {source}", visible_line(&path.to_string_lossy()))]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

/// Returns the folder for new personas: the project's, or else the user's.
pub(crate) fn folder(setup: &Setup) -> Option<PathBuf> {
    let project = setup.project.as_ref().map(|project| project.root.as_path());
    project.or(setup.user_dir.as_deref()).map(|home| home.join("participants"))
}

/// Writes a new persona and returns its path. It may replace a bundled persona, or, in a project, one of the user's.
///
/// # Errors
///
/// Returns [`EditError::Exists`] if this layer already defines the alias, [`EditError::NoFolder`] without a folder, or
/// the errors of writing the file.
pub(crate) fn add(setup: &Setup, persona: &Persona) -> Result<PathBuf, EditError> {
    let path = folder(setup).ok_or(EditError::NoFolder)?.join(format!("{}.yaml", persona.alias));
    let alias = persona.alias.as_str();
    if let Some(path) = defined(setup, alias)
        .filter(|origin| same_layer(setup, origin))
        .and_then(PersonaOrigin::path)
    {
        return Err(EditError::Exists { alias: persona.alias.clone(), path: path.to_owned() });
    }
    file::create(&path, &persona.write()?).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => {
            EditError::Exists { alias: persona.alias.clone(), path: path.clone() }
        }
        _ => EditError::File { path: path.clone(), source },
    })?;
    Ok(path)
}

/// Removes the file of a persona, even if it is broken, and returns its path.
///
/// # Errors
///
/// Returns [`EditError::Bundled`] for a persona that comes with the program, the errors of [`path_of`], or
/// [`EditError::File`].
pub(crate) fn remove(setup: &Setup, asked: &str) -> Result<PathBuf, EditError> {
    let path = match path_of(setup, asked)? {
        Some(path) => path,
        None => return Err(EditError::Bundled(setup.roster.resolve(asked)?.persona.alias.clone())),
    };
    std::fs::remove_file(&path).map_err(|source| EditError::File { path: path.clone(), source })?;
    Ok(path)
}

/// Returns the file that defines this persona alone, even if it is broken; `None` for a bundled persona.
///
/// # Errors
///
/// Returns [`EditError::Unknown`] or [`EditError::InList`].
pub(crate) fn path_of(setup: &Setup, asked: &str) -> Result<Option<PathBuf>, EditError> {
    let origin = match defined(setup, asked) {
        Some(origin) => origin,
        None => &setup.roster.resolve(asked)?.origin,
    };
    match origin.path() {
        Some(path) if is_list(setup, origin, path) => {
            Err(EditError::InList { alias: asked.to_owned(), path: path.to_owned() })
        }
        path => Ok(path.map(Path::to_owned)),
    }
}

/// Returns the origin of the definition in force for an alias or name, even if it is broken.
fn defined<'s>(setup: &'s Setup, asked: &str) -> Option<&'s PersonaOrigin> {
    let word = asked.trim().trim_start_matches('@');
    let broken =
        setup.roster.broken().iter().find(|broken| broken.alias.eq_ignore_ascii_case(word));
    if let Some(broken) = broken {
        return Some(&broken.origin);
    }
    setup.roster.resolve(asked).ok().map(|Member { origin, .. }| origin)
}

fn same_layer(setup: &Setup, origin: &PersonaOrigin) -> bool {
    match origin {
        PersonaOrigin::Project(_) => true,
        PersonaOrigin::User(_) => setup.project.is_none(),
        PersonaOrigin::Bundled => false,
    }
}

/// Returns true if a file contains a list of personas. Such a file is never deleted to remove one of them.
fn is_list(setup: &Setup, origin: &PersonaOrigin, path: &Path) -> bool {
    let members = setup.roster.iter().map(|member| &member.origin);
    let broken = setup.roster.broken().iter().map(|broken| &broken.origin);
    let several = members.chain(broken).filter(|other| *other == origin).count() > 1;
    // A broken list can only be recognized by its first key.
    let begins = |text: String| text.lines().any(|line| line.starts_with("participants:"));
    several
        || path.file_name().is_some_and(|name| name == "participants.yaml")
        || file::read(path).ok().flatten().is_some_and(begins)
}

#[cfg(test)]
mod tests;
