"""Programs that packages are built with, and how to install them."""

import os
import shutil
import subprocess
from pathlib import Path

from .project import PACKAGING, ROOT, PackagingError

# A virtual environment with packaging/requirements.txt, made by `packaging/tools`.
TOOLS = ROOT / "target" / "packaging" / "tools"

INSTALL = {
    "cargo": "install Rust from https://rustup.rs",
    "maturin": "run packaging/tools",
    "npm": "install Node 18 or newer",
    "dpkg-deb": "run `apt-get install dpkg`",
    "readelf": "run `apt-get install binutils`",
}


def find_tool(name: str) -> str:
    """Returns the path of a tool, or fails with the way to install it.

    The pinned version in the project comes before that of the machine.
    """
    pinned = TOOLS / "bin" / name
    path = str(pinned) if os.access(pinned, os.X_OK) else shutil.which(name)
    if path is None:
        raise PackagingError(f"{name} is missing: {INSTALL[name]}")
    return path


def run_tool(command: list, cwd: Path = ROOT, env: dict | None = None) -> None:
    """Runs a tool; if it fails, prints what it said and fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=os.environ | (env or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        name = Path(str(command[0])).name
        raise PackagingError(f"{name} failed with status {done.returncode}:\n{done.stdout.rstrip()}")
