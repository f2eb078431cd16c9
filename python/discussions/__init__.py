"""Structured discussions between AI personas and people, each in one append-only Markdown file.

The functions start the program of this package and wait for it; `discussions.aio` has them for `await`. Results are data classes
of `discussions.documents`, options are in `discussions.options`.
"""

from __future__ import annotations

from . import aio, documents, options
from ._program import ProgramNotFoundError, find_program
from .discussion import Discussion
from .documents import Participant
from .errors import (
    Cancelled,
    DiscussionsError,
    FileAccessError,
    InvalidInputError,
    InvalidUsageError,
    NoAnswerError,
)
from .project import (
    ask,
    check,
    decisions,
    discuss,
    list_discussions,
    recall,
    review,
    search,
    start_ask,
    start_discuss,
    start_review,
    stats,
)
from .run import Run
from .runner import Runner
from .turn import Turn

__all__ = [
    "Cancelled",
    "Discussion",
    "DiscussionsError",
    "FileAccessError",
    "InvalidInputError",
    "InvalidUsageError",
    "NoAnswerError",
    "Participant",
    "ProgramNotFoundError",
    "Run",
    "Runner",
    "Turn",
    "aio",
    "ask",
    "check",
    "decisions",
    "discuss",
    "documents",
    "find_program",
    "list_discussions",
    "options",
    "recall",
    "review",
    "search",
    "start_ask",
    "start_discuss",
    "start_review",
    "stats",
]
