"""The state of a discussion, as its latest call read it: what `Discussion` of this package and of `aio` share."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Optional

from ._commands import File
from ._words import Path

if TYPE_CHECKING:
    from .documents import DecisionStatus, Item, StatedDecision, Status

# The longest value in the table of a discussion, in characters.
_MAX_CELL_CHARS = 100


class State:
    """The values of a discussion. They are those of the last call, or of `refresh()`."""

    def __init__(self, folder: Path, status: Status) -> None:
        """Keeps the state, and the folder in which commands run."""
        self.details = status
        """The whole document: cost, failed calls, problems, and more."""
        # The working folder of this process may change later.
        self._file = File(folder, os.path.join(os.path.abspath(folder), status.file))

    def _set(self, status: Status) -> None:
        self.details = status

    @property
    def path(self) -> str:
        """The path of the file."""
        return self._file.name

    @property
    def title(self) -> str:
        """The title."""
        return self.details.title

    @property
    def template(self) -> str:
        """The pattern."""
        return self.details.template

    @property
    def phase(self) -> str:
        """The current phase."""
        return self.details.phase

    @property
    def turn(self) -> int:
        """The number of the last turn; 0 before the first."""
        return self.details.turn

    @property
    def status(self) -> DecisionStatus:
        """The status, such as `OPEN`."""
        return self.details.status

    @property
    def participants(self) -> list[str]:
        """The aliases of the participants, and the names of people without one; `details.participants` says more."""
        return [one.alias or one.name for one in self.details.participants]

    @property
    def votes(self) -> dict[str, str]:
        """The latest votes, by name."""
        return self.details.votes

    @property
    def questions(self) -> list[Item]:
        """The questions."""
        return self.details.questions

    @property
    def tasks(self) -> list[Item]:
        """The tasks."""
        return self.details.tasks

    @property
    def decisions(self) -> list[StatedDecision]:
        """The stated decisions."""
        return self.details.decisions

    @property
    def concerns(self) -> list[Item]:
        """The concerns."""
        return self.details.concerns

    def has_consensus(self) -> bool:
        """Returns whether there is consensus."""
        return self.details.consensus.reached

    @property
    def consensus_result(self) -> Optional[str]:
        """The option that won; None without consensus."""
        return self.details.consensus.outcome if self.has_consensus() else None

    def _rows(self) -> list[tuple[str, str]]:
        votes = ", ".join(f"{name} {vote}" for name, vote in self.votes.items())
        open_questions = sum(question.status == "open" for question in self.questions)
        outcome = self.details.outcome
        rows = [
            ("title", self.title),
            ("status", f"{self.status}, {self.phase}, turn {self.turn}"),
            ("participants", ", ".join(self.participants)),
            ("votes", votes),
            ("open questions", str(open_questions) if open_questions else ""),
            ("outcome", (outcome.decision or outcome.text) if outcome else ""),
            ("file", self.path),
        ]
        return [(name, _cell(value)) for name, value in rows if value]

    def __repr__(self) -> str:
        """Returns a short table. It holds no control characters, whatever the file says."""
        rows = self._rows()
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)

    def _repr_markdown_(self) -> str:
        """Returns the outcome for a notebook."""
        outcome = self.details.outcome
        result = self.consensus_result
        status = _escape(f"{self.status}: {result}" if result else self.status)
        parts = [f"**{_escape(self.title)}** ({status})"]
        if outcome is None:
            parts.append("No outcome yet.")
        else:
            if outcome.decision and outcome.decision not in outcome.text:
                parts.append(f"> {_escape(outcome.decision)}")
            parts.append(outcome.text)
        return "\n\n".join(parts)


def _cell(text: str) -> str:
    """Returns the beginning of a text in one line, with control characters made visible."""
    line = " ".join(text.split())
    line = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line)
    return line if len(line) <= _MAX_CELL_CHARS else line[: _MAX_CELL_CHARS - 3] + "..."


def _escape(text: str) -> str:
    """Returns a text that Markdown shows as it is."""
    return re.sub(r"([\\`*_{}\[\]<>()#+\-!|~$&])", r"\\\1", " ".join(text.split()))
