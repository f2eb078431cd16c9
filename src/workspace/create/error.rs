//! Reasons why a discussion cannot be created from a request.

use thiserror::Error;

use crate::codes::ErrorCode;
use crate::template::ParameterError;
use crate::workspace::discuss_step::DiscussStepError;
use crate::workspace::help::suggestion;

/// The reason why a discussion cannot be created from a request.
#[derive(Debug, Error)]
pub enum CreateError {
    /// A parameter's value does not fit.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A step of a workflow cannot be used.
    #[error(transparent)]
    Step(#[from] DiscussStepError),
    /// The template has no such parameter.
    #[error("the template `{template}` has no parameter `{asked}`{}", suggestion(.nearest))]
    UnknownParameter {
        /// The template.
        template: String,
        /// The name that was set.
        asked: String,
        /// Similar names.
        nearest: Vec<String>,
    },
    /// An invalid number of earlier decisions.
    #[error("{0}")]
    Recall(String),
    /// The template has no such role.
    #[error("the template `{template}` has no role `{asked}`; it has: {}", or_none(.known))]
    UnknownRole {
        /// The template.
        template: String,
        /// The role that was assigned.
        asked: String,
        /// The roles it has.
        known: Vec<String>,
    },
    /// A role for which no participant is left.
    #[error("no participant is left for the role {role}")]
    RoleEmpty {
        /// The role.
        role: String,
    },
    /// A flag that does not apply to the template.
    #[error("the template `{template}` has no {what}")]
    NoUse {
        /// The template.
        template: String,
        /// The part that the template lacks.
        what: &'static str,
    },
    /// The template has no such named set of participants.
    #[error("the template `{template}` has no round `{asked}`; it has: {}", .known.join(", "))]
    Cast {
        /// The template.
        template: String,
        /// The name of the requested set.
        asked: String,
        /// The sets of the template.
        known: Vec<String>,
    },
    /// None of the named participants is left.
    #[error("{} cannot review without the original context of the artifact", .left_out.join(", "))]
    NobodyLeft {
        /// The named participants, each of which would need the context.
        left_out: Vec<String>,
    },
    /// A method that no participant can carry out (INV-DISC-003).
    #[error(
        "the consensus method `moderator` needs a participant who decides, and `{template}` has none; choose another \
         method"
    )]
    NobodyDecides {
        /// The template.
        template: String,
    },
    /// The named file already exists and may belong to the user.
    #[error("{file} already exists; name another file")]
    Taken {
        /// The file, spelt so that it can be shown.
        file: String,
    },
    /// A title of white space and ASCII signs only.
    #[error("a discussion needs a title with at least one letter, digit or emoji")]
    NoTitle,
    /// The template's body cannot be rendered.
    #[error("the body of template `{template}` cannot be used: {reason}")]
    Body {
        /// The template.
        template: String,
        /// The reason.
        reason: String,
    },
}

impl CreateError {
    /// Returns the standard code (`docs/scripting.md`, the table of error codes).
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Self::RoleEmpty { .. } | Self::NobodyDecides { .. } => ErrorCode::InvalidRoles,
            // The caller made a mistake, whichever part it concerns.
            _ => ErrorCode::InvalidInput,
        }
    }
}

/// Joins the names, or returns `none`.
fn or_none(known: &[String]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}
