"""Checks out commits of the change, each into a work tree of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from change import Stop
from program import without_tokens


class Repository:
    """The clone of the job, and work trees of single commits."""

    def __init__(self, folder: Path, scratch: Path, env: Mapping[str, str]) -> None:
        self.folder = folder
        self.scratch = scratch
        self.made: list[Path] = []
        self.known: dict[tuple[str, str], bool] = {}
        self.env = without_tokens(env)
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
        if not path or path.startswith(("/", "-")) or ".." in path.split("/") or "\0" in path:
            return False
        if (commit, path) not in self.known:
            found = self.git("cat-file", "-e", f"{commit}:{path}")
            self.known[commit, path] = found.returncode == 0
        return self.known[commit, path]

    def remove_work_trees(self) -> None:
        """Removes the work trees."""
        for path in self.made:
            self.git("worktree", "remove", "--force", str(path))
        self.git("worktree", "prune")
