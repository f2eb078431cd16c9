//! The participants that a command names: personas, bare providers, and personas with a provider of their own.

use thiserror::Error;

use super::Workspace;
use crate::participant::{ParticipantKind, Persona, ResolveError};
use crate::transcript::{Alias, NameError};

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

/// The reason why a participant cannot take part.
#[derive(Debug, Error)]
pub enum SeatError {
    /// The name is neither a persona's nor a provider's.
    #[error("no participant or provider is called `{asked}`{}", .nearest.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
    Unknown {
        /// The name that was given.
        asked: String,
        /// Similar names.
        nearest: Vec<String>,
    },
    /// A persona with an invalid file.
    #[error(transparent)]
    Persona(ResolveError),
    /// The text is not a valid name.
    #[error("`{asked}` cannot take part: {reason}")]
    Name {
        /// The text that was given.
        asked: String,
        /// The reason.
        reason: NameError,
    },
    /// The provider behind `=` does not exist.
    #[error(transparent)]
    Provider(#[from] crate::provider::UnknownProvider),
    /// Too few or too many for the template (INV-DISC-005, INV-DISC-006).
    #[error("the template `{template}` takes {bounds} participants, but {count} are given")]
    Count {
        /// The template.
        template: String,
        /// The allowed number, in words.
        bounds: String,
        /// The number of participants that were named.
        count: usize,
    },
    /// The required number of answers is 0, or exceeds the number of participants (INV-DISC-010).
    #[error(
        "`min_providers` must be 1 to the number of participants: `{template}` has {count} here, not {least}"
    )]
    Least {
        /// The template.
        template: String,
        /// The required number of answers.
        least: u32,
        /// The number of participants.
        count: usize,
    },
    /// A participant is named twice.
    #[error("`{0}` is named twice")]
    Twice(Alias),
}

/// Parses `persona`, `provider` or `persona=provider`. `own` returns the kind of a name that writes its own comments.
///
/// # Errors
/// Fails if no participant has this name.
pub(crate) fn seats<'n>(
    workspace: &Workspace,
    named: impl IntoIterator<Item = &'n str>,
    own: impl Fn(&str) -> Option<ParticipantKind>,
) -> Result<Vec<Seat>, SeatError> {
    let mut seats: Vec<Seat> = Vec::new();
    for text in named.into_iter().map(str::trim).filter(|text| !text.is_empty()) {
        let seat = match own(text) {
            Some(kind) => own_seat(text, kind)?,
            None => seat(workspace, text)?,
        };
        if seats.iter().any(|other| other.persona.alias == seat.persona.alias) {
            return Err(SeatError::Twice(seat.persona.alias));
        }
        seats.push(seat);
    }
    Ok(seats)
}

/// Returns a participant that writes its own comments and has no persona file.
fn own_seat(text: &str, kind: ParticipantKind) -> Result<Seat, SeatError> {
    let refused = |reason| SeatError::Name { asked: text.to_owned(), reason };
    let persona = Alias::parse(text).and_then(Persona::neutral).map_err(refused)?;
    let persona = Persona { kind, provider_hint: None, ..persona };
    Ok(Seat { persona, provider: None, neutral: true })
}

fn seat(workspace: &Workspace, text: &str) -> Result<Seat, SeatError> {
    let (who, provider) = match text.split_once('=') {
        Some((who, provider)) => {
            workspace.registry.find(provider)?;
            (who, Some(provider.to_owned()))
        }
        None => (text, None),
    };
    match workspace.setup.roster.resolve(who) {
        Ok(member) => Ok(Seat { persona: member.persona.clone(), provider, neutral: false }),
        Err(ResolveError::Unknown { nearest, .. }) => match workspace.registry.find(who) {
            Ok(entry) => {
                let alias = Alias::parse(who)
                    .map_err(|reason| SeatError::Name { asked: who.to_owned(), reason })?;
                let name = entry.definition.common.name.as_str().to_owned();
                let persona = Persona::neutral(alias)
                    .map_err(|reason| SeatError::Name { asked: who.to_owned(), reason })?;
                Ok(Seat { persona, provider: Some(provider.unwrap_or(name)), neutral: true })
            }
            Err(near_provider) => {
                let nearest = nearest.into_iter().chain(near_provider.nearest).collect();
                Err(SeatError::Unknown { asked: who.to_owned(), nearest })
            }
        },
        Err(broken) => Err(SeatError::Persona(broken)),
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
