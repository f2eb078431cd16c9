"""The Debian package, by `dpkg-deb` from a folder that holds the installed files.

Not by cargo-deb: each CI run would compile it for two minutes, and `dpkg-deb` is on every Debian system.
"""

import gzip
import hashlib
import re
import shutil
import tempfile
from datetime import datetime, timezone
from email.utils import format_datetime
from pathlib import Path

from .pages import write_completions, write_manuals
from .program import Program, needed_glibc, needed_libraries
from .project import ROOT, PackagingError, Project
from .tools import find_tool, run_tool

MAINTAINER = "The discussions project <discussions-md@users.noreply.github.com>"

# The Debian package of each library that a Rust program needs.
LIBRARIES = {
    "libc.so.6": "libc6",
    "libm.so.6": "libc6",
    "libdl.so.2": "libc6",
    "libpthread.so.0": "libc6",
    "ld-linux-x86-64.so.2": "libc6",
    "ld-linux-aarch64.so.1": "libc6",
    "libgcc_s.so.1": "libgcc-s1",
}

CONTROL = """\
Package: discussions
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
{depends}Recommends: git
Section: utils
Priority: optional
Homepage: {homepage}
Description: structured discussions between AI personas and people
 AI personas and people discuss a question in turns, vote on it and reach a
 decision. Each discussion is one Markdown file, which is the only state.
 .
 Models are called through their own programs, through a key, or on this
 machine.
"""

CHANGELOG = """\
discussions ({version}) unstable; urgency=medium

  * See changelog.md.gz.

 -- {maintainer}  {date}
"""

# Debian's copyright format, of which lintian wants the texts of licences that Debian does not install itself.
COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: discussions
Source: {repository}

Files: *
Copyright: {year} {holder}
License: MIT or Apache-2.0

License: MIT
{mit}

License: Apache-2.0
 On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.
"""

# lintian expects that Debian itself builds a package, against its own libraries.
OVERRIDES = """\
# One package for all versions of Debian and Ubuntu.
discussions: statically-linked-binary [usr/bin/discussions]
discussions: shared-library-lacks-prerequisites [usr/bin/discussions]
"""


def build_deb(project: Project, program: Program, runner: Path, out: Path) -> Path:
    """Packs a Linux program with its manual pages and completions. `runner` is the program that writes these."""
    if program.platform.deb is None:
        raise PackagingError(f"{program.path} is no Linux program; a Debian package needs one")
    depends = find_dependencies(program)
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / "root"
        stage_files(project, program, runner, root)
        write_control(project, program, depends, root)
        file = out / f"discussions_{program.platform.deb}.deb"
        # Debian 11 cannot read zstd, which Ubuntu takes by default.
        run_tool([find_tool("dpkg-deb"), "--root-owner-group", "-Zxz", "--build", root, file])
    return file


def stage_files(project: Project, program: Program, runner: Path, root: Path) -> None:
    """Lays out the files as they will be installed."""
    documents = root / "usr/share/doc/discussions"
    for folder in (root / "usr/bin", documents):
        folder.mkdir(parents=True)
    shutil.copy(program.path, root / "usr/bin/discussions")
    (root / "usr/bin/discussions").chmod(0o755)
    shutil.copy(ROOT / "README.md", documents)
    (documents / "copyright").write_text(write_copyright(project))
    write_zipped(documents / "changelog.md.gz", (ROOT / "CHANGELOG.md").read_text())
    write_zipped(documents / "changelog.gz", write_changelog(project))
    write_completions(
        runner,
        {
            "bash": root / "usr/share/bash-completion/completions/discussions",
            "zsh": root / "usr/share/zsh/vendor-completions/_discussions",
            "fish": root / "usr/share/fish/vendor_completions.d/discussions.fish",
        },
    )
    manuals = root / "usr/share/man/man1"
    write_manuals(runner, manuals)
    for page in sorted(manuals.iterdir()):
        write_zipped(page.with_name(f"{page.name}.gz"), page.read_text())
        page.unlink()
    if program.static:
        overrides = root / "usr/share/lintian/overrides/discussions"
        overrides.parent.mkdir(parents=True)
        overrides.write_text(OVERRIDES)
    for path in root.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
        elif path.parent.name != "bin":
            path.chmod(0o644)


def write_control(project: Project, program: Program, depends: str, root: Path) -> None:
    """Writes what dpkg reads: the control file and the checksums."""
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    control = CONTROL.format(
        version=debian_version(project),
        architecture=program.platform.deb,
        maintainer=MAINTAINER,
        size=sum(path.stat().st_size for path in files) // 1024 + 1,
        depends=depends,
        homepage=project.homepage,
    )
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files)
    folder = root / "DEBIAN"
    folder.mkdir()
    (folder / "control").write_text(control)
    (folder / "md5sums").write_text(sums)


def find_dependencies(program: Program) -> str:
    """Returns the line `Depends` for the libraries that the program loads; none if it is static."""
    if program.static:
        return ""
    libraries = needed_libraries(program)
    unknown = sorted(libraries - LIBRARIES.keys())
    if unknown:
        raise PackagingError(f"no Debian package is known for {', '.join(unknown)}: add it in packaging/parts/deb.py")
    packages = {LIBRARIES[library] for library in libraries}
    versions = {"libc6": f"libc6 (>= {needed_glibc(program)})"}
    return f"Depends: {', '.join(versions.get(package, package) for package in sorted(packages))}\n"


def debian_version(project: Project) -> str:
    """Returns the version in Debian's order: `0.2.0~rc.1` comes before `0.2.0`."""
    return project.version.replace("-", "~")


def write_changelog(project: Project) -> str:
    """Returns the changelog in Debian's format."""
    return CHANGELOG.format(
        version=debian_version(project),
        maintainer=MAINTAINER,
        date=format_datetime(find_date(project)),
    )


def find_date(project: Project) -> datetime:
    """Returns when CHANGELOG.md says that the version was released, else now."""
    heading = re.compile(rf"^## \[{re.escape(project.version)}\] - (\d{{4}}-\d\d-\d\d)$", re.MULTILINE)
    dated = heading.search((ROOT / "CHANGELOG.md").read_text())
    return datetime.fromisoformat(dated[1]).replace(tzinfo=timezone.utc) if dated else datetime.now(timezone.utc)


def write_copyright(project: Project) -> str:
    """Returns the licences in Debian's format, with the text of LICENSE-MIT."""
    _, holder, text = (ROOT / "LICENSE-MIT").read_text().split("\n\n", 2)
    return COPYRIGHT.format(
        repository=project.repository,
        year=find_date(project).year,
        holder=holder.removeprefix("Copyright (c) "),
        mit="\n".join(f" {line}" if line else " ." for line in text.rstrip().splitlines()),
    )


def write_zipped(path: Path, text: str) -> None:
    """Writes a text compressed. The header holds no time, so that equal texts give equal files."""
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
