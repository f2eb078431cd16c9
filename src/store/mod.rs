//! Discussions on disk: found, created, read, appended to, checked against what was acknowledged, and merged.
//!
//! A writer locks a sidecar, reads the tail, writes one buffer once, has it on disk, and records the block in a
//! private journal before it acknowledges. Everything that the disk can do wrong ends either in the file as it was
//! or in [`StoreError::InDoubt`], never in a false acknowledgement.
//!
//! Four rooms, each of which uses only those before it: `merge` compares and joins texts and touches nothing,
//! `git` asks for other versions, `journal` remembers what was acknowledged, `write` changes files. What all of them
//! stand on is beside them.

mod disk;
mod error;
mod find;
mod identity;
mod read;
mod sidecar;
mod slug;

mod git;
mod journal;
mod merge;
mod write;

pub use error::{StoreError, Wrong};
pub(crate) use find::find;
pub(crate) use git::{
    Addition, Commit, Committed, Departed, Earlier, Ended, Ending, Gone, Identity, Mailmap,
    Present, Range, Statement, added, departed, git_author, uncommitted,
};
pub use git::{Done, PatchError, Rewrite, RewriteKind, Setup, history, init, patch, user_name};
pub(crate) use git::{history_of, lacks_merge_driver, revision, staged, version_at};
pub use journal::{Fate, Finding, Record, check};
pub(crate) use journal::{LeftBehind, check_staged, left_behind};
pub(crate) use journal::{has_journal, unrecorded_answers};
pub use merge::{Conflict, merge};
pub(crate) use merge::{LineEnd, agreements, goes_on};
pub(crate) use merge::{Renumbered, renumbered};
pub use read::{Document, read};
pub(crate) use read::{LARGEST, beginning, read_at};
pub(crate) use slug::slug;
pub(crate) use write::{Excerpt, LONG, excerpt_at, length};
pub use write::{Patience, Receipt, Restoration, Writer, create, restore};
pub(crate) use write::{Redaction, place, replace, replace_private, take_back};
pub(crate) use write::{
    Reservations, Reserved, RunLock, Running, accept, changes, conflict, mend, proposed,
    proposed_for, speakers,
};
pub(crate) use write::{create_at, replace_at, restore_at};
