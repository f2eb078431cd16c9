//! Sub-discussions: the chain of parents, the budget of a tree, and the creation of a sub-discussion.

mod budget;
mod chain;
mod make;

use thiserror::Error;

pub(crate) use self::budget::Budget;
pub(crate) use self::chain::Ancestor;
pub(in crate::workspace) use self::chain::parent_file;
pub use self::make::Opener;
pub(crate) use self::make::{Within, child_path};

/// The reason why a discussion has no budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoRoom {
    /// The deadline would pass before it begins.
    #[error("no time is left for it")]
    Time,
    /// The calls are too few for a discussion.
    #[error("too few calls are left for it")]
    Calls,
    /// No money is left.
    #[error("no money is left for it")]
    Usd,
}
