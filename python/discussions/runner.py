"""Runs discussions with the same limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .discussion import Discussion
from .documents import Ran
from .options import LimitOptions, Names, SightOptions
from .turn import Turn

if TYPE_CHECKING:
    from ._typing import Unpack


class RunnerOptions(SightOptions, LimitOptions, total=False):
    """The provider and the limits of each run."""

    provider: str
    """The provider for all participants."""


class Runner:
    """Runs turns and discussions with the same provider and limits."""

    def __init__(self, **options: Unpack[RunnerOptions]) -> None:
        """Keeps the options for all runs."""
        self._options: Any = options

    def run_turn(
        self,
        discussion: Discussion,
        participants: Names = (),
        callout: Optional[str] = None,
        *,
        author: Optional[str] = None,
    ) -> Turn:
        """Asks each participant once, or those that are named, and returns the answers."""
        return discussion.run_turn(participants, callout, author=author, **self._options)

    def run(self, discussion: Discussion) -> Ran:
        """Asks the participants until there is consensus, or until a person is needed."""
        return discussion.run(**self._options)
