"""Reads what the user wants: from flags, or from the inputs of the action, which arrive in the environment."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from change import Stop

MODES = ("check", "decisions", "review")
# The version that this copy of the action was released with.
VERSION = "0.1.0"

AMOUNT = re.compile(r"\d{1,6}(?:\.\d{1,6})?")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}")
LIST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.,:=/_-]{0,400}")
TIME = re.compile(r"(\d{1,4})([smh])")

# Name, default and help of each input, in the order of the documentation.
INPUTS = (
    ("mode", "check", "check, decisions or review; several with commas"),
    ("max-usd", "", "for review: the maximum cost in US dollars"),
    ("pattern", "second-look", "for review: second-look, artifact-review, or your own with a verdict"),
    ("perspectives", "", "for review: the reviewers, as `discussions review --perspectives` takes them"),
    ("provider", "", "for review: the provider for all reviewers"),
    ("timeout", "20m", "for review: the maximum time, such as 90s, 20m or 1h"),
    ("blocking", "false", "for review: true fails the job if the verdict is HIGH or MEDIUM, or if there is none"),
    ("trust-base", "false", "for review: true allows the commands that the base branch defines"),
    ("comment", "true", "false writes to the job summary and posts no comment"),
    ("key", "", "tells the comments of several steps apart; by default the modes"),
    ("author", "", "the author of the comment, if the token is not the job's own"),
    ("directory", ".", "the folder of the project in the repository"),
    ("strict", "false", "for check: true treats warnings as errors"),
    ("install", "wheel", "the package of the program: wheel or npm"),
    ("version", VERSION, "the version of the program"),
    ("program", "", "an installed program, or a package file, instead"),
    ("artifact", "discussions-review", "for review: the name of the artefact with the record"),
    ("forge", "", "github, forgejo or gitlab; by default the one that runs the job"),
)


@dataclass(frozen=True)
class Settings:
    """The inputs of one run."""

    modes: tuple[str, ...]
    values: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.values[name]

    def is_set(self, name: str) -> bool:
        """Returns true if an input that is true or false is true."""
        return self.values[name] == "true"

    @property
    def key(self) -> str:
        """Returns the word that tells this comment from others."""
        return self.values["key"].lower() or "+".join(self.modes)

    @property
    def seconds(self) -> float:
        """Returns the maximum time of a review."""
        number, unit = TIME.fullmatch(self.values["timeout"]).groups()  # type: ignore[union-attr]
        return float(number) * {"s": 1, "m": 60, "h": 3600}[unit]


def read_settings(words: Sequence[str], env: Mapping[str, str]) -> Settings:
    """Returns the settings. A flag wins over an input."""
    parser = argparse.ArgumentParser(
        prog="run.py", description="Reports on a pull request. FORGE_TOKEN is the token for the comment."
    )
    for name, default, help_text in INPUTS:
        variable = "INPUT_" + name.upper().replace("-", "_")
        parser.add_argument(f"--{name}", default=env.get(variable, "").strip() or default, help=help_text)
    values = {name.replace("_", "-"): value for name, value in vars(parser.parse_args(words)).items()}
    modes = tuple(dict.fromkeys(re.split(r"[\s,]+", values["mode"].strip())))
    for mode in modes:
        if mode not in MODES:
            raise Stop(f"`mode` must be check, decisions or review, not {mode!r}.")
    for name in ("blocking", "trust-base", "comment", "strict"):
        require(values, name, re.compile("true|false"), "true or false")
    require(values, "pattern", NAME, "the name of a pattern")
    require(values, "artifact", NAME, "the name of an artefact")
    require(values, "timeout", TIME, "a time such as 90s, 20m or 1h")
    for name, form, what in (
        ("key", NAME, "a word"),
        ("perspectives", LIST, "a list with commas"),
        ("provider", LIST, "the name of a provider"),
    ):
        if values[name]:
            require(values, name, form, what)
    if "review" in modes:
        if not values["max-usd"]:
            raise Stop(
                "`review` needs `max-usd`, the maximum cost in US dollars: models cost money, and anyone can open a pull request."
            )
        require(values, "max-usd", AMOUNT, "an amount such as 0.50")
    parts = values["directory"].split("/")
    if values["directory"].startswith(("/", "-")) or ".." in parts:
        raise Stop(f"`directory` must be a folder in the repository, not {values['directory']!r}.")
    return Settings(modes, values)


def require(values: Mapping[str, str], name: str, form: re.Pattern[str], what: str) -> None:
    """Stops if an input has another form. Some inputs become arguments of the program."""
    if not form.fullmatch(values[name]):
        raise Stop(f"`{name}` must be {what}, not {values[name]!r}.")
