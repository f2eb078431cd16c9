//! The invariants of the domain, each a test whose name begins with its number.

mod bounds;
mod degradation;
mod flow;
mod memory;
mod nesting;
mod providers;
mod requested_discussions;
mod synthesis;
mod table;
mod trace;
mod visibility;
mod votes;
