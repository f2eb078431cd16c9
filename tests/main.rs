//! All tests that use the crate from outside, in one binary.

#[cfg(all(unix, feature = "cli"))]
mod cli;
mod laws;
mod patterns;
mod stage;
