//! Who takes part: personas, bare providers, and personas with a provider of their own.

use thiserror::Error;

use super::Workspace;
use crate::participant::{Kind, Persona, ResolveError};
use crate::transcript::{Alias, NameError};

/// One participant as named on the command line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seat {
    /// Who.
    pub persona: Persona,
    /// The provider they are to use.
    pub provider: Option<String>,
    /// They stand for a bare provider.
    pub neutral: bool,
}

/// Why somebody cannot take part.
#[derive(Debug, Error)]
pub enum SeatError {
    /// Neither a persona nor a provider.
    #[error("no participant or provider is called `{asked}`{}", .nearest.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
    Unknown {
        /// What was named.
        asked: String,
        /// Similar names.
        nearest: Vec<String>,
    },
    /// A persona whose file is broken.
    #[error(transparent)]
    Persona(ResolveError),
    /// No name at all.
    #[error("`{asked}` cannot take part: {reason}")]
    Name {
        /// What was named.
        asked: String,
        /// Why.
        reason: NameError,
    },
    /// No such provider behind `=`.
    #[error(transparent)]
    Provider(#[from] crate::provider::UnknownProvider),
    /// Too few or too many for the template (INV-DISC-005, INV-DISC-006).
    #[error("the template `{template}` takes {bounds} participants, but {count} are given")]
    Count {
        /// The template.
        template: String,
        /// How many it takes, in words.
        bounds: String,
        /// How many were named.
        count: usize,
    },
    /// More answers are needed than there are participants, or none (INV-DISC-010).
    #[error(
        "`min_providers` must be 1 to the number of participants: `{template}` has {count} here, not {least}"
    )]
    Least {
        /// The template.
        template: String,
        /// The fewest answers that were asked for.
        least: u32,
        /// How many take part.
        count: usize,
    },
    /// Somebody is named twice.
    #[error("`{0}` is named twice")]
    Twice(Alias),
}

/// Reads `persona`, `provider` or `persona=provider`; `own` says of a name who speaks for themselves, and as what.
///
/// # Errors
/// When nobody is called so.
pub(crate) fn seats<'n>(
    workspace: &Workspace,
    named: impl IntoIterator<Item = &'n str>,
    own: impl Fn(&str) -> Option<Kind>,
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

/// Somebody who speaks for themselves, without a file of their own.
fn own_seat(text: &str, kind: Kind) -> Result<Seat, SeatError> {
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
    /// Whether it is a person whom nothing but the head knows: whoever reads the file waits for them.
    pub(crate) fn is_unnamed_person(&self) -> bool {
        self.neutral && self.persona.kind == Kind::Human
    }

    /// Whether whoever asks sits here, whom nothing but the head knows.
    pub(crate) fn is_agent(&self) -> bool {
        self.persona.kind == Kind::Agent
    }

    /// Whether they sit among the voting participants.
    pub(crate) fn votes(&self) -> bool {
        self.persona.kind != Kind::Background
    }
}
