"""The Debian package: lintian's judgement, and the README's line in a root folder with nothing but dpkg's own files."""

import os
import re
from pathlib import Path

from .checks import Context, Skip, check, find, test
from .from_cargo import build_program
from .readme import first_command, install_line


@test("deb: lintian finds nothing")
def lintian_finds_nothing(context: Context) -> None:
    lintian = find("lintian", "lintian")
    for file in (build_deb(context), build_deb(context, context.program)):
        done = context.run([lintian, "--allow-root", "--fail-on", "error,warning", file])
        check(done.status == 0 and not done.out, f"{done.out}{done.err}")


@test("deb: dpkg in a root with only dpkg")
def dpkg_installs(context: Context) -> None:
    find("dpkg", "dpkg")
    if os.geteuid() != 0:
        raise Skip("needs root, as dpkg does")
    root = context.new_folder("root")
    for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates"):
        (root / folder).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    file = build_deb(context)
    # The line names the file of a release.
    line = [re.sub(r"^(\./)?discussions\S*\.deb$", str(file), word) for word in install_line("dpkg -i")]
    check(str(file) in line, f"README.md installs no package of Debian: {' '.join(line)}")
    context.run([line[0], f"--root={root}", *line[1:]]).succeeded()
    only = [root / "usr/bin"]
    context.run(first_command(), path=only).succeeded()
    for path in (
        "usr/share/man/man1/discussions.1.gz",
        "usr/share/man/man1/discussions-ask.1.gz",
        "usr/share/bash-completion/completions/discussions",
        "usr/share/zsh/vendor-completions/_discussions",
        "usr/share/fish/vendor_completions.d/discussions.fish",
        "usr/share/doc/discussions/copyright",
        "usr/share/doc/discussions/changelog.gz",
    ):
        check((root / path).is_file(), f"dpkg installed no {path}")
    context.run(["dpkg", f"--root={root}", "--purge", "discussions"]).succeeded()
    left = [str(path) for path in (root / "usr").rglob("*")] if (root / "usr").exists() else []
    check(not left, f"dpkg left {left}")


@test("deb: depends on the libraries that the program loads")
def dependencies_are_right(context: Context) -> None:
    fields = context.run(["dpkg-deb", "--field", build_deb(context), "Depends"]).succeeded().out
    check(fields.strip() == "", f"the package of a static program depends on {fields}")
    fields = context.run(["dpkg-deb", "--field", build_deb(context, context.program), "Depends"]).succeeded().out
    check(re.fullmatch(r"libc6 \(>= 2\.\d+\), libgcc-s1\n", fields) is not None, f"the package depends on {fields}")


@test("deb: completes in zsh and bash from the installed scripts")
def completions_work(context: Context) -> None:
    unpacked = context.new_folder("deb")
    context.run(["dpkg-deb", "--extract", build_deb(context), unpacked]).succeeded()
    path = [unpacked / "usr/bin", *map(Path, ("/usr/bin", "/bin"))]
    bash = f"""source {unpacked}/usr/share/bash-completion/completions/discussions
        COMP_WORDS=(discussions provid); COMP_CWORD=1; COMP_TYPE=9
        complete=$(complete -p discussions | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        "$complete" discussions provid discussions; echo "${{COMPREPLY[@]}}" """
    done = context.run([find("bash", "bash"), "-c", bash], path=path).succeeded()
    check("providers" in done.out, f"bash completes `provid` to {done.out!r}")
    # With -D, zsh writes no dump. With `-d /dev/null` it moves its dump there: for root, that replaces the device.
    zsh = f"""fpath=({unpacked}/usr/share/zsh/vendor-completions $fpath)
        autoload -Uz compinit && compinit -u -D && echo $_comps[discussions]"""
    done = context.run([find("zsh", "zsh"), "-f", "-c", zsh], path=path).succeeded()
    check(done.out == "_discussions\n", f"zsh knows no completion: {done.out!r} {done.err!r}")


def build_deb(context: Context, program: Path | None = None) -> Path:
    """Builds the package, by default with a static program, which fits all versions of Debian and Ubuntu."""
    find("dpkg-deb", "dpkg")
    # Compressing for small size takes longer than all the rest.
    return context.build("deb", program or build_program(context, "static"), DPKG_DEB_COMPRESSOR_LEVEL=0)[0]
