"""Finds, creates and updates the one comment of this action on a change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Callable

from change import Change
from http_client import Client, Clock, Refused, Uncertain

# The author of comments that are made with the token of a job.
AUTHORS = {"github": "github-actions[bot]", "forgejo": "forgejo-actions"}
# The maximum length of a comment, in characters. GitHub and Forgejo: 65,536 in the database; GitLab: 1,000,000.
LIMITS = {"github": 65_536, "forgejo": 65_536, "gitlab": 200_000}


@dataclass
class Comment:
    """A comment on a change."""

    number: int
    author: str
    body: str


class Comments:
    """The comments of one change."""

    def __init__(self, change: Change, token: str, author: str = "", clock: Clock | None = None) -> None:
        self.change = change
        headers = {"User-Agent": "discussions-action", "Accept": "application/json"}
        root = f"/repos/{change.repository}/issues"
        if change.forge == "gitlab":
            headers["PRIVATE-TOKEN"] = token
            root = f"/projects/{change.repository}/merge_requests"
            self.all = f"{root}/{change.number}/notes"
            self.one = f"{self.all}/"
        else:
            headers["Authorization"] = f"{'Bearer' if change.forge == 'github' else 'token'} {token}"
            self.all = f"{root}/{change.number}/comments"
            self.one = f"{root}/comments/"
        if change.forge == "github":
            headers["Accept"] = "application/vnd.github+json"
            headers["X-GitHub-Api-Version"] = "2022-11-28"
        self.client = Client(change.api, headers, clock)
        self.author = author or AUTHORS.get(change.forge, "")

    @property
    def limit(self) -> int:
        """Returns the maximum length of a comment, in characters."""
        return LIMITS[self.change.forge]

    def find(self, is_own: Callable[[str], bool]) -> Comment | None:
        """Returns the first comment by this action's author whose text is its own. People may copy the text."""
        if not self.author:
            self.author = str(self.client.get("/user").document["username"])
        for one in self.read():
            if one.author == self.author and is_own(one.body):
                return one
        return None

    def read(self) -> Iterator[Comment]:
        """Reads all comments, oldest first."""
        order = "&sort=asc" if self.change.forge == "gitlab" else ""
        for one in self.client.pages(f"{self.all}?per_page=100{order}"):
            if not isinstance(one, dict) or one.get("system"):
                continue
            yield self.of(one)

    def of(self, one: dict[str, Any]) -> Comment:
        """Returns a comment of the forge as plain values. A deleted user has no data."""
        user = one.get("author") if self.change.forge == "gitlab" else one.get("user")
        name = "username" if self.change.forge == "gitlab" else "login"
        author = user.get(name) if isinstance(user, dict) else None
        return Comment(int(one["id"]), str(author or ""), str(one.get("body") or ""))

    def publish(self, body: str, old: Comment | None, is_own: Callable[[str], bool]) -> Comment:
        """Updates the old comment, or creates one if there is none or if it was deleted in the meantime."""
        if old:
            method = "PUT" if self.change.forge == "gitlab" else "PATCH"
            try:
                return self.of(self.client.send(method, f"{self.one}{old.number}", {"body": body}).document)
            except Refused as refusal:
                if refusal.status not in (404, 410):
                    raise
        for _ in range(2):
            try:
                return self.of(self.client.send("POST", self.all, {"body": body}).document)
            except Uncertain:
                # The comment may be there although the answer was lost.
                made = self.find(is_own)
                if made:
                    return made
        raise Refused(502, "the forge confirmed no comment")
