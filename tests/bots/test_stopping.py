"""Stopping early: how often it errs on coins, and that it says what the intervals say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.bots.arena import Played
from p2pcards.bots.standing import interval, standings
from p2pcards.bots.stopping import Clear, Narrow, Until

SHARES = st.lists(st.sampled_from([0.0, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 1.0]), min_size=1, max_size=60)


def coins(seed: int, heads: float, seats: int, tossed: int = 1) -> Iterator[Played]:
    """Deals that the first bot wins by so many coins, and a second one loses; nobody else wins anything."""
    rng = Random(seed)  # noqa: S311 - tossing coins
    while True:
        share = sum(rng.random() < heads for _ in range(tossed)) / tossed
        yield Played((share, 1 - share, *[0.0] * (seats - 2)), (0.0,) * seats)


def stop(until: Until, deals: Iterator[Played], seats: int) -> list[Played] | None:
    """The deals up to where it may stop, if it ever may."""
    watch, played = until.watch(seats), []
    for deal in deals:
        played.append(deal)
        if watch.over(deal):
            return played
    return None


# ---- clear of chance


@pytest.mark.parametrize(("seats", "tossed"), [(2, 1), (4, 1), (4, 4), (13, 1)])
def test_who_plays_by_chance_is_found_clear_of_it_1_time_in_20_at_most_however_often_one_looks(
    seats: int, tossed: int
) -> None:
    runs = [stop(Clear(), islice(coins(seed, 1 / seats, seats, tossed), 300), seats) for seed in range(200)]
    assert sum(run is not None for run in runs) <= 200 / 20


def test_students_interval_would_find_it_far_more_often() -> None:
    def peeked(seed: int) -> bool:
        shares = [deal.shares[0] for deal in islice(coins(seed, 1 / 2, 2), 300)]
        return any(not low <= 1 / 2 <= high for low, high in (interval(shares[:deals]) for deals in range(10, 301, 5)))

    assert sum(map(peeked, range(200))) > 200 / 5


@pytest.mark.parametrize("heads", [0.05, 0.45])
def test_who_plays_better_or_worse_is_found_soon(heads: float) -> None:
    runs = [stop(Clear(), islice(coins(seed, heads, 4, 4), 60), 4) for seed in range(100)]
    assert sum(run is not None for run in runs) >= 90


@given(SHARES, st.sampled_from([2, 3, 4]))
def test_it_may_stop_exactly_when_chance_is_outside_the_interval(shares: list[float], seats: int) -> None:
    watch = Clear().watch(seats)
    for share in shares:
        over = watch.over(Played((share, *[0.0] * (seats - 1)), (0.0,) * seats))
    low, high = Clear().interval(shares)
    assert over == (not low <= 1 / seats <= high)


@given(SHARES)
def test_its_interval_lies_around_the_mean_and_is_the_wider_one(shares: list[float]) -> None:
    low, high = Clear().interval(shares)
    mean = sum(shares) / len(shares)
    assert 0 <= low <= mean + 1e-9
    assert mean - 1e-9 <= high <= 1


def test_its_interval_against_values_calculated_otherwise() -> None:
    # nothing in n deals: (1 - part)^n of one has, below m, is left; above, each part makes 1 + part m / (1 - m) a deal
    low, high = Clear().interval([0.0] * 50)
    parts = [0.64 / 2**halvings for halvings in range(8)]
    assert low == 0
    assert sum((1 + part * high / (1 - high)) ** 50 for part in parts) / 8 == pytest.approx(40, rel=1e-6)
    assert Clear().interval([1.0] * 50) == pytest.approx((1 - high, 1))


# ---- narrow enough


@pytest.mark.parametrize(("heads", "tossed"), [(0.5, 1), (0.25, 1), (0.25, 4)])
def test_an_interval_that_was_waited_for_is_right_19_times_in_20(heads: float, tossed: int) -> None:
    until, right = Narrow(0.08), 0
    for seed in range(400):
        played = stop(until, coins(seed, heads, 2, tossed), 2)
        assert played is not None
        found = standings(played, until)[0]
        right += found.low <= heads <= found.high
    assert right >= 400 * 0.93  # 95 %, and 2 standard errors less


def test_it_stops_at_the_first_deal_where_no_interval_reaches_further() -> None:
    until = Narrow(0.1)
    played = stop(until, coins(7, 0.5, 3), 3)
    assert played is not None
    assert all(found.high - found.low <= 0.2 for found in standings(played, until))
    assert any(found.high - found.low > 0.2 for found in standings(played[:-1], until))


def test_deals_that_come_out_alike_do_not_end_it_at_once() -> None:
    alike = stop(Narrow(0.02), iter([Played((1.0, 0.0), (0.0, 0.0))] * 200), 2)
    assert alike is not None
    assert len(alike) == 100  # 1.984 / n <= 0.02


def test_one_deal_tells_nothing() -> None:
    assert Narrow(0.49).interval([0.5]) == (0, 1)
    assert stop(Narrow(0.49), iter([Played((0.5, 0.5), (0.0, 0.0))]), 2) is None


# ---- how long it will take


def test_half_as_wide_takes_four_times_the_deals() -> None:
    watch = Narrow(0.01).watch(2)
    deals = coins(3, 0.5, 2)
    assert not watch.over(next(deals))
    assert watch.needed() == inf
    for deal in islice(deals, 399):
        watch.over(deal)
    assert 8000 < watch.needed() < 11000  # 1.96² / 4 / 0.01² = 9604


def test_the_deals_until_it_is_clear_are_guessed_from_what_was_made_so_far() -> None:
    watch = Clear().watch(4)
    guesses = []
    for deal in coins(1, 0.35, 4, 4):
        if watch.over(deal):
            break
        guesses.append(watch.needed())
    assert guesses[0] == inf
    assert guesses[-1] == pytest.approx(len(guesses) + 1, rel=0.1)
