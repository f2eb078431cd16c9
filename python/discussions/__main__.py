"""Runs the program: `python -m discussions`."""

from __future__ import annotations

import os
import subprocess
import sys

from ._program import find_program


def main() -> None:
    """Replaces this process by the program; on Windows, runs it and ends as it ends."""
    command = [find_program(), *sys.argv[1:]]
    if sys.platform == "win32":
        try:
            sys.exit(subprocess.call(command))
        except KeyboardInterrupt:
            sys.exit(130)
    else:
        os.execv(command[0], command)


if __name__ == "__main__":
    main()
