//! Adding, changing and removing personas, each a file of its own.

mod edit;

use std::io;
use std::path::{Path, PathBuf};

pub(crate) use self::edit::{Draft, Edited};
use super::{Setup, file};
use crate::boundary::Outside;
use crate::participant::{Member, Origin, Persona, ResolveError};
use crate::transcript::{Alias, visible_line};
use crate::yaml::LoadError;

/// Why a persona's file cannot be added, changed or removed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// There is no folder to keep it in.
    #[error("there is no folder for participants")]
    NoFolder,
    /// It is defined already.
    #[error("`{alias}` is already defined in {}", visible_line(&path.to_string_lossy()))]
    Exists {
        /// The persona.
        alias: Alias,
        /// Its file.
        path: PathBuf,
    },
    /// It comes with the program.
    #[error(
        "`{0}` is bundled and cannot be removed; leave it out of `default_participants`, or define your own `{0}` to \
         replace it"
    )]
    Bundled(Alias),
    /// It is one of several in a file.
    #[error("`{alias}` is one of several entries in {}; change it there", visible_line(&path.to_string_lossy()))]
    InList {
        /// What was asked for.
        alias: String,
        /// The file with the list.
        path: PathBuf,
    },
    /// Nobody is called so.
    #[error(transparent)]
    Unknown(#[from] ResolveError),
    /// It cannot be written as YAML.
    #[error(transparent)]
    Write(#[from] LoadError),
    /// What was written in an editor is wrong.
    #[error("{error}{}", if *.rejected { "; the old definition stays in use" } else { "" })]
    Wrong {
        /// What, and where; its origin is the file that the text is kept in.
        error: LoadError,
        /// It is kept beside the file in force, in whose place it could not be put.
        rejected: bool,
    },
    /// A project's file is a link to somebody else's.
    #[error(transparent)]
    Outside(#[from] Outside),
    /// The file system refuses.
    #[error("cannot read or write {}: {source}", visible_line(&path.to_string_lossy()))]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// The folder where new personas go: the project's, else the user's.
pub(crate) fn folder(setup: &Setup) -> Option<PathBuf> {
    let project = setup.project.as_ref().map(|project| project.root.as_path());
    project.or(setup.user_dir.as_deref()).map(|home| home.join("participants"))
}

/// Writes a new persona and tells its path. One that replaces a bundled persona, or in a project
/// one of the user's, is welcome.
///
/// # Errors
///
/// [`EditError::Exists`] when the same folder's layer defines the alias; else as the name says.
pub(crate) fn add(setup: &Setup, persona: &Persona) -> Result<PathBuf, EditError> {
    let path = folder(setup).ok_or(EditError::NoFolder)?.join(format!("{}.yaml", persona.alias));
    let alias = persona.alias.as_str();
    if let Some(path) =
        defined(setup, alias).filter(|origin| same_layer(setup, origin)).and_then(Origin::path)
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

/// Removes the file of a persona, broken or not, and tells its path.
///
/// # Errors
///
/// [`EditError::Bundled`] for one that comes with the program; else as the name says.
pub(crate) fn remove(setup: &Setup, asked: &str) -> Result<PathBuf, EditError> {
    let path = match path_of(setup, asked)? {
        Some(path) => path,
        None => return Err(EditError::Bundled(setup.roster.resolve(asked)?.persona.alias.clone())),
    };
    std::fs::remove_file(&path).map_err(|source| EditError::File { path: path.clone(), source })?;
    Ok(path)
}

/// The file of its own that defines a persona, broken or not; `None` for one that is bundled.
///
/// # Errors
///
/// [`EditError::Unknown`] and [`EditError::InList`].
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

/// Where the definition that counts for this word is, broken or not.
fn defined<'s>(setup: &'s Setup, asked: &str) -> Option<&'s Origin> {
    let word = asked.trim().trim_start_matches('@');
    let broken =
        setup.roster.broken().iter().find(|broken| broken.alias.eq_ignore_ascii_case(word));
    if let Some(broken) = broken {
        return Some(&broken.origin);
    }
    setup.roster.resolve(asked).ok().map(|Member { origin, .. }| origin)
}

fn same_layer(setup: &Setup, origin: &Origin) -> bool {
    match origin {
        Origin::Project(_) => true,
        Origin::User(_) => setup.project.is_none(),
        Origin::Bundled => false,
    }
}

/// Whether a file holds personas in a list, which is never removed for one of them.
fn is_list(setup: &Setup, origin: &Origin, path: &Path) -> bool {
    let members = setup.roster.iter().map(|member| &member.origin);
    let broken = setup.roster.broken().iter().map(|broken| &broken.origin);
    let several = members.chain(broken).filter(|other| *other == origin).count() > 1;
    // The text of a broken list tells by its first words; nothing else may be left of it.
    let begins = |text: String| text.lines().any(|line| line.starts_with("participants:"));
    several
        || path.file_name().is_some_and(|name| name == "participants.yaml")
        || file::read(path).ok().flatten().is_some_and(begins)
}

#[cfg(test)]
mod tests;
