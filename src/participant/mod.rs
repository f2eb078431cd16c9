//! Participants: personas, and the roster that finds them by alias or name. Pure code without file access.

mod affinity;
mod bundled;
mod persona;
mod read;
mod roster;
mod weight;

pub use self::affinity::Affinity;
pub use self::persona::{ParticipantKind, Persona};

pub use self::roster::{Member, PersonaOrigin, PersonaSource, ResolveError, Roster};
pub use self::weight::Weight;
