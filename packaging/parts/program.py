"""The finished program that goes into a package: its platform and what it needs, read from its header.

The platform is read from the program, so no package can hold the program of another platform.
"""

import re
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .project import PackagingError, Platform, read_platforms
from .tools import find_tool

# The machine numbers of the three formats: ELF, Mach-O and PE.
ELF = {62: "linux-x64", 183: "linux-arm64"}
MACH_O = {0x01000007: "darwin-x64", 0x0100000C: "darwin-arm64"}
PE = {0x8664: "win32-x64"}

# An entry of the program header table that names the loader; a static program has none.
PT_INTERP = 3


@dataclass(frozen=True)
class Program:
    """A finished program."""

    path: Path
    platform: Platform
    # Whether it runs without any shared library.
    static: bool


def read_program(path: Path) -> Program:
    """Reads the header of a program."""
    if not path.is_file():
        raise PackagingError(f"there is no program {path}; build it first")
    with path.open("rb") as file:
        head = file.read(4096)
    name = platform_name(head)
    platform = read_platforms().get(name) if name else None
    if platform is None:
        raise PackagingError(f"{path} is no program of a platform in packaging/platforms.json")
    return Program(path, platform, head.startswith(b"\x7fELF") and not has_loader(head))


def platform_name(head: bytes) -> str | None:
    """Returns the platform that the first bytes of a program name."""
    if head.startswith(b"\x7fELF\x02\x01"):
        return ELF.get(struct.unpack_from("<H", head, 18)[0])
    if head.startswith(b"\xcf\xfa\xed\xfe"):
        return MACH_O.get(struct.unpack_from("<I", head, 4)[0])
    if head.startswith(b"MZ"):
        start = struct.unpack_from("<I", head, 60)[0]
        if head[start : start + 4] == b"PE\0\0":
            return PE.get(struct.unpack_from("<H", head, start + 4)[0])
    return None


def has_loader(head: bytes) -> bool:
    """Returns whether an ELF program names a loader of shared libraries."""
    offset = struct.unpack_from("<Q", head, 32)[0]
    size, count = struct.unpack_from("<HH", head, 54)
    kinds = (struct.unpack_from("<I", head, offset + index * size)[0] for index in range(count))
    return PT_INTERP in kinds


def needed_libraries(program: Program) -> set[str]:
    """Returns the file names of the shared libraries that a Linux program needs."""
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", read_elf(program, "--dynamic")))


def needed_glibc(program: Program) -> str:
    """Returns the oldest version of glibc that a Linux program runs with."""
    versions = re.findall(r"Name: GLIBC_(\d+(?:\.\d+)+)", read_elf(program, "--version-info"))
    return max(versions, key=lambda version: [int(part) for part in version.split(".")])


def read_elf(program: Program, what: str) -> str:
    """Returns what `readelf` prints."""
    command = [find_tool("readelf"), "--wide", what, program.path]
    return subprocess.run(command, check=True, capture_output=True, text=True, env={"LC_ALL": "C"}).stdout
