//! The invariants of the domain. The name of each test begins with the number of its invariant.

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
