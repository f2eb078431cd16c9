"""Validates calls against GitHub's OpenAPI description."""

from __future__ import annotations

import json
import os
from typing import Any
from urllib.parse import parse_qsl, urlsplit

HOST = "http://localhost"
COMMENTS = "/repos/{owner}/{repo}/issues/{issue_number}/comments"
COMMENT = "/repos/{owner}/{repo}/issues/comments/{comment_id}"


def description_path() -> str:
    """Returns the path of the description; empty if it is not installed."""
    return os.environ.get("GITHUB_OPENAPI", "")


class Contract:
    """The operations of the description that this action may use."""

    def __init__(self) -> None:
        from openapi_core import OpenAPI

        with open(description_path(), encoding="utf-8") as file:
            whole = json.load(file)
        components: dict[str, Any] = {}

        def collect(part: Any) -> None:
            """Copies the components that a part refers to. The whole description takes minutes to read."""
            if isinstance(part, dict):
                reference = part.get("$ref")
                if isinstance(reference, str):
                    _, _, kind, name = reference.split("/")
                    known = components.setdefault(kind, {})
                    if name not in known:
                        known[name] = without_examples(whole["components"][kind][name])
                        collect(known[name])
                for value in part.values():
                    collect(value)
            elif isinstance(part, list):
                for value in part:
                    collect(value)

        error = {"$ref": "#/components/schemas/basic-error"}
        paths = {}
        for path, methods in ((COMMENTS, ("get", "post")), (COMMENT, ("patch",))):
            paths[path] = {method: without_examples(whole["paths"][path][method]) for method in methods}
            for operation in paths[path].values():
                # Each operation may also answer with these, which the description leaves out.
                for status in ("403", "404", "429", "500", "502"):
                    answer = {"description": "Error", "content": {"application/json": {"schema": error}}}
                    operation["responses"].setdefault(status, answer)
        collect(paths)
        self.api = OpenAPI.from_dict(
            {
                "openapi": whole["openapi"],
                "info": {"title": "GitHub", "version": whole["info"]["version"]},
                "servers": [{"url": HOST}],
                "paths": paths,
                "components": components,
            }
        )

    def violations(
        self, method: str, target: str, headers: dict, data: bytes, answer: tuple[int, dict, bytes]
    ) -> list[str]:
        """Returns what is wrong with a request and its answer."""
        from openapi_core.testing import MockRequest, MockResponse

        parts = urlsplit(target)
        request = MockRequest(
            HOST, method.lower(), parts.path, args=dict(parse_qsl(parts.query)), headers=headers, data=data or None
        )
        status, answer_headers, answer_data = answer
        response = MockResponse(answer_data, status, answer_headers)
        found = []
        for check in (
            lambda: self.api.validate_request(request),
            lambda: self.api.validate_response(request, response),
        ):
            try:
                check()
            except Exception as error:
                causes = getattr(error.__cause__, "schema_errors", ())
                found.append(f"{method} {target} {status}: {error!r} {[cause.message for cause in causes]}")
        return found


def without_examples(part: Any) -> Any:
    """Returns a part of the description without its examples, which the validator need not read."""
    if isinstance(part, dict):
        return {key: without_examples(value) for key, value in part.items() if key not in ("examples", "x-github")}
    return [without_examples(value) for value in part] if isinstance(part, list) else part
