//! All tests that use the crate from outside, in one binary.

mod laws;
mod patterns;
mod stage;
