"""Reads which change a job is about, from the environment that the forge sets."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from text import url_path

COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")

TARGET = (
    "This action does not run on `pull_request_target`: that event gives secrets to a job about a foreign change. "
    "Use `on: pull_request`."
)


class Stop(Exception):
    """Ends the job with a message and an exit code."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Change:
    """A pull request or merge request."""

    forge: str
    api: str
    repository: str
    number: int
    base: str
    head: str
    is_fork: bool
    blob: str
    run_url: str

    def url_of(self, path: str, commit: str, line: int | None = None) -> str:
        """Returns the address of a file at a commit."""
        place = f"#L{line}" if line else ""
        # Without it, GitHub renders Markdown, which has no lines.
        plain = "?plain=1" if self.forge == "github" and place and path.endswith(".md") else ""
        return f"{self.blob}/{commit}/{url_path(path)}{plain}{place}"


def read_change(env: Mapping[str, str], forge: str = "") -> Change:
    """Returns the change of this job. Stops if the job is about no change."""
    forge = forge or forge_of(env)
    if forge == "gitlab":
        return gitlab_change(env)
    if forge not in ("github", "forgejo"):
        raise Stop(f"`forge` must be github, forgejo or gitlab, not {forge!r}.")
    return github_change(env, forge)


def forge_of(env: Mapping[str, str]) -> str:
    """Returns the forge that runs this job."""
    if env.get("GITLAB_CI") == "true":
        return "gitlab"
    # Runners of Forgejo also set the variables of GitHub.
    is_forgejo = any(env.get(name) == "true" for name in ("FORGEJO_ACTIONS", "GITEA_ACTIONS"))
    return "forgejo" if is_forgejo else "github"


def github_change(env: Mapping[str, str], forge: str) -> Change:
    """Returns the pull request in the event of GitHub or Forgejo."""
    event_name = env.get("GITHUB_EVENT_NAME", "")
    if event_name == "pull_request_target":
        raise Stop(TARGET)
    if event_name != "pull_request":
        raise Stop(f"This action needs the event `pull_request`; this job runs on `{event_name or 'no event'}`.")
    try:
        with open(env.get("GITHUB_EVENT_PATH", ""), encoding="utf-8") as file:
            pull = json.load(file)["pull_request"]
        base, head = pull["base"], pull["head"]
        repository = env.get("GITHUB_REPOSITORY") or base["repo"]["full_name"]
        number = int(pull["number"])
        commits = (base["sha"], head["sha"])
        is_fork = not is_same_repository(base.get("repo"), head.get("repo")) or is_from_a_reader(pull, head)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Stop(f"The event of this job cannot be read: {error!r}") from error
    if not REPOSITORY.fullmatch(repository):
        raise Stop(f"{repository!r} is not the name of a repository.")
    server = address(env.get("GITHUB_SERVER_URL") or "https://github.com", "GITHUB_SERVER_URL")
    default_api = "https://api.github.com" if forge == "github" else f"{server}/api/v1"
    run = env.get("GITHUB_RUN_ID", "")
    return Change(
        forge=forge,
        api=address(env.get("GITHUB_API_URL") or default_api, "GITHUB_API_URL"),
        repository=repository,
        number=number,
        base=commit(commits[0]),
        head=commit(commits[1]),
        is_fork=is_fork,
        blob=f"{server}/{repository}/{'blob' if forge == 'github' else 'src/commit'}",
        run_url=f"{server}/{repository}/actions/runs/{run}" if run.isdigit() else "",
    )


def is_same_repository(base: Any, head: Any) -> bool:
    """Returns true if a change comes from the repository itself. A deleted fork has no data."""
    if not isinstance(base, dict) or not isinstance(head, dict) or not base.get("id"):
        return False
    return bool(base["id"] == head.get("id"))


def is_from_a_reader(pull: Any, head: Any) -> bool:
    """Returns true if a change was pushed to `refs/for/BRANCH` (AGit), which everybody who can read may do.

    Forgejo and Gitea then name the repository itself, and a reference that no branch has.
    """
    return pull.get("flow") == 1 or str(head.get("ref") or "").startswith("refs/")


def gitlab_change(env: Mapping[str, str]) -> Change:
    """Returns the merge request of a GitLab pipeline."""
    if env.get("CI_PIPELINE_SOURCE") != "merge_request_event":
        raise Stop(
            'This job needs a merge request pipeline: add `rules: [{if: $CI_PIPELINE_SOURCE == "merge_request_event"}]`.'
        )
    try:
        number = int(env["CI_MERGE_REQUEST_IID"])
        project = env["CI_MERGE_REQUEST_PROJECT_ID"]
        # A pipeline of merged results builds a merge commit; the source branch is the change.
        head = env.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") or env["CI_COMMIT_SHA"]
        base = env.get("CI_MERGE_REQUEST_TARGET_BRANCH_SHA") or env["CI_MERGE_REQUEST_DIFF_BASE_SHA"]
        api = address(env["CI_API_V4_URL"], "CI_API_V4_URL")
        web = address(env["CI_MERGE_REQUEST_PROJECT_URL"], "CI_MERGE_REQUEST_PROJECT_URL")
    except (KeyError, ValueError) as error:
        raise Stop(f"A variable of the merge request is missing or wrong: {error}") from error
    return Change(
        forge="gitlab",
        api=api,
        repository=quote(project, safe=""),
        number=number,
        base=commit(base),
        head=commit(head),
        is_fork=env.get("CI_MERGE_REQUEST_SOURCE_PROJECT_ID") != project,
        blob=f"{web}/-/blob",
        run_url=env.get("CI_JOB_URL", ""),
    )


def commit(value: Any) -> str:
    """Returns a commit's hash. Git would read another word as an option or as a branch of the change."""
    if not isinstance(value, str) or not COMMIT.fullmatch(value):
        raise Stop(f"{value!r} is not the hash of a commit.")
    return value


def address(value: str, name: str) -> str:
    """Returns an address of the forge without its last slash."""
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise Stop(f"{name} is not an address: {value!r}")
    return value.rstrip("/")
