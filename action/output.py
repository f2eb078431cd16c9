"""Writes to the log of a job, to its summary and to its outputs.

Runners read commands from the log. So a line that contains foreign text never begins with `::`, and never contains `##[`.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys

import text

# Commands that `discussions check --format github` prints. All others are shown and do nothing.
ANNOTATION = re.compile(r"::(?:error|warning|notice)(?: file=[^\r\n]*?)?::[^\r\n]*")


def harmless(line: str) -> str:
    """Returns a line that no runner reads as a command."""
    return text.visible(line).replace("##[", "##⟨[⟩")


def say(message: str) -> None:
    """Writes a message to the log."""
    for line in message.splitlines() or [""]:
        print(f"discussions: {harmless(line)}", flush=True)


def quote_log(output: str) -> None:
    """Writes the messages of another program to the log."""
    for line in output.splitlines():
        print(f"  | {harmless(line)}", flush=True)


def annotate(commands: str) -> None:
    """Writes the annotations of a check to the log, as commands for the runner."""
    for line in commands.splitlines():
        if ANNOTATION.fullmatch(line):
            print(line, flush=True)
        else:
            quote_log(line)


def error(message: str) -> None:
    """Writes a message to the log that the forge shows as an error, if it reads annotations."""
    if os.environ.get("GITHUB_ACTIONS") == "true":
        print(f"::error::{one_command_line(message)}", flush=True)
    else:
        print(f"discussions: error: {harmless(message)}", file=sys.stderr, flush=True)


def notice(message: str) -> None:
    """Writes a message to the log that the forge shows as a note, if it reads annotations."""
    if os.environ.get("GITHUB_ACTIONS") == "true":
        print(f"::notice::{one_command_line(message)}", flush=True)
    else:
        say(message)


def one_command_line(message: str) -> str:
    """Returns the message as the data of a command."""
    return text.one_line(message).replace("%", "%25")


def summarize(markdown: str) -> str:
    """Appends a report to the job summary, or to a file if there is none. Returns the place in words."""
    report = markdown.rstrip("\n") + "\n\n"
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        write_file("discussions-report.md", report)
        return "the file discussions-report.md"
    with open(path, "a", encoding="utf-8") as summary:
        summary.write(report)
    return "the job summary"


def write_file(path: str, content: str) -> None:
    """Writes a file into the clone.

    The change may have put a link there, which would lead to a file of the machine, or a folder, which has no text.
    """
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)
    with open(path, "x", encoding="utf-8") as file:
        file.write(content)


def set_output(name: str, value: str) -> None:
    """Sets an output of the step."""
    path = os.environ.get("GITHUB_OUTPUT")
    if path:
        # A value cannot end early, because no author can guess the mark.
        mark = secrets.token_hex(16)
        with open(path, "a", encoding="utf-8") as outputs:
            outputs.write(f"{name}<<{mark}\n{value}\n{mark}\n")
