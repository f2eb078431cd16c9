"""The commands of the program behind the functions of this package. `project` runs them, and `aio` awaits them."""

from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import documents as d
from . import options as o
from ._command import Command
from ._words import Path, flags, text_of, text_word
from .options import Names
from .run import Run
from .turn import Turn


def start(name: str, known: type, options: Mapping[str, Any]) -> list[str]:
    """Returns the first words of a command: the folder, the command, and its flags."""
    options = dict(options)
    folder = options.pop("folder", None)
    place = [] if folder is None else ["-C", text_of(folder)]
    return [*place, name, "--json", *flags(name, keys_of(known), options)]


def ask(topic: str, options: Mapping[str, Any]) -> Run[d.DiscussionResult]:
    """Starts a question."""
    words = start("ask", o.AskOptions, options)
    return Run([*words, "--events", "--", text_word(topic)], d.DiscussionResult, lambda result, _: result)


def discuss(topic: str, options: Mapping[str, Any]) -> Run[d.DiscussionResult]:
    """Starts a question in any pattern."""
    words = start("discuss", o.DiscussOptions, options)
    return Run([*words, "--events", "--", text_word(topic)], d.DiscussionResult, lambda result, _: result)


def review(artifact: Optional[Path], options: Mapping[str, Any]) -> Run[d.ReviewResult]:
    """Starts a review."""
    words = start("review", o.ReviewOptions, options)
    named = [] if artifact is None else ["--", text_of(artifact)]
    return Run([*words, "--events", *named], d.ReviewResult, lambda result, _: result)


def check(paths: Sequence[Path], options: Mapping[str, Any]) -> Command[list[d.Checked]]:
    """Checks files or folders."""
    words = start("check", o.CheckOptions, options)
    return Command([*words, "--", *(text_of(path) for path in paths)], list[d.Checked])


def list_discussions(directory: Optional[Path], options: Mapping[str, Any]) -> Command[list[d.Listed]]:
    """Lists discussions."""
    return Command([*start("list", o.ListOptions, options), *_folder(directory)], list[d.Listed])


def decisions(
    directory: Optional[Path], about: Union[Path, Sequence[Path], None], options: Mapping[str, Any]
) -> Command[list[d.Decided]]:
    """Lists decisions."""
    words = start("decisions", o.DecisionsOptions, options)
    if about is not None:
        paths = about if isinstance(about, (list, tuple)) else [about]
        words += [f"--for={text_of(path)}" for path in paths]
    return Command([*words, *_folder(directory)], list[d.Decided])


def recall(question: str, options: Mapping[str, Any]) -> Command[list[d.Recalled]]:
    """Finds decisions that are similar to a question."""
    return Command([*start("recall", o.RecallOptions, options), "--", question], list[d.Recalled])


def search(words: str, options: Mapping[str, Any]) -> Command[list[d.Found]]:
    """Finds words."""
    return Command([*start("search", o.SearchOptions, options), "--", words], list[d.Found])


def stats(directory: Optional[Path], options: Mapping[str, Any]) -> Command[d.Stats]:
    """Sums up discussions."""
    return Command([*start("stats", o.FolderOptions, options), *_folder(directory)], d.Stats)


def new(title: str, options: Mapping[str, Any]) -> Command[d.Made]:
    """Creates a discussion."""
    return Command([*start("new", o.NewOptions, options), "--", title], d.Made)


class File:
    """The commands for one discussion."""

    def __init__(self, folder: Path, file: Path) -> None:
        """Keeps the folder to work in, and the discussion as a command line names it."""
        self.folder = os.path.abspath(folder)
        self.name = text_of(file)

    def _words(self, command: str, flags: Sequence[str] = (), *rest: str) -> list[str]:
        return ["-C", self.folder, command, "--json", *flags, "--", self.name, *rest]

    def status(self) -> Command[d.Status]:
        """Reads the state."""
        return Command(self._words("status"), d.Status)

    def show(self) -> Command[d.Shown]:
        """Reads the entries."""
        return Command(self._words("show"), d.Shown)

    def result(self) -> Command[d.ResultDocument]:
        """Computes the result."""
        return Command(self._words("result"), d.ResultDocument)

    def check(self) -> Command[list[d.Checked]]:
        """Checks the file."""
        return Command(self._words("check"), list[d.Checked])

    def comment(
        self, text: str, author: Optional[str], vote: Optional[str], review_by: Optional[str]
    ) -> Command[d.Written]:
        """Writes a comment."""
        given = {"as": author, "vote": vote, "review_by": review_by}
        return Command(self._words("comment", flags("comment", given, given), text_word(text)), d.Written)

    def answer(self, question: int, text: str, author: Optional[str]) -> Command[d.Written]:
        """Answers a question."""
        given = flags("answer", ["as"], {"as": author})
        return Command(self._words("answer", given, f"Q{question}", text_word(text)), d.Written)

    def advance(self, phase: Optional[str]) -> Command[d.Written]:
        """Enters a phase."""
        return Command(self._words("advance", (), *([] if phase is None else [phase])), d.Written)

    def close(self) -> Command[d.Written]:
        """Closes the discussion."""
        return Command(self._words("close"), d.Written)

    def reopen(self) -> Command[d.Written]:
        """Opens the closed discussion again."""
        return Command(self._words("reopen"), d.Written)

    def turn(
        self,
        participants: Names,
        callout: Optional[str],
        author: Optional[str],
        options: Mapping[str, Any],
        ended: Callable[[d.Status], None],
    ) -> Run[Turn]:
        """Starts a turn. `ended` gets the state after it."""
        names = [participants] if isinstance(participants, str) else participants
        asked = {"ask": callout, "as": author}
        given = flags("run_turn", keys_of(o.TurnOptions), options) + flags("run_turn", asked, asked)

        def finish(ran: d.Ran, events: list[d.Event]) -> Turn:
            ended(ran.status)
            return Turn(ran, events)

        mentions = [name if name.startswith("@") else f"@{name}" for name in names]
        return Run(self._words("turn", ["--events", *given], *mentions), d.Ran, finish)

    def run(self, options: Mapping[str, Any], ended: Callable[[d.Status], None]) -> Run[d.Ran]:
        """Starts a run. `ended` gets the state after it."""
        given = flags("run", keys_of(o.RunOptions), options)

        def finish(ran: d.Ran, _: list[d.Event]) -> d.Ran:
            ended(ran.status)
            return ran

        return Run(self._words("run", ["--events", *given]), d.Ran, finish)


def keys_of(known: type) -> list[str]:
    """Returns the names of all keys of a TypedDict."""
    keys: frozenset[str] = known.__optional_keys__  # type: ignore[attr-defined]
    return sorted(keys)


def _folder(directory: Optional[Path]) -> list[str]:
    return [] if directory is None else ["--", text_of(directory)]
