"""The npm packages: the README's lines for Node in a prefix with nothing else, and what npm does on other platforms."""

from pathlib import Path

from parts.project import read_platforms, read_project

from .checks import Context, check, find, link_programs, test
from .from_cargo import build_program
from .npm_registry import Registry, read_manifest
from .readme import first_command, install_line


@test("npm: packages name the same version and run no script")
def packages_agree(context: Context) -> None:
    platform, picker = (read_manifest(archive) for archive in build_npm(context))
    version = read_project().version
    check(platform["version"] == picker["version"] == version, "the packages have different versions")
    wanted = {f"@discussions-md/{name}": version for name in read_platforms()}
    check(picker["optionalDependencies"] == wanted, f"the package names {picker['optionalDependencies']}")
    check("scripts" not in platform and "scripts" not in picker, "a package runs a script when it is installed")
    check("bin" not in platform, "the package of a platform has a command, too")
    check("libc" not in platform, "the package of a static program asks for a C library")
    check(picker["mcpName"] == server_name(), "npm/package.json and Cargo.toml name the server differently")


def server_name() -> str:
    """Returns the name under which registries list the server for agents, from the repository's address."""
    owner, name = read_project().repository.removeprefix("https://github.com/").split("/")
    return f"io.github.{owner}/{name}"


@test("npm: npx with only Node")
def npx_runs(context: Context) -> None:
    registry = Registry(build_npm(context))
    try:
        line = install_line("npx discussions")
        done = context.run([*line[:2], "--version"], path=[only_node(context)], npm_config_registry=registry.address)
        check(done.succeeded().out.split()[-1] == read_project().version, f"npx ran {done.out}")
        context.run(["npx", *first_command()], path=[only_node(context)], npm_config_registry=registry.address).succeeded()
    finally:
        registry.close()
    absent = [name for name in registry.fetched if name.startswith("absent")]
    check(not absent, f"npm fetched programs of other platforms: {absent}")


@test("npm: a global installation with only Node")
def npm_installs(context: Context) -> None:
    registry = Registry(build_npm(context))
    prefix = context.new_folder("prefix")
    only = [only_node(context)]
    try:
        npm = {"npm_config_registry": registry.address, "npm_config_prefix": prefix, "npm_config_ignore_scripts": "true"}
        context.run(install_line("npm install"), path=only, **npm).succeeded()
    finally:
        registry.close()
    context.run(first_command(), path=[prefix / "bin", *only]).succeeded()
    missing = context.run(["discussions", "--no-such-flag"], path=[prefix / "bin", *only])
    missing.ended(2)


def build_npm(context: Context) -> list[Path]:
    """Builds the packages with a static program, which runs on all Linux systems that Node runs on."""
    find("npm", "Node and npm")
    return context.build("npm", build_program(context, "static"))


def only_node(context: Context) -> Path:
    """Makes a folder for PATH with Node, npm and the shell that npm starts commands with."""
    folder = context.new_folder("node")
    return link_programs(folder, {name: find(name, "Node and npm") for name in ("node", "npm", "npx", "sh")})
