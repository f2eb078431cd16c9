//! What can be wrong in a text.

words! {
    /// The kind of a [`Problem`](crate::problem::Problem).
    pub enum ProblemCode {
        /// A name that nobody can have.
        NameInvalid = "name-invalid",
        /// A name's line without the rule that would begin a comment.
        NameWithoutRule = "name-without-rule",
        /// Text in a body that looks like somebody's head.
        HeadInBody = "head-in-body",
        /// Text in a body that looks like a vote.
        VoteInBody = "vote-in-body",
        /// Text that looks like the line that ends the record in a prompt.
        RecordLine = "record-line",
        /// A name of the program's own.
        NameReserved = "name-reserved",
        /// A person's name that looks like a participant's.
        NameLookalike = "name-lookalike",
        /// The last line has no end.
        LastLineCut = "last-line-cut",
        /// Text between comments.
        Stray = "stray",
        /// A comment that was not written to its end.
        Torn = "torn",
        /// A merge conflict.
        Conflict = "conflict",
        /// A comment without a word.
        CommentEmpty = "comment-empty",
        /// A control line that cannot be read.
        ControlMalformed = "control-malformed",
        /// A control line that a newer version may have written.
        ControlUnknown = "control-unknown",
        /// A time that has not come yet.
        TimeInFuture = "time-in-future",
        /// A head without its end.
        HeadUnclosed = "head-unclosed",
        /// A key of the head that means nothing.
        HeadUnknownKey = "head-unknown-key",
        /// A head that cannot be read.
        HeadInvalid = "head-invalid",
        /// A file of a newer version, to which this program does not write.
        FormatNewer = "format-newer",
        /// A head that does not fit its template.
        HeadWrong = "head-wrong",
        /// A template that does not exist or is broken.
        TemplateUnknown = "template-unknown",
        /// A participant whom nobody describes.
        ParticipantUnknown = "participant-unknown",
        /// A phase that the template does not have.
        PhaseUnknown = "phase-unknown",
        /// A vote outside of a comment.
        VoteAboveRule = "vote-above-rule",
        /// A vote within a quote, a list's code or the like.
        VoteInBlock = "vote-in-block",
        /// What looks like a vote and is none.
        VoteLookalike = "vote-lookalike",
        /// A vote of somebody who does not vote.
        VoteNotCounted = "vote-not-counted",
        /// A vote for what is no option.
        VoteUnknown = "vote-unknown",
        /// Different votes in one comment.
        VoteTwice = "vote-twice",
        /// A confidence that is no share.
        ConfidenceOutOfBounds = "confidence-out-of-bounds",
        /// A typed marker or a receipt whose value cannot be read.
        ValueUnreadable = "value-unreadable",
        /// A line that looks like a marker or a vote and counts for nothing.
        MarkerMiswritten = "marker-miswritten",
        /// A mention of nobody.
        MentionUnknown = "mention-unknown",
        /// A decision that names none.
        DecisionUnknown = "decision-unknown",
        /// Support of a decision that was not there when its supporter was asked.
        DecisionUnseen = "decision-unseen",
        /// A decision that was not taken back: by somebody who cannot, or one that holds no more.
        NotWithdrawn = "not-withdrawn",
        /// A link to another discussion's decision that leads nowhere.
        LinkBroken = "link-broken",
        /// A link to another discussion's decision that says something else than that one's, or a third one's.
        LinkContradicted = "link-contradicted",
        /// A number that no question, task or decision has.
        NumberUnknown = "number-unknown",
        /// What is answered cannot be told.
        TargetUnclear = "target-unclear",
        /// Bytes that are no UTF-8.
        FileNotUtf8 = "file-not-utf8",
        /// A NUL byte.
        FileNul = "file-nul",
        /// The file cannot be read.
        Unreadable = "unreadable",
        /// Something could not be compared.
        Unchecked = "unchecked",
        /// What was acknowledged is gone.
        BlockDropped = "block-dropped",
        /// What was acknowledged stands in another version.
        BlockElsewhere = "block-elsewhere",
        /// What was acknowledged was changed.
        BlockEdited = "block-edited",
        /// Somebody agreed that another's words were changed, moved or removed.
        ChangeAccepted = "change-accepted",
        /// An answer by number stands behind other blocks than when it was written.
        AnswerMoved = "answer-moved",
        /// Lines of a journal that cannot be read.
        JournalDamaged = "journal-damaged",
        /// Lines of a journal that were written elsewhere.
        JournalForeign = "journal-foreign",
        /// A journal that git carries to others.
        JournalTracked = "journal-tracked",
        /// A discussion that is no longer there.
        DiscussionGone = "discussion-gone",
        /// Lines that end in different ways.
        LineEndsMixed = "line-ends-mixed",
        /// A commit changed older text.
        HistoryRewritten = "history-rewritten",
        /// A commit put blocks between older ones.
        HistoryInserted = "history-inserted",
        /// The clone is shallow, so that older commits were not checked.
        HistoryShallow = "history-shallow",
        /// A person edited a comment of their own that nobody has seen.
        OwnEdit = "own-edit",
        /// A commit adds words in the name of somebody else than its author.
        AuthorDiffers = "author-differs",
        /// A commit adds a model's vote without a receipt.
        ReceiptMissing = "receipt-missing",
        /// Receipts of models that no journal here knows.
        ReceiptUnknown = "receipt-unknown",
        /// Votes were reset by a line that no phase wrote.
        VotesReset = "votes-reset",
        /// A branch changes the rules by which it is checked.
        RulesChanged = "rules-changed",
        /// A file that git holds and the working tree leaves out; it was read from git.
        NotCheckedOut = "not-checked-out",
    }
}

impl ProblemCode {
    /// Whether it is about the file's bytes: no text of it shows what is wrong.
    pub fn is_of_bytes(self) -> bool {
        matches!(self, Self::FileNotUtf8 | Self::FileNul)
    }
}
