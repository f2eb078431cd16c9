//! Why what was asked for makes no discussion.

use thiserror::Error;

use crate::codes::ErrorCode;
use crate::template::ParameterError;
use crate::workspace::discuss_step::DiscussStepError;
use crate::workspace::help::near;

/// Why what was asked for makes no discussion.
#[derive(Debug, Error)]
pub enum CreateError {
    /// A parameter's value does not fit.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A workflow's step that cannot be used.
    #[error(transparent)]
    Step(#[from] DiscussStepError),
    /// No such parameter.
    #[error("the template `{template}` has no parameter `{asked}`{}", near(.nearest))]
    UnknownParameter {
        /// The template.
        template: String,
        /// What was set.
        asked: String,
        /// Similar names.
        nearest: Vec<String>,
    },
    /// A number of earlier decisions that no new discussion is told of.
    #[error("{0}")]
    Recall(String),
    /// A role that the template does not have.
    #[error("the template `{template}` has no role `{asked}`; it has: {}", or_none(.known))]
    UnknownRole {
        /// The template.
        template: String,
        /// What was dealt.
        asked: String,
        /// The roles it has.
        known: Vec<String>,
    },
    /// A role that nobody is left for.
    #[error("no participant is left for the role {role}")]
    RoleEmpty {
        /// The role.
        role: String,
    },
    /// A flag that the template has no use for.
    #[error("the template `{template}` has no {what}")]
    NoUse {
        /// The template.
        template: String,
        /// What it has not.
        what: &'static str,
    },
    /// No such named set of participants.
    #[error("the template `{template}` has no round `{asked}`; it has: {}", .known.join(", "))]
    Cast {
        /// The template.
        template: String,
        /// What was asked for.
        asked: String,
        /// The sets it has.
        known: Vec<String>,
    },
    /// Nobody is left of those who were named.
    #[error("{} cannot review without the original context of the artifact", .left_out.join(", "))]
    NobodyLeft {
        /// Who was named, and would need it.
        left_out: Vec<String>,
    },
    /// A method that nobody could carry out (INV-DISC-003).
    #[error(
        "the consensus method `moderator` needs a participant who decides, and `{template}` has none; choose another \
         method"
    )]
    NobodyDecides {
        /// The template.
        template: String,
    },
    /// The file that was named is there already, and is somebody's.
    #[error("{file} already exists; name another file")]
    Taken {
        /// The file, as it is shown.
        file: String,
    },
    /// A title of blanks and ASCII signs.
    #[error("a discussion needs a title with at least one letter, digit or emoji")]
    NoTitle,
    /// The template's body cannot be rendered.
    #[error("the body of template `{template}` cannot be used: {reason}")]
    Body {
        /// The template.
        template: String,
        /// Why.
        reason: String,
    },
}

impl CreateError {
    /// The standard code (`docs/scripting.md`, the table of error codes).
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Self::RoleEmpty { .. } | Self::NobodyDecides { .. } => ErrorCode::InvalidRoles,
            // The caller's mistake, whatever was named.
            _ => ErrorCode::InvalidInput,
        }
    }
}

/// All of them, or that there are none.
fn or_none(known: &[String]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}
