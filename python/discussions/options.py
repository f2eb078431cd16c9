"""The keyword arguments of the functions that ask models.

None, False and an empty list are like no argument. `discussions COMMAND --help` says more about each.
"""

from __future__ import annotations

from typing import Mapping, Sequence, TypedDict, Union

from ._words import Duration, Path

Names = Union[str, Sequence[str]]
"""Aliases, names of providers, or `persona=provider`."""


class FolderOptions(TypedDict, total=False):
    """Where to work."""

    folder: Path
    """The folder to work in; by default the working folder of this process."""


class SightOptions(TypedDict, total=False):
    """What models may access."""

    look: bool
    """Agent programs may read the files of this project."""
    web: bool
    """Agent programs may search the web."""


class LimitOptions(TypedDict, total=False):
    """Limits of one run."""

    timeout: Duration
    """Maximum time."""
    max_usd: float
    """Maximum cost in US dollars."""
    unpriced: bool
    """With a money limit, also ask providers whose price is unknown."""
    max_calls: int
    """Maximum number of model calls."""


class CallOptions(LimitOptions, total=False):
    """Limits of one run and of each call."""

    max_tokens: int
    """Maximum tokens per answer."""
    provider_timeout: Duration
    """Maximum time per call, from 5 seconds to an hour."""


class MaterialOptions(TypedDict, total=False):
    """Files and changes that go into the discussion."""

    files: Names
    """Files, folders or globs like `src/**/*.rs`."""
    diff: str
    """The changes of these commits, for example `main...HEAD`."""
    allow_secrets: bool
    """Also send credential files and text that looks like a key."""


class TurnOptions(SightOptions, LimitOptions, total=False):
    """Options of one turn."""

    provider: str
    """The provider for all participants."""
    allow_secrets: bool
    """Also send text that looks like a key."""


class RunOptions(SightOptions, LimitOptions, total=False):
    """Options of a run until a person is needed."""

    provider: str
    """The provider for all participants."""
    max_turns: int
    """Maximum number of turns; by default 20."""
    no_wait: bool
    """Continue even if people have not answered their questions."""
    take_in: bool
    """Add answers that an earlier run kept because it could not record them."""


class NewOptions(FolderOptions, MaterialOptions, total=False):
    """Options of a new discussion."""

    template: str
    """The pattern."""
    context: str
    """The context, as Markdown."""
    participants: Names
    """The participants."""
    parameters: Mapping[str, object]
    """Parameters of the pattern; a list is a value too."""
    dir: Path
    """The folder of the new file."""
    recall: int
    """Include this number of earlier decisions."""
    decide_by: str
    """The day until which people should decide."""


class AskOptions(FolderOptions, MaterialOptions, CallOptions, SightOptions, total=False):
    """Options of a question."""

    participants: Names
    """The participants."""
    parameters: Mapping[str, object]
    """Parameters of the pattern; a list is a value too."""
    context: str
    """Background information, as Markdown."""
    recall: int
    """Include this number of earlier decisions."""
    provider: str
    """The provider for all participants."""
    temperature: float
    """Sampling temperature, 0 to 2, for providers that support it."""
    no_wait: bool
    """Continue even if people have not answered their questions."""
    out: Path
    """The file to write; by default named after the question."""


class DiscussOptions(AskOptions, total=False):
    """Options of a question in any pattern."""

    pattern: str
    """The pattern; by default `synthesis`."""
    rounds: int
    """Number of rounds."""
    consensus: str
    """How to find the outcome."""
    options: Names
    """The options to vote on."""
    roles: Mapping[str, str]
    """The roles by alias."""
    threshold: float
    """The share of votes needed to win, 0 to 1."""
    synthesizer: str
    """The participant that writes the final text."""
    min_providers: int
    """Minimum number of answers per turn."""
    no_early_exit: bool
    """Ask all participants, even if the outcome is already decided."""


class ReviewOptions(FolderOptions, CallOptions, SightOptions, total=False):
    """Options of a review."""

    diff: str
    """Review the changes of these commits instead of a file."""
    pattern: str
    """The pattern; by default `artifact-review`."""
    files: Names
    """Files, folders or globs that all reviewers also see."""
    perspectives: Names
    """The reviewers."""
    round: str
    """A named round, such as `DISCUSS-001`."""
    context_file: Path
    """The requirements that the file must meet."""
    provider: str
    """The provider for all participants."""
    out: Path
    """The file of the record."""
    dir: Path
    """The folder of the record."""
    min_providers: int
    """Minimum number of perspectives for a verdict."""
    allow_secrets: bool
    """Also send credential files and text that looks like a key."""


class CheckOptions(FolderOptions, total=False):
    """Options of a check."""

    strict: bool
    """Treat warnings as errors."""
    git: bool
    """Also compare every committed version with the one before."""
    since: str
    """With `git`: check only what this branch adds to a revision."""
    allow_shallow: bool
    """With `git`: accept a shallow clone."""
    due: bool
    """With `git`: also report decisions whose day for a review is over."""
    staged: bool
    """Check what is staged for commit, instead of the files."""


class ListOptions(FolderOptions, total=False):
    """Options of a list of discussions."""

    status: str
    """Only discussions with this status, such as `open`."""
    waiting: bool
    """Only discussions that wait for a person."""
    sort: str
    """The order: `updated`, `created`, `name` or `status`."""


class DecisionsOptions(FolderOptions, total=False):
    """Options of a list of decisions."""

    due: bool
    """Only decisions whose day for a review has come."""
    within: str
    """With `due`: also the days of the next period, for example `30d`."""
    diff: str
    """Only decisions in force about files that these commits change."""
    at: str
    """Only decisions that were in force at a commit."""


class RecallOptions(FolderOptions, total=False):
    """Options of a search for similar decisions."""

    since: str
    """Only decisions since a day or within a period, for example `30d`."""
    limit: int
    """Maximum number of decisions; 0 is no limit."""


class SearchOptions(RecallOptions, total=False):
    """Options of a search for words."""

    kind: str
    """Only this kind of text, for example `decision`."""
    by: str
    """Only text by this participant."""
    status: str
    """Only in discussions with this status."""
