//! Runs git in one place, without programs that a repository could name: reads other versions of files, and sets a
//! repository up for discussions.

mod additions;
mod attributes;
mod classify_change;
mod command;
mod commits;
mod committed;
mod deletions;
mod difference;
mod ends;
mod history;
mod hook;
mod init;
mod lines;
mod mailmap;
mod patch;
mod place;
mod range;
mod repository;
mod signature;
mod staged;

pub(crate) use additions::{Addition, Statement, added};
pub(crate) use attributes::lacks_merge_driver;
pub(crate) use commits::{Commit, CommitIdentity};
pub(crate) use committed::Committed;
pub(crate) use deletions::{DeletedDiscussion, Deletions, Present, departed};
pub(crate) use ends::{DiscussionEnding, Ended};
#[cfg(feature = "internals")]
pub use history::history;
pub use history::{Rewrite, RewriteKind};
pub(crate) use history::{history_of, uncommitted};
pub use init::{GitSetup, SetUpStep, init};
pub(crate) use mailmap::Mailmap;
pub use patch::{PatchError, patch};
pub(crate) use range::{Earlier, Range, Since};
pub(super) use repository::Repository;
pub(crate) use repository::git_author;
pub use repository::user_name;
pub(crate) use staged::{revision, staged, version_at};
