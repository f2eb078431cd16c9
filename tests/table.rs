//! The rules of the file format and of the patterns, rule by rule. A rule is the name of a test or the label of a case.

mod audit;
mod bodies;
mod calls;
mod consensus;
mod decisions;
mod discussion;
mod patterns;
mod review;
mod state;
mod turns;
