//! Runs git; no other module does. Never lets git start a program that a repository's configuration
//! names. Reads other versions of files, and sets a repository up for discussions.

mod command;
mod commits;
mod decided;
mod git_folder;
mod init;
mod patch;
mod range;
mod reader;
mod repository;
mod trees;
mod unchanged_content;
mod words;

pub(crate) use command::git_version;
pub(crate) use commits::{Commit, CommitIdentity, Committed, Mailmap, Signature};
pub(crate) use decided::{
    ChangedFile, DecidedIn, LaterChanges, LaterCommit, decided_in, later_changes,
};
pub use init::{GitSetup, SetUpStep, init};
pub(crate) use init::{has_merge_driver, lacks_merge_driver};
pub use patch::{CommitPatch, PatchError, patch};
pub(crate) use range::{Range, Since};
pub(crate) use range::{changed_files, project_files};
pub(crate) use reader::{HistoryReader, PARTIAL_CLONE};
pub(super) use repository::Repository;
pub use repository::user_name;
pub(crate) use repository::{git_author, revision, version_at};
pub(crate) use trees::{FileMode, ObjectId, ObjectReader, Tree};
pub(crate) use words::{AddedBlock, CommitWords, LoggedCommit, PathChange, VersionReader, is_page};
