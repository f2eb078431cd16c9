//! What front ends show: plain values with public fields, made from a snapshot alone. They are also the one JSON contract
//! of the project, so a field's name never follows the library's own names.

mod changes;
mod check;
mod cost;
mod event;
mod item;
mod list;
mod next_step;
mod participant;
mod plan;
mod problem;
mod result;
mod run;
mod show;
mod status;
mod written;

pub use changes::{Change, changes};
pub use check::{Checked, Restored};
pub use cost::{Cost, ProviderCost};
pub use event::{CallFailure, CallOutcome, Event, EventKind};
pub use item::{Concern, Question, StatedDecision, Task};
pub use list::{DecisionLog, List, Listed, Unreadable};
pub use next_step::{Arguments, NextStep, Verb, Why};
pub use participant::{Participant, Silence};
pub use plan::{Planned, PlannedAsk};
pub use problem::Problem;
pub use result::{
    Action, Ballot, Condition, ConsensusPart, CostByProvider, CostSummary, Decided,
    DiscussionResult, Dissent, Dissenter, Divergence, EarlyExit, Ending, Export, FinalConsensus,
    Finding, Metadata, Missing, Outcome, Response, ResultDocument, ReviewResult, Round, Theme,
    VotingResults, discussion_result, review_result,
};
pub use run::{Call, PassedOver, Ran};
pub use show::{Entry, Head, Kind, Mark, Receipt, Shown, Tokens};
pub use status::{Consensus, Failure, Status};
pub use written::Written;
