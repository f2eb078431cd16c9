//! The format's and the patterns' tables, row by row: each row's words are a test's name or a case's label.

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
