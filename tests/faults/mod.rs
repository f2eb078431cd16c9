//! Participants whose providers misbehave: the others go on, and what cannot go on ends with a standard code.

mod codes;
mod isolation;
