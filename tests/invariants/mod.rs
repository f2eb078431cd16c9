//! The invariants of the domain, each a test whose name begins with its number.

mod asked;
mod bounds;
mod degradation;
mod flow;
mod memory;
mod nesting;
mod providers;
mod sight;
mod synthesis;
mod table;
mod trace;
mod votes;
