"""Runs the tests in a few processes: each test changes the working folder and the environment of its process."""

from __future__ import annotations

import multiprocessing
import os
import sys
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
# The tests mostly wait for git and for the program.
PROCESSES = 3


def cases(suite: unittest.TestSuite) -> list[str]:
    """Returns the names of all tests."""
    names = []
    for one in suite:
        names += cases(one) if isinstance(one, unittest.TestSuite) else [one.id()]
    return names


def run_one(name: str) -> tuple[str, int, list[str], list[str]]:
    """Runs a test. Returns its name, how many passed, and texts about failures and skipped parts."""
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromName(name).run(result)
    failures = [text for _, text in result.failures + result.errors]
    skipped = [why for _, why in result.skipped]
    return name, int(not failures and not skipped), failures, skipped


def main(patterns: list[str]) -> int:
    """Runs all tests, or those whose name contains one of the words. Returns the exit code."""
    sys.path[:0] = [str(FOLDER.parent), str(FOLDER)]
    os.chdir(FOLDER)
    names = cases(unittest.defaultTestLoader.discover(str(FOLDER)))
    names = [name for name in names if not patterns or any(word in name for word in patterns)]
    passed, failed, skipped = 0, [], []
    with multiprocessing.Pool(PROCESSES) as pool:
        for name, good, failures, reasons in pool.imap_unordered(run_one, names):
            passed += good
            failed += [name] if failures else []
            skipped += [f"{name}: {why}" for why in reasons]
            for text in failures:
                print(f"FAILED {name}\n{text}", flush=True)
    for why in sorted(skipped):
        print(f"skipped: {why}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
