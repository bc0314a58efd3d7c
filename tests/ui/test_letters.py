"""Streams that can't show every character: what is written stays readable, and nothing ends for it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.program import _for_lines
from p2pcards.store.settings import Settings
from p2pcards.ui.letters import mend


def written(text: str, encoding: str, into: str | None = None) -> bytes:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    mend(stream, into)
    stream.write(text)
    stream.flush()
    return raw.getvalue()


@pytest.mark.parametrize(
    ("encoding", "into", "bytes_"),
    [
        ("utf-8", None, "A♠ für … Łucja".encode()),
        ("latin-1", None, "AS für . ?ucja".encode("latin-1")),
        ("ascii", None, b"AS fur . ?ucja"),
        ("utf-8", "ascii", b"AS fur . ?ucja"),
        ("latin-1", "utf-8", "A♠ für … Łucja".encode()),
    ],
)
def test_what_can_not_be_shown_is_spelled(encoding: str, into: str | None, bytes_: bytes) -> None:
    assert written("A♠ für … Łucja", encoding, into) == bytes_


@given(st.text(), st.sampled_from(["ascii", "latin-1", "cp437", "utf-8"]))
def test_any_text_can_be_written(text: str, encoding: str) -> None:
    written(text, encoding)


def test_a_stream_of_another_kind_stays_as_it_is() -> None:
    mend(io.StringIO(), "ascii")


def demo(home: Path, *options: str, encoding: str = "utf-8") -> bytes:
    folders = {f"XDG_{name}_HOME": str(home) for name in ("CONFIG", "DATA", "STATE")}
    arguments = ["practise", "onecard", "--demo", "--seed", "1", "--rounds", "1", *options]
    environ = {**os.environ, **folders, "PYTHONIOENCODING": encoding}
    return subprocess.run(
        [sys.executable, "-m", "p2pcards", *arguments], capture_output=True, check=True, env=environ
    ).stdout


def test_a_whole_match_is_told_in_letters(tmp_path: Path) -> None:
    signs = demo(tmp_path).decode()
    assert "♠" in signs
    spelled = demo(tmp_path, "--ascii").decode("ascii")
    assert "?" not in spelled
    assert spelled == demo(tmp_path, encoding="latin-1").decode("ascii")
    assert [line.translate(str.maketrans("♠♥♦♣", "SHDC")) for line in signs.splitlines()] == spelled.splitlines()


def test_json_is_utf_8_whatever_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    _for_lines(Settings(json=True, ascii=True))
    sys.stdout.write("A♠")
    sys.stdout.flush()
    assert raw.getvalue() == "A♠".encode()
