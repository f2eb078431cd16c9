"""Runs the program, without the tokens of the job."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import output
from change import Stop

# No model, provider or hook needs the tokens of the job. `DISCUSSIONS_TRUST` would allow commands of any commit.
WITHHELD = re.compile(
    r"INPUT_.*|FORGE_TOKEN|(GITHUB|GH|GITEA|FORGEJO|GITLAB)_(.*_)?TOKEN|ACTIONS_.*"
    r"|CI_.*(TOKEN|PASSWORD|JWT|JWT_V\d+)"
    r"|CI_REPOSITORY_URL|DISCUSSIONS_TRUST|GITHUB_(ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)"
    r"|GIT_CONFIG_PARAMETERS|GIT_CONFIG_(COUNT|KEY_\d+|VALUE_\d+)"
)
# Claims of the tokens with which a job of GitLab proves what it is. A workflow chooses the names of their variables.
JOB_CLAIMS = {"job_id", "pipeline_id", "project_path"}

# More than the program's own limit of time, after which it still writes its result.
GRACE = 120
# The time in seconds in which the program ends after a signal.
END = 20


# Help for a reader of the comment, by the program's error code.
HELP = {
    "DISCUSSION_NOT_TRUSTED": ["`trust-base: true` allows the commands that the base branch defines."],
    "DISCUSSION_COST_BUDGET_EXCEEDED": ["`max-usd` is the limit."],
}


def without_tokens(env: Mapping[str, str]) -> dict[str, str]:
    """Returns the environment for all other programs."""
    kept = {key: value for key, value in env.items() if not WITHHELD.fullmatch(key) and not proves_job(value)}
    return {**kept, **safe_folders(env)}


def proves_job(value: str) -> bool:
    """Returns true if a value is a token that proves to others which job this is."""
    parts = value.split(".")
    if len(parts) != 3 or not value.startswith("ey"):
        return False
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except ValueError:
        return False
    return isinstance(claims, dict) and len(JOB_CLAIMS & claims.keys()) > 1


def safe_folders(env: Mapping[str, str]) -> dict[str, str]:
    """Returns the settings of git in the environment that declare safe folders. Others may hold a header with a token."""
    try:
        count = min(int(env.get("GIT_CONFIG_COUNT", "0")), 1000)
    except ValueError:
        return {}
    pairs = [(env.get(f"GIT_CONFIG_KEY_{at}", ""), env.get(f"GIT_CONFIG_VALUE_{at}", "")) for at in range(count)]
    kept = {}
    safe = [value for key, value in pairs if key.lower() == "safe.directory"]
    for at, value in enumerate(safe):
        kept[f"GIT_CONFIG_KEY_{at}"], kept[f"GIT_CONFIG_VALUE_{at}"] = "safe.directory", value
    return {**kept, "GIT_CONFIG_COUNT": str(len(safe))} if safe else {}


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
        self.env = without_tokens(env)
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
