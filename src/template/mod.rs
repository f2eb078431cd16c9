//! Templates: every pattern of discussion, as data.
//!
//! A template is a Markdown file: YAML front matter with roles, phases and rules, then the body of a new discussion
//! as a MiniJinja text. [`Template::read`] checks everything that can be checked before a run.

mod check;
mod expr;
mod method;
mod parameter;
mod phase;
mod read;
mod schema;
mod summary;

pub use expr::{Expr, TextTemplate};
pub(crate) use method::DecidedBy;
pub use method::{ConsensusConfig, Method};
pub use parameter::{Parameter, ParameterError, ParameterKind};
pub(crate) use phase::LAST_TEXT;
pub use phase::{
    Condition, Demand, Discuss, Int, Order, Phase, PhaseOptions, Sees, Speakers, SpeakersWord,
    Substitute, Tool, Trigger,
};
pub(crate) use read::TemplateError;
pub use read::bundled;
pub use schema::{Deal, Recall, Template, VendorRule};
