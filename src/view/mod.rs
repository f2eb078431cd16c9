//! Values for front ends: plain data with public fields, made from a snapshot alone. They are also the only JSON
//! contract of the project, so renaming something in the library must not change a field's name.

mod changes;
mod check;
mod cost;
mod discuss_step;
mod event;
mod foreign;
mod item;
mod list;
mod next_step;
mod participant;
mod problem;
mod project_documents;
mod reason;
mod recall;
mod result;
mod run;
mod run_documents;
mod schema;
mod search;
mod sentence;
mod show;
mod stats;
mod status;
mod text;
mod waiting;

pub use crate::engine::{DecisionStatus as Standing, FindingState};
pub use crate::participant::ParticipantKind;
pub use crate::problem::Severity;
pub use crate::search::FoundKind;
pub use crate::state::{ConcernStatus, DecisionState, QuestionStatus, TaskStatus};
pub use crate::transcript::{visible, visible_line};
#[cfg(feature = "internals")]
pub use changes::{Change, changes};
#[cfg(not(feature = "internals"))]
pub(crate) use changes::{Change, changes};
pub use check::{Checked, Proposal, Restored};
pub use cost::{Cost, ProviderCost};
pub use discuss_step::{DiscussStepOutput, DiscussStepResult};
pub use event::{CallFailure, CallOutcome, Event, EventKind};
pub use foreign::{BroughtAlong, Consent, Fact, Foreign, NamedFile};
pub use item::{Concern, Condition, Question, StatedDecision, Task};
pub use list::{Dashboard, DecisionLog, List, Listed, Parent, Unreadable};
pub(crate) use list::{Sighted, newest_date};
pub use next_step::{Arguments, NextStep, Verb, Why};
pub use participant::{Participant, Silence};
pub use problem::Problem;
pub use project_documents::Template;
pub use project_documents::{BrokenPersona, Definition, Persona, Personas, StandIn};
pub use project_documents::{CheckedProvider, Provider, ProviderState};
pub use project_documents::{FolderSetUp, SetUp};
pub use project_documents::{Merged, Renumbered};
pub use recall::Recalled;
pub(crate) use recall::clipped;
pub(crate) use result::review_result;
pub use result::{
    Action, Ballot, ChangeKind, ConsensusPart, CostByProvider, CostSummary, Decided, DecisionLink,
    DiscussionResult, Dissent, Dissenter, Divergence, EarlyExit, FinalConsensus, FinalOutcome,
    Finding, Metadata, Missing, Opposed, QuotedFinding, Response, ResultDocument, ReviewResult,
    Round, TextChange, TextFinding, TextReview, TextRevision, Theme, VotingResults, escaped,
    html_of,
};
#[cfg(feature = "internals")]
pub use result::{Ending, Export, discussion_result};
#[cfg(not(feature = "internals"))]
pub(crate) use result::{Ending, Export, discussion_result};
pub use run::{Call, PassedOver, Ran};
pub use run_documents::ToolAccess;
pub use run_documents::Written;
pub use run_documents::YourTurn;
pub use run_documents::{FileChange, Initialized, Made, NamedText, TrustedProvider};
pub use run_documents::{Forecast, RunCost};
pub use run_documents::{Planned, PlannedAsk};
pub(crate) use schema::{documents, schema};
pub use search::{Found, SearchResult};
pub use show::{Entry, Kind, Mark, Receipt, Shown, Tokens};
pub(crate) use stats::Counted;
pub use stats::{DissentStats, PatternStats, ProviderStats, Stats};
pub use status::{Consensus, Failure, Outcome, Status};
pub(crate) use text::{DEFAULT_TEMPLATE, default_participants};
pub use waiting::{Waiting, Wanted};
