"""The wheel: what it holds, and the README's lines for Python in a prefix with nothing else."""

import json
import sys
import tarfile
import zipfile
from pathlib import Path

from parts.project import ROOT, read_project

from .checks import Context, Skip, check, find, link_programs, test
from .from_cargo import build_program
from .readme import first_command, install_line


@test("wheel: runs with glibc 2.17, holds the program, licences and components")
def holds_the_program(context: Context) -> None:
    wheel = build_wheel(context)
    check("manylinux_2_17" in wheel.name, f"{wheel.name} needs a newer glibc than 2.17")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        readme = next(archive.read(name).decode() for name in names if name.endswith("METADATA"))
    for end in (".data/scripts/discussions", "LICENSE-MIT", "LICENSE-APACHE", ".cyclonedx.json"):
        check(any(name.endswith(end) for name in names), f"the wheel lacks {end}")
    check("](docs/" not in readme, "the README in the wheel has relative links, which PyPI does not resolve")
    check("<!-- mcp-name: " in readme, "the README in the wheel does not name the MCP server")


@test("wheel: a static program gets one wheel for glibc and one for musl")
def static_program_fits_both(context: Context) -> None:
    names = [wheel.name for wheel in context.build("wheel", build_program(context, "static"))]
    check(len(names) == 2 and "manylinux_2_17" in names[0] and "musllinux_1_1" in names[1], f"built {names}")


@test("wheel: pip in a fresh environment with only Python")
def pip_installs(context: Context) -> None:
    wheel = build_wheel(context)
    prefix = context.new_folder("python")
    if context.run([sys.executable, "-m", "venv", prefix]).status != 0:
        raise Skip("needs Python's module venv")
    only = [prefix / "bin"]
    context.run(install_line("pip install"), path=only, PIP_NO_INDEX=1, PIP_FIND_LINKS=wheel.parent).succeeded()
    done = context.run(["discussions", "--version"], path=only).succeeded()
    check(done.out.split()[-1] == read_project().version, f"installed {done.out}")
    context.run(first_command(), path=only).succeeded()


@test("wheel: uvx with only Python and uv")
def uvx_runs(context: Context) -> None:
    wheel = build_wheel(context)
    names = {name: find(name, "uv of packaging/requirements.txt") for name in ("uv", "uvx")}
    prefix = link_programs(context.new_folder("uv"), {"python3": sys.executable, **names})
    uv = {"UV_OFFLINE": 1, "UV_NO_INDEX": 1, "UV_FIND_LINKS": wheel.parent, "UV_PYTHON_DOWNLOADS": "never"}
    line = install_line("uvx discussions")
    context.run([*line[:2], "--version"], path=[prefix], **uv).succeeded()
    context.run(["uvx", *first_command()], path=[prefix], **uv).succeeded()
    done = context.run(["uvx", "discussions", "--no-such-flag"], path=[prefix], **uv)
    done.ended(2)


@test("sdist: holds what the wheel is made from")
def holds_the_sources(context: Context) -> None:
    with tarfile.open(context.build("sdist")[0]) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    with tarfile.open(context.build("crate")[0]) as crate:
        wanted = {name.split("/", 1)[1] for name in crate.getnames()}
    # The archive has a Cargo.toml of its own, and no commit, which may not be one.
    wanted = wanted - {"Cargo.toml.orig", ".cargo_vcs_info.json"} | {"pyproject.toml", "PKG-INFO"}
    wanted |= {str(path.relative_to(ROOT)) for path in (ROOT / "python").rglob("*") if path.suffix in (".py", ".typed")}
    check(names == wanted, f"the archive of sources differs from the crate in {sorted(names ^ wanted)}")


@test("sbom: lists the dependencies of the program")
def lists_dependencies(context: Context) -> None:
    document = json.loads(context.build("sbom", context.program)[0].read_text())
    names = {component["name"] for component in document["components"]}
    check({"clap", "tokio", "serde"} <= names, f"the list of components holds {len(names)} names")
    check("file:///tmp" not in json.dumps(document), "the list of components names a folder of this machine")


def build_wheel(context: Context) -> Path:
    """Builds the wheel that glibc systems get."""
    return context.build("wheel", build_program(context, "glibc"))[0]
