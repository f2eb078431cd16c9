"""What the tests share: the list of tests, a folder for their files, and a clean environment for programs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from parts.project import ROOT

BUILD = ROOT / "packaging" / "build"


class Skip(Exception):
    """A reason why a test cannot run on this machine."""


class Failure(Exception):
    """What a test found."""


@dataclass(frozen=True)
class Test:
    """A test with the name that the last lines of the run repeat."""

    name: str
    run: Callable[["Context"], None]


TESTS: list[Test] = []


def test(name: str) -> Callable:
    """Adds a function to the list of tests."""

    def add(run: Callable[["Context"], None]) -> Callable[["Context"], None]:
        TESTS.append(Test(name, run))
        return run

    return add


def check(holds: bool, message: str) -> None:
    """Fails unless a condition holds."""
    if not holds:
        raise Failure(message)


@dataclass
class Done:
    """What a program did."""

    command: str
    status: int
    out: str
    err: str

    def succeeded(self) -> "Done":
        """Fails unless the program ended with 0."""
        return self.ended(0)

    def ended(self, status: int) -> "Done":
        """Fails unless the program ended with a status."""
        check(self.status == status, f"`{self.command}` ended with {self.status}, not {status}:\n{self.out}{self.err}")
        return self


@dataclass
class Context:
    """A folder for all files of a run, and the program that the packages get."""

    folder: Path
    # The program that `cargo test` built.
    program: Path
    # Finished packages by kind and program.
    built: dict = field(default_factory=dict)
    made: int = 0

    def new_folder(self, name: str) -> Path:
        """Makes an empty folder with a new name."""
        self.made += 1
        folder = self.folder / f"{self.made}-{name}"
        folder.mkdir()
        return folder

    def run(self, command: list, cwd: Path | None = None, path: list[Path] | None = None, **env: object) -> Done:
        """Runs a program with a fresh home, and with only these folders in PATH if they are given."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        clean = {
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "PATH": os.environ["PATH"] if path is None else ":".join(str(folder) for folder in path),
            "NO_COLOR": "1",
        }
        words = [str(word) for word in command]
        # The program is found in the PATH that it gets, not in that of this test.
        found = shutil.which(words[0], path=clean["PATH"])
        check(found is not None, f"{words[0]} is not in {clean['PATH']}")
        done = subprocess.run(
            [found, *words[1:]],
            cwd=cwd or self.new_folder("empty"),
            env=clean | {name: str(value) for name, value in env.items()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
        return Done(" ".join(words), done.returncode, done.stdout, done.stderr)

    def strip(self, program: Path, stripped: Path) -> Path:
        """Copies a program without its debug information, which is half of it."""
        self.run([find("strip", "binutils"), "-o", stripped, program]).succeeded()
        return stripped

    def build(self, what: str, program: Path | None = None, **env: object) -> list[Path]:
        """Builds a package with `packaging/build`, once for each program."""
        key = (what, program)
        if key not in self.built:
            out = self.new_folder(what)
            command = [sys.executable, BUILD, what, "--out", out]
            if program is not None:
                command += ["--binary", program]
            home = Path.home()
            env = {"HOME": home, "CARGO_HOME": os.environ.get("CARGO_HOME", home / ".cargo")} | env
            if "RUSTUP_HOME" in os.environ:
                env["RUSTUP_HOME"] = os.environ["RUSTUP_HOME"]
            done = self.run(command, **env).succeeded()
            self.built[key] = [Path(line) for line in done.out.splitlines()]
        return self.built[key]


def link_programs(folder: Path, programs: dict[str, str | Path]) -> Path:
    """Fills a folder for PATH with links to programs."""
    for name, target in programs.items():
        (folder / name).symlink_to(target)
    return folder


@cache
def find(name: str, why: str) -> str:
    """Returns the path of a program, or skips the test."""
    tools = ROOT / "target" / "packaging" / "tools" / "bin"
    path = shutil.which(name, path=f"{tools}:{os.environ['PATH']}")
    if path is None:
        raise Skip(f"needs {why}")
    return path
