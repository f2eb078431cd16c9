"""Finds the program that was installed with this package."""

from __future__ import annotations

import os
import sys
import sysconfig
from functools import lru_cache
from pathlib import Path
from typing import Iterator, Optional

NAME = "discussions.exe" if sys.platform == "win32" else "discussions"


class ProgramNotFoundError(FileNotFoundError):
    """The program of this package is not where installers put it."""


@lru_cache(maxsize=None)
def find_program() -> str:
    """Returns the path of the program of this package.

    A program of the same name in `PATH` is never used, because it may have another version.
    """
    tried = [str(folder) for folder in _folders() if folder is not None]
    for folder in tried:
        path = os.path.join(folder, NAME)
        if os.path.isfile(path):
            return path
    raise ProgramNotFoundError(f"the package has no program: there is no {NAME} in {', '.join(tried)}; install it again")


def _folders() -> Iterator[Optional[Path]]:
    """Yields the folders in which installers put programs."""
    package = Path(__file__).resolve().parent
    # The environment of this interpreter.
    yield _scripts()
    # The environment that an isolated one is laid over, for example by `uv run --with`.
    base = sysconfig.get_path("scripts", vars={"base": sys.base_prefix})
    yield Path(base) if base else None
    # Another prefix, by `pip install --prefix`.
    if sys.platform == "win32":
        yield _below(package, ("Lib", "site-packages"), "Scripts")
    else:
        yield _below(package, ("lib", "python*", "site-packages"), "bin")
    # A plain folder, by `pip install --target`.
    yield package.parent / "bin"
    # The folder of the user, by `pip install --user`.
    scheme = "nt_user" if sys.platform == "win32" else _user_scheme()
    yield Path(sysconfig.get_path("scripts", scheme=scheme))


def _scripts() -> Path:
    return Path(sysconfig.get_path("scripts"))


def _user_scheme() -> str:
    is_framework = sys.platform == "darwin" and bool(getattr(sys, "_framework", ""))
    return "osx_framework_user" if is_framework else "posix_user"


def _below(package: Path, parts: tuple[str, ...], scripts: str) -> Optional[Path]:
    """Returns the folder of programs of the prefix in which the package is, if its folders are named like `parts`."""
    folder = package.parent
    for part in reversed(parts):
        if not folder.match(part):
            return None
        folder = folder.parent
    return folder / scripts
