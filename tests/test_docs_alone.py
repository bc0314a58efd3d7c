"""The commands of the documentation that need nobody else are run as they stand, and do what their line says.

Each finds what somebody has who has read that far: a dozen matches in the history, records in files, bots of their own.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from p2pcards.cli import run
from p2pcards.games.record import read
from p2pcards.games.registry import GAMES
from p2pcards.store.folders import Folders, folders
from p2pcards.store.history import History
from p2pcards.store.history_match import KeptMatch, MatchReader
from p2pcards.store.identity_file import key_file
from tests.testing.bots_of_readers import bots_of_their_own
from tests.testing.cluster import identity
from tests.testing.house import ROOT
from tests.testing.recorded import one_game, record_parts
from tests.testing.shown import IN_A_POSIX_SHELL, commands, lines

NUMBER, RECORDS = 12, 2
"""How many matches there are, and how many more the folder of records has."""

ROUNDS = "12"
"""How many an arena plays, whatever its line says: what is shown takes a while."""

pytestmark = IN_A_POSIX_SHELL


class Reader(NamedTuple):
    """Somebody who types what the pages show: where, and what they see."""

    here: Path
    own: Folders
    capsys: pytest.CaptureFixture[str]

    def types(self, *words: str, asked: bool = False) -> str:
        """What the command prints, to its end; asked: it has a question first, which the test's input answers."""
        code = run(words)
        told = self.capsys.readouterr()
        assert (code, told.err.endswith("? [y/N]: ") if asked else not told.err) == (0, True), told
        return told.out

    def listed(self, *words: str) -> list[dict[str, Any]]:
        """The history now."""
        found: list[dict[str, Any]] = json.loads(self.types("history", "--json", *words))
        return found


@cache
def played(game: str) -> KeptMatch:
    return MatchReader().match(record_parts(one_game(game)))


def match(number: int) -> KeptMatch:
    """The games in turn; the first half in 2025, the others in the last days."""
    kept = played(list(GAMES)[number % len(GAMES)])
    now = datetime.now(UTC)
    recent = now - timedelta(hours=9 * (NUMBER - number))
    date = recent if number > NUMBER // 2 else datetime(2025, 12, number, tzinfo=UTC)
    return replace(kept, key=bytes([number]) * len(kept.key), date=f"{date:%Y-%m-%dT%H:%M:%SZ}")


@pytest.fixture
def reader(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Reader:
    here, own = home / "here", folders()
    for folder in (here, home / "records", here / "DIR", own.data):
        folder.mkdir(parents=True)
    (here / "docs").symlink_to(ROOT / "docs")
    bots_of_their_own(here)
    for folder in (home / "records", here / "DIR"):
        for game in list(GAMES)[:RECORDS]:
            (folder / f"{game}.p2pcards.toml").write_text(one_game(game), encoding="utf-8")
    key = key_file(own.data, "default")
    key.write_bytes(b"host".ljust(32, b"."))  # as ana has it, who was the host of these matches
    key.chmod(0o600)
    History(own).keep_all(match(number) for number in range(1, NUMBER + 1))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    monkeypatch.chdir(here)
    return Reader(here, own, capsys)


def typed(line: str, reader: Reader) -> list[str]:
    """Its words, as the shell would hand them on, and with this test's folder for the lab's."""
    (words,) = commands(line)
    return [word.replace("~/", f"{os.environ['HOME']}/").replace("/srv/lab", str(reader.here)) for word in words]


@pytest.mark.parametrize("line", lines("alone"), ids=lines("alone"))
def test_it_is_run(line: str, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    verb, *words = typed(line, reader)
    if words == ["--help"]:
        assert reader.types(verb, "--help").startswith(f"Usage: p2pcards {verb}")
        return
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" if "forget" in words else ""))
    DOES[verb](reader, *words)


def version(reader: Reader) -> None:
    assert reader.types("--version").startswith("p2pcards ")


def arena(reader: Reader, game: str, *words: str) -> None:
    told = reader.types("arena", game, *words, "--rounds", ROUNDS)
    seats = [word for before, word in pairwise(words) if before == "--seat"]
    rows = [row for row in told.splitlines() if row[:1].isdigit()]
    assert f", {ROUNDS} " in told
    assert len(rows) == len(seats)
    assert all(seat in told for seat in seats)
    assert "safe default" not in told
    if "--save" in words:
        saved = reader.here / words[words.index("--save") + 1]
        assert saved.read_text(encoding="utf-8").count("\n") > 1


def completion(reader: Reader, shell: str) -> None:
    assert "_P2PCARDS_COMPLETE" in reader.types("completion", shell)


def history(reader: Reader, *words: str) -> None:
    match words:
        case ["show", number]:
            told = reader.types("history", *words)
            record = read("".join(match(int(number)).parts))
            assert f"Round {len(record.rounds)}" in told
            assert all(nick in told for nick in record.players)
        case ["export", number, name]:
            reader.types("history", *words)
            assert (reader.here / name).read_text(encoding="utf-8") == "".join(match(int(number)).parts)
            reader.types("verify", name)
        case ["import", _]:
            reader.types("history", *words)
            assert len(reader.listed()) == NUMBER + RECORDS
        case ["forget", "--before", day]:
            before = [row for row in reader.listed() if row["date"] < day]
            reader.types("history", *words, asked=True)
            left = reader.listed()
            assert len(before) + len(left) == NUMBER
            assert before
            assert min(row["date"] for row in left) >= day
        case ["--json"]:
            assert [row["id"] for row in json.loads(reader.types("history", "--json"))] == list(range(NUMBER, 0, -1))
        case _:
            rows = reader.listed(*words)
            assert [int(line.split()[0]) for line in reader.types("history", *words).splitlines()] == [
                row["id"] for row in rows
            ]
            assert rows
            assert (len(rows) < NUMBER) == bool(words)
            if "--game" in words:
                assert {row["game"] for row in rows} == {words[words.index("--game") + 1]}


def own_identity(reader: Reader) -> None:
    assert identity("host").key.hex() in reader.types("identity")


def lab_key(reader: Reader, verb: str, name: str) -> None:
    assert name in reader.types("lab-key", verb, name)
    assert (reader.here / name).stat().st_mode & 0o007 == 0


def replay_(reader: Reader, *words: str) -> None:
    if "--history" in words:
        record = "".join(match(int(words[-1])).parts)
    else:
        file = reader.here / words[0]
        if not file.exists():
            file.write_text(one_game("tongits"), encoding="utf-8")
        record = file.read_text(encoding="utf-8")
    told = reader.types("replay", *words)
    if "--check" in words:
        assert told == "every action was legal and every stated result agrees\n"
    elif "--html" in words:
        assert (reader.here / words[-1]).read_text(encoding="utf-8").startswith("<!doctype html>")
    else:
        found = read(record)
        assert told.count("Round ") >= len(found.rounds)
        assert all(nick in told for nick in found.players)


def rules(reader: Reader, game: str) -> None:
    page = (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    assert reader.types("rules", game).strip() == page.strip()


def stats(reader: Reader, *words: str) -> None:
    told = reader.types("stats", *words)
    match words:
        case ["--json"]:
            assert sum(json.loads(told)["matches"].values()) == len([row for row in reader.listed() if row["winners"]])
        case ["--plot"]:
            assert told.count("\n") > 10
        case _:
            assert "ben" in told


def verify(reader: Reader, name: str) -> None:
    (reader.here / name).write_text(one_game("tongits"), encoding="utf-8")
    told = reader.types("verify", name)
    assert "verified" in told
    assert "not verified" not in told
    changed = (reader.here / name).read_text(encoding="utf-8").replace("draw", "pass", 1)
    (reader.here / name).write_text(changed, encoding="utf-8")
    assert run(["verify", name]) == 6


def where(reader: Reader) -> None:
    told = dict(line.split(maxsplit=1) for line in reader.types("where").splitlines())
    assert Path(told["history"]) == reader.own.history
    assert all(Path(path).is_relative_to(reader.here.parent) for path in told.values())


DOES: dict[str, Callable[..., None]] = {
    "--version": version,
    "arena": arena,
    "completion": completion,
    "history": history,
    "identity": own_identity,
    "lab-key": lab_key,
    "replay": replay_,
    "rules": rules,
    "stats": stats,
    "verify": verify,
    "where": where,
}
