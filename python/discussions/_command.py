"""One command of the program and the type of its document."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any, Generic, Optional, Sequence, TypeVar

from . import documents
from ._decoding import decode
from ._process import Process
from .errors import DiscussionsError, error_class

T = TypeVar("T")

# What a run does not say itself.
_SILENT = {130: "the run was cancelled; run the discussion again to continue"}


class Command(Generic[T]):
    """A command that ends soon, for example because it calls no model."""

    def __init__(self, words: Sequence[str], document: Any) -> None:
        """Keeps the words, which ask for JSON, and the type of the document."""
        self.words = list(words)
        self.document = document

    def run(self) -> T:
        """Runs the command and returns its document."""
        process = Process(self.words)
        try:
            text = process.read_all()
            code = process.wait()
        except BaseException:
            process.interrupt()
            raise
        result: T = outcome(self.document, parse(text), code, process.messages())
        return result

    async def run_async(self) -> T:
        """Runs the command in a thread and returns its document."""
        return await asyncio.get_running_loop().run_in_executor(None, self.run)


def outcome(document: Any, value: Any, code: int, messages: str) -> Any:
    """Returns the document, or raises the error that the program reports.

    Exit code 1 is a negative result, such as no consensus, and no error.
    """
    if code in (0, 1) and value is not None and not _is_refusal(value):
        if messages:
            logging.getLogger("discussions").warning("%s", messages)
        return decode(document, value)
    raise _failure(document, value, code, messages)


def parse(text: bytes) -> Any:
    """Reads JSON; None if the program wrote none."""
    try:
        return json.loads(text.decode("utf-8"))
    except ValueError:
        return None


def _failure(document: Any, value: Any, code: int, messages: str) -> DiscussionsError:
    """Returns the exception for a failure of the program."""
    kind = error_class(code)
    result: Any = None
    refusal: Optional[documents.Refusal] = None
    if _is_refusal(value):
        refusal = decode(documents.Refused, value).error
    elif value is not None:
        result = decode(document, value)
        told = getattr(result, "error", None)
        if told is not None:
            return kind(
                told.message,
                code=told.code,
                help=told.hint,
                retryable=told.retryable,
                exit_code=code,
                result=result,
            )
    if refusal is None:
        message = messages or _SILENT.get(code, f"the program ended with {code} and said nothing")
        return kind(message, exit_code=code, result=result)
    return kind(
        refusal.message,
        code=refusal.code,
        help=refusal.hint,
        retryable=refusal.retryable,
        exit_code=code,
    )


def _is_refusal(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"error"}
