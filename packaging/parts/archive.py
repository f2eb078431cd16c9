"""The archive with a static Linux program, for systems without any of the package managers."""

import tarfile
from pathlib import Path

from .program import Program
from .project import ROOT, PackagingError, Project


def build_archive(project: Project, program: Program, out: Path) -> Path:
    """Packs a static program with the README and the licences."""
    if not program.static:
        raise PackagingError(f"{program.path} is not static; build it with `packaging/link static`")
    name = f"{project.name}-{program.platform.musl.split('-')[0]}-linux-static"
    file = out / f"{name}.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        archive.add(program.path, f"{name}/discussions", filter=own_by_root)
        for path in (ROOT / "README.md", *sorted(ROOT.glob("LICENSE-*"))):
            archive.add(path, f"{name}/{path.name}", filter=own_by_root)
    return file


def own_by_root(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Removes the names of this machine's users from an entry."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry
