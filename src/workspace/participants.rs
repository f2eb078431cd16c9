//! Participants: finds those that a command names, and checks that they fit the rules of a new
//! discussion. Also lists, shows, adds, changes and removes personas.

use std::path::{Path, PathBuf};

use super::environment::name;
use super::error::{Help, WorkspaceError};
use super::{Participants, Workspace};
use crate::codes::ErrorCode;
use crate::config::participants::{Edited, PersonaDraft, add, remove};
use crate::participant::{Affinity, Member, ParticipantKind, Persona, ResolveError};
use crate::state::Seats;
use crate::template::{DecidedBy, Method, Speakers, Template};
use crate::transcript::{Alias, Name, NameError};
use crate::view::{self, BrokenPersona, Definition, FileChange, Personas};

/// One participant, as the command line names it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seat {
    /// The persona.
    pub persona: Persona,
    /// The provider that it is to use.
    pub provider: Option<String>,
    /// It stands for a bare provider.
    pub neutral: bool,
}

/// Creates the error for a text that is not a valid name of a participant.
pub(super) fn cannot_take_part(asked: &str, reason: &NameError) -> WorkspaceError {
    WorkspaceError::refuse(format!("`{asked}` cannot take part: {reason}"))
}

/// Parses `persona`, `provider` or `persona=provider`. `own` returns the kind of a name that writes its own comments.
///
/// # Errors
/// Fails if no participant has this name.
pub(crate) fn seats<'n>(
    workspace: &Workspace,
    named: impl IntoIterator<Item = &'n str>,
    own: impl Fn(&str) -> Option<ParticipantKind>,
) -> Result<Vec<Seat>, WorkspaceError> {
    let mut seats: Vec<Seat> = Vec::new();
    for text in named.into_iter().map(str::trim).filter(|text| !text.is_empty()) {
        let seat = match own(text) {
            Some(kind) => own_seat(text, kind)?,
            None => seat(workspace, text)?,
        };
        if seats.iter().any(|other| other.persona.alias == seat.persona.alias) {
            let twice = seat.persona.alias;
            return Err(WorkspaceError::refuse(format!("`{twice}` is named twice")));
        }
        seats.push(seat);
    }
    Ok(seats)
}

/// Stands for a provider in `mira=person`: Mira takes part, and writes her own comments.
pub(super) const PERSON: &str = "person";

/// Returns a participant that writes its own comments and has no persona file. Its alias is its name in small letters.
fn own_seat(text: &str, kind: ParticipantKind) -> Result<Seat, WorkspaceError> {
    let small = text.to_lowercase().replace(' ', "-");
    let persona = Alias::parse(&small).and_then(Persona::neutral);
    let persona = persona.and_then(|persona| {
        Ok(Persona { name: Name::parse(text)?, kind, provider_hint: None, ..persona })
    });
    let persona = persona.map_err(|reason| cannot_take_part(text, &reason))?;
    Ok(Seat { persona, provider: None, neutral: true })
}

fn seat(workspace: &Workspace, text: &str) -> Result<Seat, WorkspaceError> {
    let (who, provider) = match text.split_once('=') {
        Some((who, PERSON)) if workspace.registry().find(PERSON).is_err() => {
            return own_seat(who.trim(), ParticipantKind::Human);
        }
        Some((who, provider)) => {
            workspace.registry().find(provider)?;
            (who, Some(provider.to_owned()))
        }
        None => (text, None),
    };
    match workspace.setup.roster.resolve(who) {
        Ok(member) => Ok(Seat { persona: member.persona.clone(), provider, neutral: false }),
        Err(ResolveError::Unknown { nearest, .. }) => match workspace.registry().find(who) {
            Ok(entry) => {
                let persona = Alias::parse(who).and_then(Persona::neutral);
                let persona = persona.map_err(|reason| cannot_take_part(who, &reason))?;
                let name = entry.definition.common.name.as_str().to_owned();
                Ok(Seat { persona, provider: Some(provider.unwrap_or(name)), neutral: true })
            }
            Err(near_provider) => {
                if let Some(unread) = workspace.unread("participants", &format!("{who}.yaml")) {
                    let message = format!("no participant or provider is called `{who}`; {unread}");
                    return Err(WorkspaceError::refuse(message).with_help(Help::BeginProject));
                }
                let nearest = nearest.into_iter().chain(near_provider.nearest).collect();
                Err(WorkspaceError::UnknownParticipant { asked: who.to_owned(), nearest })
            }
        },
        Err(broken) => Err(broken.into()),
    }
}

impl Seat {
    /// Returns true for a person that only the head knows. Every run of the discussion waits for such a person.
    pub(crate) fn is_unnamed_person(&self) -> bool {
        self.neutral && self.persona.kind == ParticipantKind::Human
    }

    /// Returns true for the agent that asks, which only the head knows.
    pub(crate) fn is_agent(&self) -> bool {
        self.persona.kind == ParticipantKind::Agent
    }

    /// Returns true for a participant that votes.
    pub(crate) fn votes(&self) -> bool {
        self.persona.kind != ParticipantKind::Background
    }
}

/// Rejects a method that no participant can carry out (INV-DISC-003).
pub(super) fn somebody_decides(
    template: &Template,
    method: Option<Method>,
    roles: &Seats,
) -> Result<(), WorkspaceError> {
    let held = |name: &String| {
        if template.roles.contains_key(name) {
            roles.get(name).is_some_and(|holders| !holders.is_empty())
        } else {
            true
        }
    };
    let speaks = |speakers: &Speakers| match speakers {
        Speakers::List(names) => names.iter().any(held),
        Speakers::All | Speakers::Word(_) => false,
    };
    let somebody = template.phases.iter().any(|phase| phase.decides() && speaks(&phase.speakers));
    let needed = method.unwrap_or_default().decided_by() == DecidedBy::StatedDecision;
    if needed && !somebody {
        return Err(WorkspaceError::refuse(format!(
            "the consensus method `moderator` needs a participant who decides, and `{}` has none; choose another method",
            template.id
        ))
        .with_code(ErrorCode::InvalidRoles));
    }
    Ok(())
}

/// Rejects a minimum of answers that is 0 or exceeds the number of participants (INV-DISC-010).
pub(super) fn enough_seats(
    template: &Template,
    least: Option<u32>,
    participants: &[Alias],
) -> Result<(), WorkspaceError> {
    match least {
        Some(least) if least as usize > participants.len() || least == 0 => {
            Err(WorkspaceError::refuse(format!(
                "`min_providers` must be 1 to the number of participants: `{}` has {} here, not {least}",
                template.id,
                participants.len()
            )))
        }
        _ => Ok(()),
    }
}

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

impl Participants<'_> {
    /// Returns all participants known in the working folder.
    pub fn list_participants(&self) -> Personas {
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
            let found = persona.alias;
            return Err(WorkspaceError::refuse(format!(
                "{file} describes `{found}`, not `{wanted}`"
            ))
            .with_help(Help::UseAlias(found.to_string())));
        }
        let path = add(&self.setup, &persona)?;
        // A hint at an unknown provider stops each run in which the participant is asked.
        let hint = persona.provider_hint.as_deref();
        let unknown = hint.and_then(|hint| self.registry().find(hint).err());
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
        let unknown = named.filter(|name| self.registry().find(name).is_err());
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
    Alias::parse(text.trim_start_matches('@'))
        .map_err(|reason| WorkspaceError::invalid_name("an alias", text, &reason))
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
