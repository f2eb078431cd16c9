//! The result of a discussion as one document for programs: a [`DiscussionResult`] or a
//! [`ReviewResult`]. It is recomputed from the file and its template.

mod adr;
mod caller_block;
mod compute;
mod context;
mod discussion;
mod html;
mod log;
mod page;
mod place;
mod record;
mod review;
mod revision;
mod revisit;
mod table;
mod text_review;

use schemars::JsonSchema;
use serde::Serialize;

use self::page::PageParts;
use crate::engine::{Snapshot, SnapshotError};
use crate::state::Cost;
use crate::transcript::{Time, time};
pub use compute::discussion_result;
pub(super) use compute::{dissenters, total_duration_ms};
pub(crate) use context::without_lines;
pub use discussion::{
    Ballot, ConsensusPart, DiscussionResult, Dissent, EarlyExit, FinalConsensus, FinalOutcome,
    Metadata, Response, Round, VotingResults,
};
pub use html::{escaped, html_of};
pub use log::{Decided, DecisionLink};
pub(crate) use record::{RecordLinks, midnight, record_state, record_status};
pub(crate) use review::review_result;
pub use review::{Action, Divergence, Finding, Missing, Opposed, ReviewResult, Theme};
pub use revision::{ChangeKind, TextRevision};
pub(crate) use revisit::revisit_context;
pub(crate) use table::{decision_table, page_with_table};
pub use text_review::{TextFinding, TextReview};

/// The result of a discussion; for a template with a verdict, the result of a review.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ResultDocument {
    /// The result of a discussion.
    Discussion(Box<DiscussionResult>),
    /// The result of a review.
    Review(Box<ReviewResult>),
}

/// A format in which a discussion can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// An architecture decision record as Markdown, in the format MADR 4.
    Adr,
    /// A single HTML page that loads nothing and runs no scripts.
    Html,
}

impl ResultDocument {
    /// Returns the discussion in another format.
    pub fn export(&self, snapshot: &Snapshot, form: Export) -> String {
        match (form, self) {
            (Export::Html, _) => html::page(snapshot, self),
            (Export::Adr, Self::Discussion(result)) => adr::adr(snapshot, result),
            (Export::Adr, Self::Review(review)) => {
                let result = discussion_result(snapshot, &review.record, None);
                adr::adr(snapshot, &result)
            }
        }
    }

    /// Returns the result of a discussion in its current state; `file` is the path to show.
    ///
    /// # Errors
    /// Fails if an expression of the template fails.
    pub fn of(snapshot: &Snapshot, file: &str) -> Result<Self, SnapshotError> {
        let review = review_result(snapshot, file, None)?;
        Ok(match review {
            Some(review) => Self::Review(Box::new(review)),
            None => {
                let result = discussion_result(snapshot, file, None);
                Self::Discussion(Box::new(result))
            }
        })
    }

    /// Sets the cost to that of the whole tree of sub-discussions (INV-DISC-644). `within_ms` is the duration of the
    /// sub-discussions.
    #[must_use]
    pub(crate) fn with_cost(self, cost: &Cost, within_ms: u64) -> Self {
        match self {
            Self::Discussion(result) => {
                Self::Discussion(Box::new(result.with_cost(cost, within_ms)))
            }
            Self::Review(result) => {
                Self::Review(Box::new(ReviewResult { cost_summary: cost.into(), ..*result }))
            }
        }
    }

    /// Sets the time of the last entry to that of the file, for a file in which no entry has a time.
    #[must_use]
    pub(crate) fn dated(self, modified: Option<Time>) -> Self {
        match self {
            Self::Discussion(mut result) => {
                if let Some(modified) = modified
                    && result.metadata.completed_at.is_empty()
                {
                    result.metadata.completed_at = time(modified);
                }
                Self::Discussion(result)
            }
            Self::Review(review) => Self::Review(review),
        }
    }

    /// Returns the outcome to act on.
    pub fn outcome(&self) -> &FinalOutcome {
        match self {
            Self::Discussion(result) => &result.outcome,
            Self::Review(result) => &result.outcome,
        }
    }

    /// Returns the result as a Markdown page, with the outcome first. Text from authors is encoded, so that it cannot
    /// forge a line of the page.
    pub fn page(&self, snapshot: &Snapshot) -> String {
        match self {
            Self::Discussion(result) => {
                let PageParts { before, changes, after } = page::page(snapshot, result);
                before + &changes + &after
            }
            Self::Review(result) => result.page(),
        }
    }
}

impl ReviewResult {
    /// Returns the verdict block as Markdown: verdict, ratings, findings, actions, and the file of the record.
    pub fn page(&self) -> String {
        let mut page = review::review_lines(self).join("\n");
        page.push('\n');
        page
    }
}
