"""A forge on this machine with the comments of one change. It records each request."""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable
from urllib.parse import parse_qs, urlsplit

TIME = "2026-11-27T10:00:00Z"
BOT = "github-actions[bot]"
# More in a text is refused, as by GitHub.
LIMIT = 65_536


class FakeForge:
    """Answers like GitHub, Forgejo or GitLab."""

    def __init__(self, kind: str = "github", contract: Any = None, author: str = BOT) -> None:
        self.kind = kind
        self.contract = contract
        self.author = author
        self.comments: list[dict[str, Any]] = []
        self.requests: list[tuple[str, str, Any, dict[str, str]]] = []
        self.violations: list[str] = []
        # Answers for the next requests: the first one whose method fits is used once.
        self.planned: list[tuple[str, int, dict[str, str], Any]] = []
        self.after_planned: Callable[[], None] = lambda: None
        # True if a POST creates a comment although the answer is lost.
        self.loses_answers = 0
        self.largest_page = 100
        handler = type("Handler", (Handler,), {"forge": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        """Stops the server."""
        self.server.shutdown()
        self.server.server_close()

    def add(self, author: str | None, body: str) -> dict[str, Any]:
        """Adds a comment and returns it."""
        number = 1000 + len(self.comments)
        comment = {
            "id": number,
            "node_id": f"IC_{number}",
            "url": f"https://api.github.com/repos/octo/shop/issues/comments/{number}",
            "html_url": f"https://github.com/octo/shop/pull/7#issuecomment-{number}",
            "issue_url": "https://api.github.com/repos/octo/shop/issues/7",
            "body": body,
            "user": user(author) if author else None,
            "created_at": TIME,
            "updated_at": TIME,
            "author_association": "NONE",
        }
        if self.kind == "gitlab":
            comment = {"id": number, "body": body, "system": False, "author": {"id": 5, "username": author}}
        self.comments.append(comment)
        return comment

    def plan(self, method: str, status: int, headers: dict[str, str] | None = None, document: Any = None) -> None:
        """Sets the answer of the next request with this method."""
        self.planned.append(
            (
                method,
                status,
                headers or {},
                document or {"message": "no", "documentation_url": "https://docs.github.com"},
            )
        )

    def methods(self) -> list[str]:
        """Returns the methods of all requests."""
        return [request[0] for request in self.requests]

    def own(self) -> list[str]:
        """Returns the texts by this action's author."""
        key = ("author", "username") if self.kind == "gitlab" else ("user", "login")
        return [one["body"] for one in self.comments if (one[key[0]] or {}).get(key[1]) == self.author]

    def answer(self, method: str, target: str, document: Any) -> tuple[int, dict[str, str], Any]:
        """Returns the answer to a request."""
        for at, (wanted, status, headers, answer) in enumerate(self.planned):
            if wanted == method:
                del self.planned[at]
                return status, headers, answer
        path = urlsplit(target).path
        if self.kind == "gitlab":
            listing, single = r"/projects/42/merge_requests/7/notes", r"/projects/42/merge_requests/7/notes/(\d+)"
            if path == "/user" and method == "GET":
                return 200, {}, {"id": 5, "username": self.author}
        else:
            listing, single = r"/repos/octo/shop/issues/7/comments", r"/repos/octo/shop/issues/comments/(\d+)"
        if re.fullmatch(listing, path) and method == "GET":
            return self.page(target)
        found = re.fullmatch(single, path)
        text = document.get("body") if isinstance(document, dict) else None
        if isinstance(text, str) and len(text) > LIMIT and self.kind != "gitlab":
            error = {"message": "Validation Failed", "documentation_url": "https://docs.github.com", "errors": []}
            return 422, {}, error
        if re.fullmatch(listing, path) and method == "POST":
            return 201, {}, self.add(self.author, text or "")
        if found and method == ("PUT" if self.kind == "gitlab" else "PATCH"):
            for one in self.comments:
                if one["id"] == int(found.group(1)):
                    one["body"] = text
                    return 200, {}, one
        return 404, {}, {"message": "Not Found", "documentation_url": "https://docs.github.com"}

    def page(self, target: str) -> tuple[int, dict[str, str], Any]:
        """Returns one page of the comments. Forgejo sends all at once."""
        parts = urlsplit(target)
        query = parse_qs(parts.query)
        size = min(int(query.get("per_page", ["30"])[0]), self.largest_page)
        number = int(query.get("page", ["1"])[0])
        if self.kind == "forgejo":
            size = 1_000_000
        shown = self.comments[(number - 1) * size : number * size]
        headers = {}
        if number * size < len(self.comments):
            following = f"{self.url}{parts.path}?per_page={size}&page={number + 1}"
            headers["Link"] = f'<{self.url}{parts.path}?page=9>; rel="last", <{following}>; rel="next"'
        return 200, headers, shown


class Handler(BaseHTTPRequestHandler):
    """Records a request, answers it, and has both validated."""

    forge: FakeForge
    protocol_version = "HTTP/1.1"

    def respond(self) -> None:
        """Answers one request."""
        forge = self.forge
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        document = json.loads(data) if data else None
        headers = dict(self.headers.items())
        forge.requests.append((self.command, self.path, document, headers))
        status, more, answer = forge.answer(self.command, self.path, document)
        sent = json.dumps(answer).encode()
        if forge.contract:
            forge.violations += forge.contract.violations(self.command, self.path, headers, data, (status, more, sent))
        if self.command == "POST" and forge.loses_answers:
            forge.loses_answers -= 1
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(sent)), **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = respond

    def log_message(self, *_: Any) -> None:
        """Writes nothing: the test prints what is wrong."""


def user(login: str) -> dict[str, Any]:
    """Returns a user as GitHub sends one."""
    home = f"https://api.github.com/users/{login}"
    addresses = "followers following gists starred subscriptions organizations repos events received_events"
    return {
        "login": login,
        "id": 41898282,
        "node_id": "MDM6Qm90NDE4OTgyODI=",
        "avatar_url": "https://avatars.githubusercontent.com/in/15368",
        "gravatar_id": "",
        "url": home,
        "html_url": f"https://github.com/{login}",
        **{f"{name}_url": f"{home}/{name}" for name in addresses.split()},
        "type": "Bot" if login.endswith("[bot]") else "User",
        "site_admin": False,
    }
