"""The JSON documents of the program. UPDATE_BINDINGS=1 cargo test --test it bindings writes this file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Optional, Union

from ._decoding import Document

__all__ = [
    "AbortedEvent",
    "Action",
    "Alias",
    "AnswerChunkEvent",
    "AnswerEndEvent",
    "AnswerStartEvent",
    "Arguments",
    "Ballot",
    "BrokenPersona",
    "Call",
    "CallFailure",
    "Checked",
    "CommentEvent",
    "Condition",
    "Consensus",
    "ConsensusEvent",
    "ConsensusPart",
    "ConsensusStartEvent",
    "Consent",
    "Cost",
    "Dashboard",
    "Deadline",
    "Decided",
    "DecisionLink",
    "DecisionStatus",
    "Definition",
    "Depth",
    "Diagnosis",
    "DiscussStepOutput",
    "DiscussStepResult",
    "DiscussionEndEvent",
    "DiscussionPhaseEvent",
    "DiscussionResult",
    "DiscussionRewrittenEvent",
    "DiscussionRoundEndEvent",
    "DiscussionRoundStartEvent",
    "DiscussionStartEvent",
    "DiscussionStatusEvent",
    "Dissent",
    "DissentStats",
    "Divergence",
    "DueReview",
    "EarlierBallot",
    "EarlyExit",
    "Entry",
    "EntryAccepted",
    "EntryChild",
    "EntryChildEnd",
    "EntryComment",
    "EntryEnded",
    "EntryFailed",
    "EntryPass",
    "EntryPhase",
    "EntryStatus",
    "EntryStray",
    "EntryTurn",
    "EntryVoteReset",
    "ErrorCode",
    "ErrorEvent",
    "Event",
    "Fact",
    "Failure",
    "FileChange",
    "FinalConsensus",
    "FinalOutcome",
    "Finding",
    "FindingState",
    "Fix",
    "Foreign",
    "Found",
    "FoundKind",
    "Head",
    "HeadConsensus",
    "HeadLimits",
    "HeadParameters",
    "HindsightNote",
    "HindsightResult",
    "Initialized",
    "Item",
    "ItemState",
    "ItemStatus",
    "Listed",
    "Made",
    "Mark",
    "Merged",
    "Metadata",
    "Missing",
    "Name",
    "NamedFile",
    "NamedText",
    "Nesting",
    "NextStep",
    "NoteEvent",
    "Openers",
    "Opposed",
    "Outcome",
    "Parent",
    "Participant",
    "ParticipantKind",
    "PatternStats",
    "Persona",
    "Personas",
    "Planned",
    "PlannedAsk",
    "Problem",
    "ProblemCode",
    "Provider",
    "ProviderCost",
    "ProviderStats",
    "Ran",
    "Recalled",
    "Receipt",
    "RecordFacts",
    "Refusal",
    "Refused",
    "Renumbered",
    "Response",
    "ResultDocument",
    "ResultError",
    "ReviewResult",
    "Round",
    "RunCost",
    "SetUp",
    "SetUpAdded",
    "SetUpConfigured",
    "SetUpDiffers",
    "SetUpForeign",
    "SetUpHooked",
    "SetUpOverridden",
    "SetUpShared",
    "Severity",
    "Shown",
    "SiteReport",
    "Standing",
    "StatedDecision",
    "Stats",
    "Status",
    "StopCode",
    "Template",
    "TextFinding",
    "TextRevision",
    "Theme",
    "TimeStrategy",
    "Tokens",
    "TurnEndEvent",
    "TurnStartEvent",
    "Unreadable",
    "UnshownFile",
    "UnshownReason",
    "Verb",
    "VoteEvent",
    "VotingResults",
    "Waiting",
    "Wanted",
    "Why",
    "Written",
]


@dataclass(eq=False, repr=False)
class AbortedEvent(Document):
    """The run was stopped."""

    event: Literal["aborted"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class Action(Document):
    """A suggested action."""

    text: str
    """The action."""
    perspective: str
    """The perspectives that suggest it, separated by commas."""
    priority: Optional[str] = None
    """The priority, if stated."""
    file: Optional[str] = None
    """The file that it is about: its text says `path:line`, or words that it quotes are in a diff of the material."""
    at_line: Optional[int] = None
    """The line in the new version of this file, from 1."""


@dataclass(eq=False, repr=False)
class AnswerChunkEvent(Document):
    """A piece of an answer, as it arrives. Only the complete answer counts."""

    event: Literal["answer.chunk"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    text: str
    """The text."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class AnswerEndEvent(Document):
    """An answer, pass or failure is recorded."""

    event: Literal["answer.end"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    provider: str
    """The provider."""
    ms: int
    """Duration in milliseconds."""
    text: str
    """The comment, without its vote."""
    notes: list[str]
    """Warnings about the calls, for people."""
    outcome: Literal["answered", "passed", "failed"]
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""
    finish: Optional[str] = None
    """Why it ended, in a stable word."""
    prompt_tokens: Optional[int] = None
    """Tokens of its prompts, if known."""
    answer_tokens: Optional[int] = None
    """Tokens of its answers, if known."""
    cached: Optional[int] = None
    """Tokens of its prompts that came from the service's cache."""
    usd: Optional[float] = None
    """US dollars of all calls, if reported or if a price is known."""
    error: Optional[CallFailure] = None
    """The reason."""


@dataclass(eq=False, repr=False)
class AnswerStartEvent(Document):
    """A participant is asked."""

    event: Literal["answer.start"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    name: str
    """The name."""
    provider: str
    """The provider."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class Arguments(Document):
    """The arguments of a step."""

    participants: list[str] = field(default_factory=list)
    """The participants to ask or to answer, by alias or name."""
    phase: Optional[str] = None
    """The phase."""
    vote: Optional[str] = None
    """The options."""
    questions: Optional[int] = None
    """The number of waiting questions, or of open ones at the end."""
    tasks: Optional[int] = None
    """The number of open tasks at the end."""
    question: Optional[int] = None
    """The number of the first of them, for `answer`."""


@dataclass(eq=False, repr=False)
class Ballot(Document):
    """One vote."""

    provider: str
    """The participant."""
    vote: str
    """The option."""
    confidence: float
    """The confidence, 0 to 1; if not stated, 1 for a person and 0.5 for a model."""
    reason: str
    """The reason."""
    solution: Optional[str] = None
    """The solution that was proposed with the vote."""
    unreadable: bool = False
    """True if the answer states no readable vote, and the phase counts that as this option."""


@dataclass(eq=False, repr=False)
class BrokenPersona(Document):
    """A persona with a broken definition."""

    alias: str
    """The alias that would mention the persona."""
    error: str
    """The error, with its place."""


@dataclass(eq=False, repr=False)
class Call(Document):
    """One participant that was asked."""

    participant: str
    """The participant's alias."""
    provider: str
    """The provider that was used last."""
    turn: int
    """The turn's number."""
    ms: int
    """Duration from the start of the first call, in milliseconds."""
    tokens: Optional[int]
    """Tokens of prompt and answer together."""
    prompt_bytes: int
    """Bytes of the prompt."""
    cached_prefix: int
    """Bytes at its beginning that the same provider has read and answered before in this run, from about 1,024 tokens on."""
    outcome: str
    """`answered`, `passed` or `failed`."""
    cached_tokens: Optional[int] = None
    """Tokens of prompts that came from a cache, if the provider reports it."""
    finish: Optional[str] = None
    """Why the last answer ended, in a stable word, if the provider reports it."""
    failure: Optional[str] = None
    """Why it failed, in a stable word."""


@dataclass(eq=False, repr=False)
class CallFailure(Document):
    """Why there is no answer."""

    code: str
    """A stable word."""
    message: str
    """The error."""
    retryable: bool
    """True if a retry may help."""


@dataclass(eq=False, repr=False)
class Checked(Document):
    """The problems of one discussion."""

    file: str
    """The file, as it is shown."""
    problems: list[Problem]
    """The problems, by place."""


@dataclass(eq=False, repr=False)
class CommentEvent(Document):
    """A comment that was not asked for."""

    event: Literal["comment"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    name: str
    """The name."""
    text: str
    """The comment, without its vote."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class Condition(Document):
    """What a vote asks for, or why it is against the outcome."""

    participant: str
    """The participant's name."""
    vote: str
    """The vote."""
    text: str
    """The text given with the vote; of dissent, its first sentence."""
    line: int
    """Line of the vote in the file, from 1."""
    afterwards: bool = False
    """True if it came after the decision and is not counted."""


@dataclass(eq=False, repr=False)
class Consensus(Document):
    """The outcome of the votes."""

    reached: bool
    """True if there is consensus."""
    outcome: Optional[str]
    """The option that won or leads."""
    blocked_by: list[str]
    """The names of participants with a blocking vote."""
    missing: list[str]
    """Participants without a vote, pass or failure, by name."""
    human_required: bool
    """True if the votes suffice but a person's vote is still needed."""
    degraded: bool
    """True if calls failed, so that the result is incomplete."""


@dataclass(eq=False, repr=False)
class ConsensusEvent(Document):
    """The votes were judged."""

    event: Literal["consensus"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    reached: bool
    """True if consensus is reached by the method."""
    outcome: Optional[str]
    """The leading option."""
    blocked_by: list[str]
    """The names of participants with a blocking vote."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class ConsensusPart(Document):
    """The details of the consensus."""

    method: str
    """The method."""
    reached: bool
    """True if consensus was reached."""
    degraded: bool
    """True if some calls failed."""
    dissent: list[Dissent]
    """Minority positions with their authors."""
    synthesizer: Optional[str] = None
    """The author of the final text."""
    agreement_score: Optional[float] = None
    """Share of weighted votes for the outcome, 0 to 1; absent without votes."""
    blocked_by: list[str] = field(default_factory=list)
    """The voters whose REJECT blocks it."""


@dataclass(eq=False, repr=False)
class ConsensusStartEvent(Document):
    """A turn with deciding votes begins."""

    event: Literal["consensus.start"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class Consent(Document):
    """A trust decision of the user."""

    fingerprint: str
    """The fingerprint of the trusted definition."""
    provider: str
    """The provider's name."""
    project: str
    """The project's folder."""
    runs: str
    """The command or service that runs there."""
    at: str
    """When it was given, in RFC 3339."""


@dataclass(eq=False, repr=False)
class Cost(Document):
    """The cost of the answers."""

    total_calls: int
    """Model calls, with retries."""
    total_tokens: int
    """Tokens of prompts and answers."""
    estimated_cost_usd: Optional[float]
    """US dollars, to the millionth, for calls with a known price; null if calls were made and no price is known."""
    by_provider: dict[str, ProviderCost]
    """By the provider's name."""
    estimated: bool
    """Some of the tokens or costs were not reported."""


@dataclass(eq=False, repr=False)
class Dashboard(Document):
    """An overview: the requests to people, the open discussions, and the recent decisions."""

    folder: str
    """The folder, as it is shown."""
    due: list[Listed]
    """Discussions with a decision that people want to look at again by now, the earliest day first."""
    waiting: list[Waiting]
    """The requests to people; those in the discussions that were changed last come first."""
    open: list[Listed]
    """Open discussions, those that were changed last first."""
    decided: list[Decided]
    """The recent decisions, newest first; at most three."""
    discussions: int
    """The total number of discussions."""
    unreadable: list[Unreadable]
    """Discussions that could not be read."""


@dataclass(eq=False, repr=False)
class Deadline(Document):
    """The day until which people should decide an open discussion. It changes no tally."""

    date: str
    """The day, like `2027-06-01`, UTC; it ends with the day."""
    days: int
    """The days that are left; 0 on the day, negative after it."""
    overdue: bool
    """True if the day is over."""


@dataclass(eq=False, repr=False)
class Decided(Document):
    """A discussion with a decision."""

    file: str
    """The file, as it is shown."""
    title: str
    """The first heading."""
    at: str
    """The time of its last block with a time, in RFC 3339; empty if there is none. Comments with only notes about the decision are not counted."""
    status: DecisionStatus
    """Its status."""
    decision: Optional[str]
    """The first decision in force, or else the answer, in a sentence; null if there is none."""
    standing: Standing
    """How the outcome stands."""
    in_force: bool
    """True if a decision is in force."""
    decided_by: Optional[str]
    """Who decided: `vote`, or the name of the person who closed the discussion; null if nothing is in force."""
    decisions: list[StatedDecision]
    """The proposals, and an option or a text that was adopted or answered, in file order; each with its state."""
    text: str
    """The final text."""
    votes: dict[str, int]
    """Votes by option, in the phase's order."""
    replaces: list[DecisionLink]
    """The decisions of other discussions that it replaces."""
    replaced_by: list[DecisionLink]
    """The decisions of other discussions that replace it, or a part of it."""
    parent: Optional[Parent]
    """Its parent; null if it has none."""
    repeats_parent: bool
    """True if its parent in this list has an identical decision."""
    conditions: list[Condition]
    """The changes that the dissenting participants ask for."""
    dissent: list[Condition]
    """Votes against the outcome."""
    reviews: list[DueReview]
    """The days by which people want to look at its decisions in force again, the earliest first."""
    record: Optional[RecordFacts]
    """Facts of a decision record that another tool made; null for a discussion."""
    name: str
    """The name that finds it."""
    verdict: Optional[str] = None
    """The verdict in a sentence, if the template computed one."""
    review_by: Optional[str] = None
    """The first day on which people look at a decision again, like `2027-06-01`, UTC."""
    affects: list[str] = field(default_factory=list)
    """The files that the decisions are about: gitignore patterns from the project's root, each once."""
    hindsight: list[HindsightNote] = field(default_factory=list)
    """The results of the decisions in hindsight, oldest first."""


@dataclass(eq=False, repr=False)
class DecisionLink(Document):
    """A link between two discussions' decisions."""

    file: str
    """The other discussion's file, as it is shown."""
    decision: Optional[str]
    """The other discussion's decision, like `D2`; null: all its decisions."""
    own: Optional[str]
    """This discussion's decision, like `D1`; null: all its decisions."""
    name: str
    """The name that finds the other discussion."""


@dataclass(eq=False, repr=False)
class Definition(Document):
    """The definition of a persona."""

    alias: str
    """The alias that mentions the persona."""
    name: str
    """The name above their comments."""
    origin: str
    """The place of its definition: `bundled`, or a path as it is shown."""
    text: str
    """The definition as YAML."""
    warnings: list[str] = field(default_factory=list)
    """Why this persona cannot be asked, in sentences."""


@dataclass(eq=False, repr=False)
class Diagnosis(Document):
    """A thing that discussions need or use, and its state on this machine. No text contains a key, a command line or the whole address of a service."""

    topic: str
    """The kind of thing: `git`, `program`, `service`, `provider`, `configuration`, `participant`, `template`, `trust` or `mergeDriver`."""
    name: str
    """Its name: a program, a provider, or a path as it is shown."""
    state: str
    """`ok`; `unknown` if only a call could tell; `answers` or `fails` after a call; `missing` if it is not here and may not be needed; `ignored`; `untrusted`; or `problem`."""
    details: str
    """The reason for the state, or the answer of a model, in a line."""
    fix: Optional[str]
    """The fix, if something is wrong or missing. The library leaves out fixes by a command of the front end."""
    answers: bool
    """True if a model may answer through it."""


@dataclass(eq=False, repr=False)
class DiscussStepOutput(Document):
    """The values for later steps of a workflow."""

    synthesis: str
    """The final text."""
    rounds: list[Round]
    """The answers, round by round."""
    consensus: ConsensusPart
    """The details of the consensus."""
    participating_providers: list[str]
    """The participants, by alias."""


@dataclass(eq=False, repr=False)
class DiscussStepResult(Document):
    """The result of a workflow's step."""

    success: bool
    """True if the method's rule was met."""
    output: DiscussStepOutput
    """The values for later steps."""
    duration_ms: int
    """Duration of its rounds in milliseconds."""
    error: Optional[ResultError] = None
    """Why it did not succeed."""


@dataclass(eq=False, repr=False)
class DiscussionEndEvent(Document):
    """A run or turn ends."""

    event: Literal["discussion.end"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    stopped: str
    """Why, in a stable word."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""
    status: Optional[str] = None
    """The discussion's status, such as `CONSENSUS`; absent if its file was never read."""
    decision: Optional[str] = None
    """The decision in one sentence, once it is reached."""
    person_votes: dict[str, str] = field(default_factory=dict)
    """Votes of people that arrived during the run, by name; absent if there are none."""


@dataclass(eq=False, repr=False)
class DiscussionPhaseEvent(Document):
    """A person chose a phase."""

    event: Literal["discussion.phase"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    phase: str
    """The phase's id."""
    by: str
    """The person's name."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class DiscussionResult(Document):
    """The result of a discussion."""

    success: bool
    """True if it ended in the way that its rules require."""
    pattern: str
    """The template's id."""
    topic: str
    """The question."""
    participating_providers: list[str]
    """Aliases of participants with at least one answer."""
    failed_providers: list[str]
    """Aliases of participants with a failed last call."""
    rounds: list[Round]
    """The rounds, from 1."""
    synthesis: str
    """The final text."""
    outcome: FinalOutcome
    """The outcome to act on."""
    consensus: ConsensusPart
    """The details of the consensus."""
    total_duration_ms: int
    """Answering time in milliseconds, rounds one after the other."""
    metadata: Metadata
    """Times and cost."""
    stopping_reason: Literal["completed", "consensus_reached", "error", "max_calls", "max_iterations", "max_usd", "mentions_pending", "model_unavailable", "person_advances", "person_votes", "questions_to_people", "timeout", "user_abort", "waiting_for_person"]
    """Why it ended, or for what kind of act of a person it waits."""
    file: str
    """The discussion's file."""
    findings: list[TextFinding] = field(default_factory=list)
    """Findings of reviewers about the text, in file order."""
    revision: Optional[TextRevision] = None
    """The difference between the reviewed text and the final text; absent if there is none."""
    second_opinion: Optional[bool] = None
    """False if the discussion is finished and ends in a text, and only one participant took part; otherwise absent."""
    voting_results: Optional[VotingResults] = None
    """The tally, if there were deciding votes."""
    consensus_history: list[EarlierBallot] = field(default_factory=list)
    """How each ballot went, oldest first; absent if there was at most one."""
    final_consensus: Optional[FinalConsensus] = None
    """The agreed solution, if there is one."""
    error: Optional[ResultError] = None
    """Why it did not succeed."""
    waiting_for: list[str] = field(default_factory=list)
    """The people it waits for: aliases, names, or `human` for any person."""


@dataclass(eq=False, repr=False)
class DiscussionRewrittenEvent(Document):
    """Older text of the file changed: read the whole file again."""

    event: Literal["discussion.rewritten"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class DiscussionRoundEndEvent(Document):
    """The round is over: the next one begins, or the run ends."""

    event: Literal["discussion.round.end"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    ms: int
    """Duration of its turns in milliseconds, as far as known."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class DiscussionRoundStartEvent(Document):
    """A round begins, with all its turns, as results count it."""

    event: Literal["discussion.round.start"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class DiscussionStartEvent(Document):
    """A run or turn begins."""

    event: Literal["discussion.start"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    topic: str
    """The discussion's title; empty if its file cannot be read."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class DiscussionStatusEvent(Document):
    """A person closed the discussion or reopened it."""

    event: Literal["discussion.status"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    status: str
    """`CLOSED` or `OPEN`."""
    by: Optional[str]
    """The person's name."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class Dissent(Document):
    """A minority position."""

    provider: str
    """The participant."""
    position: str
    """The vote and the first sentence of the reason; the ballot has the whole reason. For a declined finding: the quoted words and the first sentence of the proof."""
    line: int
    """Line of the vote or the finding in the file, from 1."""


@dataclass(eq=False, repr=False)
class DissentStats(Document):
    """Statistics of a participant's votes against outcomes."""

    dissented: int
    """Decisions that the participant voted against."""
    adopted: int
    """The number of these that a later discussion replaced with an outcome that the participant did not vote against."""


@dataclass(eq=False, repr=False)
class Divergence(Document):
    """A difference between perspectives, or between a perspective and the expectation."""

    severity: str
    """HIGH, MEDIUM or LOW."""
    rule: str
    """The rule that found it."""
    detail: str
    """The difference."""
    by: list[str]
    """The perspectives with the findings behind it."""


@dataclass(eq=False, repr=False)
class DueReview(Document):
    """A decision, and the day by which people want to look at it again."""

    decision: Optional[str]
    """The decision, like `D1`; null: the outcome of the discussion as a whole."""
    text: str
    """The decision in a sentence; empty if the outcome has none."""
    review_by: str
    """The day, like `2027-06-01`, UTC."""
    days: int
    """The days from today to that day; negative after it."""
    overdue: bool
    """True if the day is over."""


@dataclass(eq=False, repr=False)
class EarlierBallot(Document):
    """The votes that one turn of a ballot asked for. A ballot that is repeated has one for each time."""

    turn: int
    """The number of the turn in the file."""
    round: int
    """The round it belongs to."""
    phase: str
    """The phase."""
    votes: dict[str, str]
    """The option of each participant that answered, by alias."""
    unreadable: list[str] = field(default_factory=list)
    """The participants without a readable vote, if the phase counts that as a vote."""


@dataclass(eq=False, repr=False)
class EarlyExit(Document):
    """Calls that were skipped because they could not change the outcome."""

    triggered: bool
    """True if calls were skipped."""
    skipped: list[str]
    """The participants that were skipped."""


@dataclass(eq=False, repr=False)
class EntryAccepted(Document):
    """A person accepted a change of older text."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["accepted"]
    author: Optional[str]
    """The person's name."""
    at: Optional[str]
    """When, in RFC 3339."""
    removed: bool
    """True if the text was removed; otherwise it was changed or moved."""


@dataclass(eq=False, repr=False)
class EntryChild(Document):
    """A sub-discussion begins."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["child"]
    turn: Optional[int]
    """The turn that asked for it."""
    author: Optional[str]
    """The alias of the participant that asked for it; null if a phase opened it."""
    file: str
    """Its file, as a path from this one's folder."""
    at: Optional[str]
    """When, in RFC 3339."""


@dataclass(eq=False, repr=False)
class EntryChildEnd(Document):
    """A sub-discussion is over."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["childEnd"]
    file: str
    """Its file, as a path from this one's folder."""
    calls: int
    """Model calls of it and of its sub-discussions."""
    usd: Optional[float]
    """US dollars, if any."""
    status: str
    """Its status."""


@dataclass(eq=False, repr=False)
class EntryComment(Document):
    """A comment."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["comment"]
    author: str
    """The name in its head."""
    body: str
    """The text, decoded, without the closing vote line."""
    vote: Optional[str]
    """The vote, if it is clear."""
    markers: list[Mark]
    """Markers that count, votes too."""
    at: Optional[str]
    """When it was written, in RFC 3339; null if unknown."""
    reply: Optional[Receipt]
    """The receipt of a model's answer."""
    acknowledged: bool
    """True if the comment counts."""
    restored: bool
    """True if the comment was lost and restored."""


@dataclass(eq=False, repr=False)
class EntryEnded(Document):
    """An act ended the discussion. It is a record for readers of the file; `result` computes the outcome anew."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["ended"]
    at: Optional[str]
    """When, in RFC 3339."""
    author: Optional[str]
    """The person whose act it was; null if a run ended the discussion."""
    heading: Optional[str]
    """The heading: `Ended on 2026-11-29: decided by vote`."""
    decision: Optional[str]
    """What was decided or answered, in one line of Markdown."""


@dataclass(eq=False, repr=False)
class EntryFailed(Document):
    """A participant could not answer."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["failed"]
    author: str
    """The participant's alias."""
    code: str
    """A stable word."""
    message: str
    """The error."""
    retryable: bool
    """True if a retry may help."""
    turn: Optional[int]
    """The turn."""
    at: Optional[str]
    """When, in RFC 3339."""
    provider: Optional[str]
    """The provider."""
    model: Optional[str]
    """The model, as its provider names it."""
    ms: Optional[int]
    """Duration in milliseconds."""
    tokens: Optional[Tokens]
    """Tokens of prompts and answers."""
    usd: Optional[float]
    """US dollars."""
    calls: Optional[int]
    """Model calls."""
    finish: Optional[str] = None
    """Why the answer ended, in a stable word."""
    cached: Optional[int] = None
    """Tokens of prompts that came from the service's cache."""
    look: bool = False
    """True if the model was allowed to read the project's files."""
    web: bool = False
    """True if the model was allowed to search the web."""


@dataclass(eq=False, repr=False)
class EntryPass(Document):
    """A participant had nothing to say."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["pass"]
    author: str
    """The participant's alias."""
    turn: Optional[int]
    """The turn."""
    at: Optional[str]
    """When, in RFC 3339."""
    provider: Optional[str]
    """The provider."""
    model: Optional[str]
    """The model, as its provider names it."""
    ms: Optional[int]
    """Duration in milliseconds."""
    tokens: Optional[Tokens]
    """Tokens of prompts and answers."""
    usd: Optional[float]
    """US dollars."""
    calls: Optional[int]
    """Model calls."""
    finish: Optional[str] = None
    """Why the answer ended, in a stable word."""
    cached: Optional[int] = None
    """Tokens of prompts that came from the service's cache."""
    look: bool = False
    """True if the model was allowed to read the project's files."""
    web: bool = False
    """True if the model was allowed to search the web."""


@dataclass(eq=False, repr=False)
class EntryPhase(Document):
    """A phase begins."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["phase"]
    phase: str
    """Its id."""
    author: Optional[str]
    """The person who chose it."""


@dataclass(eq=False, repr=False)
class EntryStatus(Document):
    """The discussion was closed or reopened."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["status"]
    status: str
    """`OPEN` or `CLOSED`."""
    author: Optional[str]
    """The person's name."""


@dataclass(eq=False, repr=False)
class EntryStray(Document):
    """Text between comments: shown, never counted."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["stray"]
    body: str
    """The text."""


@dataclass(eq=False, repr=False)
class EntryTurn(Document):
    """A turn begins."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["turn"]
    turn: int
    """Its number."""
    asks: list[str]
    """The participants it asks, by alias."""
    at: Optional[str]
    """When, in RFC 3339."""
    ask: Optional[str]
    """The question."""
    mentions: bool
    """True if it asks mentioned participants."""
    again: bool
    """True if it asks participants without an answer again."""


@dataclass(eq=False, repr=False)
class EntryVoteReset(Document):
    """Votes above this line no longer count."""

    line: int
    """Its first line in the file, from 1."""
    kind: Literal["voteReset"]


@dataclass(eq=False, repr=False)
class ErrorEvent(Document):
    """The run cannot go on."""

    event: Literal["error"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    code: ErrorCode
    """The standard code."""
    message: str
    """The message of the error."""
    retryable: bool
    """True if a retry may help."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class Fact(Document):
    """A fact about a provider that trust covers."""

    what: str
    """The kind, in a word."""
    text: str
    """The value as it is written; untrusted text."""


@dataclass(eq=False, repr=False)
class Failure(Document):
    """A call that gave no answer."""

    participant: str
    """The participant's name."""
    code: str
    """A stable word."""
    message: str
    """The error."""
    retryable: bool
    """True if a retry may help."""


@dataclass(eq=False, repr=False)
class FileChange(Document):
    """A file that was changed or removed."""

    file: str
    """The file, as it is shown."""
    changed: bool
    """True if the file was changed."""


@dataclass(eq=False, repr=False)
class FinalConsensus(Document):
    """The agreed solution, and what each participant contributed."""

    solution: str
    """The solution."""
    achieved_at_round: int
    """The round in which it was agreed."""
    model_a_contribution: str
    """The first participant's last word before the vote."""
    model_b_contribution: str
    """The second participant's last word before the vote."""


@dataclass(eq=False, repr=False)
class FinalOutcome(Document):
    """The outcome of a discussion: the text first, then the details."""

    text: str
    """The final text, or the proposal that was voted on; empty while there is none."""
    decision: Optional[str]
    """The first decision in force, or else the answer, in a sentence; null if there is none."""
    standing: Standing
    """How the outcome stands."""
    in_force: bool
    """True if a decision is in force."""
    decided_by: Optional[str]
    """Who decided: `vote`, or the name of the person who closed the discussion; null if nothing is in force."""
    decisions: list[StatedDecision]
    """The proposals, and an option or a text that was adopted or answered, in file order; each with its state."""
    line: Optional[int]
    """The line in the file where the text's comment begins, from 1."""
    conditions: list[Condition]
    """The requests of participants that did not accept the text."""
    tasks: list[Item]
    """Tasks in file order."""
    open_questions: list[Item]
    """Open questions."""
    dissent: list[Condition]
    """Votes against the outcome, a line each."""
    verdict: Optional[str] = None
    """The verdict in a sentence, if the template computed one."""
    reason: Optional[str] = None
    """The reason for a ballot's outcome, in a sentence; absent if no ballot among answers decided."""
    review_by: Optional[str] = None
    """The first day on which people look at a decision again, like `2027-06-01`, UTC."""
    affects: list[str] = field(default_factory=list)
    """The files that the decisions are about: gitignore patterns from the project's root, each once."""
    hindsight: list[HindsightNote] = field(default_factory=list)
    """The results of the decisions in hindsight, oldest first."""


@dataclass(eq=False, repr=False)
class Finding(Document):
    """A strength or weakness from one perspective."""

    text: str
    """The strength or weakness."""
    perspective: str
    """The perspective."""
    severity: Optional[str] = None
    """The severity, if stated."""
    file: Optional[str] = None
    """The file that it is about: its text says `path:line`, or words that it quotes are in a diff of the material."""
    at_line: Optional[int] = None
    """The line in the new version of this file, from 1."""


@dataclass(eq=False, repr=False)
class Foreign(Document):
    """A provider that the project defines, with everything that trust in it covers."""

    provider: str
    """The provider's name."""
    aliases: list[str]
    """Its other names."""
    file: str
    """The file that defines it, as it is shown."""
    line: int
    """The line there."""
    replaces: list[str]
    """The definitions that it replaces, each in words."""
    runs: str
    """The command or service that would run, in few words."""
    facts: list[Fact]
    """All facts that decide it."""
    files: list[NamedFile]
    """Files of the project that it names."""
    first: bool
    """True if a participant needs it first; otherwise it is only called if others fail."""
    fingerprint: str
    """The fingerprint under which trust in exactly this is stored."""
    trusted: Optional[bool] = None
    """True if the user trusts it; absent if nobody asked."""


@dataclass(eq=False, repr=False)
class Found(Document):
    """A place with the words."""

    file: str
    """The file, as it is shown."""
    line: int
    """The line, from 1."""
    kind: FoundKind
    """The kind."""
    author: Optional[str]
    """The author's name; none for titles and contexts."""
    text: str
    """The line; of a long one the part around the first word."""
    title: str
    """The discussion's title."""
    status: DecisionStatus
    """The status of the discussion."""
    standing: Standing
    """How its outcome stands."""
    at: Optional[str]
    """When it was written, in RFC 3339, if the file says so."""
    score: float
    """The score; comparable only within one search."""
    name: str
    """The name that finds the discussion."""
    state: Optional[ItemState] = None
    """The state of the decision in this place; absent if the place states none."""


@dataclass(eq=False, repr=False)
class Head(Document):
    """The settings in the head, in the order in which they are written. JSON output has these fields too. All are optional: the configuration supplies missing ones."""

    template: Optional[str]
    """Id of the template."""
    created: Optional[str]
    """When the discussion was created, RFC 3339."""
    participants: Optional[list[Alias]]
    """Voting personas, in order."""
    background: list[Alias]
    """Personas that speak but do not vote."""
    names: dict[str, Name]
    """Display names of personas that do not come with the program, by alias. They are in the head so that every machine knows them."""
    roles: dict[str, list[Alias]]
    """Role to aliases."""
    parameters: HeadParameters
    """Values of the template's parameters."""
    consensus: HeadConsensus
    """The consensus rules that were set."""
    weights: dict[str, float]
    """Vote weights of personas; absent is 1."""
    providers: dict[str, str]
    """Provider by persona, for calls only; results do not depend on it."""
    limits: HeadLimits
    """The limits of the whole discussion, for calls only."""
    nesting: Optional[Nesting]
    """The rules for sub-discussions."""
    parent: Optional[str]
    """The parent's file, as a path relative to this file's folder."""
    turn: Optional[int]
    """The parent's turn that asked for this sub-discussion."""
    by: Optional[Alias]
    """The participant that asked for this sub-discussion."""
    depth: Optional[Depth]
    """The number of discussions above this sub-discussion; absent means none."""
    until: Optional[str]
    """The deadline of this sub-discussion, RFC 3339."""
    format: Optional[int] = None
    """The version of the file's format, if it is not the first. Older programs would count this file wrongly, so they do not write to it."""
    agents: list[Alias] = field(default_factory=list)
    """Participants that are coding agents. They write their own answers, and no run calls a model for them."""
    people: list[Alias] = field(default_factory=list)
    """Participants that are people; the discussion waits for them even if a persona has this alias."""
    decide_by: Optional[str] = None
    """The day until which people should decide, such as `2027-06-01`. Results do not depend on it."""
    label: Optional[str] = None
    """A label of the program that asked, such as the id of its session. Results do not depend on it."""
    not_shown: list[UnshownFile] = field(default_factory=list)
    """The files of a reviewed change that the reviewers did not see. A review of such a change has no positive verdict."""


@dataclass(eq=False, repr=False)
class HeadConsensus(Document):
    """The consensus rules that were set."""


@dataclass(eq=False, repr=False)
class HeadLimits(Document):
    """The limits that were set for a whole discussion."""

    max_usd: Optional[float] = None
    """US dollars, 0 or more."""
    max_calls: Optional[int] = None
    """Model calls."""
    timeout: Optional[str] = None
    """The time of all turns together, such as `10m`."""


@dataclass(eq=False, repr=False)
class HeadParameters(Document):
    """Values of the template's parameters."""


@dataclass(eq=False, repr=False)
class HindsightNote(Document):
    """One statement of what became of a decision."""

    result: HindsightResult
    """The result."""
    text: str
    """The text behind the result; may be empty."""
    by: str
    """The name of its author, a person."""
    at: Optional[str]
    """When it was written, in RFC 3339; null if unknown."""
    decision: Optional[str]
    """The decision, like `D2`; null: the discussion as a whole."""


@dataclass(eq=False, repr=False)
class Initialized(Document):
    """The result of preparing a folder for discussions."""

    made: bool
    """True if the configuration was created; otherwise it existed."""
    in_repository: bool
    """True if the folder is in a git work tree."""
    done: list[SetUp]
    """The changes of the repository, and the steps that are left to a person."""


@dataclass(eq=False, repr=False)
class Item(Document):
    """A numbered item."""

    number: int
    """Counted in file order from 1, for each kind."""
    text: str
    """The text, in one line."""
    author: str
    """The author's name."""
    status: ItemStatus
    """The status."""
    line: int
    """Line in the file, from 1."""
    assignee: Optional[str] = None
    """The participant or person that does a task, as written; null if it is not assigned. Other items have no assignee."""
    raised: Optional[int] = None
    """The number of times it was written in the same words while open; all have the first one's number."""


@dataclass(eq=False, repr=False)
class Listed(Document):
    """One discussion in a list."""

    file: str
    """The file, as it is shown."""
    title: str
    """The first heading."""
    template: str
    """The template's id."""
    phase: str
    """The current phase's id."""
    turn: int
    """The last turn's number; 0 before the first."""
    status: DecisionStatus
    """Its status."""
    tally: dict[str, int]
    """Votes by option, in the phase's order."""
    decision: Optional[str]
    """The first decision in force, or else the answer, in a sentence; null if there is none."""
    standing: Standing
    """How the outcome stands."""
    in_force: bool
    """True if a decision is in force."""
    decided_by: Optional[str]
    """Who decided: `vote`, or the name of the person who closed the discussion; null if nothing is in force."""
    decisions: list[StatedDecision]
    """The proposals, and an option or a text that was adopted or answered, in file order; each with its state."""
    updated: Optional[str]
    """When it was changed last, in RFC 3339: the newest date in it; if it has none, the time of git's last commit of the file, or else the file's modification time."""
    waiting_for: list[str]
    """Participants that an open discussion waits for, people first: aliases, names, or `human` for any person."""
    due: list[DueReview]
    """Its decisions that people want to look at again by now, the earliest day first."""
    cost: Cost
    """Its cost."""
    name: str
    """The name that finds it."""
    created: Optional[str]
    """When it was created, as its head says."""
    running: bool
    """True if a run is in progress."""
    parent: Optional[Parent]
    """Its parent; null if it has none."""
    verdict: Optional[str] = None
    """The verdict in a sentence, if the template computed one."""
    decide_by: Optional[Deadline] = None
    """The day until which people should decide; absent if there is none, or if the discussion is not open."""


@dataclass(eq=False, repr=False)
class Made(Document):
    """A discussion that was created."""

    file: str
    """Its file, as it is shown."""
    title: str
    """Its title."""
    template: str
    """The template's id."""
    participants: list[str]
    """The participants, by alias."""
    placeholder_line: Optional[int]
    """The first line, from 1, that still holds a placeholder of the template instead of a text; null if none does."""
    decided_before: list[Recalled]
    """Earlier decisions that seem to answer its question, the nearest first, at most three; empty if its own text lists earlier decisions."""
    next: list[NextStep]
    """The possible next steps."""
    doubted: list[str] = field(default_factory=list)
    """Participants that are no personas and may be misspelt, in sentences."""


@dataclass(eq=False, repr=False)
class Mark(Document):
    """One marker."""

    marker: str
    """Its word, such as `TODO`."""
    text: str
    """Its text, in one line."""
    line: int
    """Line in the file, from 1."""
    column: int
    """Column in characters, from 1."""


@dataclass(eq=False, repr=False)
class Merged(Document):
    """The result of merging two versions."""

    file: str
    """The file, as it is shown."""
    is_summary: bool
    """True if the file is a summary: our version was kept until the discussion's next change rebuilds it."""
    renumbered: list[Renumbered]
    """Numbers that name something else after the merge, each once."""
    conflict: Optional[str]
    """Why a person must finish the merge, if so."""


@dataclass(eq=False, repr=False)
class Metadata(Document):
    """Times and cost."""

    started_at: str
    """When the discussion was created."""
    completed_at: str
    """When the last block with a time was written; comments with only notes about the decision are not counted."""
    total_tokens: int
    """Tokens of prompts and answers."""
    estimated_cost: Optional[float]
    """US dollars, to the millionth, for calls with a known price; null if calls were made and no price is known."""
    estimated: bool
    """Some of the tokens or costs were not reported."""
    cost_summary: Cost
    """Sums over all calls, and by provider."""
    early_exit: EarlyExit
    """True if votes were skipped because they could not change the outcome."""


@dataclass(eq=False, repr=False)
class Missing(Document):
    """A requirement that is not met."""

    text: str
    """The requirement."""
    perspective: str
    """The perspectives that miss it, separated by commas."""


@dataclass(eq=False, repr=False)
class NamedFile(Document):
    """A file of the project that a definition names."""

    path: str
    """Its path in the project."""
    target: Optional[str]
    """Its target, if it is outside the project."""


@dataclass(eq=False, repr=False)
class NamedText(Document):
    """A named text."""

    name: str
    """The name of a template, or of the file format."""
    file: Optional[str]
    """The file that holds it, as it is shown; none: it is bundled."""
    text: str
    """The text."""
    number: Optional[int] = None
    """The number of a decision record."""
    record_file: Optional[str] = None
    """The file of a decision record, as it is shown: written, or suggested."""


@dataclass(eq=False, repr=False)
class Nesting(Document):
    """The allowed depth of sub-discussions, and the rules for sharing their time."""

    depth: Depth
    """The longest chain of parents that a discussion may have."""
    strategy: TimeStrategy
    """The rule by which the levels share time."""
    time: Optional[str] = None
    """The time of the whole tree, like `10m`; none: the time limit, if there is one."""
    openers: Optional[Openers] = None
    """The openers that are allowed; none: in a head all, in a template only phases."""
    pattern: Optional[str] = None
    """The template of sub-discussions that a participant asks for; none: the default."""
    participants: list[Alias] = field(default_factory=list)
    """The participants of such sub-discussions; empty: the participants of this discussion."""


@dataclass(eq=False, repr=False)
class NextStep(Document):
    """A possible next step."""

    verb: Verb
    """The action."""
    file: str
    """The file of the discussion, as it is shown."""
    arguments: Arguments
    """The arguments."""
    why: Why
    """The reason."""


@dataclass(eq=False, repr=False)
class NoteEvent(Document):
    """A note about the run, once for each run."""

    event: Literal["note"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    message: str
    """The note, for people."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class Opposed(Document):
    """A statement that another perspective contradicts."""

    one: str
    """The statement of the first perspective."""
    other: str
    """The statement of the second perspective."""
    by: list[str]
    """The two perspectives."""


@dataclass(eq=False, repr=False)
class Outcome(Document):
    """The result of a discussion."""

    text: str
    """The text that was adopted, answered or judged; while nothing is decided, the text to decide about. If only votes decide, the winning option."""
    decision: Optional[str]
    """The decision in it; null if nothing is in force or answered."""
    line: Optional[int]
    """Line in the file, from 1; none if it is in no single comment."""


@dataclass(eq=False, repr=False)
class Parent(Document):
    """The parent of a sub-discussion, as its head says."""

    file: str
    """Its file, as it is shown."""
    name: str
    """The name that finds it."""


@dataclass(eq=False, repr=False)
class Participant(Document):
    """A participant, or the author of a comment who is not a participant."""

    name: str
    """The name, as it is shown."""
    alias: Optional[str]
    """None for a person without a persona."""
    type: ParticipantKind
    """The kind: a model or a person, with or without a vote."""
    vote: Optional[str]
    """The latest vote that counts."""
    responded: bool
    """True if they spoke in the last turn."""


@dataclass(eq=False, repr=False)
class PatternStats(Document):
    """Statistics of some discussions."""

    discussions: int
    """Their number."""
    outcomes: dict[str, int]
    """The number with each status: `OPEN`, `CONSENSUS`, `BLOCKED` or `CLOSED`."""
    ended: int
    """The number that are over: their pattern is finished, or a person closed them."""
    succeeded: int
    """The number of these that succeeded: enough participants answered, and there is a result."""
    success_rate: Optional[float]
    """Their share, 0 to 1; null if none is over."""
    calls: int
    """Model calls."""
    ms: int
    """Milliseconds that answers took, round after round; those of one round are given at once."""
    hindsight: dict[str, int]
    """Their decisions in hindsight: the number of decisions that `held`, `failed` or are `mixed`. The newest `HINDSIGHT:` of a decision counts."""
    cost_usd: Optional[float]
    """US dollars for calls with a known price; null if a price is unknown and no other call cost anything."""
    cost_usd_by_provider: dict[str, float]
    """US dollars by the provider's name."""


@dataclass(eq=False, repr=False)
class Persona(Document):
    """A persona that can take part."""

    alias: str
    """The alias that mentions the persona."""
    name: str
    """The name above their comments."""
    kind: ParticipantKind
    """The kind: a model or a person, with or without a vote."""
    role: str
    """The role, in a few words."""
    origin: str
    """The place of its definition: `bundled`, or a path as it is shown."""


@dataclass(eq=False, repr=False)
class Personas(Document):
    """All known personas."""

    personas: list[Persona]
    """The personas that can take part."""
    broken: list[BrokenPersona]
    """The personas with a broken definition."""


@dataclass(eq=False, repr=False)
class Planned(Document):
    """The plan of a turn."""

    file: str
    """The file, as it is shown."""
    turn: int
    """The number of the turn that they would be asked in."""
    asks: list[PlannedAsk]
    """The participants that it would ask."""
    appends: str
    """The text that it would append before the first call."""


@dataclass(eq=False, repr=False)
class PlannedAsk(Document):
    """One participant who would be asked."""

    participant: str
    """The participant's alias."""
    provider: Optional[str]
    """The provider that would be asked first."""
    prompt: str
    """The exact prompt."""


@dataclass(eq=False, repr=False)
class Problem(Document):
    """A problem and its place; line and column are zero if it has none."""

    line: int
    """Line in the file, from 1."""
    column: int
    """Column in characters, from 1."""
    severity: Severity
    """The severity."""
    code: ProblemCode
    """A stable word, like `vote-unknown`."""
    message: str
    """The problem in a sentence."""
    end_line: Optional[int] = None
    """Line of its end, from 1; only from a check."""
    end_column: Optional[int] = None
    """Column behind its last character, from 1; only from a check."""
    fix: Optional[Fix] = None
    """The fix, if it is a separate step."""


@dataclass(eq=False, repr=False)
class Provider(Document):
    """A provider."""

    name: str
    """Its name."""
    runs: str
    """Its command or model as the definition says; untrusted text."""
    description: str
    """A description in a sentence."""
    strengths: list[str]
    """The strengths that decide which personas it answers for."""
    origin: str
    """The place of its definition."""
    trusted: bool
    """True if it may be called; a project's own provider must be trusted first."""


@dataclass(eq=False, repr=False)
class ProviderCost(Document):
    """The cost of one provider's answers."""

    calls: int
    """Model calls."""
    tokens: int
    """Tokens of prompts and answers."""
    cost_usd: Optional[float]
    """US dollars, to the millionth; null if no cost was reported and no price is known."""
    estimated: bool
    """Some of the tokens or costs were not reported."""


@dataclass(eq=False, repr=False)
class ProviderStats(Document):
    """Statistics of a provider."""

    calls: int
    """Model calls, with retries."""
    asked: int
    """The number of answers it was asked for; retries for one answer count once."""
    failed: int
    """The number of these that it did not give."""
    failure_rate: Optional[float]
    """Their share, 0 to 1; null if it was never asked."""
    ms: int
    """Milliseconds of the answers that only it gave."""
    tokens: int
    """Tokens of prompts and answers."""
    cost_usd: Optional[float]
    """US dollars; null if no cost was reported and no price is known."""


@dataclass(eq=False, repr=False)
class Ran(Document):
    """The result of a turn or a run, and the discussion's status."""

    file: str
    """The file, as it is shown."""
    turns: int
    """The number of turns that it started or continued."""
    calls: list[Call]
    """Each participant that was asked, in the order of their answers."""
    cost: RunCost
    """The sums of all calls."""
    stopped: StopCode
    """Why it stopped."""
    status: Status
    """The discussion's status."""
    within: Optional[str] = None
    """The sub-discussion that stopped it, as it is shown; absent if none did."""
    error: Optional[ResultError] = None
    """The error, if it stopped with one."""
    person_votes: dict[str, str] = field(default_factory=dict)
    """Votes of people that arrived during the run, by name; absent if there are none."""


@dataclass(eq=False, repr=False)
class Recalled(Document):
    """An earlier decision similar to a question."""

    file: str
    """The file, as it is shown."""
    title: str
    """The title of the discussion."""
    decision: Optional[str]
    """The first decision in force, or else the answer, in a sentence; null if there is none."""
    standing: Standing
    """How the outcome stands."""
    in_force: bool
    """True if a decision is in force."""
    decided_by: Optional[str]
    """Who decided: `vote`, or the name of the person who closed the discussion; null if nothing is in force."""
    decisions: list[StatedDecision]
    """The proposals, and an option or a text that was adopted or answered, in file order; each with its state."""
    at: str
    """The time, in RFC 3339; empty if unknown."""
    status: DecisionStatus
    """The status of the discussion."""
    score: float
    """The similarity; comparable only within one question."""
    share: float
    """The share of the question's words that it holds, each counted by how rare it is, 0 to 1."""
    is_near: bool
    """True if it is so similar that the question looks decided."""
    name: str
    """The name that finds the discussion."""
    verdict: Optional[str] = None
    """The verdict in a sentence, if the template computed one."""


@dataclass(eq=False, repr=False)
class Receipt(Document):
    """The receipt of a participant's calls."""

    turn: Optional[int]
    """The turn."""
    at: Optional[str]
    """When, in RFC 3339."""
    provider: Optional[str]
    """The provider."""
    model: Optional[str]
    """The model, as its provider names it."""
    ms: Optional[int]
    """Duration in milliseconds."""
    tokens: Optional[Tokens]
    """Tokens of prompts and answers."""
    usd: Optional[float]
    """US dollars."""
    calls: Optional[int]
    """Model calls."""
    finish: Optional[str] = None
    """Why the answer ended, in a stable word."""
    cached: Optional[int] = None
    """Tokens of prompts that came from the service's cache."""
    look: bool = False
    """True if the model was allowed to read the project's files."""
    web: bool = False
    """True if the model was allowed to search the web."""


@dataclass(eq=False, repr=False)
class RecordFacts(Document):
    """The facts of a decision record that another tool made."""

    number: Optional[int]
    """Its number in its folder."""
    status: Optional[str]
    """Its status in its own words; null: it names none."""
    deciders: list[str]
    """The people who decided, in its own words."""


@dataclass(eq=False, repr=False)
class Refusal(Document):
    """Why a command was refused."""

    code: ErrorCode
    """Which kind of failure it is."""
    message: str
    """The message, in a sentence; its wording may change."""
    hint: Optional[str]
    """The fix, if it is a separate step."""
    retryable: bool
    """True if a retry may succeed."""


@dataclass(eq=False, repr=False)
class Refused(Document):
    """The answer to a program instead of a result."""

    error: Refusal
    """Why there is no result."""


@dataclass(eq=False, repr=False)
class Renumbered(Document):
    """A number that names something else after the merge."""

    line: int
    """Line of the merged file, from 1."""
    name: str
    """The number with its letter, such as `Q3`."""
    before: str
    """The text that it named before the merge; untrusted text."""
    after: Optional[str]
    """The text that it names now."""


@dataclass(eq=False, repr=False)
class Response(Document):
    """An answer, or the reason why there is none."""

    provider: str
    """The participant's alias, or a person's name."""
    content: str
    """The text, without the vote."""
    round: int
    """The round it belongs to."""
    phase: str
    """The phase of the answer."""
    duration_ms: int
    """Duration in milliseconds."""
    role: Optional[str] = None
    """The participant's role."""
    confidence: Optional[float] = None
    """The confidence, 0 to 1."""
    vote: Optional[str] = None
    """The vote."""
    timestamp: Optional[str] = None
    """When it was recorded; absent if a person wrote it into the file."""
    tokens: Optional[int] = None
    """Tokens of prompts and answer, for an answer of a model."""
    error: Optional[str] = None
    """The error, if there is no answer."""


@dataclass(eq=False, repr=False)
class ResultError(Document):
    """An error with its code."""

    code: ErrorCode
    """Which kind of failure it is."""
    message: str
    """The message."""
    retryable: bool
    """True if a retry may succeed."""
    hint: Optional[str] = None
    """The fix, if it is a separate step."""


@dataclass(eq=False, repr=False)
class ReviewResult(Document):
    """The result of a review."""

    artifact: str
    """The reviewed artifact."""
    round: str
    """The named round; empty if perspectives were named."""
    verdict: Optional[str]
    """`consensus_reached` or `consensus_blocked`; null if too few perspectives can be read, or if nothing blocks a change of which a part was not shown."""
    severity: Optional[str]
    """HIGH, MEDIUM or LOW; null without a verdict."""
    average_rating: Optional[float]
    """Mean of the ratings, 1 to 5; null without any."""
    ratings: dict[str, float]
    """Rating by perspective."""
    risks: dict[str, str]
    """Risk by perspective, if stated."""
    strengths: list[Finding]
    """Strengths, which a revision should keep."""
    weaknesses: list[Finding]
    """Weaknesses, the most severe first."""
    themes: list[Theme]
    """Themes of at least two perspectives."""
    divergences: list[Divergence]
    """Divergences, the most severe first."""
    opposed: list[Opposed]
    """Findings of two perspectives that contradict each other."""
    missing_requirements: list[Missing]
    """Requirements that are not met."""
    actions: list[Action]
    """Suggested actions, the most urgent first."""
    recommendation: Optional[str]
    """`revise`, `proceed-with-caution` or, without a finding, `proceed`; null without a verdict."""
    partial: bool
    """True if a perspective is missing."""
    failed: list[str]
    """Perspectives without a readable rating."""
    outcome: FinalOutcome
    """The outcome to act on, besides the findings."""
    cost_summary: Cost
    """Its cost."""
    record: str
    """The record's file."""
    caller_block: str
    """The verdict in a few lines that begin with `[discuss]`, for the report of the program that asked for the review."""
    findings: Optional[list[TextFinding]] = None
    """Findings that quote the artifact, in the order of the record; absent if the template asks for none."""
    not_shown: list[UnshownFile] = field(default_factory=list)
    """Files of the change that the reviewers did not see; without a finding there is then no verdict."""
    error: Optional[ResultError] = None
    """Why there is no verdict."""


@dataclass(eq=False, repr=False)
class Round(Document):
    """One round."""

    round_number: int
    """Counted from 1."""
    responses: list[Response]
    """Its answers, in file order."""
    duration_ms: int
    """Milliseconds: turns one after the other, the calls of a parallel turn at once."""
    summary: Optional[str] = None
    """What the moderator summed up, if a phase of the round has `summary: true`."""


@dataclass(eq=False, repr=False)
class RunCost(Document):
    """The sums of a run."""

    calls: int
    """Model calls, with retries."""
    ms: int
    """Duration in milliseconds."""
    usd: Optional[float]
    """US dollars for calls with a known price; null if calls were made and no price is known."""
    estimated: bool
    """True if some costs were not reported."""
    prompt_tokens: int
    """Tokens of prompts."""
    answer_tokens: int
    """Tokens of answers."""
    cached_share: Optional[float]
    """The share of prompts that came from services' caches, 0 to 1, for calls with a provider that reports it; null if none does."""
    cacheable_share: Optional[float]
    """The share of the bytes of these prompts that could have come from there, 0 to 1, because the same provider had read them before."""


@dataclass(eq=False, repr=False)
class SetUpAdded(Document):
    """A line was added to a file."""

    done: Literal["added"]
    file: str
    """The file."""
    line: str
    """The line."""


@dataclass(eq=False, repr=False)
class SetUpConfigured(Document):
    """A setting of the repository was written."""

    done: Literal["configured"]
    key: str
    """Its key."""


@dataclass(eq=False, repr=False)
class SetUpDiffers(Document):
    """A file has something else in the place of this program's own entry or text, and was left unchanged."""

    done: Literal["differs"]
    file: str
    """The file."""
    found: str
    """The text in its place."""
    line: str
    """The entry of this program, or what its text says."""


@dataclass(eq=False, repr=False)
class SetUpForeign(Document):
    """Another hook exists and was left unchanged."""

    done: Literal["foreign"]
    file: str
    """The hook."""
    line: str
    """The line to add to it by hand."""


@dataclass(eq=False, repr=False)
class SetUpHooked(Document):
    """The hook was written."""

    done: Literal["hooked"]
    file: str
    """The hook."""


@dataclass(eq=False, repr=False)
class SetUpOverridden(Document):
    """Another setting still overrides how git merges discussions."""

    done: Literal["overridden"]
    file: str
    """The file with the line that something overrides."""
    line: str
    """The line."""
    probe: str
    """A path that git was asked about, from the top of the tree."""
    merge: str
    """The merge driver that git reports for it."""


@dataclass(eq=False, repr=False)
class SetUpShared(Document):
    """Git's settings name a folder of hooks outside the repository, so no hook was written."""

    done: Literal["shared"]
    hooks: str
    """That folder."""
    own: str
    """The folder in which the repository's own hooks would be."""


@dataclass(eq=False, repr=False)
class Shown(Document):
    """A discussion, entry by entry."""

    file: str
    """The file, as it is shown."""
    title: str
    """The first heading."""
    head: Optional[Head]
    """The head, written when the discussion was created; null if there is none."""
    preamble: str
    """Title and context, as written."""
    entries: list[Entry]
    """Everything after the preamble, in file order."""


@dataclass(eq=False, repr=False)
class SiteReport(Document):
    """The files of a site."""

    folder: str
    """The folder, as it is shown."""
    files: int
    """The number of files."""
    written: int
    """The number of files that were new or changed."""
    removed: int
    """The number of files of the last export that were removed."""


@dataclass(eq=False, repr=False)
class StatedDecision(Document):
    """A proposal, a decision or an answer."""

    number: Optional[int]
    """The number of its `DECISION:` line, counted in file order from 1; null for an option or a text."""
    text: str
    """The decision, in one line."""
    author: str
    """The author's name; empty for an option."""
    supporters: list[str]
    """The names of its supporters."""
    line: int
    """Line in the file, from 1."""
    state: ItemState
    """The state."""
    by: Optional[str]
    """The decision that replaced it, like `D4` or `other.md#D1`, or the name of the person who withdrew it."""
    reason: Optional[str] = None
    """If an option won, the sentence that explains it."""
    review_by: Optional[str] = None
    """The day on which people look at it again, like `2027-06-01`, UTC."""
    affects: list[str] = field(default_factory=list)
    """The files that it is about: gitignore patterns from the project's root."""


@dataclass(eq=False, repr=False)
class Stats(Document):
    """Statistics of a folder's discussions."""

    folder: str
    """The folder, as it is shown."""
    all: PatternStats
    """All of them."""
    by_pattern: dict[str, PatternStats]
    """By the template's id."""
    by_provider: dict[str, ProviderStats]
    """By the provider's name."""
    dissent: dict[str, DissentStats]
    """By the name of participants that voted against an outcome."""
    unreadable: list[Unreadable]
    """Discussions that could not be read."""


@dataclass(eq=False, repr=False)
class Status(Document):
    """The status of a discussion."""

    file: str
    """The file, as it is shown."""
    title: str
    """The first heading."""
    template: str
    """The template's id."""
    phase: str
    """The current phase's id."""
    turn: int
    """The last turn's number; 0 before the first."""
    status: DecisionStatus
    """Its status."""
    votes: dict[str, str]
    """The latest votes, by name."""
    tally: dict[str, int]
    """Votes by option, in the phase's order."""
    consensus: Consensus
    """The outcome of the votes."""
    participants: list[Participant]
    """All participants, then other authors of comments."""
    questions: list[Item]
    """The questions, in file order."""
    tasks: list[Item]
    """The tasks, in file order."""
    concerns: list[Item]
    """The concerns, in file order."""
    decision: Optional[str]
    """The first decision in force, or else the answer, in a sentence; null if there is none."""
    standing: Standing
    """How the outcome stands."""
    in_force: bool
    """True if a decision is in force."""
    decided_by: Optional[str]
    """Who decided: `vote`, or the name of the person who closed the discussion; null if nothing is in force."""
    decisions: list[StatedDecision]
    """The proposals, and an option or a text that was adopted or answered, in file order; each with its state."""
    conditions: list[Condition]
    """The requests of votes for CHANGES, and the reasons of votes for REJECT."""
    abstained: list[str]
    """Participants that abstained, by name."""
    outcome: Optional[Outcome]
    """The outcome; null if there is none yet."""
    pending_mentions: list[str]
    """Mentioned participants that have not answered yet, each once."""
    failures: list[Failure]
    """Calls that gave no answer."""
    cost: Cost
    """Its cost."""
    problems: list[Problem]
    """Problems of the file."""
    verdict: Optional[str] = None
    """The verdict in a sentence, if the template computed one."""
    review_by: Optional[str] = None
    """The first day on which people look at a decision again, like `2027-06-01`, UTC."""
    affects: list[str] = field(default_factory=list)
    """The files that the decisions are about: gitignore patterns from the project's root, each once."""
    hindsight: list[HindsightNote] = field(default_factory=list)
    """The results of the decisions in hindsight, oldest first."""
    decide_by: Optional[Deadline] = None
    """The day until which people should decide; absent if there is none, or if the discussion is not open."""


@dataclass(eq=False, repr=False)
class Template(Document):
    """A pattern."""

    id: str
    """Its id."""
    summary: str
    """Its purpose, in a sentence."""
    phases: list[str]
    """Its phases, in order."""
    file: Optional[str]
    """Its file, as it is shown; none: it is bundled."""
    broken: Optional[str]
    """Why it cannot be used, with the place; its other values are then unknown."""


@dataclass(eq=False, repr=False)
class TextFinding(Document):
    """A finding of a reviewer about a text or a change."""

    number: int
    """Number in the discussion, from 1."""
    by: str
    """The reviewer's alias."""
    name: str
    """The reviewer's name."""
    line: int
    """Line of the finding in the discussion's file, from 1."""
    quote: str
    """The quoted words that are wrong."""
    proof: str
    """Why they are wrong."""
    instead: str
    """The new wording; empty: remove the quoted words."""
    state: FindingState
    """Its state: `unfounded` if its quote is not in the text, `open` if no text was written after it."""
    file: Optional[str] = None
    """The file that it is about: it names a file and a line, or its quote is in a diff of the material."""
    at_line: Optional[int] = None
    """The line in the new version of this file, from 1."""


@dataclass(eq=False, repr=False)
class TextRevision(Document):
    """The difference between the reviewed text and the final text."""

    diff: str
    """A unified diff from the reviewed text to the final text."""


@dataclass(eq=False, repr=False)
class Theme(Document):
    """A theme that several perspectives share."""

    text: str
    """The theme, in the words of the first perspective."""
    by: list[str]
    """The perspectives."""


@dataclass(eq=False, repr=False)
class Tokens(Document):
    """Tokens of prompts and answers."""

    input: int
    """Of prompts."""
    output: int
    """Of answers."""
    estimated: bool
    """True if they are an estimate; written as `~`."""


@dataclass(eq=False, repr=False)
class TurnEndEvent(Document):
    """The turn is over."""

    event: Literal["turn.end"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    turn: int
    """Its number."""
    ms: int
    """Milliseconds that its calls took: one after the other, or all at once in a parallel phase."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class TurnStartEvent(Document):
    """A turn begins."""

    event: Literal["turn.start"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    turn: int
    """Its number."""
    phase: str
    """The phase's id."""
    asks: list[str]
    """The participants that are asked, by alias."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""
    left_out: list[str] = field(default_factory=list)
    """Participants that are skipped, by alias: they failed in this run, and a retry would not help."""


@dataclass(eq=False, repr=False)
class Unreadable(Document):
    """A discussion that cannot be read."""

    message: str
    """Which and why, in a sentence."""
    fix: Optional[Fix]
    """The fix."""


@dataclass(eq=False, repr=False)
class UnshownFile(Document):
    """A file of a change that is missing in the material of a discussion."""

    file: str
    """Its path, as git writes it."""
    reason: UnshownReason
    """The reason."""


@dataclass(eq=False, repr=False)
class VoteEvent(Document):
    """A vote that counts."""

    event: Literal["vote"]
    """The stable name of the kind, like `answer.end`."""
    file: str
    """The discussion's file, as it is shown."""
    at: str
    """When, in RFC 3339, UTC."""
    vote: str
    """The option."""
    confidence: Optional[float]
    """The confidence, 0 to 1."""
    round: Optional[int] = None
    """The round, from 1, if one has begun."""
    participant: Optional[str] = None
    """The participant's alias, or the name of a person without one."""


@dataclass(eq=False, repr=False)
class VotingResults(Document):
    """The tally."""

    winner: str
    """The option that won; empty on a tie."""
    tied: bool
    """True if several options are tied for first."""
    votes: dict[str, int]
    """Votes by option."""
    weighted_votes: dict[str, float]
    """Votes times confidence and weight, by option."""
    ballots: list[Ballot]
    """Each vote."""
    tie_broken_by: Optional[str] = None
    """The participant that decided the tie."""


@dataclass(eq=False, repr=False)
class Waiting(Document):
    """A request to people in one discussion."""

    file: str
    """The file, as it is shown."""
    name: str
    """The name that finds it."""
    title: str
    """The first heading."""
    wanted: Wanted
    """The action that it waits for."""
    who: list[str]
    """The names of the people; `human` for any person."""
    question: Optional[int]
    """The number of the question, if it is one."""
    text: Optional[str]
    """The question, or the options."""
    decide_by: Optional[Deadline] = None
    """The day until which people should decide."""


@dataclass(eq=False, repr=False)
class Written(Document):
    """A change that was written to the file."""

    file: str
    """The file, as it is shown."""
    changed: bool
    """True if the file was changed."""
    notes: list[str]
    """Notes in sentences: why a vote in the text does not count, or what has no effect."""
    next: list[NextStep]
    """The possible next steps; empty if the whole file would have to be read for them."""
    author: Optional[str] = None
    """The author's name in the file."""
    is_person: bool = False
    """True if the author is a person."""
    vote: Optional[str] = None
    """The vote that counts, if there is one."""
    phase: Optional[str] = None
    """The phase that was entered."""
    summary: Optional[str] = None
    """Why the summary file could not be written."""
    end_only: bool = False
    """True if only the beginning and the end of a long file were read; the rest is not considered."""
    closed: bool = False
    """True if the discussion is closed, so that the comment asks no participant."""
    uncounted: list[str] = field(default_factory=list)
    """Text that looks as if it counts but does not, in sentences."""
    hints: list[str] = field(default_factory=list)
    """The effects of lines of the text, and effects that they lack, in sentences."""
    warnings: list[str] = field(default_factory=list)
    """Possible secrets in the text, in sentences. The text is in the file."""
    consensus: Optional[str] = None
    """The outcome of the votes, if consensus is reached."""


Alias = str
"""The short mention name of a persona: 1-64 of `a-z`, `0-9`, `_`, `-`, beginning with a letter or digit."""

DecisionStatus = Literal[
    "OPEN",
    "CONSENSUS",
    "ANSWERED",
    "BLOCKED",
    "CLOSED",
]
"""The status of a discussion, computed from the file; only `Closed` is written by a person."""

Depth = int
"""The number of parents that a discussion has, or may have: 0 to 4."""

Entry = Union[
    EntryComment,
    EntryTurn,
    EntryPass,
    EntryFailed,
    EntryPhase,
    EntryVoteReset,
    EntryStatus,
    EntryAccepted,
    EntryChild,
    EntryChildEnd,
    EntryEnded,
    EntryStray,
]
"""One block."""

ErrorCode = Literal[
    "DISCUSSION_INSUFFICIENT_PROVIDERS",
    "DISCUSSION_PROVIDER_TIMEOUT",
    "DISCUSSION_ALL_PROVIDERS_FAILED",
    "DISCUSSION_CONSENSUS_FAILED",
    "DISCUSSION_INVALID_PATTERN",
    "DISCUSSION_INVALID_ROLES",
    "DISCUSSION_SYNTHESIS_FAILED",
    "DISCUSSION_TIMEOUT",
    "DISCUSSION_PARSE_FAILED",
    "DISCUSSION_INVALID_STATE",
    "DISCUSSION_COST_BUDGET_EXCEEDED",
    "DISCUSSION_INVALID_INPUT",
    "DISCUSSION_CIRCULAR_DISCUSSION",
    "DISCUSSION_NOT_TRUSTED",
    "DISCUSSION_NOT_SHOWN",
]

Event = Union[
    DiscussionStartEvent,
    DiscussionEndEvent,
    DiscussionRoundStartEvent,
    DiscussionRoundEndEvent,
    TurnStartEvent,
    TurnEndEvent,
    AnswerStartEvent,
    AnswerChunkEvent,
    AnswerEndEvent,
    CommentEvent,
    ConsensusStartEvent,
    VoteEvent,
    ConsensusEvent,
    DiscussionPhaseEvent,
    DiscussionStatusEvent,
    DiscussionRewrittenEvent,
    NoteEvent,
    ErrorEvent,
    AbortedEvent,
]
"""An event of a discussion."""

FindingState = Literal[
    "open",
    "unfounded",
    "taken",
    "changed",
    "declined",
]

Fix = Literal[
    "restore",
    "accept",
    "accept_published",
    "explain_in_message",
    "mend",
    "untrack",
    "list_templates",
    "list_participants",
    "list_providers",
    "add_participant",
    "own_folder",
]
"""The fix for a problem or an error, if it is a separate step."""

FoundKind = Literal[
    "title",
    "decision",
    "outcome",
    "question",
    "task",
    "concern",
    "comment",
    "context",
]

HindsightResult = Literal[
    "held",
    "failed",
    "mixed",
]

ItemState = Literal[
    "proposed",
    "answered",
    "in-force",
    "not-adopted",
    "replaced",
    "withdrawn",
]

ItemStatus = Literal[
    "open",
    "answered",
    "assigned",
    "done",
    "settled",
]

Name = str
"""A display name: 1-64 letters and marks of any script, digits, space, `.`, `_`, `-`, `'`, `’`. Kept in NFC without blanks at its ends; two names are equal when they differ in the case of ASCII letters only."""

Openers = Literal[
    "participants",
    "phases",
]
"""The openers of sub-discussions that are allowed."""

ParticipantKind = Literal[
    "voting",
    "background",
    "human",
    "agent",
]

ProblemCode = Literal[
    "name-invalid",
    "name-without-rule",
    "head-in-body",
    "vote-in-body",
    "record-line",
    "name-reserved",
    "name-lookalike",
    "last-line-cut",
    "stray",
    "torn",
    "conflict",
    "comment-empty",
    "control-malformed",
    "control-unknown",
    "time-in-future",
    "head-unclosed",
    "head-unknown-key",
    "head-invalid",
    "format-newer",
    "head-wrong",
    "template-unknown",
    "participant-unknown",
    "phase-unknown",
    "vote-above-rule",
    "vote-in-block",
    "vote-lookalike",
    "vote-not-counted",
    "vote-unknown",
    "vote-twice",
    "confidence-out-of-bounds",
    "value-unreadable",
    "marker-miswritten",
    "mention-unknown",
    "decision-unknown",
    "decision-unseen",
    "not-withdrawn",
    "link-broken",
    "link-contradicted",
    "link-not-counted",
    "act-not-counted",
    "decides-nothing",
    "number-taken",
    "pattern-invalid",
    "pattern-unmatched",
    "review-overdue",
    "number-unknown",
    "target-unclear",
    "marker-not-counted",
    "marker-twice",
    "date-unreadable",
    "hindsight-early",
    "pattern-bare",
    "pattern-limit",
    "file-not-utf8",
    "file-nul",
    "unreadable",
    "unchecked",
    "block-dropped",
    "block-elsewhere",
    "block-edited",
    "change-accepted",
    "answer-moved",
    "journal-damaged",
    "journal-foreign",
    "journal-tracked",
    "discussion-gone",
    "line-ends-mixed",
    "history-rewritten",
    "history-inserted",
    "history-shallow",
    "own-edit",
    "author-differs",
    "receipt-missing",
    "receipt-unknown",
    "votes-reset",
    "rules-changed",
    "markup-open",
    "comment-disguised",
    "path-ambiguous",
    "decision-ended",
    "not-checked-out",
]

ResultDocument = Union[
    DiscussionResult,
    ReviewResult,
]
"""The result of a discussion; for a template with a verdict, the result of a review."""

SetUp = Union[
    SetUpAdded,
    SetUpConfigured,
    SetUpHooked,
    SetUpDiffers,
    SetUpForeign,
    SetUpShared,
    SetUpOverridden,
]
"""A step that was done, or that is left to a person. Paths are as they are shown."""

Severity = Literal[
    "note",
    "warning",
    "error",
]

Standing = Literal[
    "open",
    "answered",
    "in-force",
    "not-adopted",
    "replaced",
    "withdrawn",
    "verdict",
]

StopCode = Literal[
    "closed",
    "finished",
    "waiting_for_person",
    "person_advances",
    "condition_not_met",
    "mentions_pending",
    "questions_to_people",
    "person_votes",
    "too_few_answers",
    "nobody_to_ask",
    "turn_over",
    "max_turns",
    "max_calls",
    "max_usd",
    "unpriced",
    "timeout",
    "aborted",
]

TimeStrategy = Literal[
    "fixed",
    "cascade",
    "budget",
]
"""The rule by which the levels of a tree share its time."""

UnshownReason = Literal[
    "not_text",
    "too_large",
    "submodule",
    "lfs",
]
"""The reason why reviewers did not see the change of a file."""

Verb = Literal[
    "turn",
    "run",
    "advance",
    "comment",
    "close",
    "reopen",
]
"""An action on a discussion."""

Wanted = Literal[
    "answer",
    "conflict",
    "comment",
    "vote",
    "nextPhase",
    "change",
    "blocked",
    "closing",
]
"""The action that a discussion waits for."""

Why = Literal[
    "stillToBeAsked",
    "phaseBegins",
    "turnBegins",
    "commandRuns",
    "discussionWithin",
    "closed",
    "finished",
    "peopleAreAsked",
    "personEndsPhase",
    "conditionNotMet",
    "mentionsPending",
    "personVotes",
    "tooFewAnswered",
    "nobodyToAsk",
    "questionsToPerson",
    "answersAwaited",
    "callsWait",
    "endedWithoutConsensus",
    "voteAgain",
    "nobodyVoted",
]
"""Why a step is the next one."""
