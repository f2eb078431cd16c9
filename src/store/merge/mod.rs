//! Compares and merges texts block by block: git's merge driver, and the definition of a block. Pure functions without
//! files and clocks.

mod accepted;
mod block;
mod branches;
mod changed;
mod numbered;
mod weave;

#[cfg(test)]
mod tests;

pub(super) use accepted::Acceptances;
pub(crate) use accepted::agreements;
pub(super) use block::{Appendix, BlockKey, as_document, entry_key, plain};
pub(crate) use block::{LineEnd, block_hash};
pub use branches::merge;
pub(crate) use changed::goes_on;
pub(super) use changed::{Lost, appended_from, entry_at, lost_text};
pub(super) use numbered::numbers;
pub(crate) use numbered::{Renumbered, renumbered};
