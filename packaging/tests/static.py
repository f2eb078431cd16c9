"""The archive with a static program, for Linux systems without any of the package managers."""

import os
import tarfile

from parts.program import read_program

from .checks import Bench, Skip, check, find, test
from .from_cargo import build_program
from .readme import first_command


@test("static: holds a mock discussion in an empty root folder")
def runs_in_an_empty_root(bench: Bench) -> None:
    (archive,) = bench.build("static", build_program(bench, "static"))
    unpacked = bench.new_folder("unpacked")
    with tarfile.open(archive) as file:
        file.extractall(unpacked, filter="data")
    (folder,) = unpacked.iterdir()
    names = {path.name for path in folder.iterdir()}
    check(names == {"discussions", "README.md", "LICENSE-MIT", "LICENSE-APACHE"}, f"the archive holds {names}")
    root = bench.new_folder("root")
    (folder / "discussions").rename(root / "discussions")
    enter = ["chroot", root]
    if os.geteuid() != 0:
        enter = [find("unshare", "root or unshare"), "--user", "--map-root-user", *enter]
        if bench.run([*enter[:3], "true"]).status != 0:
            raise Skip("needs root, or user namespaces")
    words = first_command()
    bench.run([*enter, "/discussions", *words[1:]], HOME="/").succeeded()


@test("static: takes only a static program")
def refuses_others(bench: Bench) -> None:
    check(not read_program(bench.program).static, f"{bench.program} is static")
