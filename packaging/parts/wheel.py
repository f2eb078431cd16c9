"""The wheel for PyPI, and the archive of sources beside it, both by maturin."""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from .crate import unpack_crate
from .program import Program
from .project import ROOT, Project
from .readme import absolute_readme
from .tools import find_tool, run_tool

# The package for Python programs, which the crate does not hold.
PYTHON = ROOT / "python"

# The oldest Linux that Rust supports. A static program would allow older ones, but the kernel does not.
GLIBC = "manylinux_2_17"
MUSL = "musllinux_1_1"

# maturin compiles what it packs and cannot take a finished program. This `cargo` is first in PATH: it answers the
# request to compile with the finished program, and leaves all other requests to the real one.
CARGO = """\
#!{python}
import json, os, sys

if sys.argv[1] != "rustc":
    os.execv({cargo!r}, [{cargo!r}, *sys.argv[1:]])
for message in json.loads({messages!r}):
    print(json.dumps(message))
"""


def build_wheels(project: Project, program: Program, out: Path) -> list[Path]:
    """Packs a program. A static one gets a wheel for each of the two C libraries of Linux."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source = stage_source(project, folder)
        path = write_cargo(source, program, folder)
        built = folder / "built"
        for options in choose_options(program):
            command = [find_tool("maturin"), "build", "--locked", "--out", built, *options]
            run_tool(command, cwd=source, env={"PATH": path})
        return [Path(shutil.move(wheel, out / wheel.name)) for wheel in sorted(built.glob("*.whl"))]


def build_sdist(project: Project, out: Path) -> Path:
    """Packs the sources for PyPI, for platforms without a wheel."""
    with tempfile.TemporaryDirectory() as temporary:
        source = stage_source(project, Path(temporary))
        run_tool([find_tool("maturin"), "sdist", "--out", out], cwd=source)
    return out / f"{project.name}-{project.version}.tar.gz"


def stage_source(project: Project, folder: Path) -> Path:
    """Lays out the sources of the crate and of the package for Python programs, as maturin needs them."""
    source = unpack_crate(project, folder)
    shutil.copy(ROOT / "pyproject.toml", source)
    (source / "README.md").write_text(absolute_readme(project))
    shutil.copytree(PYTHON, source / "python", ignore=shutil.ignore_patterns("__pycache__"))
    return source


def write_cargo(source: Path, program: Program, folder: Path) -> str:
    """Writes the `cargo` that answers with the finished program. Returns a PATH that begins with its folder."""
    finished = folder / program.platform.program
    shutil.copy(program.path, finished)
    package = f"path+file://{source}#{source.name.replace('-', '@')}"
    artifact = {
        "reason": "compiler-artifact",
        "package_id": package,
        "manifest_path": str(source / "Cargo.toml"),
        "target": {
            "kind": ["bin"],
            "crate_types": ["bin"],
            "name": "discussions",
            "src_path": str(source / "src/bin/discussions/main.rs"),
            "edition": "2024",
            "doc": True,
            "doctest": False,
            "test": True,
        },
        "profile": {"opt_level": "3", "debuginfo": 0, "debug_assertions": False, "overflow_checks": False, "test": False},
        "features": [],
        "filenames": [str(finished)],
        "executable": str(finished),
        "fresh": True,
    }
    messages = json.dumps([artifact, {"reason": "build-finished", "success": True}])
    script = folder / "cargo" / "cargo"
    script.parent.mkdir()
    script.write_text(CARGO.format(python=sys.executable, cargo=find_tool("cargo"), messages=messages))
    script.chmod(0o755)
    return f"{script.parent}:{os.environ['PATH']}"


def choose_options(program: Program) -> list[list[str]]:
    """Returns maturin's options, one list for each wheel."""
    platform = program.platform
    if not program.static:
        # For the other C library of Windows, maturin would fetch Microsoft's tools first. The wheel is the same.
        return [["--target", platform.rust.replace("-msvc", "-gnu")]]
    return [
        ["--target", platform.rust, "--compatibility", GLIBC],
        ["--target", str(platform.musl), "--compatibility", MUSL],
    ]
