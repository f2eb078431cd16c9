//! Drafts a person's comment and appends it to the file.

use super::Discussion;
use crate::view::Written;
use crate::workspace::{CommentRequest, WorkspaceError};

/// A comment that is not posted yet.
#[derive(Debug)]
#[must_use = "a comment is written when it is posted"]
pub struct CommentDraft<'d> {
    discussion: &'d mut Discussion,
    remark: CommentRequest,
}

impl<'d> CommentDraft<'d> {
    pub(super) fn new(discussion: &'d mut Discussion, author: String, text: String) -> Self {
        Self { discussion, remark: CommentRequest { author, text, vote: None } }
    }

    /// Adds a vote for one of the options of the current phase.
    pub fn vote(mut self, option: impl Into<String>) -> Self {
        self.remark.vote = Some(option.into());
        self
    }

    /// Appends the comment, and returns what it changed.
    ///
    /// # Errors
    /// Fails if the comment is empty or too long, if the author's name is a participant's or looks like one, if the
    /// vote is not for an option, or if the file cannot be written. Then nothing was written.
    pub fn post(self) -> Result<Written, WorkspaceError> {
        let Self { discussion, remark } = self;
        let written = discussion.workspace.comment(&discussion.path, &remark)?;
        discussion.refresh()?;
        Ok(written)
    }
}
