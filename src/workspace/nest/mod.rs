//! Sub-discussions: the chain of parents, the budget of a tree, the creation of a sub-discussion, and the reasons why a
//! discussion cannot have one.

mod budget;
mod chain;
mod make;

use thiserror::Error;

pub(crate) use self::budget::Budget;
pub(crate) use self::chain::Ancestor;
pub(in crate::workspace) use self::chain::parent_file;
pub use self::make::Opener;
pub(crate) use self::make::{Within, child_path};
use crate::codes::ErrorCode;

/// The reason why a discussion cannot have a sub-discussion.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NestError {
    /// The maximum depth of sub-discussions is reached (INV-DISC-600).
    #[error(
        "{file}: cannot open a sub-discussion: depth {} exceeds the limit of {most}", .depth + 1
    )]
    TooDeep {
        /// The discussion that was to be the parent, spelt so that it can be shown.
        file: String,
        /// The number of its parents.
        depth: u32,
        /// The maximum depth.
        most: u32,
    },
    /// A file occurs twice in a chain of parents (INV-DISC-601).
    #[error("{file}: this discussion is its own parent: its chain of parents leads back to it")]
    Circle {
        /// The file, spelt so that it can be shown.
        file: String,
    },
    /// A parent already asks the question (INV-DISC-601).
    #[error(
        "{file}: this discussion already asks almost the same question, so no sub-discussion was opened: {question}"
    )]
    SameQuestion {
        /// The parent, spelt so that it can be shown.
        file: String,
        /// The parent's question.
        question: String,
    },
    /// A parent that cannot be found.
    #[error("{file}: its parent {parent} is missing, and its budget is counted there")]
    NoParent {
        /// The file, spelt so that it can be shown.
        file: String,
        /// The parent that its head names.
        parent: String,
    },
    /// Another file has the path of the sub-discussion.
    #[error("{file}: this file is in the way of a sub-discussion of {parent}; move it")]
    Other {
        /// The file, spelt so that it can be shown.
        file: String,
        /// The parent of the sub-discussion.
        parent: String,
    },
    /// The head of the discussion does not let participants open sub-discussions.
    #[error(
        "{file}: its participants may not open sub-discussions; to allow it, put `nesting: {{depth: 2}}` into its \
         head"
    )]
    NotAllowed {
        /// The file, spelt so that it can be shown.
        file: String,
    },
    /// The opener is not being asked in the discussion now.
    #[error("{file}: `{by}` is not being asked in turn {turn}, so no sub-discussion was opened")]
    NotTheirTurn {
        /// The file, spelt so that it can be shown.
        file: String,
        /// The opener, as the caller spelt it.
        by: String,
        /// The turn's number, from the caller.
        turn: u32,
    },
    /// The cost of running calls is known only when they end.
    #[error("{file}: money is limited, and the cost of the running calls is not known yet")]
    Unpriced {
        /// The file, spelt so that it can be shown.
        file: String,
    },
    /// No budget is left.
    #[error("{file}: {why}")]
    NoRoom {
        /// The file, spelt so that it can be shown.
        file: String,
        /// The part of the budget that is missing.
        why: NoRoom,
    },
    /// A sub-discussion was opened, but its file is missing and its question is recorded nowhere else.
    #[error("{file}: this sub-discussion of {parent} is missing; put it back")]
    Gone {
        /// The file, spelt so that it can be shown.
        file: String,
        /// The parent of the sub-discussion.
        parent: String,
    },
}

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

impl NestError {
    /// Returns the standard code.
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Self::Circle { .. } | Self::SameQuestion { .. } => ErrorCode::CircularDiscussion,
            Self::TooDeep { .. } => ErrorCode::InvalidInput,
            Self::NoParent { .. }
            | Self::Other { .. }
            | Self::Gone { .. }
            | Self::NotAllowed { .. }
            | Self::NotTheirTurn { .. }
            | Self::Unpriced { .. } => ErrorCode::InvalidState,
            Self::NoRoom { .. } => ErrorCode::CostBudgetExceeded,
        }
    }
}
