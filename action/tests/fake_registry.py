"""A registry of npm on this machine with one package."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class FakeRegistry:
    """Answers what npm asks to install one version of a package."""

    def __init__(self, name: str, version: str, package: bytes) -> None:
        registry = self

        class Handler(BaseHTTPRequestHandler):
            """Sends the description of the package, or the package."""

            def do_GET(self) -> None:
                """Answers a request."""
                known = {f"/{name}": json.dumps(registry.description).encode(), "/package.tgz": package}
                body = known.get(self.path)
                self.send_response(404 if body is None else 200)
                self.end_headers()
                self.wfile.write(body or b"{}")

            def log_message(self, *_: Any) -> None:
                """Writes nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        one = {
            "name": name,
            "version": version,
            "bin": {name: "start.sh"},
            "dist": {"tarball": f"{self.url}/package.tgz"},
        }
        self.description = {"name": name, "dist-tags": {"latest": version}, "versions": {version: one}}
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        """Stops the server."""
        self.server.shutdown()
        self.server.server_close()
