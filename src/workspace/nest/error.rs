//! Why a discussion cannot stand within another one.

use thiserror::Error;

use crate::codes::ErrorCode;

/// Why a discussion cannot stand within another one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NestError {
    /// As many discussions stand in each other as may (INV-DISC-600).
    #[error(
        "{file}: within it no other discussion may be opened: {depth} stand above it, and at most {most} may"
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
    #[error("{file}: stands within itself: its chain of parents leads back to it")]
    Circle {
        /// The file, as it is shown.
        file: String,
    },
    /// A question that is under discussion above (INV-DISC-601).
    #[error(
        "{file}: discusses nearly the same already, so it is not opened again within it: {question}"
    )]
    SameQuestion {
        /// The discussion above, as it is shown.
        file: String,
        /// What it asks.
        question: String,
    },
    /// A parent that cannot be found.
    #[error("{file}: is part of {parent}, which is not there; what may be spent is counted there")]
    NoParent {
        /// The file, as it is shown.
        file: String,
        /// What its head names.
        parent: String,
    },
    /// Another file stands where a discussion was to be made.
    #[error(
        "{file}: stands where a discussion within {parent} is to be, and is none; move it away"
    )]
    Other {
        /// The file, as it is shown.
        file: String,
        /// The discussion that wants to open one there.
        parent: String,
    },
    /// Its head lets no participant open a discussion.
    #[error(
        "{file}: lets nobody who takes part open a discussion within it: its head would have to say `nesting: {{depth: 2}}`"
    )]
    NotAllowed {
        /// The file, as it is shown.
        file: String,
    },
    /// Somebody who is not asked there now.
    #[error("{file}: `{by}` is not asked in turn {turn} there now, so nothing is opened for them")]
    NotTheirTurn {
        /// The file, as it is shown.
        file: String,
        /// Who, as they said it.
        by: String,
        /// The turn, as they said it.
        turn: u32,
    },
    /// What the calls that are going on will cost is known when they are over.
    #[error(
        "{file}: money is limited there, and what the calls cost that are going on is not known yet"
    )]
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
    #[error("{file}: was begun within {parent} and is gone; put it back")]
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
