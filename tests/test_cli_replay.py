"""`replay` on the command line: files that it writes, who sees what, matches of the history, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2pcards.cli import run
from tests.testing.replays import WRONG
from tests.testing.samples import record_file, story_file

Capture = pytest.CaptureFixture[str]

SAMPLE = str(record_file("tongits"))


def refused(capsys: Capture, *arguments: str, code: int) -> str:
    """The one sentence on standard error with which it ends."""
    assert run(["replay", *arguments]) == code
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err.strip()


def record(tmp_path: Path, text: str) -> str:
    file = tmp_path / "game.p2pcards.toml"
    file.write_text(text)
    return str(file)


def test_both_files_are_written_and_each_is_said(tmp_path: Path, capsys: Capture) -> None:
    cast, html = tmp_path / "out.cast", tmp_path / "out.html"
    written = ["--cast", str(cast), "--html", str(html), "--size", "100x30", "--speed", "2", "--eyes", "bot-2"]
    assert run(["replay", SAMPLE, *written]) == 0
    told = capsys.readouterr()
    assert told.out == f"{cast} is written: asciinema plays it.\n{html} is written: any browser plays it.\n"
    assert told.err == ""
    head = json.loads(cast.read_text(encoding="utf-8").splitlines()[0])
    assert (head["width"], head["height"]) == (100, 30)
    assert "as bot-2" in cast.read_text(encoding="utf-8")
    assert '"eyes":1,"speed":2.0' in html.read_text(encoding="utf-8")


def test_what_is_there_is_not_written_over_and_then_nothing_is(tmp_path: Path, capsys: Capture) -> None:
    cast, html = tmp_path / "out.cast", tmp_path / "out.html"
    html.write_text("mine")
    told = refused(capsys, SAMPLE, "--cast", str(cast), "--html", str(html), code=1)
    assert told == f"{html} is there already; --force writes over it."
    assert html.read_text() == "mine"
    assert not cast.exists()
    assert run(["replay", SAMPLE, "--html", str(html), "--force"]) == 0
    assert html.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_where_nothing_can_be_written_it_is_one_sentence(tmp_path: Path, capsys: Capture) -> None:
    cast, html = tmp_path / "out.cast", tmp_path / "none" / "out.html"
    told = refused(capsys, SAMPLE, "--cast", str(cast), "--html", str(html), code=2)
    assert told == f"{html} can't be written: there is no folder {html.parent}."
    assert not cast.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--eyes", "dan", "--html", "x.html"), "Nobody at this table is called 'dan'"),
        (("--size", "80", "--cast", "x.cast"), "'80' is no size from 40x10 to 400x200, such as 80x24."),
        (("--size", "1x1", "--cast", "x.cast"), "'1x1' is no size"),
        (("--speed", "0", "--cast", "x.cast"), "'0' is not a number of moves a second, 0.01 to 100."),
        (("--check", "--cast", "x.cast"), "--cast and --html are of one record"),
        (("--json", "--html", "x.html"), "--cast and --html are of one record"),
        ((SAMPLE, "--html", "x.html"), "--cast and --html are of one record"),
        (("--cast", "x", "--html", "./x", "--force"), "--cast and --html are two files."),
        (("--history", "1"), "Say which record: FILE, or --history N."),
    ],
)
def test_what_makes_no_sense_is_refused_and_writes_nothing(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in refused(capsys, SAMPLE, *arguments, code=2)
    assert list(tmp_path.iterdir()) == []


def test_no_record_at_all_is_refused(capsys: Capture) -> None:
    assert "Say which record" in refused(capsys, code=2)


def test_a_record_that_goes_wrong_is_written_so_far_and_says_so(tmp_path: Path, capsys: Capture) -> None:
    html = tmp_path / "out.html"
    assert run(["replay", record(tmp_path, WRONG), "--html", str(html)]) == 1
    assert capsys.readouterr().err.startswith("round 1, line 3, ben: draw: ")
    assert html.exists()


@pytest.mark.parametrize("text", ["", "format = 1", "\x00"])
def test_what_is_no_record_is_said_and_nothing_is_written(text: str, tmp_path: Path, capsys: Capture) -> None:
    html = tmp_path / "out.html"
    refused(capsys, record(tmp_path, text), "--html", str(html), code=2)
    assert not html.exists()


def test_without_a_terminal_every_move_is_printed(capsys: Capture) -> None:
    for more in ((), ("--plain",)):
        assert run(["replay", SAMPLE, *more]) == 0
        assert capsys.readouterr().out == story_file("tongits").read_text(encoding="utf-8")


def test_a_match_of_the_history_is_replayed_by_its_number(tmp_path: Path, capsys: Capture) -> None:
    assert "1" in refused(capsys, "--history", "1", code=1)
    assert run(["history", "import", SAMPLE]) == 0
    capsys.readouterr()
    assert run(["replay", "--history", "1"]) == 0
    assert capsys.readouterr().out == story_file("tongits").read_text(encoding="utf-8")
    assert run(["replay", "--history", "1", "--check"]) == 0
    assert run(["replay", "--history", "1", "--html", str(tmp_path / "out.html")]) == 0
