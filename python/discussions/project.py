"""What programs do with a project, for programs that wait for each call. `aio` has the same functions for `await`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence, Union

from . import _commands
from ._words import Path
from .documents import Checked, Decided, DiscussionResult, Found, Listed, Recalled, ReviewResult, Stats
from .options import (
    AskOptions,
    CheckOptions,
    DecisionsOptions,
    DiscussOptions,
    FolderOptions,
    ListOptions,
    RecallOptions,
    ReviewOptions,
    SearchOptions,
)
from .run import Run

if TYPE_CHECKING:
    from ._typing import Unpack


def start_ask(topic: str, **options: Unpack[AskOptions]) -> Run[DiscussionResult]:
    """Starts `ask`, and returns the run with its events."""
    return _commands.ask(topic, options)


def ask(topic: str, **options: Unpack[AskOptions]) -> DiscussionResult:
    """Asks a question: one model answers, another one checks the answer."""
    return start_ask(topic, **options).result()


def start_discuss(topic: str, **options: Unpack[DiscussOptions]) -> Run[DiscussionResult]:
    """Starts `discuss`, and returns the run with its events."""
    return _commands.discuss(topic, options)


def discuss(topic: str, **options: Unpack[DiscussOptions]) -> DiscussionResult:
    """Asks a question: models debate it and give one answer."""
    return start_discuss(topic, **options).result()


def start_review(artifact: Optional[Path] = None, **options: Unpack[ReviewOptions]) -> Run[ReviewResult]:
    """Starts `review`, and returns the run with its events."""
    return _commands.review(artifact, options)


def review(artifact: Optional[Path] = None, **options: Unpack[ReviewOptions]) -> ReviewResult:
    """Has a file or a change reviewed from several perspectives."""
    return start_review(artifact, **options).result()


def check(*paths: Path, **options: Unpack[CheckOptions]) -> list[Checked]:
    """Finds lines that do not count, lost comments and changed text in discussions or folders of them."""
    return _commands.check(paths, options).run()


def list_discussions(directory: Optional[Path] = None, **options: Unpack[ListOptions]) -> list[Listed]:
    """Lists discussions, the most recently changed first."""
    return _commands.list_discussions(directory, options).run()


def decisions(
    directory: Optional[Path] = None,
    *,
    about: Union[Path, Sequence[Path], None] = None,
    **options: Unpack[DecisionsOptions],
) -> list[Decided]:
    """Lists decisions, the newest first; with `about`, only those in force about these files."""
    return _commands.decisions(directory, about, options).run()


def recall(question: str, **options: Unpack[RecallOptions]) -> list[Recalled]:
    """Finds past decisions that are similar to a question."""
    return _commands.recall(question, options).run()


def search(words: str, **options: Unpack[SearchOptions]) -> list[Found]:
    """Finds words in all discussions."""
    return _commands.search(words, options).run()


def stats(directory: Optional[Path] = None, **options: Unpack[FolderOptions]) -> Stats:
    """Sums up the outcomes and the cost of all discussions."""
    return _commands.stats(directory, options).run()
