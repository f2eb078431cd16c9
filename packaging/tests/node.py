"""The Node that tests run."""

from functools import cache

from parts.project import ROOT

from .checks import find


@cache
def newest_node() -> str:
    """Returns the Node of packaging/package.json if it is installed, else that of this machine."""
    modules = ROOT / "target" / "packaging" / "node_modules"
    pinned = next(iter(sorted(modules.glob("node-*/bin/node"))), None)
    return str(pinned) if pinned else find("node", "Node and npm")
