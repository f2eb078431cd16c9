//! Why a workspace or a discussion in it cannot be used.

use thiserror::Error;

use super::seats::SeatError;
use crate::config::ConfigError;
use crate::engine::SituationError;
use crate::state::CharterError;
use crate::store::StoreError;
use crate::template::ParameterError;
use crate::yaml::LoadError;

/// Why a workspace or a discussion in it cannot be used.
#[derive(Debug, Error)]
pub enum WorkspaceError {
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A YAML file is wrong.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A file cannot be found, read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Head and template do not fit together, or the template fails.
    #[error(transparent)]
    Situation(#[from] SituationError),
    /// A participant that does not exist, or too few or too many.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// No such template.
    #[error("there is no template `{asked}`{}; `discussions templates list` shows all", near(.nearest))]
    Template {
        /// What was asked for.
        asked: String,
        /// Similar ids.
        nearest: Vec<String>,
    },
    /// A parameter's value does not fit.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
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
    /// Roles that cannot be dealt.
    #[error("{0}")]
    Roles(String),
    /// A title without a letter or digit.
    #[error("a discussion needs a title with at least one letter or digit")]
    NoTitle,
    /// Text that is longer than allowed.
    #[error("{what} has {length} characters; at most {most} are allowed")]
    TooLong {
        /// What.
        what: &'static str,
        /// How long it is.
        length: usize,
        /// How long it may be.
        most: usize,
    },
    /// The template's body cannot be rendered.
    #[error("the body of template `{template}` cannot be used: {reason}")]
    Body {
        /// The template.
        template: String,
        /// Why.
        reason: String,
    },
}

impl From<CharterError> for WorkspaceError {
    fn from(error: CharterError) -> Self {
        Self::Situation(error.into())
    }
}

/// `; did you mean `x`?`, when something is near.
fn near(nearest: &[String]) -> String {
    nearest.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
