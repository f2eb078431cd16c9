//! Who can take part: listed, shown, added, changed, removed.

use std::path::{Path, PathBuf};

use super::Workspace;
use super::author::name;
use super::error::WorkspaceError;
use crate::config::participants::{Draft, Edited, add, remove};
use crate::participant::{Affinity, Kind, Member, Persona};
use crate::transcript::Alias;
use crate::view::{self, BrokenPersona, Definition, FileChange, Personas};

/// Somebody new who is to take part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewPersona {
    /// The word that mentions them, with or without `@`.
    pub alias: String,
    /// The name above their comments.
    pub name: String,
    /// What they are, in a few words.
    pub role: String,
    /// `voting`, `background` or `human`.
    pub kind: String,
    /// Their character, in the second person; only a person may do without.
    pub personality: String,
    /// What they know about.
    pub expertise: Vec<String>,
    /// What they always ask.
    pub concerns: Vec<String>,
    /// The provider that they speak through when nothing else is said.
    pub provider: Option<String>,
}

/// The text of somebody's definition on its way through an editor.
#[derive(Clone, Debug)]
pub struct Edit(Draft);

impl Workspace {
    /// All who are known here.
    pub fn participants(&self) -> Personas {
        let roster = &self.setup.roster;
        let shown = |member: &Member| view::Persona {
            alias: member.persona.alias.to_string(),
            name: member.persona.name.to_string(),
            kind: member.persona.kind.as_str(),
            role: member.persona.role.clone(),
            origin: self.origin(member),
        };
        let broken = roster.broken().iter().map(|broken| BrokenPersona {
            alias: broken.alias.clone(),
            error: broken.error.to_string(),
        });
        Personas { personas: roster.iter().map(shown).collect(), broken: broken.collect() }
    }

    /// Somebody's definition, by alias or name.
    ///
    /// # Errors
    /// When nobody is called so, or the definition is broken.
    pub fn participant(&self, asked: &str) -> Result<Definition, WorkspaceError> {
        let member = self.setup.roster.resolve(asked)?;
        definition(&member.persona, self.origin(member))
    }

    /// Insists that a word can be somebody's alias, with or without `@`.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn insist_on_alias(&self, word: &str) -> Result<(), WorkspaceError> {
        alias(word).map(|_| ())
    }

    /// The definition of somebody new, as it would be kept; nothing is written.
    ///
    /// # Errors
    /// An alias, a name or another word that cannot be used.
    pub fn define(&self, new: &NewPersona) -> Result<Definition, WorkspaceError> {
        let kinds = [Kind::Voting, Kind::Background, Kind::Human];
        let kind = kinds.into_iter().find(|kind| kind.as_str() == new.kind).unwrap_or_default();
        let persona = Persona {
            name: name(&new.name)?,
            alias: alias(&new.alias)?,
            role: new.role.clone(),
            personality: new.personality.clone(),
            votes: String::new(),
            expertise: new.expertise.clone(),
            concerns: new.concerns.clone(),
            kind,
            provider_hint: new.provider.clone(),
            provider_affinity: Affinity::default(),
            abilities: Vec::new(),
            taught: None,
            weight: None,
        };
        // What is written has to be readable.
        let persona = Persona::read(&persona.write()?, "the new participant")?;
        definition(&persona, String::new())
    }

    /// Adds somebody by the text of their definition; `file` is what an error calls it.
    ///
    /// # Errors
    /// A text that is wrong or describes somebody else, an alias that is taken, a file that cannot be written.
    pub fn add_participant(
        &self,
        wanted: &str,
        text: &str,
        file: &str,
    ) -> Result<Definition, WorkspaceError> {
        let persona = Persona::read(text, file)?;
        let wanted = alias(wanted)?;
        if persona.alias != wanted {
            return Err(WorkspaceError::OtherAlias {
                file: file.to_owned(),
                found: persona.alias.to_string(),
                wanted: wanted.to_string(),
            });
        }
        let path = add(&self.setup, &persona)?;
        // A hint that names nobody stops each run in which they are asked.
        let hint = persona.provider_hint.as_deref();
        let unknown = hint.and_then(|hint| self.registry.find(hint).err());
        let warnings = unknown.iter().map(|error| format!("its provider_hint: {error}")).collect();
        Ok(Definition { warnings, ..definition(&persona, self.shown(&path))? })
    }

    /// The providers that somebody's definition names and that are not known here.
    pub fn unknown_providers(&self, definition: &Definition) -> Vec<String> {
        let Ok(persona) = Persona::read(&definition.text, &definition.origin) else {
            return Vec::new();
        };
        let affinity = &persona.provider_affinity;
        let named = persona.provider_hint.iter().chain(&affinity.preferred);
        let named = named.chain(affinity.task_mapping.values()).chain(&affinity.fallback);
        let unknown = named.filter(|name| self.registry.find(name).is_err());
        let mut unknown: Vec<String> = unknown.cloned().collect();
        unknown.dedup();
        unknown
    }

    /// The text of somebody's definition, to be changed: the one that was rejected the last time, else the one in force.
    ///
    /// # Errors
    /// When nobody is called so, or the file is not one person's own.
    pub fn edit_participant(&self, asked: &str) -> Result<Edit, WorkspaceError> {
        Ok(Edit(Draft::of(&self.setup, asked)?))
    }

    /// Puts a changed text in force; nothing is changed where it is the text that was. One that is wrong is kept beside.
    ///
    /// # Errors
    /// What is wrong with the text, and a file that cannot be written.
    pub fn finish_edit(&self, edit: Edit, text: &str) -> Result<FileChange, WorkspaceError> {
        let file = self.shown(edit.path());
        Ok(FileChange { file, changed: edit.0.finish(&self.setup, text)? == Edited::Saved })
    }

    /// Removes the file of somebody's definition.
    ///
    /// # Errors
    /// When nobody is called so, and when there is no file of their own.
    pub fn remove_participant(&self, asked: &str) -> Result<FileChange, WorkspaceError> {
        Ok(FileChange { file: self.shown(&remove(&self.setup, asked)?), changed: true })
    }

    fn origin(&self, member: &Member) -> String {
        self.shown(&PathBuf::from(member.origin.to_string()))
    }
}

impl Edit {
    /// The text to be changed.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// The file that it is for; it need not exist yet.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// An alias as it is given.
fn alias(text: &str) -> Result<Alias, WorkspaceError> {
    let refused =
        |reason| WorkspaceError::Name { what: "an alias", asked: text.to_owned(), reason };
    Alias::parse(text.trim_start_matches('@')).map_err(refused)
}

fn definition(persona: &Persona, origin: String) -> Result<Definition, WorkspaceError> {
    Ok(Definition {
        alias: persona.alias.to_string(),
        name: persona.name.to_string(),
        origin,
        text: persona.write()?,
        warnings: Vec::new(),
    })
}
