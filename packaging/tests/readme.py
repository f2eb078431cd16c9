"""What README.md tells users to type."""

import re
import shlex

from parts.project import ROOT

from .checks import Failure

README = (ROOT / "README.md").read_text()


def install_line(begin: str) -> list[str]:
    """Returns the words of the first command in the text of the README that begins so, without `sudo`."""
    for span in re.findall(r"`([^`\n]+)`", README):
        for command in span.split(" && "):
            if command.removeprefix("sudo ").startswith(begin):
                return shlex.split(command.removeprefix("sudo "))
    raise Failure(f"README.md has no `{begin} ..`")


def first_command() -> list[str]:
    """Returns the words of the first `discussions` command in a block of the README, with the mock as provider."""
    found = re.search(r"^\$ (discussions (?!init\b).*(?:\\\n.*)*)", README, re.MULTILINE)
    if found is None:
        raise Failure("README.md shows no `$ discussions ..`")
    words = shlex.split(found[1].replace("\\\n", ""))
    return words if "mock" in words else [*words, "--provider", "mock"]
