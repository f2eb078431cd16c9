//! Texts compared and joined, block by block: git's merge driver, and what a block is to everybody else. Pure: no file,
//! no clock, the same answer every time.

mod accepted;
mod agreed;
mod appended;
mod block;
mod branches;
mod changed;
mod numbered;
mod rejoin;
mod weave;

#[cfg(test)]
mod tests;

pub(super) use accepted::Acceptances;
pub(crate) use accepted::agreements;
pub(super) use appended::appended_from;
pub(crate) use block::LineEnd;
pub(super) use block::{Appendix, Key, entry_key, framed, plain};
pub use branches::{Conflict, merge};
pub(crate) use changed::goes_on;
pub(super) use changed::{Lost, entry_at, lost};
pub(super) use numbered::numbers;
pub(crate) use numbered::{Renumbered, renumbered};
