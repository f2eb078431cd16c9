//! Why a discussion cannot stand within another one.

use thiserror::Error;

use crate::codes::ErrorCode;

/// Why a discussion cannot stand within another one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NestError {
    /// As many discussions stand in each other as may (INV-DISC-600).
    #[error(
        "{file}: cannot open a sub-discussion: depth {} exceeds the limit of {most}", .depth + 1
    )]
    TooDeep {
        /// The discussion within which another was to be opened, as it is shown.
        file: String,
        /// How many stand above it.
        depth: u32,
        /// How many may.
        most: u32,
    },
    /// The same file twice in a chain of parents (INV-DISC-601).
    #[error("{file}: this discussion is its own parent: its chain of parents leads back to it")]
    Circle {
        /// The file, as it is shown.
        file: String,
    },
    /// A question that is under discussion above (INV-DISC-601).
    #[error(
        "{file}: this discussion already asks almost the same question, so no sub-discussion was opened: {question}"
    )]
    SameQuestion {
        /// The discussion above, as it is shown.
        file: String,
        /// What it asks.
        question: String,
    },
    /// A parent that cannot be found.
    #[error("{file}: its parent {parent} is missing, and its budget is counted there")]
    NoParent {
        /// The file, as it is shown.
        file: String,
        /// What its head names.
        parent: String,
    },
    /// Another file stands where a discussion was to be made.
    #[error("{file}: this file is in the way of a sub-discussion of {parent}; move it")]
    Other {
        /// The file, as it is shown.
        file: String,
        /// The discussion that wants to open one there.
        parent: String,
    },
    /// Its head lets no participant open a discussion.
    #[error(
        "{file}: its participants may not open sub-discussions; to allow it, put `nesting: {{depth: 2}}` into its \
         head"
    )]
    NotAllowed {
        /// The file, as it is shown.
        file: String,
    },
    /// Somebody who is not asked there now.
    #[error("{file}: `{by}` is not being asked in turn {turn}, so no sub-discussion was opened")]
    NotTheirTurn {
        /// The file, as it is shown.
        file: String,
        /// Who, as they said it.
        by: String,
        /// The turn, as they said it.
        turn: u32,
    },
    /// What the calls that are going on will cost is known when they are over.
    #[error("{file}: money is limited, and the cost of the running calls is not known yet")]
    Unpriced {
        /// The file, as it is shown.
        file: String,
    },
    /// Nothing is left to spend.
    #[error("{file}: {why}")]
    NoRoom {
        /// The file, as it is shown.
        file: String,
        /// What is missing.
        why: NoRoom,
    },
    /// A discussion that was begun has no file, and nothing says what it was about.
    #[error("{file}: this sub-discussion of {parent} is missing; put it back")]
    Gone {
        /// The file, as it is shown.
        file: String,
        /// The discussion that began it.
        parent: String,
    },
}

/// Why a discussion has nothing to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoRoom {
    /// Its time would be up before it begins.
    #[error("no time is left for it")]
    Time,
    /// Too few calls for anybody to discuss anything.
    #[error("too few calls are left for it")]
    Calls,
    /// No money.
    #[error("no money is left for it")]
    Usd,
}

impl NestError {
    /// The standard code.
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
