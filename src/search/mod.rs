//! Finds words in discussions and ranks the places where they occur. Nothing is stored between two searches. A search
//! works alike in every language, because it only compares letters and ignores their case. Only a search by a whole
//! question skips words that occur in every question.

mod kind;
mod near;
mod passage;
mod rank;
mod since;
mod words;

pub use kind::FoundKind;
pub(crate) use near::{near_enough, nearest, promising};
pub(crate) use passage::passages;
pub(crate) use rank::{Corpus, Looked, rank};
pub(crate) use since::{seconds_before, since};
pub(crate) use words::SearchWords;
