//! Discussions on disk: finds, creates, reads, appends to, checks and merges them.
//!
//! A writer locks a lock file, reads the end of the discussion, writes one buffer with one call, syncs it, and records
//! the block in a private journal. Only then does it acknowledge the block. After any failure of the disk, either the
//! file is unchanged or the writer returns [`StoreError::InDoubt`]; it never acknowledges a block that is not stored.
//!
//! There are four parts, each of which uses only the ones before it: `merge` compares and joins texts without any file
//! access, `git` reads other versions, `journal` records acknowledged blocks, `write` changes files. The files beside
//! them contain what all four need.

mod disk;
mod error;
mod file_name;
mod private_files;
mod read;
mod temporary_folder;

mod git;
mod journal;
mod merge;
mod write;

pub use error::StoreError;
pub(crate) use file_name::{find, slug};
pub(crate) use git::{
    AddedBlock, Commit, CommitIdentity, CommitWords, Committed, FileMode, HistoryReader,
    LoggedCommit, Mailmap, ObjectId, ObjectReader, PARTIAL_CLONE, PathChange, Range, Signature,
    Since, Tree, VersionReader, changed_files, git_author, is_page, project_files,
};
pub(crate) use git::{
    ChangedFile, DecidedIn, LaterChanges, LaterCommit, decided_in, later_changes,
};
pub use git::{CommitPatch, GitSetup, PatchError, SetUpStep, init, patch, user_name};
pub(crate) use git::{git_version, has_merge_driver, lacks_merge_driver, revision};
#[cfg(any(test, not(discussions_sealed)))]
pub use journal::check;
pub use journal::{Fate, JournalFinding};
pub(crate) use journal::{GitUse, LeftBehind, check_asking, check_staged, left_behind};
pub(crate) use journal::{TrackedJournals, has_journal, unrecorded_answers};
pub use merge::merge;
pub(crate) use merge::{
    BlockKind, BlockText, CommittedLoss, DiscussionBlock, LineEnd, agreements, block_hash,
    blocks_of, name_of, topic_hash,
};
pub(crate) use merge::{refers_by_number, renumbered};
pub(crate) use private_files::has_private_files;
#[cfg(test)]
pub(crate) use read::counted::reads_of;
pub use read::{Document, read};
pub(crate) use read::{LARGEST, beginning, read_at};
pub(crate) use temporary_folder::{
    TemporaryFolder, check_own_folder, insist_own_folder, is_own_file,
};
pub(crate) use write::Beginning;
pub use write::Restoration;
pub(crate) use write::{Excerpt, LONG, excerpt_at, length};
pub use write::{Patience, Receipt, Writer};
pub(crate) use write::{Redaction, place, replace, replace_private, take_back};
pub(crate) use write::{
    Reservations, Reserved, RunLock, RunLocks, accept, changes, conflict, mend, proposed,
    proposed_for, speakers,
};
#[cfg(not(discussions_sealed))]
pub use write::{create, restore};
pub(crate) use write::{create_at, replace_at, replace_unsynced_at, restore_at};
