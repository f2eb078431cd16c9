//! The prompts of every template, word for word.

mod ballots;
mod feedback;
mod patterns;
mod quoting;
mod rules;
mod sheet;
mod sizes;
