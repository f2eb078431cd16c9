//! Sub-discussions: the chain of parents, the budget of a tree, and the creation of a sub-discussion.

mod budget;
mod chain;
mod error;
mod make;
mod open;
mod reserved;

pub(crate) use self::budget::Budget;
pub(crate) use self::chain::Ancestor;
pub(in crate::workspace) use self::chain::parent_file;
pub use self::error::NestError;
pub(crate) use self::error::NoRoom;
pub(crate) use self::make::{Within, child_path};
pub use self::open::Opener;
