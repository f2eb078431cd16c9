"""Installs the program from a registry."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import output
from change import Stop
from program import Program, without_tokens

VERSION = re.compile(r"\d+\.\d+\.\d+[0-9A-Za-z.+-]*")


def install(scratch: Path, env: Mapping[str, str], source: str, version: str, given: str) -> Program:
    """Installs the program from a registry, or from the given program or package. Returns it."""
    if not given and not VERSION.fullmatch(version):
        raise Stop(f"`version` must be a version such as 0.1.0, not {version!r}.")
    if given.endswith(".whl") or not given and source == "wheel":
        path = from_wheel(scratch, without_tokens(env), given or f"discussions=={version}")
    elif given.endswith(".tgz") or not given and source == "npm":
        path = from_npm(scratch, without_tokens(env), given or f"discussions@{version}")
    elif given:
        found = shutil.which(given)
        if not found:
            raise Stop(f"`program` is not an executable: {given}")
        path = os.path.abspath(found)
    else:
        raise Stop(f"`install` must be wheel or npm, not {source!r}.")
    program = Program(path, scratch, env)
    told = program.run(scratch, "--version")
    if told.code != 0:
        raise Stop(f"The program does not run here: exit code {told.code}.")
    program.version = told.out.strip()
    output.say(f"uses {program.version} ({given or source})")
    return program


def from_wheel(scratch: Path, env: Mapping[str, str], what: str) -> str:
    """Installs a wheel into an environment of its own. Returns the path of the program."""
    folder = scratch / "python"
    what = os.path.abspath(what) if what.endswith(".whl") else what
    step(
        [sys.executable, "-I", "-m", "venv", str(folder)],
        scratch,
        env,
        "Python's venv",
        "Debian: install python3-venv, or use `install: npm`",
    )
    bin_folder = folder / ("Scripts" if os.name == "nt" else "bin")
    python = str(bin_folder / "python")
    pip = [python, "-I", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    # Only a finished program: building a source package would run its code.
    step(
        [*pip, "--only-binary", ":all:", "--no-deps", what],
        scratch,
        env,
        "pip",
        f"is {what} published for this platform?",
    )
    return str(bin_folder / "discussions")


def from_npm(scratch: Path, env: Mapping[str, str], what: str) -> str:
    """Installs an npm package into a folder of its own. Returns the path of the program."""
    folder = scratch / "npm"
    folder.mkdir()
    what = os.path.abspath(what) if what.endswith(".tgz") else what
    npm = ["npm", "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund", "--silent", what]
    step(npm, folder, env, "npm", f"is {what} published for this platform?")
    return str(folder / "node_modules" / ".bin" / "discussions")


def step(command: list[str], folder: Path, env: Mapping[str, str], name: str, help_text: str) -> None:
    """Runs a command of the installation. It runs outside of the change, whose files could configure or replace tools."""
    try:
        done = subprocess.run(
            command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Stop(f"{name} does not run: {error}. {help_text}") from error
    if done.returncode != 0:
        output.quote_log((done.stdout + done.stderr).decode("utf-8", "replace"))
        raise Stop(f"{name} failed with exit code {done.returncode}: {help_text}")
