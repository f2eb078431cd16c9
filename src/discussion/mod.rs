//! One discussion: the contents of its file, the operations of a program on it, and the draft of a person's comment.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::runner::{BeginError, Run, RunOptions, Trust, Watch};
use crate::view::{
    DecisionStatus, Item, ItemKind, Participant, Ran, ResultDocument, StatedDecision, Status,
    Written,
};
use crate::workspace::{CommentRequest, NewDiscussion, Workspace, WorkspaceError};

/// A discussion: its file, the workspace around it, and its status when the file was last read.
///
/// A call that changes the discussion appends to the file before it returns, so there is nothing to save. After it, the
/// status is that of the changed file. [`Discussion::refresh`] reads what other programs and people appended.
pub struct Discussion {
    workspace: Arc<Workspace>,
    path: PathBuf,
    trust: Trust,
    status: Status,
}

impl Discussion {
    /// Opens a discussion by its path or its name, in the working folder and with the environment of this process.
    ///
    /// # Errors
    /// Fails if the configuration is invalid, or if the file does not exist or cannot be read.
    pub fn open(name: impl AsRef<Path>) -> Result<Self, WorkspaceError> {
        Self::open_in(Arc::new(Workspace::of_machine()?), name)
    }

    /// Creates a discussion in the working folder and with the environment of this process.
    ///
    /// # Errors
    /// Fails if the configuration is invalid, if the template or a participant does not exist, or if the file cannot be
    /// written.
    pub fn create(new: NewDiscussion) -> Result<Self, WorkspaceError> {
        Self::create_in(Arc::new(Workspace::of_machine()?), new)
    }

    /// Opens a discussion of a workspace by its path or its name.
    ///
    /// # Errors
    /// Fails if the file does not exist or cannot be read.
    pub fn open_in(
        workspace: Arc<Workspace>,
        name: impl AsRef<Path>,
    ) -> Result<Self, WorkspaceError> {
        let path = workspace.find(name.as_ref())?;
        let status = workspace.discussions().status(&path)?;
        Ok(Self { workspace, path, trust: Trust::Remembered, status })
    }

    /// Creates a discussion in a workspace.
    ///
    /// # Errors
    /// Fails if the template or a participant does not exist, or if the file cannot be written.
    pub fn create_in(
        workspace: Arc<Workspace>,
        new: NewDiscussion,
    ) -> Result<Self, WorkspaceError> {
        let path = workspace.discussions().create(&new)?;
        Self::open_in(workspace, path)
    }

    /// Sets the project's definitions that runs of this discussion may call. The default: those that the user trusted
    /// earlier.
    #[must_use]
    pub fn trusting(self, trust: Trust) -> Self {
        Self { trust, ..self }
    }

    /// Reads the file again.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn refresh(&mut self) -> Result<(), WorkspaceError> {
        self.status = self.workspace.discussions().status(&self.path)?;
        Ok(())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The workspace, for everything else that can be done with a discussion.
    pub fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.status.title
    }

    /// The id of the current phase.
    pub fn phase(&self) -> &str {
        &self.status.phase
    }

    /// The status in one word.
    pub fn status(&self) -> DecisionStatus {
        self.status.status
    }

    /// Everything that the file says, such as its cost, failed calls and problems.
    pub fn details(&self) -> &Status {
        &self.status
    }

    /// The participants, then other authors of comments.
    pub fn participants(&self) -> &[Participant] {
        &self.status.participants
    }

    /// The latest votes, each with the voter's name.
    pub fn votes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.status.votes.iter().map(|(name, vote)| (name.as_str(), vote.as_str()))
    }

    /// The questions, in file order.
    pub fn questions(&self) -> &[Item] {
        self.status.questions()
    }

    /// The tasks, in file order.
    pub fn tasks(&self) -> &[Item] {
        self.status.items.of(ItemKind::Task)
    }

    /// The stated decisions, in file order.
    pub fn decisions(&self) -> &[StatedDecision] {
        &self.status.decided.decisions
    }

    /// The concerns, in file order.
    pub fn concerns(&self) -> &[Item] {
        self.status.items.of(ItemKind::Concern)
    }

    /// The option that won, or `None` while there is no consensus.
    pub fn consensus(&self) -> Option<&str> {
        let consensus = &self.status.consensus;
        consensus.outcome.as_deref().filter(|_| consensus.reached)
    }

    /// Begins a comment of a person; [`CommentDraft::post`] appends it.
    pub fn comment(
        &mut self,
        author: impl Into<String>,
        text: impl Into<String>,
    ) -> CommentDraft<'_> {
        CommentDraft::new(self, author.into(), text.into())
    }

    /// Runs one turn, or turn by turn and phase by phase until only people can continue or a limit is reached. Waits for
    /// the answers. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// Fails like [`Discussion::start`], or if the file cannot be written. A failed call is no error: the result lists
    /// it.
    pub async fn run(&mut self, options: RunOptions) -> Result<Ran, WorkspaceError> {
        let ran = self.start(&options)?.end().await?;
        self.status.clone_from(&ran.status);
        Ok(ran)
    }

    /// Starts a turn or a run, for programs that show its events or abort it. It continues without the caller; call
    /// [`Discussion::refresh`] after its end. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// Fails if the user does not trust a definition of the project that would be called first, if the discussion is
    /// closed, or if an option is invalid.
    pub fn start(&self, options: &RunOptions) -> Result<Run, BeginError> {
        let prepared = self.workspace.runs().prepare(&self.path, options)?;
        Ok(prepared.trusting(self.trust.clone())?.start())
    }

    /// Watches the file for text that other programs and people append.
    ///
    /// # Errors
    /// Fails if the folder cannot be watched.
    pub fn watch(&self) -> Result<Watch, WorkspaceError> {
        self.workspace.runs().watch(&self.path)
    }

    /// Returns the result so far, computed from the file: outcome, votes, dissent, rounds, cost.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn result(&self) -> Result<ResultDocument, WorkspaceError> {
        self.workspace.discussions().result(&self.path)
    }
}

impl fmt::Debug for Discussion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Discussion").field("path", &self.path).finish_non_exhaustive()
    }
}

/// A comment that is not posted yet.
#[derive(Debug)]
#[must_use = "a comment is written when it is posted"]
pub struct CommentDraft<'d> {
    discussion: &'d mut Discussion,
    remark: CommentRequest,
}

impl<'d> CommentDraft<'d> {
    fn new(discussion: &'d mut Discussion, author: String, text: String) -> Self {
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
        let written = discussion.workspace.discussions().comment(&discussion.path, &remark)?;
        discussion.refresh()?;
        Ok(written)
    }
}
