//! The kinds of problem that a text can have, and fixes for problems and errors, as data. The front end puts fixes into
//! words, with its own commands and flags.

use schemars::JsonSchema;
use serde::Serialize;

words! {
    /// The kind of a [`Problem`](crate::view::Problem).
    pub enum ProblemCode {
        /// A head with an invalid name.
        NameInvalid = "name-invalid",
        /// The line of an author's name without the `---` line above it that would begin a comment.
        NameWithoutRule = "name-without-rule",
        /// Text in a body that looks like the head of a comment.
        HeadInBody = "head-in-body",
        /// Text in a body that looks like a vote.
        VoteInBody = "vote-in-body",
        /// Text that looks like the line that ends the discussion's text in a prompt.
        RecordLine = "record-line",
        /// A name that the program reserves for itself.
        NameReserved = "name-reserved",
        /// A person's name that looks like the name of a persona.
        NameLookalike = "name-lookalike",
        /// The last line does not end in a newline.
        LastLineCut = "last-line-cut",
        /// Text between comments.
        Stray = "stray",
        /// A comment that was not written completely.
        Torn = "torn",
        /// A merge conflict.
        Conflict = "conflict",
        /// A comment without text.
        CommentEmpty = "comment-empty",
        /// A control line that cannot be read.
        ControlMalformed = "control-malformed",
        /// A control line that a newer version may have written.
        ControlUnknown = "control-unknown",
        /// A time in the future.
        TimeInFuture = "time-in-future",
        /// A head without an end.
        HeadUnclosed = "head-unclosed",
        /// An unknown key in the head.
        HeadUnknownKey = "head-unknown-key",
        /// A head that cannot be parsed.
        HeadInvalid = "head-invalid",
        /// A file of a newer format version, to which this program does not write.
        FormatNewer = "format-newer",
        /// A head that does not fit its template.
        HeadWrong = "head-wrong",
        /// A template that does not exist or is broken.
        TemplateUnknown = "template-unknown",
        /// A participant without a persona definition.
        ParticipantUnknown = "participant-unknown",
        /// A phase that the template does not have.
        PhaseUnknown = "phase-unknown",
        /// A vote outside of a comment.
        VoteAboveRule = "vote-above-rule",
        /// A vote inside a quote, a list, code, or another block of Markdown.
        VoteInBlock = "vote-in-block",
        /// Text that looks like a vote and is not counted as one.
        VoteLookalike = "vote-lookalike",
        /// A vote by an author who does not vote in this discussion.
        VoteNotCounted = "vote-not-counted",
        /// A vote for an unknown option.
        VoteUnknown = "vote-unknown",
        /// Votes for different options in one comment.
        VoteTwice = "vote-twice",
        /// A confidence that is not a number from 0 to 1.
        ConfidenceOutOfBounds = "confidence-out-of-bounds",
        /// A marker or a receipt with a value that cannot be parsed.
        ValueUnreadable = "value-unreadable",
        /// A line that looks like a marker or a vote and is ignored.
        MarkerMiswritten = "marker-miswritten",
        /// A mention of an unknown alias.
        MentionUnknown = "mention-unknown",
        /// A line about a decision that names no known decision.
        DecisionUnknown = "decision-unknown",
        /// Support for a decision that did not exist yet when the supporter was asked.
        DecisionUnseen = "decision-unseen",
        /// A withdrawal that does not count: the author may not withdraw this decision, or it is no longer valid.
        NotWithdrawn = "not-withdrawn",
        /// A broken link to a decision of another discussion.
        LinkBroken = "link-broken",
        /// A conflict between links: two discussions replace each other's decisions, or two discussions replace the
        /// same one.
        LinkContradicted = "link-contradicted",
        /// A link to a decision of another discussion that replaces nothing.
        LinkNotCounted = "link-not-counted",
        /// A line that closes or reopens the discussion in vain, or decides nothing.
        ActNotCounted = "act-not-counted",
        /// A proposal below the last act, or one that no act can adopt.
        DecidesNothing = "decides-nothing",
        /// A number that two decision records in one folder have.
        NumberTaken = "number-taken",
        /// An invalid pattern of affected files.
        PatternInvalid = "pattern-invalid",
        /// A pattern of affected files that matches no file of the project.
        PatternUnmatched = "pattern-unmatched",
        /// A decision in force with a day for a review that is over.
        ReviewOverdue = "review-overdue",
        /// A number that no question, task or decision has.
        NumberUnknown = "number-unknown",
        /// A marker that does not say clearly which question, task, decision or concern it is about.
        TargetUnclear = "target-unclear",
        /// A marker about a decision that is ignored: its author may not write it, or the decision is no longer in
        /// force.
        MarkerNotCounted = "marker-not-counted",
        /// Two markers of one kind for the same decision in one comment; the later one counts.
        MarkerTwice = "marker-twice",
        /// A date that cannot be read or does not exist, or two dates in one marker.
        DateUnreadable = "date-unreadable",
        /// Hindsight that was written before the discussion had ended.
        HindsightEarly = "hindsight-early",
        /// A file pattern without backticks; it counts.
        PatternBare = "pattern-bare",
        /// A file pattern that is too long, or one too many.
        PatternLimit = "pattern-limit",
        /// Bytes that are not UTF-8.
        FileNotUtf8 = "file-not-utf8",
        /// A NUL byte.
        FileNul = "file-nul",
        /// The file cannot be read.
        Unreadable = "unreadable",
        /// A comparison could not be made.
        Unchecked = "unchecked",
        /// An acknowledged block is missing.
        BlockDropped = "block-dropped",
        /// An acknowledged block is missing here and is part of another version.
        BlockElsewhere = "block-elsewhere",
        /// An acknowledged block was changed.
        BlockEdited = "block-edited",
        /// A person accepted that another author's text was changed, moved or removed.
        ChangeAccepted = "change-accepted",
        /// A merge moved an answer that names its question by number, so the number may now be wrong.
        AnswerMoved = "answer-moved",
        /// Lines of a journal that cannot be parsed.
        JournalDamaged = "journal-damaged",
        /// Lines of a journal that were written in another folder.
        JournalForeign = "journal-foreign",
        /// A journal that is tracked by git and so reaches other clones.
        JournalTracked = "journal-tracked",
        /// A discussion without its file, which no longer exists.
        DiscussionGone = "discussion-gone",
        /// Lines with different line endings.
        LineEndsMixed = "line-ends-mixed",
        /// A commit changed older text.
        HistoryRewritten = "history-rewritten",
        /// A commit put blocks between older ones.
        HistoryInserted = "history-inserted",
        /// The clone is shallow, so older commits were not checked.
        HistoryShallow = "history-shallow",
        /// An author edited a comment of their own that no one else has seen.
        OwnEdit = "own-edit",
        /// A commit adds text under a name that is not the commit's author.
        AuthorDiffers = "author-differs",
        /// A commit adds a model's vote without a receipt.
        ReceiptMissing = "receipt-missing",
        /// Receipts of models that no journal in this folder contains.
        ReceiptUnknown = "receipt-unknown",
        /// Votes were reset by a line that no phase wrote.
        VotesReset = "votes-reset",
        /// A branch changes the rules by which the branch itself is checked.
        RulesChanged = "rules-changed",
        /// A comment that leaves markup open, which hides what is below it.
        MarkupOpen = "markup-open",
        /// A part of a comment that looks like another person's comment.
        CommentDisguised = "comment-disguised",
        /// A path that is not UTF-8, or that differs from another one only by the case of its letters.
        PathAmbiguous = "path-ambiguous",
        /// A decision that was in force and no longer is.
        DecisionEnded = "decision-ended",
        /// A file that git has but that is not checked out; it was read from git.
        NotCheckedOut = "not-checked-out",
    }
}

impl ProblemCode {
    /// Returns true if the problem is in the bytes of the file, so that no text can show it.
    pub fn is_of_bytes(self) -> bool {
        matches!(self, Self::FileNotUtf8 | Self::FileNul)
    }
}

/// The fix for a problem or an error, if it is a separate step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fix {
    /// Restore lost text, or accept the loss.
    Restore,
    /// Accept a change of older text.
    Accept,
    /// Accept a change of published text.
    AcceptPublished,
    /// Commit with a message that contains a line.
    ExplainInMessage,
    /// Let the program fix the formatting.
    Mend,
    /// Remove the journal from git and keep the file.
    Untrack,
    /// Choose one of the existing templates.
    ListTemplates,
    /// Choose one of the existing participants.
    ListParticipants,
    /// Choose one of the existing providers.
    ListProviders,
    /// Add a participant of that name instead of renaming one.
    AddParticipant,
    /// Name a folder outside the project in your own configuration, or for this call.
    OwnFolder,
}
