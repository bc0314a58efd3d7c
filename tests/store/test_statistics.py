"""Merits: who is one person, what is counted for whom, and whom a name means."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.store.folders import Folders
from p2pcards.store.history import History
from p2pcards.store.identity_file import key_file, seed
from p2pcards.store.statistics import HistoryStatistics, called, detailed, merits
from p2pcards.table.merits import Against, Merit, Tally
from p2pcards.table.results import Result, Taker
from p2pcards.wire.identity import Identity, words
from tests.testing.results import FOUR, kept, key, result

PLAYED = (
    result("ana 1 3", "ben 2 1", "bot-1/hard 3 0", endings="tongits 0, call 0, call 1", number=1),
    result("ben 1 2", "ana 1 2", "cy 3 0", endings="call 0 1", number=2),
    result("ana 3 9", "cy 1 4", "ben 2 5", game="straights", endings="played 1", number=3),
    result("ana 1 5", "bot-1/easy 2 1", "bot-2/hard 2 1", endings="exhausted 0, call 0", number=4),
)


def one(nick: str, played: tuple[Result, ...] = PLAYED) -> Merit:
    """The only person of that nick."""
    (found,) = called(merits(played), nick)
    return found


def test_matches_are_counted_by_person_and_game() -> None:
    found = merits(PLAYED, {key("cy")})
    assert found.matches == {"tongits": 3, "straights": 1}
    assert [(who.nick, who.own) for who in found.people] == [("ana", False), ("ben", False), ("cy", True)]
    assert one("ana").games == {
        "straights": Tally(1, 0, (0, 0, 1), 9.0, -1, 0),
        "tongits": Tally(3, 3, (3,), 10 / 3, 3, 3),
    }
    assert one("ana").whole == Tally(4, 3, (3, 0, 1), 19 / 4, 1, 2)
    assert one("ana").alone == Tally(1, 1, (1,), 5.0, 1, 1)
    assert one("ben").whole == Tally(3, 1, (1, 2), 8 / 3, -1, 1)


def test_bots_stand_apart_by_level() -> None:
    found = merits(PLAYED)
    assert found.bots == {
        "tongits": {"easy": Tally(1, 0, (0, 1), 1.0, -1, 0), "hard": Tally(2, 0, (0, 1, 1), 0.5, -2, 0)}
    }
    assert not {who.nick for who in found.people} & {"bot-1", "bot-2", "hard", "easy"}
    assert [other.nick for other in detailed(one("ana"), PLAYED).others] == ["ben", "cy"]


def test_a_place_far_down_is_counted_there() -> None:
    assert one("ana", (result("ana 7"), result("ana 2", number=2))).whole.places == (0, 1, 0, 0, 0, 0, 1)


@pytest.mark.parametrize(
    ("places", "now", "longest"),
    [("1", 1, 1), ("2", -1, 0), ("1 1 2 1 1 1", 3, 3), ("1 1 1 2 2", -2, 3), ("2 1", 1, 1)],
)
def test_streaks(places: str, now: int, longest: int) -> None:
    played = tuple(result(f"ana {place}", number=number) for number, place in enumerate(places.split(), 1))
    whole = one("ana", played).whole
    assert (whole.streak, whole.longest) == (now, longest)
    assert (one("ana", played[::-1]).whole.streak, one("ana", played).games["tongits"]) == (now, whole)


def test_a_person_is_a_key_by_the_nick_as_last_seen() -> None:
    renamed = Taker("anabel", key("ana"), "", 1, 1, True)
    played = (result("ana 2"), replace(result("ben 1", number=2), takers=(renamed,)))
    (found,) = merits(played[::-1]).people
    assert (found.nick, found.whole.games) == ("anabel", 2)


def test_two_keys_with_one_nick_are_two_and_no_key_is_a_third() -> None:
    other = Taker("Ana", f"other-{FOUR}-fern", "", 1, 1, True)
    played = (result("ana 1", "ana? 2"), replace(result("ana 1", number=2), takers=(other,)))
    found = called(merits(played), "ANA")
    assert sorted(who.key for who in found) == ["", key("ana"), other.key]
    assert called(merits(played), "other-mango") == called(merits(played), other.key) != ()
    assert detailed(one("ana-mango", played), played).others == (Against("", "ana", 1, 1, 0, 0),)


def test_no_name_means_the_owner_under_each_key() -> None:
    found = merits(PLAYED, {key("ana"), key("cy"), "somebody-else"})
    assert [who.nick for who in called(found, "")] == ["ana", "cy"]
    assert called(found, "eve") == ()


def test_what_is_asked_about_one_person() -> None:
    ana = detailed(one("ana"), PLAYED)
    assert ana.endings == {"tongits": (("call", 3), ("exhausted", 1), ("tongits", 1))}
    assert ana.others == (Against(key("ben"), "ben", 3, 1, 1, 1), Against(key("cy"), "cy", 2, 1, 1, 0))
    assert ana.bots == (Against("", "hard", 2, 2, 0, 0), Against("", "easy", 1, 1, 0, 0))


def test_one_game_is_counted_alone_and_rated_as_ever() -> None:
    found = merits(PLAYED, game="straights")
    assert found.matches == {"straights": 1}
    assert {who.nick: who.whole.games for who in found.people} == {"ana": 1, "ben": 1, "cy": 1}
    assert found.people[0].ratings["straights"] == one("ana").ratings["straights"]
    assert list(detailed(one("ana"), PLAYED, "straights").endings) == []


@given(st.permutations(range(4)), st.permutations(range(3)))
def test_order_and_seats_change_nothing(order: list[int], seats: list[int]) -> None:
    moved = [replace(PLAYED[number], takers=tuple(PLAYED[number].takers[seat] for seat in seats)) for number in order]
    assert merits(moved) == merits(PLAYED)


# ---- out of the history


def _keep(own: Folders, *played: Result) -> None:
    History(own).keep_all(map(kept, played))


@pytest.fixture
def own(tmp_path: Path) -> Folders:
    return Folders(config=tmp_path, data=tmp_path, local=tmp_path)


def test_the_owner_is_known_by_every_key_of_theirs(own: Folders) -> None:
    mine = [words(Identity(seed(key_file(own.data, profile))).key) for profile in ("default", "lab")]
    takers = tuple(Taker(f"me{place}", one, "", 0, place, place == 1) for place, one in enumerate(mine, 1))
    _keep(own, replace(result("ana 1"), takers=takers), result("ana 1", number=2))
    statistics = HistoryStatistics(own)
    assert {who.nick: who.own for who in statistics.everybody().people} == {"me1": True, "me2": True, "ana": False}
    assert [who.nick for who in statistics.called("")] == ["me1", "me2"]
    assert [who.nick for who in statistics.called("ana", "tongits")] == ["ana"]


def test_a_nick_of_old_finds_who_went_by_it_unless_somebody_does_now(own: Folders) -> None:
    mine = (Taker("root", "a-b-c", "", 2, 1, True), Taker("ben", "d-e-f", "", 1, 2, False))
    now = (Taker("ben", "a-b-c", "", 2, 1, True), Taker("cy", "d-e-f", "", 1, 2, False))
    _keep(own, replace(result("ana 1"), takers=mine), replace(result("ana 1", number=2), takers=now))
    statistics = HistoryStatistics(own)
    assert [(who.nick, who.key) for who in statistics.called("Root")] == [("ben", "a-b-c")]
    assert [who.key for who in statistics.called("ben")] == ["a-b-c"]
    assert statistics.called("dan") == ()


def test_the_course_of_a_rating_ends_where_the_rating_is(own: Folders) -> None:
    _keep(own, *PLAYED)
    statistics = HistoryStatistics(own)
    (ana,) = statistics.called("ana")
    climbed, scores = statistics.course(ana, "tongits")
    assert [step.date for step in climbed] == [PLAYED[0].date, PLAYED[1].date]
    assert climbed[-1].ratings[ana.key] == ana.ratings["tongits"]
    assert scores == ((PLAYED[0].date, 3), (PLAYED[1].date, 2), (PLAYED[3].date, 5))


def test_without_a_history_there_is_nobody(own: Folders) -> None:
    assert HistoryStatistics(own).everybody().people == ()
    assert not own.history.exists()
