"""Facts about the project, all from Cargo.toml, and about the platforms that have packages."""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"


class PackagingError(Exception):
    """A failure to report to the user in one line."""


@dataclass(frozen=True)
class Project:
    """The fields of Cargo.toml that packages repeat."""

    name: str
    version: str
    description: str
    repository: str
    homepage: str
    license: str


def read_project() -> Project:
    """Reads Cargo.toml."""
    with (ROOT / "Cargo.toml").open("rb") as file:
        package = tomllib.load(file)["package"]
    fields = ("name", "version", "description", "repository", "homepage", "license")
    return Project(**{field: package[field] for field in fields})


@dataclass(frozen=True)
class Platform:
    """An operating system and processor, named as npm names them."""

    name: str
    # The target of rustc.
    rust: str
    # The target of rustc with a static C library; only Linux has one.
    musl: str | None = None
    # The architecture of a Debian package.
    deb: str | None = None

    @property
    def system(self) -> str:
        """Returns the operating system, as `process.platform` of Node."""
        return self.name.split("-")[0]

    @property
    def processor(self) -> str:
        """Returns the processor, as `process.arch` of Node."""
        return self.name.split("-")[1]

    @property
    def program(self) -> str:
        """Returns the file name of the program."""
        return "discussions.exe" if self.system == "win32" else "discussions"


def read_platforms() -> dict[str, Platform]:
    """Reads packaging/platforms.json, which lists all platforms with packages."""
    table = json.loads((PACKAGING / "platforms.json").read_text())
    return {name: Platform(name, **fields) for name, fields in table.items()}
