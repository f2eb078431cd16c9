"""A repository with a change, and the environment of a job about it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import run
from fake_forge import FakeForge
from openapi import Contract, description_path

ACTION = Path(__file__).resolve().parent.parent

# It prints what ANSWER says, and logs each call with the variables that it must not see.
PANEL = """#!/bin/sh
cat > "$CALLS.prompt"
echo "$DISCUSSIONS_PARTICIPANT token=$FORGE_TOKEN$GITHUB_TOKEN$INPUT_MODE trust=$DISCUSSIONS_TRUST" >> "$CALLS"
printf '%b' "${ANSWER:-No findings.}"
"""
EVIL = """#!/bin/sh
echo "$0 $*" >> "$EVIL_CALLS"
"""
PROVIDERS = """providers:
  - {name: panel, command: panel, retries: 0, max_tokens: 1000, price: {input: 1, output: 1}}
"""
CONFIGURATION = """providers: {default: panel}
consensus: {human_required: false}
people:
  Mira: [mira@example.org]
  Rob: [rob@example.org]
"""
DECISION = """DECISION: sessions live in Redis

AFFECTS: `src/session/**`

We have Redis already.
"""

_contract: Contract | None = None


def contract() -> Contract | None:
    """Returns GitHub's description, read once; `None` if it is not installed."""
    global _contract
    if _contract is None and description_path():
        _contract = Contract()
    return _contract


class FakeClock:
    """A clock that does not wait."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0
        self.pauses: list[float] = []

    def now(self) -> float:
        """Returns the time."""
        return self.time

    def sleep(self, seconds: float) -> None:
        """Moves the time."""
        self.pauses.append(seconds)
        self.time += seconds


class Sandbox(unittest.TestCase):
    """A test with a repository on disk, in the folder `work`. The change is on the branch `feature`."""

    forge_kind = "github"

    def setUp(self) -> None:
        program = os.environ.get("DISCUSSIONS_PROGRAM", "")
        if not program:
            self.skipTest("needs the program: DISCUSSIONS_PROGRAM")
        self.program = program
        self.root = Path(tempfile.mkdtemp(prefix="action-test-"))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        for folder in ("work", "home", "bin", "config", "temp"):
            (self.root / folder).mkdir()
        self.work = self.root / "work"
        for name, script in (("panel", PANEL), ("evil", EVIL)):
            (self.root / "bin" / name).write_text(script)
            (self.root / "bin" / name).chmod(0o755)
        self.base_env = {
            "PATH": f"{self.root / 'bin'}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.root / "home"),
            "DISCUSSIONS_CONFIG_DIR": str(self.root / "config"),
            "DISCUSSIONS_STATE_DIR": str(self.root / "state"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "OLLAMA_HOST": "127.0.0.1:1",
            "CALLS": str(self.root / "calls"),
            "EVIL_CALLS": str(self.root / "evil-calls"),
            "LANG": "C.UTF-8",
        }
        self.clock = FakeClock()
        self.forge = FakeForge(self.forge_kind, contract() if self.forge_kind == "github" else None)
        self.addCleanup(self.forge.close)
        self.make_base()

    def make_base(self) -> None:
        """Creates the commit that the change is based on."""
        self.git("init", "-q", "-b", "main")
        self.author("Rob")
        self.write(".gitignore", ".discussions/\n")
        self.write("discussions.yaml", CONFIGURATION)
        self.write("providers.yaml", PROVIDERS)
        self.write("src/session/config.yaml", "store: redis\n")
        self.discussions("new", "Where do sessions live?", "-q")
        self.discussions("comment", "where-do", "-", stdin=DECISION)
        self.discussions("close", "where-do")
        self.base = self.commit("Begin")
        self.git("switch", "-qc", "feature")
        self.head = self.base

    def author(self, name: str) -> None:
        """Sets the author of the next commits."""
        self.git("config", "user.name", name)
        self.git("config", "user.email", f"{name.lower()}@example.org")

    def write(self, name: str, text: str) -> None:
        """Writes a file of the working folder."""
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def git(self, *args: str) -> str:
        """Runs git and returns its output."""
        done = subprocess.run(["git", *args], cwd=self.work, env=self.base_env, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode().strip()

    def discussions(self, *args: str, stdin: str = "") -> None:
        """Runs the program in the working folder."""
        done = subprocess.run(
            [self.program, *args],
            cwd=self.work,
            env=self.base_env,
            input=stdin.encode(),
            capture_output=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def commit(self, message: str) -> str:
        """Commits all files and returns the commit."""
        self.git("add", "-A")
        self.git("commit", "-qm", message)
        self.head = self.git("rev-parse", "HEAD")
        return self.head

    def change_config(self) -> str:
        """Commits a change of a file that a decision is about."""
        self.write("src/session/config.yaml", "store: redis-cluster\n")
        return self.commit("Use a cluster")

    def event(self, **more: Any) -> dict[str, Any]:
        """Returns the event of a pull request of the repository itself."""
        repository = {"id": 1, "full_name": "octo/shop"}
        pull = {
            "number": 7,
            "base": {"sha": self.base, "repo": repository},
            "head": {"sha": self.head, "repo": repository},
        }
        pull.update(more)
        return {"pull_request": pull}

    def environment(self, **more: str) -> dict[str, str]:
        """Returns the environment of a job on GitHub."""
        event = self.root / "event.json"
        if not event.exists() or "event" not in more:
            event.write_text(json.dumps(self.event()))
        return {
            **self.base_env,
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REPOSITORY": "octo/shop",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_API_URL": self.forge.url,
            "GITHUB_RUN_ID": "99",
            "GITHUB_STEP_SUMMARY": str(self.root / "summary.md"),
            "GITHUB_OUTPUT": str(self.root / "outputs"),
            "RUNNER_TEMP": str(self.root / "temp"),
            "FORGE_TOKEN": "secret-token",
            "DISCUSSIONS_TRUST": "all",
            **more,
        }

    def act(self, *words: str, event: Any = None, **more: str) -> tuple[int, str]:
        """Runs the action in the working folder. Returns its exit code and its log."""
        env = self.environment(**more)
        if event is not None:
            Path(env["GITHUB_EVENT_PATH"]).write_text(json.dumps(event))
        log = io.StringIO()
        before = os.getcwd()
        os.chdir(self.work)
        try:
            with (
                mock.patch.dict(os.environ, env, clear=True),
                contextlib.redirect_stdout(log),
                contextlib.redirect_stderr(log),
            ):
                code = run.main(["--program", self.program, *words], env, self.clock)
        finally:
            os.chdir(before)
        self.assertEqual(self.forge.violations, [], "GitHub's description")
        self.assertNotIn("secret-token", log.getvalue())
        self.assertEqual(list((self.root / "temp").glob("discussions-[!r]*")), [], "no folder is left behind")
        return code, log.getvalue()

    def summary(self) -> str:
        """Returns the job summary."""
        path = self.root / "summary.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def outputs(self) -> str:
        """Returns the outputs of the step."""
        path = self.root / "outputs"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def calls(self) -> list[str]:
        """Returns the calls of the model of the base."""
        path = self.root / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def evil_calls(self) -> list[str]:
        """Returns the calls of commands that the change named."""
        path = self.root / "evil-calls"
        return path.read_text().splitlines() if path.exists() else []
