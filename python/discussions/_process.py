"""Starts the program. All words go through its standard input as JSON, so that they can be long and hold anything."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from typing import Optional, Sequence

from ._program import find_program

# On Windows, no console window appears.
_NO_WINDOW = 0x08000000

# The end of what the program writes to standard error that an exception repeats, in bytes.
_MAX_MESSAGE_BYTES = 16 * 1024


class Process:
    """A running command of the program. It ends with this process, as with Ctrl-C."""

    def __init__(self, words: Sequence[str]) -> None:
        """Starts the command."""
        line = _line(words)
        program = find_program()
        self._errors = tempfile.TemporaryFile()
        self._messages = ""
        self._lock = threading.Lock()
        self._child = subprocess.Popen(
            [program, "pipe"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            creationflags=_NO_WINDOW if sys.platform == "win32" else 0,
            # Ctrl-C reaches only this process, which then interrupts the command.
            start_new_session=True,
        )
        try:
            if self._child.stdin is not None:
                self._child.stdin.write(line)
                self._child.stdin.flush()
        except OSError:
            # The program ended at once and says why.
            pass

    def read_line(self) -> bytes:
        """Returns the next line of the result; nothing at the end."""
        return b"" if self._child.stdout is None else self._child.stdout.readline()

    def read_all(self) -> bytes:
        """Returns the rest of the result."""
        return b"" if self._child.stdout is None else self._child.stdout.read()

    def interrupt(self) -> None:
        """Makes the command end as with Ctrl-C, by closing its standard input."""
        with self._lock:
            stdin = self._child.stdin
            if stdin is not None and not stdin.closed:
                try:
                    stdin.close()
                except OSError:
                    pass

    def kill(self) -> None:
        """Ends the command at once."""
        self._child.kill()

    def wait(self) -> int:
        """Waits for the end of the command. Returns its exit code."""
        code = self._child.wait()
        self.interrupt()
        if self._child.stdout is not None:
            self._child.stdout.close()
        if not self._errors.closed:
            end = self._errors.seek(0, 2)
            self._errors.seek(max(0, end - _MAX_MESSAGE_BYTES))
            self._messages = self._errors.read().decode("utf-8", "replace").strip()
            self._errors.close()
        return code

    def messages(self) -> str:
        """Returns the end of what the program wrote for people, once it has ended."""
        return self._messages


def _line(words: Sequence[str]) -> bytes:
    for word in words:
        # JSON would carry half a character, which is no text.
        position = _unpaired(word)
        if position is not None:
            raise ValueError(f"the text is not valid Unicode: {word[position:position + 1]!r} at {position}")
    # Without hints about commands, only warnings are left beside the result.
    return json.dumps(["-q", *words]).encode("ascii") + b"\n"


def _unpaired(word: str) -> Optional[int]:
    try:
        word.encode("utf-8")
    except UnicodeEncodeError as error:
        return error.start
    return None
