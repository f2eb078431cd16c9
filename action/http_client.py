"""Calls the API of a forge: retries, rate limits, pages. The token goes to the address of the forge and nowhere else."""

from __future__ import annotations

import email.utils
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

# All waiting for one forge together. A job that waits longer costs more than a comment is worth.
LONGEST_WAIT = 180.0
# Failures in a row after which a call is given up.
MOST_TRIES = 5
# A page with 100 long comments has less.
LARGEST_ANSWER = 32 * 1024 * 1024
# The time for one call, in seconds.
TIMEOUT = 30.0
# The first page and its successors.
MOST_PAGES = 100

NEXT = re.compile(r'<([^<>]*)>\s*;[^,]*\brel="?next"?')


class Refused(Exception):
    """The forge refused a call, and a repetition would change nothing."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Unreachable(Exception):
    """The forge gave no answer in time, or asks to wait too long."""


class Uncertain(Exception):
    """The forge may have done what it was asked, and its answer is lost."""


@dataclass
class Answer:
    """An answer of the forge."""

    status: int
    headers: Mapping[str, str]
    document: Any


class Clock:
    """The time. Tests use another one, which does not wait."""

    def now(self) -> float:
        """Returns the seconds since 1970."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Waits."""
        time.sleep(seconds)


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, because it would send the token to another address."""

    def redirect_request(self, *_: Any) -> None:
        """Refuses the redirect; the caller sees its status."""


class Client:
    """Calls the API of one forge."""

    def __init__(self, base: str, headers: Mapping[str, str], clock: Clock | None = None) -> None:
        self.base = base
        self.headers = headers
        self.clock = clock or Clock()
        self.waited = 0.0
        self.opener = urllib.request.build_opener(NoRedirects())

    def get(self, path: str) -> Answer:
        """Reads a document."""
        return self.call("GET", self.base + path, None, is_repeatable=True)

    def pages(self, path: str) -> Iterator[Any]:
        """Reads a list, page by page."""
        url = self.base + path
        for _ in range(MOST_PAGES):
            answer = self.call("GET", url, None, is_repeatable=True)
            if not isinstance(answer.document, list):
                raise Refused(answer.status, "the forge sent no list")
            yield from answer.document
            following = NEXT.search(answer.headers.get("link", ""))
            if not following:
                return
            url = following.group(1)
            if urlsplit(url)[:2] != urlsplit(self.base)[:2]:
                raise Refused(answer.status, "the next page is at another address")
        raise Refused(200, f"there are more than {MOST_PAGES} pages of comments")

    def send(self, method: str, path: str, document: Any) -> Answer:
        """Creates or changes a document. Raises `Uncertain` if a repetition could create a second one."""
        return self.call(method, self.base + path, document, is_repeatable=method != "POST")

    def call(self, method: str, url: str, document: Any, is_repeatable: bool) -> Answer:
        """Makes a call, and repeats it after a pause if the forge asks for that."""
        for attempt in range(MOST_TRIES):
            answer, failure = self.try_once(method, url, document)
            if answer and 200 <= answer.status < 300:
                return answer
            if answer and (pause := self.pause_for(answer)) is not None:
                self.wait(pause)
                continue
            if answer and answer.status < 500:
                raise Refused(answer.status, message_of(answer))
            if not is_repeatable:
                raise Uncertain(failure)
            if attempt + 1 < MOST_TRIES:
                self.wait(2.0**attempt)
        raise Unreachable(f"no answer after {MOST_TRIES} tries: {failure}")

    def try_once(self, method: str, url: str, document: Any) -> tuple[Answer | None, str]:
        """Makes a call once. Returns the answer, or why there is none."""
        data = None if document is None else json.dumps(document).encode()
        headers = dict(self.headers)
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            try:
                response = self.opener.open(request, timeout=TIMEOUT)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                body = response.read(LARGEST_ANSWER + 1)
                status, headers = response.status, {k.lower(): v for k, v in response.headers.items()}
        except (OSError, urllib.error.URLError, ValueError) as error:
            return None, str(error)
        if len(body) > LARGEST_ANSWER:
            raise Refused(status, "the answer of the forge is too large")
        try:
            read = json.loads(body) if body else None
        except ValueError:
            read = None
        return Answer(status, headers, read), f"status {status}"

    def pause_for(self, answer: Answer) -> float | None:
        """Returns how long a rate limit asks to wait; `None` if the answer is about no rate limit."""
        if answer.status not in (403, 429):
            return None
        after = answer.headers.get("retry-after")
        if after is not None:
            return max(1.0, seconds_of(after, self.clock.now()))
        if answer.headers.get("x-ratelimit-remaining") == "0":
            reset = answer.headers.get("x-ratelimit-reset", "")
            return max(1.0, float(reset) - self.clock.now() + 1.0) if reset.isdigit() else 60.0
        # GitHub asks to wait a minute if it names no time.
        is_limit = answer.status == 429 or "rate limit" in message_of(answer).lower()
        return 60.0 if is_limit else None

    def wait(self, seconds: float) -> None:
        """Waits, if all waiting together is not too long."""
        if self.waited + seconds > LONGEST_WAIT:
            raise Unreachable(f"the forge asks to wait {seconds:.0f} s; the limit is {LONGEST_WAIT:.0f} s in total")
        self.waited += seconds
        self.clock.sleep(seconds)


def seconds_of(after: str, now: float) -> float:
    """Returns the seconds in a `Retry-After` header, which may be a date."""
    if after.strip().isdigit():
        return float(after)
    try:
        return email.utils.parsedate_to_datetime(after).timestamp() - now
    except (TypeError, ValueError):
        return 60.0


def message_of(answer: Answer) -> str:
    """Returns the message of a refusal."""
    document = answer.document if isinstance(answer.document, dict) else {}
    message = document.get("message") or document.get("error") or f"status {answer.status}"
    return str(message)[:300]
