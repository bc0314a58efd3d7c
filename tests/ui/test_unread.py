"""A reader that goes away is no fault, whatever is written and whenever; what was begun is done to its end."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2pcards.cli import run
from p2pcards.ui.letters import mend
from p2pcards.ui.streams import Out
from p2pcards.ui.unread import forgiving, is_unread
from tests.testing.samples import FOLDER

SAMPLE = str(FOLDER / "tongits.p2pcards.toml")


def piped() -> tuple[int, io.TextIOWrapper]:
    """The end of a pipe that is read, and a stream that writes to the other."""
    reading, writing = os.pipe()
    return reading, open(writing, "w", encoding="utf-8")  # noqa: PTH123 - a stream of its own


def test_as_long_as_there_is_a_reader_all_comes() -> None:
    reading, stream = piped()
    ours = forgiving(stream)
    mend(ours, "ascii")
    print("A♠", file=ours, flush=True)
    assert os.read(reading, 100) == b"AS\n"
    assert not is_unread(ours)
    os.close(reading)
    print("to nobody", file=ours, flush=True)
    print("at all", file=ours, flush=True)
    assert is_unread(ours)
    stream.close()


def test_lines_end_for_who_writes_them_one_by_one() -> None:
    reading, stream = piped()
    broken: list[str] = []
    out = Out(forgiving(stream), lambda: broken.append("broken"))
    out.line("one")
    assert (os.read(reading, 100), out.gone) == (b"one\n", False)
    os.close(reading)
    for line in ("two", "three"):
        out.line(line)
    assert (broken, out.gone) == (["broken"], True)
    stream.close()


@pytest.mark.parametrize("stream", [io.StringIO(), io.TextIOWrapper(io.BytesIO()), None])
def test_what_others_have_put_in_place_stays(stream: object) -> None:
    assert forgiving(stream) is stream
    assert not is_unread(stream)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("--version", 0),
        ("history --help", 0),
        ("history", 0),
        ("history --json", 0),
        ("history show 1", 0),
        ("stats --json", 0),
        ("rules tongits", 0),
        ("where", 0),
        (f"replay {SAMPLE}", 0),
        (f"verify --json {SAMPLE}", 1),
        ("replay --json nothing.toml", 2),
        ("practise tongits --demo --json --rounds 1", 0),
    ],
)
def test_a_command_whose_reader_is_gone_ends_as_what_it_did_ends(home: Path, words: str, code: int) -> None:
    if "history" in words:
        assert run(["history", "import", SAMPLE]) == 0
    reading, writing = os.pipe()
    os.close(reading)
    try:
        started = [sys.executable, "-m", "p2pcards", *words.split()]
        done = subprocess.run(started, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    finally:
        os.close(writing)
    assert (done.returncode, len(done.stderr.splitlines())) == (code, int(code > 0))


def test_a_reader_that_has_seen_enough_and_errors_that_nobody_reads_are_no_fault(home: Path) -> None:
    assert run(["history", "import", SAMPLE]) == 0
    started = [sys.executable, "-m", "p2pcards", "history", "show", "1"]
    with subprocess.Popen(started, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        assert program.stdout.read(8) == b"Match 1:"
        program.stdout.close()
        assert program.stderr.read() == b""
    assert program.returncode == 0
    reading, writing = os.pipe()
    os.close(reading)
    missing = [sys.executable, "-m", "p2pcards", "replay", "nothing.toml"]
    assert subprocess.run(missing, stdout=writing, stderr=writing, timeout=60, check=False).returncode == 2
    os.close(writing)
