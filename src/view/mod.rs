//! Values for front ends: plain data with public fields, made from a snapshot alone. They are also the only JSON
//! contract of the project, so renaming something in the library must not change a field's name.

mod changes;
mod check;
mod decided;
mod event;
mod item;
mod list;
mod marker;
mod next_step;
mod notes;
mod participant;
mod project_documents;
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

pub use crate::engine::{DecisionStatus, FindingState, ItemState, Standing};
pub use crate::participant::ParticipantKind;
pub use crate::problem::Severity;
pub use crate::problem::{Problem, Renumbered};
pub use crate::search::FoundKind;
pub use crate::state::{Item, ItemKind, ItemStatus};
pub use crate::transcript::Tokens;
pub use crate::transcript::{visible, visible_line};
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use changes::{Change, changes};
#[cfg(discussions_sealed)]
pub(crate) use changes::{Change, changes};
pub(crate) use check::PublishedChange;
pub use check::{Checked, Proposal, Restored};
pub use decided::{DecisionFacts, StatedDecision};
pub use event::{CallFailure, CallOutcome, Event, EventKind};
pub use item::Condition;
pub use list::{Dashboard, DecisionLog, List, Listed, Parent, Unreadable};
pub(crate) use list::{Sighted, SitePage, newest_date};
pub use marker::MarkerHelp;
pub use next_step::{Arguments, NextStep, Verb, Why};
pub(crate) use notes::DecisionNotes;
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use notes::DueReview;
#[cfg(discussions_sealed)]
pub(crate) use notes::DueReview;
pub use participant::{Participant, Silence};
pub(crate) use project_documents::Diagnosis;
pub use project_documents::{
    BrokenPersona, BroughtAlong, CheckedProvider, Consent, Definition, Fact, Foreign, Merged,
    NamedFile, Persona, Personas, Provider, ProviderState, SetUp, StandIn, Template,
};
pub use result::{
    Action, Ballot, ChangeKind, ConsensusPart, Decided, DecisionLink, DiscussionResult, Dissent,
    Divergence, EarlyExit, FinalConsensus, FinalOutcome, Finding, Metadata, Missing, Opposed,
    Response, ResultDocument, ReviewResult, Round, TextFinding, TextReview, TextRevision, Theme,
    VotingResults, escaped, html_of,
};
#[doc(hidden)]
#[cfg(not(discussions_sealed))]
pub use result::{Export, discussion_result};
#[cfg(discussions_sealed)]
pub(crate) use result::{Export, discussion_result};
pub(crate) use result::{
    RecordLinks, decision_table, midnight, page_with_table, record_state, record_status,
    review_result, revisit_context, without_lines,
};
pub use run::{Call, DiscussStepOutput, DiscussStepResult, PassedOver, Ran};
pub(crate) use run_documents::SiteReport;
pub use run_documents::ToolAccess;
pub use run_documents::Written;
pub use run_documents::YourTurn;
pub use run_documents::{FileChange, Initialized, Made, NamedText};
pub use run_documents::{Forecast, RunCost};
pub use run_documents::{Planned, PlannedAsk};
pub(crate) use schema::DOCUMENTS;
pub(crate) use search::clipped;
pub use search::{Found, Recalled, SearchResult};
pub use show::{Entry, Kind, Mark, Receipt, Shown};
pub(crate) use stats::Counted;
pub use stats::{DissentStats, PatternStats, ProviderStats, Stats};
pub use status::{Consensus, Cost, Failure, Outcome, ProviderCost, Status};
pub(crate) use text::{DEFAULT_TEMPLATE, default_participants};
pub use waiting::{Waiting, Wanted};
