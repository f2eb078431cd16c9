"""What can go wrong, as exceptions."""

from __future__ import annotations

from typing import Any, Optional

from .documents import ErrorCode


class DiscussionsError(Exception):
    """A failure that the program reports.

    Its text is the message, with the help below it if there is one.
    """

    def __init__(
        self,
        message: str,
        *,
        code: Optional[ErrorCode] = None,
        help: Optional[str] = None,
        retryable: bool = False,
        exit_code: int,
        result: Any = None,
    ) -> None:
        super().__init__(message if help is None else f"{message}\n{help}")
        self.message = message
        """The message, in a sentence; its wording may change."""
        self.code = code
        """The kind of failure; None if the program did not name it."""
        self.help = help
        """The fix, if it is a separate step."""
        self.retryable = retryable
        """True if a retry may succeed."""
        self.exit_code = exit_code
        """The exit code of the program."""
        self.result = result
        """What a run reached nevertheless: its document, or None."""


class InvalidUsageError(DiscussionsError):
    """A value that the program cannot read, such as a duration without a unit (exit code 2)."""


class InvalidInputError(DiscussionsError):
    """Bad input or configuration (exit code 3)."""


class NoAnswerError(DiscussionsError):
    """No provider could answer (exit code 4)."""


class FileAccessError(DiscussionsError):
    """Files could not be read or written (exit code 5)."""


class Cancelled(DiscussionsError):
    """The run was cancelled. All answers so far are in the file; run the discussion again to continue (exit code 130)."""


_BY_EXIT_CODE = {
    2: InvalidUsageError,
    3: InvalidInputError,
    4: NoAnswerError,
    5: FileAccessError,
    130: Cancelled,
}


def error_class(exit_code: int) -> type[DiscussionsError]:
    """Returns the class for an exit code."""
    return _BY_EXIT_CODE.get(exit_code, DiscussionsError)
