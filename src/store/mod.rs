//! Discussions on disk: found, created, read, appended to, checked against what was acknowledged, and merged.
//!
//! A writer locks a sidecar, reads the tail, writes one buffer once, has it on disk, and records the block in a
//! private journal before it acknowledges. Everything that the disk can do wrong ends either in the file as it was
//! or in [`StoreError::InDoubt`], never in a false acknowledgement.

mod append;
mod block;
mod check;
mod create;
mod difference;
mod disk;
mod edit;
mod elsewhere;
mod error;
mod find;
mod git;
mod history;
mod hook;
mod identity;
mod init;
mod inode;
mod journal;
mod lines;
mod lock;
mod merge;
mod moved;
mod numbered;
mod orphan;
mod read;
mod rejoin;
mod restore;
mod sidecar;
mod slug;
mod tail;
mod weave;

#[cfg(test)]
mod committed;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod foreign;
#[cfg(test)]
mod journey;
#[cfg(test)]
mod laws;

pub use append::{Receipt, Writer};
pub use check::{Fate, Finding, check};
pub use create::create;
pub use error::{StoreError, Wrong};
pub use find::find;
pub use git::user_name;
pub use history::{Rewrite, RewriteKind, history};
pub use init::{Done, Setup, init};
pub use journal::Record;
pub use lock::RunLock;
pub use merge::{Conflict, merge};
pub use numbered::{Renumbered, renumbered};
pub use read::{Document, LARGEST, read};
pub use restore::{Restoration, restore};
pub use slug::slug;
