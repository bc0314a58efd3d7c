"""What history reads out of a record: who a match is, how it came out, and that it is read once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.errors import InvalidRecord
from p2pcards.games import record
from p2pcards.games.record import Record, read
from p2pcards.games.registry import GAMES
from p2pcards.games.replay import replay
from p2pcards.store.history_match import KeptMatch, MatchReader, parts_of
from p2pcards.table.results import Ending, Over
from tests.testing.recorded import one_game, record_parts, small
from tests.testing.samples import record_file

EVERY_GAME = pytest.mark.parametrize("game", GAMES)


def sample(game: str) -> str:
    return record_file(game).read_text()


def match_of(text: str) -> KeptMatch:
    return MatchReader().match(record_parts(text))


def changed(text: str, **more: Any) -> KeptMatch:
    """The match of the same record with something else in its head."""
    return MatchReader().match(parts_of(replace(read(text), **more)))


# ---- how it came out


@EVERY_GAME
@pytest.mark.parametrize("whole", [True, False])
def test_scores_winners_and_endings_are_those_of_the_replay(game: str, whole: bool) -> None:
    parts = record_parts(sample(game))
    match = MatchReader().match(parts if whole else parts[:-1])
    report: Mapping[str, Any] = replay("".join(match.parts)).report
    assert match.over is (Over.YES if whole else Over.NO)
    assert report["over"] is whole
    assert {taker.name: taker.points for taker in match.takers} == report["scores"]
    assert [taker.name for taker in match.takers if taker.won] == report["winners"]
    names = [taker.name for taker in match.takers]
    endings = [Ending(one["reason"], tuple(map(names.index, one["winners"]))) for one in report["rounds"]]
    assert list(match.endings) == endings
    assert match.rounds == len(endings)


@EVERY_GAME
def test_places_follow_the_scores_and_equal_scores_share_theirs(game: str) -> None:
    match = match_of(sample(game))
    by_place = sorted(match.takers, key=lambda taker: taker.place)
    points = [taker.points for taker in by_place]
    assert points == sorted(points, reverse=game != "straights")
    assert [taker.place for taker in by_place] == [points.index(score) + 1 for score in points]
    assert {taker.name for taker in by_place if taker.place == 1} == {t.name for t in match.takers if t.won}


def test_who_sat_there_is_a_person_with_a_key_or_a_bot_of_a_level() -> None:
    match = match_of(one_game("tienlen"))
    assert [(taker.name, bool(taker.key), taker.bot) for taker in match.takers] == [
        *(("ana", True, ""), ("ben", True, ""), ("cy", True, ""), ("bot-1", False, "medium")),
    ]


def test_a_match_without_an_end_counts_as_far_as_it_came() -> None:
    match = match_of(one_game("tongits"))
    best = max(taker.points for taker in match.takers)
    assert match.over is Over.SO_FAR
    assert [taker.won for taker in match.takers] == [taker.points == best for taker in match.takers]


def test_an_open_round_counts_nothing() -> None:
    text = one_game("tongits")
    found = read(text)
    open_ = replace(found.rounds[1], actions=found.rounds[1].actions[:3], winners=None, points=None, proof=())
    match = MatchReader().match(parts_of(replace(found, rounds=(found.rounds[0], open_))))
    assert (match.rounds, match.over) == (1, Over.SO_FAR)
    assert [taker.points for taker in match.takers] == [taker.points for taker in match_of(first_round(text)).takers]


def first_round(text: str) -> str:
    return "".join(record_parts(text)[:2])


# ---- which match it is


def test_a_match_is_the_same_with_and_without_proof_and_however_far_it_had_come() -> None:
    text = one_game("tongits")
    found = read(text)
    bare = replace(found, rounds=tuple(replace(played, proof=()) for played in found.rounds))
    keys = {match_of(text).key, match_of(first_round(text)).key, MatchReader().match(parts_of(bare)).key}
    assert len(keys) == 1


def test_another_table_another_person_another_moment_or_another_first_round_is_another_match() -> None:
    text = one_game("tongits")
    found = read(text)
    (ana, *_), (first, second) = found.identities, found.rounds
    keys = {
        match_of(text).key,
        changed(text, table="aaaaaaaaaaaaaaaaaaaaaaaaaa").key,
        changed(text, date="2026-01-01T00:00:00Z").key,
        changed(text, identities={**found.identities, ana: "other-words"}).key,
        changed(text, rounds=(second,)).key,
    }
    assert len(keys) == 5
    assert changed(text, rounds=(first,)).key in keys


def test_a_record_of_no_table_is_the_same_only_when_all_rounds_are() -> None:
    parts = record_parts(sample("tienlen"))
    keys = {MatchReader().match(parts[:end]).key for end in (2, 3, 4)}
    assert len(keys) == 3


def test_a_match_that_was_stopped_is_over_and_still_the_same() -> None:
    text = one_game("tienlen")
    stopped = changed(text, options=read(text).rules.stopped(2).options)
    assert (match_of(text).over, stopped.over) == (Over.SO_FAR, Over.YES)
    assert stopped.key == match_of(text).key


# ---- what is in the head


@pytest.mark.parametrize(
    ("stated", "kept"),
    [
        ("2026-11-30T21:05:00Z", "2026-11-30T21:05:00Z"),
        ("2026-11-30T21:05:00+08:00", "2026-11-30T13:05:00Z"),
        ("2026-11-30", "2026-11-30T00:00:00Z"),
        ("2026-11-30T21:05:00.5", "2026-11-30T21:05:00Z"),
        ("0042-01-01", "0042-01-01T00:00:00Z"),
        ("0001-01-01T00:00:00+08:00", ""),
        ("last Friday", ""),
        ("", ""),
    ],
)
def test_dates_are_kept_in_one_form(stated: str, kept: str) -> None:
    assert changed(small(), date=stated).date == kept


def test_what_is_no_record_is_said_to_be_none() -> None:
    with pytest.raises(InvalidRecord):
        MatchReader().match(("players = []\n", "\n[[rounds]]\n"))


def test_a_round_is_read_once_however_long_the_match_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = record_parts(sample("onecard"))
    asked: list[str] = []
    rounds = record.rounds

    def counting(table: Mapping[str, object], head: Record) -> Any:
        asked.append(head.game)
        return rounds(table, head)

    monkeypatch.setattr(record, "rounds", counting)
    reader = MatchReader()
    for end in range(2, len(parts) + 1):
        reader.match(parts[:end])
    assert len(asked) == len(parts) - 1
