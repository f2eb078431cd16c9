//! Adds, changes and removes personas in the configuration, each in its own file. Also loads their
//! abilities: Markdown files with additional knowledge. An invalid edit never replaces a valid
//! definition.

mod list_entry;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::list_entry::ListEntry;
use super::setup::ConfigScope;
use super::{Setup, file};
use crate::boundary::{self, EscapesProject, ProjectPlace};
use crate::codes::Fix;
use crate::config::ConfigError;
use crate::participant::{Member, Persona, PersonaOrigin, PersonaSource, ResolveError, Roster};
use crate::transcript::{Alias, canon, visible_line};
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
    /// The persona is one of several in a file, and its lines cannot be told from those of the others.
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
        /// The error, with line and column. Its [`LoadError::origin`] names the file that now
        /// contains the edited text.
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
    let path = match path_of(setup, asked) {
        Err(error) => {
            let (path, entry) = entry_of(setup, asked, error)?;
            if let Some(text) = entry.removed() {
                write(&path, &text)?;
                return Ok(path);
            }
            path
        }
        Ok(Some(path)) => path,
        Ok(None) => {
            return Err(EditError::Bundled(setup.roster.resolve(asked)?.persona.alias.clone()));
        }
    };
    std::fs::remove_file(&path).map_err(|source| EditError::File { path: path.clone(), source })?;
    Ok(path)
}

/// Returns the file and the entry of a persona in a list, if that is the reason for `error`.
///
/// # Errors
///
/// Returns `error` if it has another reason, or if the entry cannot be told from the others by its lines.
fn entry_of(
    setup: &Setup,
    asked: &str,
    error: EditError,
) -> Result<(PathBuf, ListEntry), EditError> {
    let EditError::InList { path, .. } = &error else { return Err(error) };
    let alias = setup.roster.resolve(asked)?.persona.alias.clone();
    let text = read(path)?.unwrap_or_default();
    match ListEntry::find(&text, &alias) {
        Some(entry) => Ok((path.clone(), entry)),
        None => Err(error),
    }
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

/// Returns the origin of the current definition for an alias or name, even if the definition is
/// broken.
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

/// The text of a persona while it is edited.
#[derive(Clone, Debug)]
pub(crate) struct PersonaDraft {
    origin: PersonaOrigin,
    path: PathBuf,
    /// The alias in the current text; `None` if that text is broken.
    alias: Option<Alias>,
    /// The current text, from the file or the bundled persona.
    before: String,
    /// The text that was rejected the last time.
    rejected: Option<String>,
    /// The place of the text in a file with several personas.
    entry: Option<ListEntry>,
}

/// The result of editing a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edited {
    /// The text equals the current one, so nothing was written.
    Unchanged,
    /// The new text was saved as the definition.
    Saved,
}

impl PersonaDraft {
    /// Opens a persona for editing. The draft begins with the text that was rejected last, or else
    /// with the current text.
    ///
    /// # Errors
    ///
    /// Fails like [`path_of`]. Also fails if there is no folder for a changed bundled persona, or if a file cannot be
    /// read.
    pub(crate) fn of(setup: &Setup, asked: &str) -> Result<Self, EditError> {
        let whole = setup.roster.resolve(asked).ok().map(|member| &member.persona);
        let mut entry = None;
        let file = match path_of(setup, asked) {
            Err(error) => {
                let (path, found) = entry_of(setup, asked, error)?;
                entry = Some(found);
                Some(path)
            }
            file => file?,
        };
        let (origin, path, before) = match (file, defined(setup, asked)) {
            (Some(path), Some(origin)) if let Some(entry) = &entry => {
                (origin.clone(), path, entry.text().to_owned())
            }
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
        let is_broken =
            entry.is_none() && setup.roster.broken().iter().any(|broken| broken.origin == origin);
        let alias = whole.filter(|_| !is_broken).map(|persona| persona.alias.clone());
        // A rejected text beside a list may be that of another entry.
        let is_own = |text: &String| {
            let line = alias.as_ref().map(|alias| format!("alias: {alias}"));
            entry.is_none() || line.is_some_and(|line| text.lines().any(|it| it.trim() == line))
        };
        let rejected = read(&rejected_path(&path))?.filter(is_own);
        Ok(Self { origin, path, alias, before, rejected, entry })
    }

    /// Returns the text to edit.
    pub(crate) fn text(&self) -> &str {
        self.rejected.as_ref().unwrap_or(&self.before)
    }

    /// Returns the file for the text. It need not exist yet.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Saves the edited text as the definition. An invalid text never replaces a valid one: it is
    /// stored beside the file, with `.rejected` after the file's name.
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
            match &self.entry {
                Some(entry) => write(&self.path, &entry.replaced_by(edited))?,
                None => write(&self.path, edited)?,
            }
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

/// Maximum size of one persona's abilities in bytes: 10,000 tokens of four characters (INV-DISC-641).
const MOST: usize = 40_000;

/// Returns the texts of the files that a persona names, joined. Their paths are relative to
/// `folder`. Returns `None` if the persona names no file.
///
/// # Errors
/// Returns an error at the name of the first file that is missing, not readable or outside of the project, or makes the
/// texts too long.
pub(super) fn taught(
    persona: &Persona,
    source: &PersonaSource,
    scope: ConfigScope,
    folder: &Path,
) -> Result<Option<Arc<str>>, LoadError> {
    let mut all = String::new();
    for name in &persona.abilities {
        let wrong = |message: String| {
            LoadError::at(&source.shown, &source.text, 1, place(&source.text, name), message)
        };
        let path = folder.join(name);
        let place = match scope {
            ConfigScope::Project => boundary::ensure_within(&path, folder),
            ConfigScope::User => Ok(ProjectPlace::follow(&path)),
        };
        let text = match file::read_at(&place.map_err(|error| wrong(error.to_string()))?) {
            Ok(Some(text)) => text,
            Ok(None) => return Err(wrong(format!("the file `{name}` does not exist"))),
            Err(ConfigError::Load(error)) => {
                return Err(wrong(format!("`{name}`: {}", error.message)));
            }
            Err(error) => return Err(wrong(error.to_string())),
        };
        all.push_str(canon(text.trim()).trim_end());
        all.push_str("\n\n");
        if all.len() > MOST {
            let most = "the abilities of one persona may have at most 10,000 tokens (about 40 KB) in total";
            return Err(wrong(most.to_owned()));
        }
    }
    Ok((!all.trim().is_empty()).then(|| all.trim_end().into()))
}

/// Returns line and column of a file's name after `abilities`.
fn place(text: &str, name: &str) -> (usize, usize) {
    let key = text.find("abilities").unwrap_or(0);
    let Some(found) = text[key..].find(name) else { return (0, 0) };
    let before = &text[..key + found];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[line..].chars().count() + 1)
}

#[cfg(test)]
mod tests;
