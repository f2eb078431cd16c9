"""The packages as libraries: programs that use them, in environments with nothing else, and their types."""

import os
import re
import shutil
import tarfile
import zipfile
from pathlib import Path

from parts.project import ROOT

from .checks import Context, Skip, check, find, link_programs, test
from .interpreters import find_pythons
from .node import newest_node
from .npm_registry import Registry

# The oldest version that the package promises, and the newest that its users may have.
OLDEST_PYTHON = (3, 9)
NEWEST_PYTHON = (3, 14)

# The oldest version of Node that the package promises.
OLDEST_NODE = 20

# The most that the libraries may add to a package, in bytes.
MAX_LIBRARY_BYTES = 100_000

CHECKS = Path(__file__).with_name("library")
PAGE = (ROOT / "docs" / "library.md").read_text()
MODULES = ROOT / "target" / "packaging" / "node_modules"


@test("library: Python 3.9, the oldest that is promised")
def oldest_python_works(context: Context) -> None:
    run_python(context, OLDEST_PYTHON)


@test("library: Python 3.14, the newest release")
def newest_release_works(context: Context) -> None:
    run_python(context, NEWEST_PYTHON)


@test("library: the newest Python of this machine")
def newest_python_works(context: Context) -> None:
    run_python(context, max(find_pythons()))


def run_python(context: Context, version: tuple[int, int]) -> None:
    """Installs the wheel into an environment with nothing else, and runs the page's programs and the checks in it."""
    prefix = install_wheel(context, version)
    folder = copy_checks(context)
    for number, program in enumerate(page_blocks("python")):
        path = folder / f"page_{number}.py"
        path.write_text(program)
        done = context.run(["python", "-W", "error", path], path=[prefix / "bin"]).succeeded()
        check("mock" in done.out, f"{path.name} printed {done.out!r}")
    context.run(["python", "-W", "error", folder / "check_library.py"], path=[prefix / "bin"]).succeeded()


def install_wheel(context: Context, version: tuple[int, int]) -> Path:
    """Makes an environment of this Python and installs the wheel. Returns its prefix."""
    name = ".".join(map(str, version))
    if version not in find_pythons():
        raise Skip(f"Python {name} is not on this machine")
    key = ("environment", version)
    if key not in context.built:
        prefix = context.new_folder(f"python-{name}")
        if context.run([find_pythons()[version], "-m", "venv", prefix]).status != 0:
            raise Skip(f"Python {name} has no module venv")
        wheel = context.build("wheel", context.program)[0]
        install = [prefix / "bin" / "pip", "install", "--no-index", "--find-links", wheel.parent, "discussions"]
        context.run(install).succeeded()
        context.built[key] = [prefix]
    return context.built[key][0]


@test("library: finds its program wherever pip put it")
def program_is_found(context: Context) -> None:
    version = max(find_pythons())
    python, pip = (install_wheel(context, version) / "bin" / name for name in ("python", "pip"))
    install = [pip, "install", "--no-index", "--find-links", context.build("wheel", context.program)[0].parent]
    folder = context.new_folder("pip")
    target, prefix = folder / "target", folder / "prefix"
    context.run([*install, "--target", target, "discussions"]).succeeded()
    context.run([*install, "--ignore-installed", "--prefix", prefix, "discussions"]).succeeded()
    site = prefix / "lib" / f"python{version[0]}.{version[1]}" / "site-packages"
    context.run([find("python3", "python3"), "-m", "venv", folder / "bare"]).succeeded()
    bare = folder / "bare" / "bin" / "python"
    for path, programs in ((target, target / "bin"), (site, prefix / "bin")):
        found = context.run([bare, "-c", "import discussions; print(discussions.find_program())"], PYTHONPATH=path)
        check(found.succeeded().out.strip() == str(programs / "discussions"), f"below {path} it found {found.out}")
    # Without a program, it never takes another one from PATH.
    (target / "bin" / "discussions").unlink()
    ask = "import discussions; discussions.ask('How?')"
    missing = context.run([bare, "-c", ask], PYTHONPATH=target, PATH=f"{python.parent}:{os.environ['PATH']}").ended(1)
    check("ProgramNotFoundError: the package has no program" in missing.err, missing.err)


@test("library: the oldest Node that is promised")
def oldest_node_works(context: Context) -> None:
    node = find("node", "Node and npm")
    version = context.run([node, "-p", "process.versions.node"]).succeeded().out
    if int(version.split(".")[0]) != OLDEST_NODE:
        raise Skip(f"the Node of this machine is {version.strip()}, not {OLDEST_NODE}")
    run_node(context, node)


@test("library: the newest Node of npm")
def newest_node_works(context: Context) -> None:
    if newest_node() == find("node", "Node and npm"):
        raise Skip("needs the Node of packaging/package.json")
    run_node(context, newest_node())


def run_node(context: Context, node: str) -> None:
    """Runs the page's programs and the checks in a folder that has only the npm packages."""
    folder = install_packages(context)
    only = [link_programs(context.new_folder("node"), {"node": node})]
    for number, program in enumerate(page_blocks("js")):
        path = folder / f"page_{number}.mjs"
        path.write_text(program)
        done = context.run(["node", path], cwd=context.new_folder("project"), path=only).succeeded()
        check("mock" in done.out, f"{path.name} printed {done.out!r}")
    context.run(["node", "--test", folder / "check_library.mjs"], path=only).succeeded()


def install_packages(context: Context) -> Path:
    """Installs the npm packages into a folder, and copies the checks into it. Returns the folder."""
    folder = copy_checks(context)
    (folder / "package.json").write_text("{}")
    registry = Registry(context.build("npm", context.program))
    try:
        npm = {"npm_config_registry": registry.address}
        context.run([find("npm", "Node and npm"), "install", "discussions"], cwd=folder, **npm).succeeded()
    finally:
        registry.close()
    return folder


def copy_checks(context: Context) -> Path:
    """Copies the checks to a place from which no path leads to the sources."""
    return Path(shutil.copytree(CHECKS, context.new_folder("checks") / "library"))


def page_blocks(language: str) -> list[str]:
    """Returns the programs of the page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@test("library: mypy and pyright find nothing")
def python_types_are_clean(context: Context) -> None:
    prefix = install_wheel(context, OLDEST_PYTHON if OLDEST_PYTHON in find_pythons() else max(find_pythons()))
    python = prefix / "bin" / "python"
    folder = copy_checks(context)
    programs = [folder / "check_library.py"]
    for number, program in enumerate(page_blocks("python")):
        programs.append(folder / f"page_{number}.py")
        programs[-1].write_text(program)
    package = Path(context.run([python, "-c", "import discussions; print(*discussions.__path__)"]).succeeded().out.strip())
    mypy = [find("mypy", "mypy of packaging/requirements.txt"), "--strict", "--cache-dir", context.new_folder("cache")]
    context.run([*mypy, "--python-executable", python, *programs]).succeeded()
    # Both as it is installed, and on its own.
    for version in ("3.10", ".".join(map(str, NEWEST_PYTHON))):
        context.run([*mypy, "--python-version", version, package], cwd=package.parent).succeeded()
    pyright = node_tool("pyright")
    context.run([pyright, "--warnings", "--pythonpath", python, *programs]).succeeded()
    source = shutil.copytree(package, context.new_folder("source") / "discussions")
    for version in (OLDEST_PYTHON, NEWEST_PYTHON):
        name = ".".join(map(str, version))
        context.run([pyright, "--warnings", "--pythonversion", name, source], cwd=source.parent).succeeded()


@test("library: tsc finds nothing")
def javascript_types_are_clean(context: Context) -> None:
    folder = install_packages(context)
    programs = ["types.mts"]
    for number, program in enumerate(page_blocks("js")):
        programs.append(f"page_{number}.mjs")
        (folder / programs[-1]).write_text(program)
    shared = ["--noEmit", "--target", "es2022", "--module", "nodenext", "--types", "node", "--typeRoots", MODULES / "@types"]
    strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"]
    tsc = [node_tool("tsc"), "--ignoreConfig", *shared]
    context.run([*tsc, *strict, programs[0]], cwd=folder).succeeded()
    # The page's programs are JavaScript, which has no types of its own.
    context.run([*tsc, "--checkJs", "--allowJs", *strict, "--noImplicitAny", "false", *programs[1:]], cwd=folder).succeeded()


def node_tool(name: str) -> Path:
    """Returns a program of packaging/package.json."""
    path = MODULES / ".bin" / name
    if not path.exists():
        raise Skip(f"needs {name} of packaging/package.json")
    return path


@test("library: the packages grow by less than 100 kB")
def packages_stay_small(context: Context) -> None:
    with zipfile.ZipFile(context.build("wheel", context.program)[0]) as wheel:
        parts = [part for part in wheel.infolist() if part.filename.startswith("discussions/")]
        check(sum(part.compress_size for part in parts) < MAX_LIBRARY_BYTES, "the package for Python is too large")
        check(any(part.filename == "discussions/py.typed" for part in parts), "the package for Python has no types")
    picker = context.build("npm", context.program)[1]
    check(os.path.getsize(picker) < MAX_LIBRARY_BYTES, "the npm package is too large")
    with tarfile.open(picker) as package:
        check("package/lib/documents.d.mts" in package.getnames(), "the npm package has no types")
