//! Participants: personas, and the roster that finds them by alias or name. Pure code without file access.

mod persona;
mod read;
mod roster;

pub use self::persona::{Affinity, ParticipantKind, Persona, Weight};

pub use self::roster::{Member, PersonaOrigin, PersonaSource, ResolveError, Roster};
