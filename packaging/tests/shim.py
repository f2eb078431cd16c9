"""npm's package against the bare program: arguments, streams, signals and exit status have to be equal.

Node 22.15 and newer replaces its process by the program; older versions start a child. Both ways are tested if the Node of
this machine, or the one in packaging/package.json, is new enough.
"""

import json
import os
import pty
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from parts.project import ROOT, read_platforms, read_project

from .checks import Context, Skip, check, find, test
from .node import newest_node

FAKE = Path(__file__).with_name("fake_program.py")

# Older versions of Node lack the call that replaces a process; this takes it away from a newer one.
OLD_NODE = "delete process.execve;\n"

# What a shell does with the streams of the program.
SCRIPTS = [
    '"$@" --version <&-',
    '"$@" --version >&-',
    '"$@" mcp </dev/null',
    'set -o pipefail; "$@" schema | head -n1',
    '"$@" nonsense',
]


def commands(context: Context, program: Path = FAKE) -> dict[str, list[str]]:
    """Returns the ways to run a program: as it is, and through npm's package by the two means of Node."""
    script = install(context, program)
    old = script.with_name("old.js")
    old.write_text(OLD_NODE)
    node = newest_node()
    ways = {"bare": [str(program)], "child": [node, "--require", str(old), str(script)]}
    if can_replace(node):
        ways["replaced"] = [node, str(script)]
    return ways


def can_replace(node: str) -> bool:
    """Returns whether this Node can replace its process."""
    return subprocess.run([node, "-p", "typeof process.execve"], capture_output=True, text=True).stdout.strip() == "function"


def install(context: Context, program: Path) -> Path:
    """Lays out the packages as npm installs them, with a program. Returns the script."""
    modules = context.new_folder("modules") / "node_modules"
    script = modules / "discussions" / "bin" / "discussions.js"
    script.parent.mkdir(parents=True)
    shutil.copy(ROOT / "npm" / "discussions.js", script)
    shutil.copytree(ROOT / "npm" / "lib", modules / "discussions" / "lib")
    version = read_project().version
    names = {f"@discussions-md/{name}": version for name in read_platforms()}
    (modules / "discussions" / "package.json").write_text(json.dumps({"optionalDependencies": names}))
    platform = modules / this_platform()
    platform.mkdir(parents=True)
    (platform / "package.json").write_text("{}")
    shutil.copy(program, platform / "discussions")
    return script


def this_platform() -> str:
    """Returns the name of this machine's package."""
    node = [newest_node(), "-p", "`@discussions-md/${process.platform}-${process.arch}`"]
    return subprocess.run(node, check=True, capture_output=True, text=True).stdout.strip()


def compare(context: Context, observe: Callable[[list[str]], object], program: Path = FAKE) -> None:
    """Fails unless what is observed is equal in all ways to run the program."""
    ways = commands(context, program)
    seen = {way: observe(command) for way, command in ways.items()}
    for way, result in seen.items():
        check(result == seen["bare"], f"{way}: {result!r}, but the bare program: {seen['bare']!r}")


def shell_status(status: int) -> int:
    """Returns the status that a shell reports for a program that a signal ended."""
    return 128 - status if status < 0 else status


def without_core_dumps() -> None:
    """Keeps a program that is aborted from writing its memory into a file."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@test("npm shim: arguments, streams and exit status are those of the program")
def streams_pass(context: Context) -> None:
    words = ["echo", "", "two words", "ü\n*", "--help", "$HOME"]

    def observe(command: list[str]) -> tuple:
        done = subprocess.run([*command, *words], input=b"some text", capture_output=True)
        return done.returncode, done.stdout, done.stderr

    compare(context, observe)
    for status in (0, 1, 2, 5, 130, 255):

        def observe_status(command: list[str], status: int = status) -> int:
            return subprocess.run([*command, str(status)], stdin=subprocess.DEVNULL).returncode

        compare(context, observe_status)


@test("npm shim: signals reach the program once")
def signals_pass(context: Context) -> None:
    def observe(command: list[str]) -> tuple:
        child = subprocess.Popen([*command, "catch"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        said = [child.stdout.readline()]
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            child.send_signal(number)
            said.append(child.stdout.readline())
        child.terminate()
        return child.wait(), said, child.stdout.read()

    compare(context, observe)


@test("npm shim: a signal that ends the program ends the shim, too")
def deaths_pass(context: Context) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):

        def observe_sent(command: list[str], number: int = number) -> int:
            child = subprocess.Popen(
                [*command, "wait"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                preexec_fn=without_core_dumps,
            )
            child.stdout.readline()
            child.send_signal(number)
            return child.wait()

        compare(context, observe_sent)
    for name in ("SIGKILL", "SIGABRT", "SIGSEGV", "SIGPIPE"):

        def observe_own(command: list[str], name: str = name) -> int:
            done = subprocess.run([*command, "die", name], stdin=subprocess.DEVNULL, preexec_fn=without_core_dumps)
            return shell_status(done.returncode)

        compare(context, observe_own)


@test("npm shim: a closed pipe ends the program")
def closed_readers_pass(context: Context) -> None:
    def observe(command: list[str]) -> tuple:
        child = subprocess.Popen([*command, "flood"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        first = child.stdout.readline()
        child.stdout.close()
        return first, child.wait()

    compare(context, observe)


@test("npm shim: Ctrl-C on a terminal reaches the program once")
def interrupts_pass(context: Context) -> None:
    def observe(command: list[str]) -> str:
        pid, terminal = pty.fork()
        if pid == 0:
            os.execvp(command[0], [*command, "catch"])
        output = os.fdopen(terminal, "r+b", buffering=0)
        said = read_until(output, b"ready")
        os.write(terminal, b"\x03")
        said += read_until(output, b"got SIGINT")
        os.kill(pid, signal.SIGTERM)
        said += read_until(output, b"}")
        _, status = os.waitpid(pid, 0)
        output.close()
        return said[said.rindex(b"{") :].decode() + str(os.waitstatus_to_exitcode(status))

    compare(context, observe)


def read_until(output, end: bytes) -> bytes:
    """Reads from a terminal until a text has come."""
    said = b""
    while end not in said:
        try:
            said += os.read(output.fileno(), 1024)
        except OSError:
            break
    return said


@test("npm shim: the program itself, with closed streams and a closed pipe")
def program_behaves(context: Context) -> None:
    for script in SCRIPTS:

        def observe(command: list[str], script: str = script) -> tuple:
            done = subprocess.run(["bash", "-c", script, "bash", *command], capture_output=True, cwd=context.folder)
            return script, done.returncode, done.stdout, done.stderr

        compare(context, observe, context.program)


@test("npm shim: SIGKILL ends the program, if Node replaces its process")
def kills_pass(context: Context) -> None:
    command = commands(context).get("replaced")
    if command is None:
        raise Skip("needs Node 22.15")
    child = subprocess.Popen([*command, "wait"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    child.stdout.readline()
    child.kill()
    # The program held the other end; it is closed because no process is left.
    check(child.stdout.read() == "" and child.wait() == -signal.SIGKILL, "the program outlived the shim")


@test("npm shim: says what is missing")
def explains_failures(context: Context) -> None:
    find("node", "Node")
    script = install(context, FAKE)
    platform = script.parents[2] / this_platform()
    node = newest_node()

    (platform / "discussions").chmod(0o644)
    done = context.run([node, script]).ended(126)
    check("cannot be run: EACCES" in done.err, done.err)

    shutil.rmtree(platform)
    done = context.run([node, script]).ended(127)
    name, version = this_platform(), read_project().version
    check(done.err == f"discussions: npm did not install {name}; run `npm install {name}@{version}`\n", done.err)

    (script.parents[1] / "package.json").write_text('{"optionalDependencies": {}}')
    done = context.run([node, script]).ended(127)
    check("there is no npm package for" in done.err and "cargo install discussions" in done.err, done.err)
