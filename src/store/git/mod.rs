//! Runs git; no other module does. Never lets git start a program that a repository's configuration
//! names. Reads other versions of files, and sets a repository up for discussions.

mod additions;
mod classify_change;
mod command;
mod commits;
mod decided;
mod deletions;
mod ends;
mod history;
mod init;
mod patch;
mod range;
mod repository;

pub(crate) use additions::{Addition, Statement, added};
pub(crate) use command::git_version;
pub(crate) use commits::{Commit, CommitIdentity, Committed, Mailmap};
pub(crate) use decided::{
    ChangedFile, DecidedIn, LaterChanges, LaterCommit, decided_in, later_changes,
};
pub(crate) use deletions::{DeletedDiscussion, Deletions, Present, departed};
pub(crate) use ends::{DiscussionEnding, Ended};
#[cfg(not(discussions_sealed))]
pub use history::history;
pub use history::{Rewrite, RewriteKind};
pub(crate) use history::{history_of, uncommitted};
pub use init::{GitSetup, SetUpStep, init};
pub(crate) use init::{has_merge_driver, lacks_merge_driver};
pub use patch::{CommitPatch, PatchError, patch};
pub(crate) use range::{Earlier, Range, Since};
pub(crate) use range::{changed_files, project_files};
pub(super) use repository::Repository;
pub use repository::user_name;
pub(crate) use repository::{git_author, revision, staged, version_at};
