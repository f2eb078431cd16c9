"""What `packaging/build` says if it cannot build."""

import sys
from pathlib import Path

from .checks import BUILD, Context, check, link_programs, test


@test("build: says which tool is missing and how to install it")
def names_the_missing_tool(context: Context) -> None:
    only = [link_programs(context.new_folder("python"), {"python3": sys.executable})]
    expect(context, ["npm", "--binary", context.program], "npm is missing: install Node 18 or newer", only)
    expect(context, ["deb", "--binary", context.program], "readelf is missing: run `apt-get install binutils`", only)
    expect(context, ["crate"], "cargo is missing: install Rust from https://rustup.rs", only)


@test("build: refuses what is no finished program")
def refuses_other_files(context: Context) -> None:
    expect(context, ["npm", "--binary", "/no/program"], "there is no program /no/program; build it first")
    text = context.new_folder("text") / "text"
    text.write_text("#!/bin/sh\n")
    expect(context, ["npm", "--binary", text], f"{text} is no program of a platform in packaging/platforms.json")
    expect(
        context,
        ["static", "--binary", context.program],
        f"{context.program} is not static; build it with `packaging/link static`",
    )


@test("build: packs programs of other platforms, named by their headers")
def packs_other_platforms(context: Context) -> None:
    heads = {
        "darwin-arm64": (b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01", "macosx_11_0_arm64"),
        "darwin-x64": (b"\xcf\xfa\xed\xfe\x07\x00\x00\x01", "macosx_10_12_x86_64"),
        "win32-x64": (b"MZ" + bytes(58) + b"\x40\0\0\0PE\0\0\x64\x86", "win_amd64"),
    }
    for platform, (head, tag) in heads.items():
        program = context.new_folder("program") / "program"
        program.write_bytes(head + bytes(400))
        package = context.build("npm", program)[0].name
        check(package.startswith(f"discussions-md-{platform}-"), f"built {package} for {platform}")
        wheel = context.build("wheel", program)[0].name
        check(wheel.endswith(f"-py3-none-{tag}.whl"), f"built {wheel} for {platform}")


def expect(context: Context, arguments: list, message: str, path: list[Path] | None = None) -> None:
    """Fails unless `packaging/build` ends with a message."""
    done = context.run([sys.executable, BUILD, *arguments, "--out", context.new_folder("out")], path=path)
    check(done.ended(1).err == f"packaging/build: {message}\n", done.err)
