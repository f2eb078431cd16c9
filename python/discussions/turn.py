"""The answers of one turn."""

from __future__ import annotations

from typing import Iterator, Sequence, Union, overload

from .documents import AnswerEndEvent, Event, Ran, VoteEvent


class Turn(Sequence[AnswerEndEvent]):
    """The answers of one turn, one for each participant that was asked, in the order in which they arrived.

    An answer has `participant`, `provider`, `outcome`, `text` and, if there is none, `error`.
    """

    def __init__(self, ran: Ran, events: Sequence[Event]) -> None:
        """Collects the answers and votes."""
        self.ran = ran
        """The document of the turn, with its cost and the state of the discussion."""
        self.answers = [event for event in events if isinstance(event, AnswerEndEvent)]
        """The answers."""
        self.votes = {
            event.participant: event.vote
            for event in events
            if isinstance(event, VoteEvent) and event.participant is not None
        }
        """The votes of this turn that count, by alias."""

    def __len__(self) -> int:
        """Returns the number of answers."""
        return len(self.answers)

    @overload
    def __getitem__(self, index: int) -> AnswerEndEvent: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[AnswerEndEvent]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[AnswerEndEvent, Sequence[AnswerEndEvent]]:
        """Returns an answer by its position."""
        return self.answers[index]

    def __iter__(self) -> Iterator[AnswerEndEvent]:
        """Yields the answers."""
        return iter(self.answers)

    def __repr__(self) -> str:
        """Returns one line for each answer."""
        lines = [f"{answer.participant}: {answer.text!r}" for answer in self.answers]
        return f"<Turn: {len(self.answers)} answers>" if not lines else "\n".join(lines)
