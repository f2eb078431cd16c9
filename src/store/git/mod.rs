//! Git: asked, in one place and with nothing to run, for what a file's other versions hold; and set up for discussions.

mod command;
mod difference;
mod gone;
mod history;
mod hook;
mod init;
mod judge;
mod lines;
mod patch;
mod place;
mod repository;
mod staged;

pub(crate) use gone::{Departed, Gone, Present, departed};
pub use history::{Rewrite, RewriteKind, history};
pub(crate) use history::{history_of, uncommitted};
pub use init::{Done, Setup, init};
pub use patch::{PatchError, patch};
pub(super) use repository::Repository;
pub use repository::user_name;
pub(crate) use staged::{revision, staged, version_at};
