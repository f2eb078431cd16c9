//! All tests that use the crate from outside, in one binary.

mod attacks;
mod cases;
mod laws;
mod patterns;
mod stage;
