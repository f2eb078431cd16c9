//! Folds the entries of a file into the state of the discussion; a pure function of the file and its configuration.

mod assign_roles;
mod ballot;
mod ballot_retention;
mod children;
mod comment;
mod cost;
mod decisions;
mod discussion_config;
mod fold;
#[cfg(test)]
mod laws;
mod mention;
mod misspelt;
mod phase_speakers;
mod queries;
mod repeats;
mod request;
mod seats;
#[cfg(test)]
mod sizes;
mod speaker;
mod supersede;
mod tally;
mod target;
mod tolerant;
mod track;
mod turns;
mod typed;

pub(crate) use assign_roles::Seats;
pub use assign_roles::deal;
pub use ballot::{Ballot, Vote};
pub use children::Child;
pub use comment::CommentFacts;
pub use cost::{Cost, ProviderCost};
pub use decisions::{Concern, ConcernStatus, DecisionState, StatedDecision};
#[cfg(feature = "internals")]
pub use discussion_config::ConsensusRules;
pub use discussion_config::{Defaults, DiscussionConfig, DiscussionConfigError};
pub use fold::State;
pub(crate) use fold::fold;
pub(crate) use fold::fold_watched;
pub use mention::PendingMention;
pub use request::DiscussionRequest;
pub use speaker::Speaker;
pub(crate) use speaker::handles;
pub(crate) use speaker::{RESERVED_NAME, is_report};
pub use tally::Tally;
pub(crate) use tally::stated_agreement;
pub(crate) use tally::{is_agreed, settled};
pub use track::{Question, QuestionStatus, Task, TaskStatus};
pub use turns::{FailedCall, Turn, TurnOutcome};
#[cfg(feature = "internals")]
pub use typed::confidence;
pub(crate) use typed::{Typed, is_readable, says_none};
