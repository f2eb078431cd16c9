"""The archive with a static program, for Linux systems without any of the package managers."""

import os
import tarfile

from parts.program import read_program

from .checks import Context, Skip, check, find, test
from .from_cargo import build_program
from .readme import first_command


@test("static: holds a mock discussion in an empty root folder")
def runs_in_an_empty_root(context: Context) -> None:
    (archive,) = context.build("static", build_program(context, "static"))
    unpacked = context.new_folder("unpacked")
    with tarfile.open(archive) as file:
        file.extractall(unpacked, filter="data")
    (folder,) = unpacked.iterdir()
    names = {path.name for path in folder.iterdir()}
    check(names == {"discussions", "README.md", "LICENSE-MIT", "LICENSE-APACHE"}, f"the archive holds {names}")
    root = context.new_folder("root")
    # Not into the root folder itself, where the program makes its folder `discussions`.
    (root / "bin").mkdir()
    (folder / "discussions").rename(root / "bin/discussions")
    enter = ["chroot", root]
    if os.geteuid() != 0:
        enter = [find("unshare", "root or unshare"), "--user", "--map-root-user", *enter]
        if context.run([*enter[:3], "true"]).status != 0:
            raise Skip("needs root, or user namespaces")
    words = first_command()
    context.run([*enter, "/bin/discussions", *words[1:]], HOME="/").succeeded()


@test("static: takes only a static program")
def refuses_others(context: Context) -> None:
    check(not read_program(context.program).static, f"{context.program} is static")
