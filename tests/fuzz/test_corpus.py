"""The corpora of the fuzzers, replayed (protocol 10): the honest part is taken, the rest is refused politely or taken.

`python -m tests.fuzz TARGET` looks for more.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from p2pcards.wire.entries import EntryKind, decode_wire
from p2pcards.wire.messages import Kind
from tests.fuzz.__main__ import CORPUS, LONGEST
from tests.fuzz.honest import HONEST
from tests.fuzz.targets import TARGETS
from tests.testing.house import ROOT
from tests.testing.require import require
from tests.testing.tally import Tally

FILES = sorted(file for file in CORPUS.rglob("*") if file.is_file())
EVERY_TARGET = pytest.mark.parametrize("name", TARGETS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_every_file_of_the_corpora_is_taken_or_refused(file: Path, tally: Tally) -> None:
    tally(f"12 fuzz corpus, {file.parent.name}")
    taken = TARGETS[file.parent.name].takes(file.read_bytes())
    assert taken or not file.name.startswith("honest-") or "sealed" in file.name


@EVERY_TARGET
def test_a_corpus_holds_honest_values_as_they_are_now(name: str) -> None:
    """Where this fails, `python -m tests.fuzz --renew` is due."""
    kept = {file.name: file.read_bytes() for file in (CORPUS / name).glob("honest-*")}
    assert kept == {f"honest-{title}": data for title, data in HONEST[name]().items()}


@EVERY_TARGET
def test_a_corpus_holds_what_is_refused_and_is_small(name: str) -> None:
    files = [file for file in FILES if file.parent.name == name]
    assert any(not TARGETS[name].takes(file.read_bytes()) for file in files)
    assert max(file.stat().st_size for file in files) <= LONGEST[name]
    assert len(files) <= 60


def test_there_is_a_message_and_an_entry_of_every_kind() -> None:
    assert {data[0] for data in HONEST["message"]().values()} == set(Kind)
    assert {decode_wire(data)[0].kind for data in HONEST["entry"]().values()} == set(EntryKind)


def test_every_target_has_its_corpus() -> None:
    assert {file.parent.name for file in FILES} == set(TARGETS) == set(HONEST) == set(LONGEST)


def test_the_command_looks_for_more() -> None:
    if sys.platform != "linux" or sys.version_info >= (3, 13):
        pytest.skip("Atheris is for Linux and a Python before 3.13")
    require(find_spec("atheris"), "Atheris is not installed")
    command = [sys.executable, "-m", "tests.fuzz", "advert", "--seconds", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert (done.returncode, "Done" in done.stderr) == (0, True), done.stderr
