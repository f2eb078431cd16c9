"""The versions of Python on this machine."""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

# What a Python says about itself.
VERSION = "import sys; print(*sys.version_info[:2])"


@cache
def find_pythons() -> dict[tuple[int, int], Path]:
    """Returns the Pythons in PATH and those that pyenv installed, by version."""
    folders = [Path(folder) for folder in os.environ["PATH"].split(":")]
    folders += sorted((Path.home() / ".pyenv" / "versions").glob("*/bin"))
    found = {}
    for folder in folders:
        for path in folder.glob("python3*"):
            if re.fullmatch(r"python3(\.\d+)?", path.name) is None:
                continue
            # The commands of a version manager fail if their version is not chosen.
            told = subprocess.run([path, "-c", VERSION], capture_output=True, text=True)
            if told.returncode == 0:
                major, minor = told.stdout.split()
                found.setdefault((int(major), int(minor)), path)
    found.setdefault(sys.version_info[:2], Path(sys.executable))
    return found
