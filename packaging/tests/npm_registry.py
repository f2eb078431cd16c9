"""A registry of npm packages on this machine, so that the README's line runs word for word."""

import base64
import hashlib
import json
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote


class Registry:
    """A registry with some archives. It lists the dependencies of the packages, too, but has no archives of these."""

    def __init__(self, archives: list[Path]) -> None:
        """Starts to serve the archives."""
        self.archives = {archive.name: archive.read_bytes() for archive in archives}
        self.manifests = {}
        for archive in archives:
            manifest = read_manifest(archive)
            self.manifests[manifest["name"]] = (manifest, archive.name)
            for name, version in manifest.get("optionalDependencies", {}).items():
                system, processor = name.split("/")[1].split("-")
                absent = {"name": name, "version": version, "os": [system], "cpu": [processor]}
                self.manifests.setdefault(name, (absent, f"absent-{system}-{processor}.tgz"))
        # The archives that clients fetched.
        self.fetched = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path: str) -> bytes | None:
        """Returns the document or archive at a path."""
        name = unquote(path).strip("/")
        if name.endswith(".tgz"):
            self.fetched.append(name)
            return self.archives.get(name)
        if name not in self.manifests:
            return None
        manifest, archive = self.manifests[name]
        dist = {"tarball": f"{self.address}/{archive}"}
        if archive in self.archives:
            digest = hashlib.sha512(self.archives[archive]).digest()
            dist["integrity"] = f"sha512-{base64.b64encode(digest).decode()}"
        version = manifest["version"]
        versions = {version: manifest | {"dist": dist}}
        return json.dumps({"name": name, "dist-tags": {"latest": version}, "versions": versions}).encode()

    def handler(self) -> type[BaseHTTPRequestHandler]:
        """Returns the class that answers requests."""
        registry = self

        class Handler(BaseHTTPRequestHandler):
            """Answers one request."""

            def do_GET(self) -> None:
                """Sends a document or archive."""
                body = registry.answer(self.path)
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_: object) -> None:
                """Prints nothing."""

        return Handler

    def close(self) -> None:
        """Stops serving."""
        self.server.shutdown()
        self.server.server_close()


def read_manifest(archive: Path) -> dict:
    """Reads the manifest in an archive."""
    with tarfile.open(archive) as package:
        return json.load(package.extractfile("package/package.json"))
