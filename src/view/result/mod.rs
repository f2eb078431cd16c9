//! What a discussion came to, as one document for programs: recomputed from the file and its template.

mod compute;
mod discussion;
mod review;

pub use compute::{Ending, discussion_result};
pub use discussion::{
    Ballot, ConsensusPart, CostByProvider, CostSummary, DiscussionResult, Dissent, EarlyExit,
    FinalConsensus, Metadata, Response, Round, VotingResults,
};
pub use review::{Action, Divergence, Missing, NoVerdict, ReviewResult, review_result};
