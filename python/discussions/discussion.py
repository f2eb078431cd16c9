"""A discussion with its file, for programs that wait for each call."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Optional

from . import _commands
from ._commands import File
from ._state import State
from ._words import Path
from .documents import Checked, Ran, ResultDocument, Shown, Written
from .options import Names, NewOptions, RunOptions, TurnOptions
from .run import Run
from .turn import Turn

if TYPE_CHECKING:
    from ._typing import Unpack


class Discussion(State):
    """A discussion with its file. Each call that changes it has written to the file when it returns."""

    @classmethod
    def load(cls, file: Path, *, folder: Optional[Path] = None) -> Discussion:
        """Opens a discussion by its path, title, name or the beginning of its name."""
        place = os.getcwd() if folder is None else folder
        return cls(place, File(place, file).status().run())

    @classmethod
    def create(cls, title: str, **options: Unpack[NewOptions]) -> Discussion:
        """Creates a discussion and its file."""
        made = _commands.new(title, options).run()
        return cls.load(made.file, folder=options.get("folder"))

    def refresh(self) -> None:
        """Reads what others appended."""
        self._set(self._file.status().run())

    def save(self) -> None:
        """Does nothing: each call has already written to the file."""

    def add_comment(
        self,
        author: Optional[str] = None,
        text: str = "",
        vote: Optional[str] = None,
        *,
        review_by: Optional[str] = None,
    ) -> Written:
        """Adds a person's comment, a vote, or both. Without an author, the configured one or git's user writes it."""
        return self._after(self._file.comment(text, author, vote, review_by).run())

    def answer(self, question: int, text: str, *, author: Optional[str] = None) -> Written:
        """Answers a question by its number."""
        return self._after(self._file.answer(question, text, author).run())

    def advance(self, phase: Optional[str] = None) -> Written:
        """Enters a phase; by default the next one."""
        return self._after(self._file.advance(phase).run())

    def close(self) -> Written:
        """Closes the discussion."""
        return self._after(self._file.close().run())

    def reopen(self) -> Written:
        """Opens the closed discussion again."""
        return self._after(self._file.reopen().run())

    def start_turn(
        self,
        participants: Names = (),
        callout: Optional[str] = None,
        *,
        author: Optional[str] = None,
        **options: Unpack[TurnOptions],
    ) -> Run[Turn]:
        """Starts a turn: each participant is asked once, or those that are named. `callout` is a question to them."""
        return self._file.turn(participants, callout, author, options, self._set)

    def run_turn(
        self,
        participants: Names = (),
        callout: Optional[str] = None,
        *,
        author: Optional[str] = None,
        **options: Unpack[TurnOptions],
    ) -> Turn:
        """Runs a turn, and returns the answers."""
        return self.start_turn(participants, callout, author=author, **options).result()

    def start_run(self, **options: Unpack[RunOptions]) -> Run[Ran]:
        """Starts to ask the participants until there is consensus, or until a person is needed."""
        return self._file.run(options, self._set)

    def run(self, **options: Unpack[RunOptions]) -> Ran:
        """Asks the participants until there is consensus, or until a person is needed.

        A run that was cancelled or killed continues where it stopped: answers in the file are never paid for again.
        """
        return self.start_run(**options).result()

    def result(self) -> ResultDocument:
        """Computes the result; for a review, its verdict."""
        return self._file.result().run()

    def entries(self) -> Shown:
        """Reads the comments and all other entries."""
        return self._file.show().run()

    def check(self) -> list[Checked]:
        """Finds lines that do not count, lost comments and changed text."""
        return self._file.check().run()

    def _after(self, written: Written) -> Written:
        self.refresh()
        return written
