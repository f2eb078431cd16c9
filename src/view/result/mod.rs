//! The result of a discussion, as one document for programs. It is recomputed from the file and its template.

mod adr;
mod compute;
mod discussion;
mod document;
mod html;
mod log;
mod markup;
mod outcome;
mod page;
mod place;
mod review;
mod review_page;
mod revision;
mod text_review;
mod text_review_page;

pub use compute::{Ending, discussion_result};
pub use discussion::{
    Ballot, ConsensusPart, CostByProvider, CostSummary, DiscussionResult, Dissent, EarlyExit,
    FinalConsensus, Metadata, Response, Round, VotingResults,
};
pub use document::{Export, ResultDocument};
pub use log::{Decided, DecisionLink};
pub use markup::{escaped, html_of};
pub use outcome::{Dissenter, FinalOutcome};
pub(crate) use review::review_result;
pub use review::{
    Action, Divergence, Finding, Missing, Opposed, QuotedFinding, ReviewResult, Theme,
};
pub use revision::{ChangeKind, TextChange, TextRevision};
pub use text_review::{TextFinding, TextReview};
