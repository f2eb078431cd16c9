"""The list of components, a CycloneDX document, as a file of its own."""

import re
import tempfile
import zipfile
from pathlib import Path

from .program import Program
from .project import PackagingError, Project
from .wheel import build_wheels

# The folder in which maturin found the sources: it says nothing to readers and changes with each build.
FOLDER = re.compile(r"path\+file://[^\"#]*#")


def write_components(project: Project, program: Program, out: Path) -> Path:
    """Takes the list that maturin writes out of a wheel."""
    with tempfile.TemporaryDirectory() as temporary:
        wheel = build_wheels(project, program, Path(temporary))[0]
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.endswith(".cyclonedx.json")]
            if len(names) != 1:
                raise PackagingError(f"maturin wrote {len(names)} lists of components, not one")
            document = archive.read(names[0]).decode()
    file = out / f"{project.name}.cyclonedx.json"
    file.write_text(FOLDER.sub("path+file:///#", document))
    return file
