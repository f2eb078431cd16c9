//! All tests that use the crate from outside, in one binary.

#![expect(clippy::unwrap_used, reason = "a test whose helper cannot go on has failed")]

#[cfg(all(unix, feature = "cli"))]
mod cli;
mod laws;
mod patterns;
#[cfg(unix)]
mod proofs;
mod stage;
