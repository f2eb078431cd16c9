"""Installs the program and runs it on two commits of a change, each in a work tree of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import output
from change import Stop

VERSION = re.compile(r"\d+\.\d+\.\d+[0-9A-Za-z.+-]*")

# No model, provider or hook needs the tokens of the job. `DISCUSSIONS_TRUST` would allow commands of any commit.
WITHHELD = re.compile(
    r"INPUT_.*|FORGE_TOKEN|GITHUB_TOKEN|GH_TOKEN|GITEA_TOKEN|FORGEJO_TOKEN|GITLAB_TOKEN|ACTIONS_.*|CI_.*(TOKEN|PASSWORD)"
    r"|CI_REPOSITORY_URL|DISCUSSIONS_TRUST|GITHUB_(ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)"
)

# More than the program's own limit of time, after which it still writes its result.
GRACE = 120
# The time in seconds in which the program ends after a signal.
END = 20


# Help for a reader of the comment, by the program's error code.
HELP = {
    "DISCUSSION_NOT_TRUSTED": ["`trust-base: true` allows the commands that the base branch defines."],
    "DISCUSSION_COST_BUDGET_EXCEEDED": ["`max-usd` is the limit."],
}


@dataclass
class Ran:
    """The result of one call of the program."""

    code: int
    out: str
    log: str

    def document(self) -> Any:
        """Returns the JSON document that the program printed; `None` if it printed none."""
        try:
            return json.loads(self.out)
        except ValueError:
            return None

    def failure(self) -> str:
        """Returns why the program gave no result; empty if it gave one."""
        document = self.document()
        if isinstance(document, dict) and isinstance(document.get("error"), dict) and "verdict" not in document:
            code = str(document["error"].get("code"))
            message = str(document["error"].get("message") or code)
            # The program's own help names flags, which a reader of the comment cannot set.
            return " ".join([message.rstrip(".") + ".", *HELP.get(code, [])])
        if document is None:
            errors = [line for line in self.log.splitlines() if line.startswith("error")]
            return " ".join(errors) or f"the program ended with exit code {self.code}"
        return ""


class Program:
    """The program `discussions`, with an environment without the tokens of the job."""

    def __init__(self, path: str, scratch: Path, env: Mapping[str, str]) -> None:
        self.path = path
        self.scratch = scratch
        self.version = ""
        self.env = {key: value for key, value in env.items() if not WITHHELD.fullmatch(key)}
        # Permissions that an earlier job on this machine left behind do not count.
        self.env["DISCUSSIONS_STATE_DIR"] = str(scratch / "state")
        self.env["NO_COLOR"] = "1"

    def run(self, folder: Path, *args: str, timeout: float = 600) -> Ran:
        """Runs the program in a folder and writes its messages to the log."""
        command = [self.path, *args]
        quiet, pipe = subprocess.DEVNULL, subprocess.PIPE
        try:
            child = subprocess.Popen(command, cwd=folder, env=self.env, stdin=quiet, stdout=pipe, stderr=pipe)
        except OSError as error:
            raise Stop(f"The program does not start: {error}") from error
        with child:
            try:
                out, err = child.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                # It ends the models that it started, and still tells what they said.
                child.terminate()
                try:
                    out, err = child.communicate(timeout=END)
                except subprocess.TimeoutExpired:
                    child.kill()
                    raise Stop(f"`discussions {args[0]}` did not end within {timeout:.0f} s.") from None
            except BaseException:
                child.terminate()
                raise
        log = self.without_scratch(err)
        output.quote_log(log)
        return Ran(child.returncode, self.without_scratch(out), log)

    def without_scratch(self, printed: bytes) -> str:
        """Returns what was printed, with paths as in the repository."""
        text = printed.decode("utf-8", "replace")
        for tree in ("base", "head"):
            path = str(self.scratch / tree)
            text = text.replace(f"{path}/", "").replace(path, ".")
        return text


def install(scratch: Path, env: Mapping[str, str], source: str, version: str, given: str) -> Program:
    """Installs the program from a registry, or from the given program or package. Returns it."""
    if not given and not VERSION.fullmatch(version):
        raise Stop(f"`version` must be a version such as 0.1.0, not {version!r}.")
    if given.endswith(".whl") or not given and source == "wheel":
        path = from_wheel(scratch, given or f"discussions=={version}")
    elif given.endswith(".tgz") or not given and source == "npm":
        path = from_npm(scratch, given or f"discussions@{version}")
    elif given:
        found = shutil.which(given)
        if not found:
            raise Stop(f"`program` is not an executable: {given}")
        path = os.path.abspath(found)
    else:
        raise Stop(f"`install` must be wheel or npm, not {source!r}.")
    program = Program(path, scratch, env)
    told = program.run(scratch, "--version")
    if told.code != 0:
        raise Stop(f"The program does not run here: exit code {told.code}.")
    program.version = told.out.strip()
    output.say(f"uses {program.version} ({given or source})")
    return program


def from_wheel(scratch: Path, what: str) -> str:
    """Installs a wheel into an environment of its own. Returns the path of the program."""
    folder = scratch / "python"
    what = os.path.abspath(what) if what.endswith(".whl") else what
    step(
        [sys.executable, "-I", "-m", "venv", str(folder)],
        scratch,
        "Python's venv",
        "Debian: install python3-venv, or use `install: npm`",
    )
    bin_folder = folder / ("Scripts" if os.name == "nt" else "bin")
    python = str(bin_folder / "python")
    pip = [python, "-I", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    # Only a finished program: building a source package would run its code.
    step([*pip, "--only-binary", ":all:", "--no-deps", what], scratch, "pip", f"is {what} published for this platform?")
    return str(bin_folder / "discussions")


def from_npm(scratch: Path, what: str) -> str:
    """Installs an npm package into a folder of its own. Returns the path of the program."""
    folder = scratch / "npm"
    folder.mkdir()
    what = os.path.abspath(what) if what.endswith(".tgz") else what
    npm = ["npm", "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund", "--silent", what]
    step(npm, folder, "npm", f"is {what} published for this platform?")
    return str(folder / "node_modules" / ".bin" / "discussions")


def step(command: list[str], folder: Path, name: str, help_text: str) -> None:
    """Runs a command of the installation. It runs outside of the change, whose files could configure or replace tools."""
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Stop(f"{name} does not run: {error}. {help_text}") from error
    if done.returncode != 0:
        output.quote_log((done.stdout + done.stderr).decode("utf-8", "replace"))
        raise Stop(f"{name} failed with exit code {done.returncode}: {help_text}")


class Repository:
    """The clone of the job, and work trees of single commits."""

    def __init__(self, folder: Path, scratch: Path, env: Mapping[str, str]) -> None:
        self.folder = folder
        self.scratch = scratch
        self.made: list[Path] = []
        self.env = {key: value for key, value in env.items() if not WITHHELD.fullmatch(key)}
        # The change may name a server for its large files.
        self.env.update({"GIT_LFS_SKIP_SMUDGE": "1", "GIT_TERMINAL_PROMPT": "0"})

    def git(self, *args: str) -> subprocess.CompletedProcess[bytes]:
        """Runs git without hooks."""
        command = ["git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", *args]
        return subprocess.run(
            command, cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )

    def work_tree(self, name: str, commit: str) -> Path:
        """Checks out a commit into a folder of its own."""
        known = self.git("rev-parse", "--git-dir")
        if known.returncode != 0:
            raise Stop(f"git does not read the working folder: {known.stderr.decode('utf-8', 'replace').strip()}")
        if self.git("cat-file", "-e", f"{commit}^{{commit}}").returncode != 0:
            raise Stop(
                f"The clone has no commit {commit[:12]}: check out the whole history (`fetch-depth: 0`; GitLab: `GIT_DEPTH: 0`)."
            )
        path = self.scratch / name
        done = self.git("worktree", "add", "--quiet", "--detach", "--force", str(path), commit)
        if done.returncode != 0:
            raise Stop(f"git cannot check out {commit[:12]}: {done.stderr.decode('utf-8', 'replace').strip()}")
        self.made.append(path)
        return path

    def has_file(self, commit: str, path: str) -> bool:
        """Returns true if a commit has this file."""
        is_inside = path and not path.startswith(("/", "-")) and ".." not in path.split("/")
        return bool(is_inside) and "\0" not in path and self.git("cat-file", "-e", f"{commit}:{path}").returncode == 0

    def remove_work_trees(self) -> None:
        """Removes the work trees."""
        for path in self.made:
            self.git("worktree", "remove", "--force", str(path))
        self.git("worktree", "prune")
