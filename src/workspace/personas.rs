//! Lists, shows, adds, changes and removes participants.

use std::path::{Path, PathBuf};

use super::Workspace;
use super::environment::name;
use super::error::WorkspaceError;
use crate::config::participants::{Edited, PersonaDraft, add, remove};
use crate::participant::{Affinity, Member, ParticipantKind, Persona};
use crate::transcript::Alias;
use crate::view::{self, BrokenPersona, Definition, FileChange, Personas};

/// A new participant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewPersona {
    /// The alias, with or without `@`.
    pub alias: String,
    /// The name above its comments.
    pub name: String,
    /// The role, in a few words.
    pub role: String,
    /// `voting`, `background` or `human`.
    pub kind: String,
    /// The personality, in the second person; only a person may lack one.
    pub personality: String,
    /// The areas of expertise.
    pub expertise: Vec<String>,
    /// The questions that the persona always asks.
    pub concerns: Vec<String>,
    /// The provider that is used if no setting names another.
    pub provider: Option<String>,
}

/// The text of a definition while the user edits it.
#[derive(Clone, Debug)]
pub struct PersonaEdit(PersonaDraft);

impl Workspace {
    /// Returns all participants known in the working folder.
    pub fn participants(&self) -> Personas {
        let roster = &self.setup.roster;
        let shown = |member: &Member| view::Persona {
            alias: member.persona.alias.to_string(),
            name: member.persona.name.to_string(),
            kind: member.persona.kind,
            role: member.persona.role.clone(),
            origin: self.origin(member),
        };
        let broken = roster.broken().iter().map(|broken| BrokenPersona {
            alias: broken.alias.clone(),
            error: broken.error.to_string(),
        });
        Personas { personas: roster.iter().map(shown).collect(), broken: broken.collect() }
    }

    /// Returns the definition of a participant, by alias or name.
    ///
    /// # Errors
    /// Fails if no participant has this name, or if its definition is broken.
    pub fn participant(&self, asked: &str) -> Result<Definition, WorkspaceError> {
        let member = self.setup.roster.resolve(asked)?;
        definition(&member.persona, self.origin(member))
    }

    /// Ensures that a word is a valid alias, with or without `@`.
    ///
    /// # Errors
    /// Fails with the reason why it is not.
    pub fn insist_on_alias(&self, word: &str) -> Result<(), WorkspaceError> {
        alias(word).map(|_| ())
    }

    /// Returns the definition of a new participant as it would be stored. Writes nothing.
    ///
    /// # Errors
    /// Fails if the alias, the name or another word is not valid.
    pub fn define(&self, new: &NewPersona) -> Result<Definition, WorkspaceError> {
        let kinds = [ParticipantKind::Voting, ParticipantKind::Background, ParticipantKind::Human];
        let kind = kinds.into_iter().find(|kind| kind.as_str() == new.kind).unwrap_or_default();
        let persona = Persona {
            name: name(&new.name)?,
            alias: alias(&new.alias)?,
            role: new.role.clone(),
            personality: new.personality.clone(),
            neutral: false,
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
        // A definition that is written must be readable later.
        let persona = Persona::read(&persona.write()?, "the new participant")?;
        definition(&persona, String::new())
    }

    /// Adds a participant from the text of its definition. Errors call the text `file`.
    ///
    /// # Errors
    /// Fails if the text is wrong or defines another alias, if the alias is taken, or if the file cannot be written.
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
        // A hint at an unknown provider stops each run in which the participant is asked.
        let hint = persona.provider_hint.as_deref();
        let unknown = hint.and_then(|hint| self.registry.find(hint).err());
        let warnings = unknown.iter().map(|error| format!("its provider_hint: {error}")).collect();
        Ok(Definition { warnings, ..definition(&persona, self.shown_path(&path))? })
    }

    /// Returns the providers in a definition that do not exist here.
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

    /// Returns the text of a definition for editing: the text that was rejected last time, or else the current one.
    ///
    /// # Errors
    /// Fails if no participant has this name, or if its file also defines others.
    pub fn edit_participant(&self, asked: &str) -> Result<PersonaEdit, WorkspaceError> {
        Ok(PersonaEdit(PersonaDraft::of(&self.setup, asked)?))
    }

    /// Stores an edited text as the definition. Unchanged text changes nothing. Keeps a wrong text
    /// in a file beside the definition.
    ///
    /// # Errors
    /// Fails if the text is wrong, or if the file cannot be written.
    pub fn finish_edit(&self, edit: PersonaEdit, text: &str) -> Result<FileChange, WorkspaceError> {
        let file = self.shown_path(edit.path());
        Ok(FileChange { file, changed: edit.0.finish(&self.setup, text)? == Edited::Saved })
    }

    /// Removes the file of a definition.
    ///
    /// # Errors
    /// Fails if no participant has this name, or if it has no file of its own.
    pub fn remove_participant(&self, asked: &str) -> Result<FileChange, WorkspaceError> {
        Ok(FileChange { file: self.shown_path(&remove(&self.setup, asked)?), changed: true })
    }

    fn origin(&self, member: &Member) -> String {
        self.shown_path(&PathBuf::from(member.origin.to_string()))
    }
}

impl PersonaEdit {
    /// Returns the text to edit.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// Returns the file of the definition; it need not exist yet.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Parses an alias that the caller gave.
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
