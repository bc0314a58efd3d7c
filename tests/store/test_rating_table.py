"""Ladders beside the matches: kept, forgotten with their people, and never in the way."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from p2pcards.store.folders import Folders
from p2pcards.store.history import History
from p2pcards.store.rating import Ladder
from p2pcards.store.rating_table import PATIENCE, RatingTable
from p2pcards.store.statistics import HistoryStatistics
from p2pcards.table.results import Result
from tests.testing.many_matches import fill

CONNECT = sqlite3.connect
LADDER = Ladder(matches=1, digest="00", people={"a-b-c-d-e-f": (25.5, 8.0, 1)})


@pytest.fixture
def own(tmp_path: Path) -> Folders:
    folders = Folders(config=tmp_path, data=tmp_path, local=tmp_path)
    fill(folders, 12)
    return folders


def test_what_is_kept_is_there_again_in_place_of_what_was(own: Folders) -> None:
    table = RatingTable(own)
    assert table.load() == {}
    table.keep({"tongits": LADDER, "onecard": LADDER})
    assert RatingTable(own).load() == {"tongits": LADDER, "onecard": LADDER}
    table.keep({"onecard": LADDER})
    assert table.load() == {"onecard": LADDER}


def test_statistics_keep_their_ladders(own: Folders) -> None:
    statistics = HistoryStatistics(own)
    first = statistics.everybody()
    assert any(one.ratings for one in first.people)
    kept = RatingTable(own).load()
    assert {game for one in first.people for game in one.ratings} == set(kept)
    assert (statistics.everybody(), RatingTable(own).load()) == (first, kept)


def test_who_is_forgotten_is_in_no_ladder(own: Folders) -> None:
    HistoryStatistics(own).everybody()
    results = list(History(own).results())
    gone = results[0]
    assert gone.game in RatingTable(own).load()
    History(own).forget([gone.number])
    assert set(RatingTable(own).load()) == {one.game for one in results if _rates(one)} - {gone.game}


def _rates(one: Result) -> bool:
    return sum(bool(taker.key) for taker in one.takers) > 1


def test_nobody_waits_for_another_program_to_have_a_ladder_kept(own: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    patience: list[float] = []

    def connect(file: Path, *, timeout: float, isolation_level: None) -> sqlite3.Connection:
        patience.append(timeout)
        return CONNECT(file, timeout=timeout, isolation_level=isolation_level)

    with closing(sqlite3.connect(own.history, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(sqlite3, "connect", connect)
        RatingTable(own).keep({"onecard": LADDER})
        monkeypatch.undo()
    assert patience == [PATIENCE]
    assert PATIENCE < 1
    assert RatingTable(own).load() == {}


def test_a_ladder_that_cannot_be_read_is_made_again(own: Folders) -> None:
    found = HistoryStatistics(own).everybody()
    with closing(sqlite3.connect(own.history)) as connection, connection:
        connection.execute("UPDATE ladder SET told = 'x'")
    assert RatingTable(own).load() == {}
    assert HistoryStatistics(own).everybody() == found


def test_where_nothing_can_be_written_ratings_are_told_all_the_same(
    own: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = HistoryStatistics(own).everybody()
    with closing(sqlite3.connect(own.history)) as connection, connection:
        connection.execute("DELETE FROM ladder")
    monkeypatch.setattr("p2pcards.store.history_file.PATIENCE", 0.0)
    with closing(sqlite3.connect(own.history, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert HistoryStatistics(own).everybody() == found
        other.execute("ROLLBACK")
    assert RatingTable(own).load() == {}
