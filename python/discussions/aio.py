"""The functions of this package for `await`.

A task that is cancelled while it waits for a run ends the run as Ctrl-C does, and waits until it has ended. The answers so far
are in the file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Optional, Sequence, Union

from . import _commands
from ._commands import File
from ._state import State
from ._words import Path
from .documents import (
    Checked,
    Decided,
    DiscussionResult,
    Found,
    Listed,
    Ran,
    Recalled,
    ResultDocument,
    ReviewResult,
    Shown,
    Stats,
    Written,
)
from .options import (
    AskOptions,
    CheckOptions,
    DecisionsOptions,
    DiscussOptions,
    FolderOptions,
    ListOptions,
    Names,
    NewOptions,
    RecallOptions,
    ReviewOptions,
    RunOptions,
    SearchOptions,
    TurnOptions,
)
from .run import Run
from .turn import Turn

if TYPE_CHECKING:
    from ._typing import Unpack

__all__ = [
    "Discussion",
    "ask",
    "check",
    "decisions",
    "discuss",
    "list_discussions",
    "recall",
    "review",
    "search",
    "stats",
]


async def ask(topic: str, **options: Unpack[AskOptions]) -> DiscussionResult:
    """Asks a question: one model answers, another one checks the answer."""
    return await _commands.ask(topic, options)


async def discuss(topic: str, **options: Unpack[DiscussOptions]) -> DiscussionResult:
    """Asks a question: models debate it and give one answer."""
    return await _commands.discuss(topic, options)


async def review(artifact: Optional[Path] = None, **options: Unpack[ReviewOptions]) -> ReviewResult:
    """Has a file or a change reviewed from several perspectives."""
    return await _commands.review(artifact, options)


async def check(*paths: Path, **options: Unpack[CheckOptions]) -> list[Checked]:
    """Finds lines that do not count, lost comments and changed text in discussions or folders of them."""
    return await _commands.check(paths, options).run_async()


async def list_discussions(directory: Optional[Path] = None, **options: Unpack[ListOptions]) -> list[Listed]:
    """Lists discussions, the most recently changed first."""
    return await _commands.list_discussions(directory, options).run_async()


async def decisions(
    directory: Optional[Path] = None,
    *,
    about: Union[Path, Sequence[Path], None] = None,
    **options: Unpack[DecisionsOptions],
) -> list[Decided]:
    """Lists decisions, the newest first; with `about`, only those in force about these files."""
    return await _commands.decisions(directory, about, options).run_async()


async def recall(question: str, **options: Unpack[RecallOptions]) -> list[Recalled]:
    """Finds past decisions that are similar to a question."""
    return await _commands.recall(question, options).run_async()


async def search(words: str, **options: Unpack[SearchOptions]) -> list[Found]:
    """Finds words in all discussions."""
    return await _commands.search(words, options).run_async()


async def stats(directory: Optional[Path] = None, **options: Unpack[FolderOptions]) -> Stats:
    """Sums up the outcomes and the cost of all discussions."""
    return await _commands.stats(directory, options).run_async()


class Discussion(State):
    """A discussion with its file. Each call that changes it has written to the file when it is done."""

    @classmethod
    async def load(cls, file: Path, *, folder: Optional[Path] = None) -> Discussion:
        """Opens a discussion by its path, title, name or the beginning of its name."""
        place = os.getcwd() if folder is None else folder
        return cls(place, await File(place, file).status().run_async())

    @classmethod
    async def create(cls, title: str, **options: Unpack[NewOptions]) -> Discussion:
        """Creates a discussion and its file."""
        made = await _commands.new(title, options).run_async()
        return await cls.load(made.file, folder=options.get("folder"))

    async def refresh(self) -> None:
        """Reads what others appended."""
        self._set(await self._file.status().run_async())

    async def add_comment(
        self,
        author: Optional[str] = None,
        text: str = "",
        vote: Optional[str] = None,
        *,
        review_by: Optional[str] = None,
    ) -> Written:
        """Adds a person's comment, a vote, or both. Without an author, the configured one or git's user writes it."""
        return await self._after(await self._file.comment(text, author, vote, review_by).run_async())

    async def answer(self, question: int, text: str, *, author: Optional[str] = None) -> Written:
        """Answers a question by its number."""
        return await self._after(await self._file.answer(question, text, author).run_async())

    async def advance(self, phase: Optional[str] = None) -> Written:
        """Enters a phase; by default the next one."""
        return await self._after(await self._file.advance(phase).run_async())

    async def close(self) -> Written:
        """Closes the discussion."""
        return await self._after(await self._file.close().run_async())

    async def reopen(self) -> Written:
        """Opens the closed discussion again."""
        return await self._after(await self._file.reopen().run_async())

    def run_turn(
        self,
        participants: Names = (),
        callout: Optional[str] = None,
        *,
        author: Optional[str] = None,
        **options: Unpack[TurnOptions],
    ) -> Run[Turn]:
        """Starts a turn. Use `async for` for its events, and `await` for the answers."""
        return self._file.turn(participants, callout, author, options, self._set)

    def run(self, **options: Unpack[RunOptions]) -> Run[Ran]:
        """Starts to ask the participants until there is consensus, or until a person is needed.

        Use `async for` for its events, and `await` for the result.
        """
        return self._file.run(options, self._set)

    async def result(self) -> ResultDocument:
        """Computes the result; for a review, its verdict."""
        return await self._file.result().run_async()

    async def entries(self) -> Shown:
        """Reads the comments and all other entries."""
        return await self._file.show().run_async()

    async def check(self) -> list[Checked]:
        """Finds lines that do not count, lost comments and changed text."""
        return await self._file.check().run_async()

    async def _after(self, written: Written) -> Written:
        await self.refresh()
        return written
