//! Git: asked, in one place and with nothing to run, for what a file's other versions hold; and set up for discussions.

mod command;
mod difference;
mod history;
mod hook;
mod init;
mod lines;
mod place;
mod repository;

pub use history::{Rewrite, RewriteKind, history};
pub use init::{Done, Setup, init};
pub(super) use repository::Repository;
pub use repository::user_name;
