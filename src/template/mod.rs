//! Templates: every pattern of discussion, as data.
//!
//! A template is a Markdown file: YAML front matter with roles, phases and rules, then the body of a new discussion
//! as a MiniJinja text. [`Template::read`] checks everything that can be checked before a run.

mod bundled;
mod check;
mod consensus;
mod discuss;
mod expr;
mod method;
mod parameter;
mod phase;
mod read;
mod recall;
mod schema;
mod tool;

pub use bundled::bundled;
pub use consensus::ConsensusConfig;
pub use discuss::Discuss;
pub use expr::{Expr, TextTemplate};
pub(crate) use method::DecidedBy;
pub use method::Method;
pub use parameter::{Parameter, ParameterError, ParameterKind};
pub(crate) use phase::LAST_TEXT;
pub use phase::{
    Condition, Demand, Int, Order, Phase, PhaseOptions, Sees, Speakers, SpeakersWord, Substitute,
    Trigger,
};
pub(crate) use read::TemplateError;
pub use recall::Recall;
pub use schema::{Deal, Template, VendorRule};
pub use tool::Tool;
