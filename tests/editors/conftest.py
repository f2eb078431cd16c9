"""A folder with one discussion for the recorded clients."""

import pathlib
import subprocess

import pytest

TEXT = """# Tea

---

Name: Mira

Q: Which tea?

DECISION: Tea it is.

VOTE: NEVER

---

Name: Rob

\N{MATHEMATICAL DOUBLE-STRUCK SMALL X}\N{LATIN SMALL LETTER E WITH ACUTE} @nobody

A: 
"""


@pytest.fixture
def discussion(tmp_path: pathlib.Path) -> pathlib.Path:
    """Creates a project with a discussion and returns its path."""
    (tmp_path / "discussions.yaml").write_text("author: Rob\n")
    (tmp_path / "discussions").mkdir()
    path = tmp_path / "discussions" / "tea.md"
    path.write_text(TEXT, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return path
