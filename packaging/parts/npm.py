"""The npm packages: one for each platform with its program, and the one that picks among them."""

import json
import shutil
import tempfile
from pathlib import Path

from .program import Program
from .project import ROOT, Platform, Project, read_platforms
from .tools import find_tool, run_tool

SCOPE = "@discussions-md"
NPM = ROOT / "npm"


def build_npm(project: Project, program: Program, out: Path) -> list[Path]:
    """Packs the program of one platform, and the package that picks among the platforms."""
    with tempfile.TemporaryDirectory() as temporary:
        folders = [
            stage_platform(project, program, Path(temporary) / "platform"),
            stage_picker(project, Path(temporary) / "picker"),
        ]
        return [pack(folder, out) for folder in folders]


def package_name(platform: Platform) -> str:
    """Returns the name of a platform's package."""
    return f"{SCOPE}/{platform.name}"


def stage_platform(project: Project, program: Program, folder: Path) -> Path:
    """Lays out the package of one platform."""
    platform = program.platform
    manifest = read_manifest(project, package_name(platform))
    # Only the package `discussions` has a command and a library, and is a server for agents.
    for field in ("bin", "exports", "mcpName", "keywords"):
        del manifest[field]
    manifest |= {
        "description": f"The program of the package discussions for {platform.name}",
        "os": [platform.system],
        "cpu": [platform.processor],
        "files": [platform.program, "LICENSE-*"],
        # Yarn keeps packages zipped, but a program has to be a file.
        "preferUnplugged": True,
    }
    if platform.system == "linux" and not program.static:
        manifest["libc"] = ["glibc"]
    folder.mkdir()
    shutil.copy(program.path, folder / platform.program)
    (folder / platform.program).chmod(0o755)
    text = f"The program of the npm package `discussions` for {platform.name}. Install `discussions` instead.\n"
    (folder / "README.md").write_text(text)
    write_manifest(manifest, folder)
    return folder


def stage_picker(project: Project, folder: Path) -> Path:
    """Lays out the package `discussions`. It names the packages of all platforms; npm installs the one that fits."""
    manifest = read_manifest(project, project.name)
    manifest["description"] = project.description
    manifest["optionalDependencies"] = {package_name(platform): project.version for platform in read_platforms().values()}
    script = folder / "bin" / "discussions.js"
    script.parent.mkdir(parents=True)
    shutil.copy(NPM / "discussions.js", script)
    script.chmod(0o755)
    shutil.copytree(NPM / "lib", folder / "lib")
    shutil.copy(ROOT / "README.md", folder)
    write_manifest(manifest, folder)
    return folder


def read_manifest(project: Project, name: str) -> dict:
    """Reads npm/package.json, the part that all packages share, and adds the name and version."""
    shared = json.loads((NPM / "package.json").read_text())
    return shared | {"name": name, "version": project.version}


def write_manifest(manifest: dict, folder: Path) -> None:
    """Writes a manifest, and the licences beside it."""
    (folder / "package.json").write_text(json.dumps(manifest, indent=2) + "\n")
    for licence in ROOT.glob("LICENSE-*"):
        shutil.copy(licence, folder)


def pack(folder: Path, out: Path) -> Path:
    """Packs a folder. Returns the archive."""
    manifest = json.loads((folder / "package.json").read_text())
    run_tool([find_tool("npm"), "pack", "--ignore-scripts", "--pack-destination", out], cwd=folder)
    return out / f"{manifest['name'].lstrip('@').replace('/', '-')}-{manifest['version']}.tgz"
