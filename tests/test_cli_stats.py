"""`p2pcards stats`: tables, one person, a drawing, JSON, and that every error is one sentence."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards import cli_stats
from p2pcards.cli import run
from p2pcards.store.folders import Folders, folders
from p2pcards.store.history import History
from p2pcards.store.identity_file import key_file, seed
from p2pcards.store.statistics import HistoryStatistics
from p2pcards.table.merits import Merits
from p2pcards.table.results import Result
from p2pcards.ui.width import cells
from p2pcards.wire.identity import Identity, words
from tests.testing.results import kept, result

Capture = pytest.CaptureFixture[str]
Run = Callable[..., str]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folders:
    """The folders of somebody with a key of their own, and nothing played yet."""
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    found = folders()
    found.data.mkdir(parents=True)
    seed(key_file(found.data, "default"))
    return found


def keep(own: Folders, *played: Result) -> None:
    """Puts them into the history; who is called me is the owner."""
    mine = words(Identity(seed(key_file(own.data, "default"))).key)
    renamed = (replace(one, takers=tuple(_renamed(taker, mine) for taker in one.takers)) for one in played)
    History(own).keep_all(map(kept, renamed))


def _renamed(taker: Any, mine: str) -> Any:
    return replace(taker, key=mine) if taker.name == "me" else taker


@pytest.fixture
def stats(capsys: Capture) -> Run:
    def told(*arguments: str, code: int = 0) -> str:
        assert run(["stats", *arguments]) == code
        out, err = capsys.readouterr()
        assert (err == "") == (code == 0)
        assert err.count("\n") <= 1
        return out or err

    return told


PLAYED = (
    result("me 1 3", "ben 2 1", "bot-1/hard 3 0", endings="tongits 0, call 0", number=1),
    result("ben 1 2", "me 1 2", "cy 3 0", endings="call 0 1", number=2),
    result("me 2 9", "ben 1 4", game="straights", endings="played 1", number=3),
)


def test_without_a_history_a_sentence_says_how_one_begins(own: Folders, stats: Run) -> None:
    sentence = (
        "No match was played to its end yet, so there is nothing to count; `p2pcards practise tongits` plays one.\n"
    )
    assert stats() == sentence
    assert stats("--json") == '{"matches":{},"people":[],"bots":{}}\n'
    assert not own.history.exists()


def test_the_leaders_and_the_owner_among_them(own: Folders, stats: Run) -> None:
    keep(own, *PLAYED)
    told = stats().splitlines()
    assert told[0] == "All games, 3 matches"
    assert [line for line in told if line.startswith("  1  ")] == [
        "  1  ben             3    2   67 %     2 1   +2",
        "  1  ben       27.6 ± 8.1   3.4        1    1  100 %       1    4.00   +1",
        "  1  me (you)  28.1 ± 7.9   4.3        2    2  100 %       2    2.50   +2",
    ]
    assert "  hard, Tong-its        1    0    0 %   0 0 1    0.00" in told


def test_one_game_alone(own: Folders, stats: Run) -> None:
    keep(own, *PLAYED)
    told = stats("--game", "sevens")
    assert told.startswith("Straights, 1 match\n")
    assert "Tong-its" not in told
    assert stats("--game", "onecard").startswith("No match of One Card was played to its end yet")


def test_one_person_by_nick_or_words(own: Folders, stats: Run) -> None:
    keep(own, *PLAYED)
    told = stats("BEN")
    assert told.startswith("ben (ben-mango-tiger-plum-otter-fern) played 3 matches and won 2 (67 %).\n")
    assert stats("ben-mango") == stats("ben-mango-tiger-plum-otter-fern") == told
    assert stats("me").startswith("me, you (")


def test_several_of_one_name_are_all_told_and_which_is_which(own: Folders, stats: Run) -> None:
    keep(own, result("ben 1", "me 2"), result("ben? 1", "me 2", number=2))
    told = stats("ben").splitlines()
    assert told[0] == "2 people go by the name ben; `stats ben-mango` shows one alone."
    assert [line for line in told if "played" in line] == [
        "ben (ben-mango-tiger-plum-otter-fern) played 1 match and won 1 (100 %).",
        "ben (no key known, so it may be anybody of that name) played 1 match and won 1",
    ]


def test_nobody_of_that_name(own: Folders, stats: Run) -> None:
    keep(own, *PLAYED)
    assert stats("eve", code=1) == "No finished match with eve is in the history.\n"
    assert stats("cy", "--game", "straights", code=1) == "No finished match of Straights with cy is in the history.\n"
    assert stats("eve", "--json") == '{"people":[]}\n'


def test_json_has_everything(own: Folders, stats: Run) -> None:
    keep(own, *PLAYED)
    everybody = json.loads(stats("--json"))
    assert everybody["matches"] == {"straights": 1, "tongits": 2}
    assert list(everybody["bots"]) == ["tongits"]
    (one,) = json.loads(stats("me", "--json"))["people"]
    rating = one["games"]["tongits"].pop("rating")
    assert rating["ordinal"] == pytest.approx(rating["mean"] - 3 * rating["spread"])
    assert rating["matches"] == 2
    assert (one["own"], one["nick"], one["matches"], one["won"], one["points"]) == (True, "me", 3, 2, None)
    assert one["games"]["tongits"] == {
        "matches": 2,
        "won": 2,
        "share": 1.0,
        "places": [2],
        "points": 2.5,
        "streak": 2,
        "longest": 2,
    }
    assert one["endings"] == {"tongits": {"call": 2, "tongits": 1}}
    assert one["bots"] == [{"bot": "hard", "games": 1, "ahead": 1, "behind": 0, "level": 0}]
    ben = {"key": "ben-mango-tiger-plum-otter-fern", "nick": "ben", "games": 3, "ahead": 1, "behind": 1, "level": 1}
    assert one["against"][0] == ben
    (listed,) = (who for who in everybody["people"] if who["own"])
    assert listed["games"]["tongits"]["rating"] == rating
    assert set(one) - set(listed) == {"endings", "against", "bots"}


def test_what_is_drawn_is_the_owners(own: Folders, stats: Run) -> None:
    keep(own, *PLAYED)
    told = stats("--plot")
    assert "rating of me in Tong-its, ± its spread" in told
    assert "The rating of me in Straights can't be drawn yet: it takes 2 matches with" in told
    assert "\x1b" not in told
    assert stats("ben", "--plot", "--game", "straights").startswith("The rating of ben in Straights can't be drawn")


def test_nothing_is_drawn_of_who_has_played_nothing(own: Folders, stats: Run) -> None:
    assert stats("--plot", code=1) == "No finished match with you is in the history.\n"
    assert stats("--plot", "--json", code=2).startswith("--plot draws and --json does not: take one of them.")


def test_nothing_is_wider_than_the_terminal(own: Folders, stats: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(own, *PLAYED)
    monkeypatch.setenv("COLUMNS", "34")
    for arguments in ((), ("ben",), ("--plot",)):
        assert [line for line in stats(*arguments).splitlines() if cells(line) > 34] == []


def test_a_history_that_is_none_is_said_in_one_sentence(own: Folders, stats: Run) -> None:
    own.history.write_bytes(b"no database at all" * 99)
    assert stats(code=1).startswith(f"The history {own.history} is damaged")


class _Errors(io.StringIO):
    """Standard error, on a terminal or not, and whether anything stands there."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.told, self._terminal = Event(), terminal

    def isatty(self) -> bool:
        return self._terminal

    def flush(self) -> None:
        self.told.set()


@pytest.mark.parametrize("terminal", [True, False])
def test_who_waits_at_a_terminal_is_told_what_for(
    own: Folders, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    errors = _Errors(terminal)

    class Slow(HistoryStatistics):
        def everybody(self, game: str = "") -> Merits:
            assert errors.told.wait(30) if terminal else not errors.told.is_set()
            return Merits()

    monkeypatch.setattr(cli_stats, "PATIENCE", 0.0)
    monkeypatch.setattr("p2pcards.store.statistics.HistoryStatistics", Slow)
    monkeypatch.setattr(sys, "stderr", errors)
    cli_stats.stats.main([], standalone_mode=False)
    assert errors.getvalue() == ("The matches in the history are counted…\n" if terminal else "")


def _on_a_terminal(arguments: list[str], **more: str) -> str:
    """What the command prints on a terminal that shows colours."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", **more}
    command = [sys.executable, "-m", "p2pcards", "stats", *arguments]
    with subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=environment) as process:
        os.close(follower)
        told = b""
        try:
            while data := os.read(leader, 65536):
                told += data
        except OSError:  # the end, as Linux tells it
            pass
        os.close(leader)
        assert process.wait() == 0
    return told.decode()


def test_colours_come_on_a_terminal_unless_somebody_wants_none(own: Folders) -> None:
    keep(own, *PLAYED)
    drawing = ["--plot", "--game", "tongits"]
    assert "\x1b[" in _on_a_terminal(drawing)
    assert "\x1b[" not in _on_a_terminal(drawing, NO_COLOR="1")
    assert "\x1b[" not in _on_a_terminal([*drawing, "--no-color"])
    in_ascii = _on_a_terminal(drawing, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert in_ascii.isascii()
    assert "*" in in_ascii


def test_openskill_and_plotext_are_loaded_only_when_they_are_needed(own: Folders) -> None:
    keep(own, *PLAYED)

    def loaded(*arguments: str) -> set[str]:
        code = f"import sys; from p2pcards.cli import run; run({['stats', *arguments]!r}); print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        return {"openskill", "plotext", "prompt_toolkit", "p2pcards.games.registry"} & set(done.stdout.split())

    assert loaded() == {"openskill"}  # new matches are rated
    assert loaded() == set()
    assert loaded("--plot") == {"openskill", "plotext"}
