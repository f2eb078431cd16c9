//! All tests that use the crate from outside, in one binary.

mod laws;
mod patterns;
#[cfg(unix)]
mod proofs;
mod stage;
