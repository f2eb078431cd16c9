//! All tests that use the crate from outside, in one binary.

mod attacks;
mod laws;
mod patterns;
mod stage;
