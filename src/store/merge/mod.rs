//! Compares and merges texts block by block: git's merge driver, and the definition of a block. Pure functions without
//! files and clocks.

mod accepted;
mod block;
mod blocks;
mod branches;
mod changed;
mod numbered;
mod weave;

#[cfg(test)]
mod tests;

pub(super) use accepted::Acceptances;
pub(crate) use accepted::agreements;
pub(super) use block::{Appendix, BlockKey, as_document, entry_key, plain};
pub(crate) use block::{LineEnd, block_hash, topic_hash};
pub(crate) use blocks::{
    BlockKind, BlockText, DiscussionBlock, FileVersions, VersionIndex, blocks_of, name_of,
};
pub use branches::merge;
pub(crate) use changed::CommittedLoss;
pub(super) use changed::{Lost, entry_at, lost_text};
pub(super) use numbered::numbers;
pub(crate) use numbered::renumbered;
