//! What a discussion came to, whichever of the two forms its result has.

use schemars::JsonSchema;
use serde::Serialize;

use super::compute::{Ending, discussion_result};
use super::discussion::DiscussionResult;
use super::review::{ReviewResult, review_result};
use super::{adr, html, page, review_page};
use crate::engine::{Snapshot, SnapshotError};
use crate::state::Cost;

/// The result of a discussion; for a template with a verdict, the result of a review.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ResultDocument {
    /// The result of a discussion.
    Discussion(Box<DiscussionResult>),
    /// The result of a review.
    Review(Box<ReviewResult>),
}

/// Another form of a discussion, to be kept or sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// A record of the decision as Markdown, in the form of MADR 4.
    Adr,
    /// One page of HTML that needs nothing else, and does nothing.
    Html,
}

impl ResultDocument {
    /// The discussion in another form.
    pub fn export(&self, snapshot: &Snapshot, form: Export) -> String {
        match (form, self) {
            (Export::Html, _) => html::page(snapshot, self),
            (Export::Adr, Self::Discussion(result)) => adr::adr(snapshot, result),
            (Export::Adr, Self::Review(review)) => {
                let result = discussion_result(snapshot, &review.record, Ending::ByItself);
                adr::adr(snapshot, &result)
            }
        }
    }

    /// The result of a discussion as it stands; `file` is the path as it is shown.
    ///
    /// # Errors
    /// When an expression of the template fails.
    pub fn of(snapshot: &Snapshot, file: &str) -> Result<Self, SnapshotError> {
        let review = review_result(snapshot, file, Ending::ByItself)?;
        Ok(match review {
            Some(review) => Self::Review(Box::new(review)),
            None => {
                let result = discussion_result(snapshot, file, Ending::ByItself);
                Self::Discussion(Box::new(result))
            }
        })
    }

    /// The same with what the whole tree of discussions within it cost (INV-DISC-644). `within_ms`: how long those within
    /// it took.
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

    /// The outcome to act on.
    pub fn outcome(&self) -> &super::FinalOutcome {
        match self {
            Self::Discussion(result) => &result.outcome,
            Self::Review(result) => &result.outcome,
        }
    }

    /// The result as a page of Markdown, the outcome first. Nobody's words can pass for a line of its own.
    pub fn page(&self, snapshot: &Snapshot) -> String {
        match self {
            Self::Discussion(result) => page::page(snapshot, result),
            Self::Review(result) => result.page(),
        }
    }
}

impl ReviewResult {
    /// The verdict block as Markdown: verdict, ratings, findings, what to do, and the record's file.
    pub fn page(&self) -> String {
        let mut page = review_page::lines(self).join("\n");
        page.push('\n');
        page
    }
}
