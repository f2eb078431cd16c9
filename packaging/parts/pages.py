"""The manual pages and completions, which the program itself writes."""

import os
import subprocess
import tempfile
from pathlib import Path

from .project import PackagingError


def write_manuals(runner: Path, folder: Path) -> None:
    """Writes the manual pages into a folder."""
    run_program(runner, ["man", "--dir", str(folder)])


def write_completions(runner: Path, files: dict[str, Path]) -> None:
    """Writes the completion script of each shell into its file."""
    for shell, file in files.items():
        script = run_program(runner, ["completions", shell])
        # zsh ignores a file of completions that does not begin so.
        if shell == "zsh" and not script.startswith("#compdef discussions"):
            raise PackagingError("`discussions completions zsh` prints no whole script")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(script)


def run_program(runner: Path, arguments: list[str]) -> str:
    """Runs a program by its bare name, as the scripts call it later. Returns its output."""
    with tempfile.TemporaryDirectory() as temporary:
        (Path(temporary) / "discussions").symlink_to(runner.resolve())
        done = subprocess.run(
            ["discussions", *arguments],
            env=os.environ | {"PATH": f"{temporary}:{os.environ['PATH']}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        raise PackagingError(f"{runner} {' '.join(arguments)} failed: {done.stderr.strip()}")
    return done.stdout
