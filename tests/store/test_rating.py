"""Ratings: the model's own numbers, and what must not change them."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from openskill.models import PlackettLuce

from p2pcards.store import rating
from p2pcards.store.rating import Ladder, in_order, rated, ratings, steps
from p2pcards.table.merits import Rating
from p2pcards.table.results import Result
from tests.testing.results import key, result

NICKS = ("ana", "ben", "cy", "dan")


@st.composite
def matches(draw: st.DrawFn) -> list[Result]:
    """Matches of a few people and bots, several on one date."""
    found = []
    for number in range(1, draw(st.integers(1, 8)) + 1):
        who = draw(st.lists(st.sampled_from([*NICKS, "bot-1/hard", "eve?"]), min_size=2, max_size=4, unique=True))
        places = [draw(st.integers(1, 3)) for _ in who]
        date = draw(st.sampled_from(["2026-05-01T20:00:00Z", "2026-05-02T20:00:00Z"]))
        seats = [f"{nick} {place}" for nick, place in zip(who, places, strict=True)]
        found.append(result(*seats, number=number, date=date, game=draw(st.sampled_from(["tongits", "onecard"]))))
    return found


class Kept:
    """Ladders in memory."""

    def __init__(self) -> None:
        self.ladders: dict[str, Ladder] = {}
        self.kept = 0

    def load(self) -> Mapping[str, Ladder]:
        return self.ladders

    def keep(self, ladders: Mapping[str, Ladder]) -> None:
        self.ladders = dict(ladders)
        self.kept += 1


def test_ratings_are_the_models_own() -> None:
    model = PlackettLuce()
    ana, ben, cy = (model.rating() for _ in range(3))
    (ana,), (ben,), (cy,) = model.rate([[ana], [ben], [cy]], ranks=[2, 1, 3])
    (ana,), (ben,) = model.rate([[ana], [ben]], ranks=[1, 1])
    found = ratings([result("ana 2", "ben 1", "cy 3"), result("ben 1", "ana 1", number=2)])["tongits"]
    assert found == {
        key("ana"): Rating(ana.mu, ana.sigma, 2),
        key("ben"): Rating(ben.mu, ben.sigma, 2),
        key("cy"): Rating(cy.mu, cy.sigma, 1),
    }
    assert found[key("ben")].ordinal == pytest.approx(ben.ordinal())


def test_ratings_are_the_numbers_that_they_have_always_been() -> None:
    found = ratings([result("ana 1", "ben 2", "cy 3"), result("cy 1", "ana 2", number=2)])["tongits"]
    told = {one.split("-")[0]: (round(who.mean, 4), round(who.spread, 4)) for one, who in found.items()}
    assert told == {"ana": (24.6263, 7.955), "ben": (25.7173, 8.0582), "cy": (24.5412, 7.8256)}


def test_bots_and_who_has_no_key_are_nobody() -> None:
    with_them = [result("ana 2", "bot-1/hard 1", "ben 3", "eve? 4")]
    assert ratings(with_them) == ratings([result("ana 1", "ben 2")])
    assert list(ratings(with_them)["tongits"]) == [key("ana"), key("ben")]


def test_a_bot_is_nobody_even_under_a_key() -> None:
    played = result("ana 2", "ben 1", "cy 3")
    bot = replace(played.takers[2], bot="hard")
    assert ratings([replace(played, takers=(*played.takers[:2], bot))]) == ratings([result("ana 2", "ben 1")])


@pytest.mark.parametrize(
    "takers", [("ana 1", "bot-1/hard 2"), ("ana 1", "eve? 2"), ("bot-1/easy 1", "bot-2/hard 2"), ("ana 1",)]
)
def test_a_match_with_fewer_than_two_people_rates_nobody(takers: tuple[str, ...]) -> None:
    assert ratings([result(*takers)]) == {}


def test_each_game_has_its_own_ladder() -> None:
    played = [result("ana 1", "ben 2"), result("ben 1", "ana 2", number=2, game="onecard")]
    found = ratings(played)
    assert found["tongits"] == ratings(played[:1])["tongits"]
    assert found["onecard"] == ratings(played[1:])["onecard"]


@given(matches(), st.randoms(use_true_random=False))
def test_seats_numbers_and_the_order_of_an_import_change_nothing(played: list[Result], rng: random.Random) -> None:
    numbers = [one.number for one in played]
    rng.shuffle(numbers)
    moved = [replace(one, number=number, takers=one.takers[::-1]) for one, number in zip(played, numbers, strict=True)]
    rng.shuffle(moved)
    assert ratings(in_order(moved)) == ratings(in_order(played))


def test_a_part_of_a_second_comes_after_the_whole() -> None:
    late = result("ana 1", "ben 2", number=1, date="2026-05-01T20:00:00.5Z")
    early = result("ana 1", "ben 2", number=2, date="2026-05-01T20:00:00Z")
    assert in_order([late, early]) == [early, late]


def test_what_is_not_over_counts_for_nothing() -> None:
    assert in_order([replace(result("ana 1", "ben 2"), over=False)]) == []


@given(matches(), st.data())
def test_a_kept_ladder_gives_what_the_whole_way_gives(played: list[Result], data: st.DataObject) -> None:
    """Whatever was kept before: fewer matches, others among them, or more."""
    kept = Kept()
    before = data.draw(st.lists(st.sampled_from(played), unique_by=lambda one: one.number))
    ratings(in_order(before), kept)
    assert ratings(in_order(played), kept) == ratings(in_order(played))


def test_only_what_is_new_is_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    played, kept = [result("ana 1", "ben 2"), result("ben 1", "ana 2", number=2)], Kept()
    ratings(played, kept)
    asked: list[object] = []
    real = rating._model

    def counting() -> object:
        rate = real()

        def told(people: dict[str, tuple[float, float, int]], players: tuple[tuple[str, int], ...]) -> None:
            asked.append(players)
            rate(people, players)

        return told

    monkeypatch.setattr(rating, "_model", counting)
    ratings(played, kept)
    assert (asked, kept.kept) == ([], 1)
    ratings([*played, result("ana 1", "cy 2", number=3)], kept)
    assert (asked, kept.kept) == ([((key("ana"), 1), (key("cy"), 2))], 2)


def test_a_ladder_of_another_model_is_made_again() -> None:
    played, kept = [result("ana 1", "ben 2")], Kept()
    ratings(played, kept)
    kept.ladders = {"tongits": replace(kept.ladders["tongits"], model="another", people={key("ana"): (99.0, 1.0, 1)})}
    assert ratings(played, kept) == ratings(played)


@given(matches())
def test_the_last_step_of_everybody_is_their_rating(played: list[Result]) -> None:
    ordered = in_order(played)
    for game, games in rated(ordered).items():
        last: dict[str, Rating] = {}
        for step in steps(games):
            last |= step.ratings
        assert last == ratings(ordered)[game]


def test_one_key_in_two_seats_is_one_person() -> None:
    assert ratings([result("ana 1", "ana 2")]) == {}
