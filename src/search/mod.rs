//! Where in discussions words stand, and which of these places matters most. Nothing is kept between two searches, and
//! no word of any language is known: what is looked for is letters in any case. Only of a whole question are words left
//! out that every question has.

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
pub(crate) use since::{before, since};
pub(crate) use words::Words;
