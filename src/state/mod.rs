//! Entries to state: what a discussion has come to, as a pure function of its file and its charter.

mod asked;
mod ballot;
mod charter;
mod comment;
mod consensus;
mod cost;
mod deal;
mod fold;
#[cfg(test)]
mod laws;
mod mention;
mod phases;
mod seats;
#[cfg(test)]
mod sizes;
mod speaker;
mod track;
mod turn;
mod typed;

pub use ballot::{Ballot, Vote};
pub use charter::{Charter, CharterError, Defaults, Rules};
pub use comment::Said;
pub use consensus::{Consensus, Share, settled, stated_agreement};
pub use cost::{Cost, ProviderCost};
pub use deal::{Dealt, Seats, deal};
pub use fold::{State, fold};
pub use mention::PendingMention;
pub use phases::{Place, Visit};
pub use speaker::{RESERVED_NAME, Speaker};
pub use track::{Concern, Decision, Question, QuestionStatus, Task, TaskStatus};
pub use turn::{FailedCall, Outcome, Turn};
pub use typed::{confidence, is_readable, rating, risk, says_none};
