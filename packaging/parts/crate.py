"""The crate, and the sources that other packages are made from."""

import shutil
import tarfile
from pathlib import Path

from .project import ROOT, Project
from .tools import find_tool, run_tool


def build_crate(project: Project, out: Path) -> Path:
    """Packs the crate. Uncommitted changes are packed, too, so that a change can be tested before its commit."""
    target = ROOT / "target" / "packaging" / "crate"
    command = [find_tool("cargo"), "package", "--no-verify", "--locked", "--allow-dirty", "--target-dir", target]
    run_tool(command)
    name = f"{project.name}-{project.version}.crate"
    return Path(shutil.copy(target / "package" / name, out / name))


def unpack_crate(project: Project, folder: Path) -> Path:
    """Packs the crate and unpacks it in a folder. Returns the folder with its Cargo.toml."""
    with tarfile.open(build_crate(project, folder)) as crate:
        crate.extractall(folder, filter="data")
    return folder / f"{project.name}-{project.version}"
