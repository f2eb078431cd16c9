"""The crate: what it holds, that it builds, and that the program in it does its job, linked in both ways."""

import os
import re
import tarfile
from pathlib import Path

from parts.project import ROOT, read_project

from .checks import Context, Skip, check, find, test
from .readme import first_command, install_line

# The programs built from the crate, by the way they are linked.
PROGRAMS: dict[str, Path] = {}


@test("crate: holds all sources and bundled files, no tests")
def holds_the_sources(context: Context) -> None:
    with tarfile.open(context.build("crate")[0]) as crate:
        names = {name.split("/", 1)[1] for name in crate.getnames()}
    wanted = {"Cargo.toml", "Cargo.lock", "README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"}
    for folder, ending in (("participants", "yaml"), ("templates", "md"), ("src", "rs")):
        wanted |= {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob(f"*.{ending}")}
    for source in (ROOT / "src").rglob("*.rs"):
        for embedded in re.findall(r'include_(?:str|bytes)!\("([^"]+)"\)', source.read_text()):
            wanted.add(os.path.relpath((source.parent / embedded).resolve(), ROOT))
    check(wanted <= names, f"the crate lacks {sorted(wanted - names)}")
    known = {"src", "participants", "templates", "examples", "docs"}
    foreign = {name for name in names - wanted if "/" in name and name.split("/")[0] not in known}
    check(not foreign, f"the crate holds {sorted(foreign)}")


@test("crate: could be published")
def could_be_published(context: Context) -> None:
    find("cargo", "cargo")
    target = ROOT / "target" / "packaging" / "publish"
    command = ["cargo", "publish", "--dry-run", "--no-verify", "--locked", "--allow-dirty", "--target-dir", target]
    done = context.run(command, cwd=ROOT, **cargo_home())
    if done.status != 0 and "crates.io index" in done.err and "Caused by" in done.err:
        raise Skip("needs the index of crates.io")
    done.succeeded()
    # Cargo says which tests and benches it leaves out, and that it does not upload.
    expected = re.compile(r"ignoring (test|benchmark) |aborting upload due to dry run")
    strange = [line for line in done.err.splitlines() if line.startswith("warning") and not expected.search(line)]
    check(not strange, "\n".join(strange))


@test("crate: builds, installs and answers the README's first command")
def builds_and_runs(context: Context) -> None:
    program = build_program(context, "static")
    check(install_line("cargo install")[-1] == read_project().name, "README.md installs another crate")
    prefix = context.new_folder("prefix")
    (prefix / "discussions").symlink_to(program)
    context.run(first_command(), path=[prefix]).succeeded()


def build_program(context: Context, link: str) -> Path:
    """Builds the program from the unpacked crate, once for each way of linking: `glibc` or `static`."""
    if link not in PROGRAMS:
        PROGRAMS[link] = compile_program(context, link)
    return PROGRAMS[link]


def compile_program(context: Context, link: str) -> Path:
    """Compiles and strips the program.

    The dependencies are those that `cargo test` has compiled: the build folder is shared, and asking for an example as
    well gives them the features that the tests need.
    """
    find("cargo", "cargo")
    if link == "glibc":
        find("python-zig", "ziglang of packaging/requirements.txt")
    source = unpack(context)
    target = context.new_folder(link)
    command = [ROOT / "packaging" / "link", link, "--example", "watch", "--target-dir", target]
    shared = {"CARGO_BUILD_BUILD_DIR": ROOT / "target", "CARGO_INCREMENTAL": "0"}
    context.run(command, cwd=source, **cargo_home(), **shared).succeeded()
    return context.strip(target / "debug" / "discussions", target / "discussions")


def unpack(context: Context) -> Path:
    """Unpacks the crate. Returns the folder, whose place is always the same: Cargo keeps what it compiled there.

    All times in a crate are equal, so Cargo could not see what changed. Only files that differ are written, with the time
    of now.
    """
    project = read_project()
    name = f"{project.name}-{project.version}"
    source = ROOT / "target" / "packaging" / "source" / name
    with tarfile.open(context.build("crate")[0]) as crate:
        texts = {entry.name: crate.extractfile(entry).read() for entry in crate if entry.isfile()}
    files = {source / path.removeprefix(f"{name}/"): text for path, text in texts.items()}
    for path in source.rglob("*"):
        if path.is_file() and path not in files:
            path.unlink()
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != text:
            path.write_bytes(text)
    return source


def cargo_home() -> dict[str, object]:
    """Returns the variables for Cargo's own folders, which a fresh home would hide."""
    home = Path.home()
    return {
        "CARGO_HOME": os.environ.get("CARGO_HOME", home / ".cargo"),
        "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", home / ".rustup"),
        "CARGO_TERM_COLOR": "never",
    }
