"""The run says how many cases of each suite it tried."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.testing.house import ROOT
from tests.testing.tally import sums

SUITES = """
import pytest

def test_one(tally): tally("12 corpus files", 7)
def test_two(tally): tally("3 flips", 1000); tally("3 flips")
@pytest.mark.parametrize("n", range(3))
def test_three(tally, n): tally("3 flips", n)
def test_failed(tally): tally("3 flips", 50_000); raise SystemError
"""


def printed(folder: Path, source: str, *options: str) -> str:
    """What a run of these tests prints."""
    (folder / "test_it.py").write_text(source, "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", *options, "test_it.py"]
    run = subprocess.run(
        command, cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    return run.stdout


def test_cases_add_up_over_processes_and_those_of_failed_tests_are_left_out(
    tmp_path: Path,
) -> None:
    lines = printed(tmp_path, SUITES, "-n", "1").splitlines()
    at = next(place for place, line in enumerate(lines) if "suites of the protocol" in line)
    assert lines[at + 1 : at + 3] == ["    1,004  3 flips", "        7  12 corpus files"]


def test_a_run_without_cases_says_nothing_of_them() -> None:
    assert sums([]) == []
