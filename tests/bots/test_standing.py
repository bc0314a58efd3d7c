"""Shares and intervals, against values calculated by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.bots.arena import Played
from p2pcards.bots.standing import interval, standings, student

SHARES = st.lists(st.sampled_from([0.0, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 1.0]), min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (4, 2.7764), (5, 2.5706), (6, 2.4469), (9, 2.2622), (30, 2.0423), (1000, 1.9623)],
)
def test_students_quantile_is_that_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=0.0015)


def test_shares_and_points_are_means_over_the_deals_bot_by_bot() -> None:
    first, second = standings([Played((1.0, 0.0), (3.0, -3.0)), Played((0.5, 0.5), (1.0, 0.0))])
    assert (first.win_share, first.mean_points) == (0.75, 2.0)
    assert (second.win_share, second.mean_points) == (0.25, -1.5)


def test_the_defaults_of_all_deals_are_added_up() -> None:
    fine, wrong = Played((1.0, 0.0), (0.0, 0.0)), Played((1.0, 0.0), (0.0, 0.0), (0, 3))
    assert [found.defaults for found in standings([fine, wrong, wrong])] == [0, 6]


def test_the_interval_is_students_over_the_deals() -> None:
    # mean 0.5; squares (1/4 + 0 + 0 + 1/4) / 3 = 1/6; standard error sqrt(1/6 / 4) = 0.204124; 3.182446 of it
    assert interval((0.5, 0.0, 1.0, 0.5)) == (0.0, 1.0)  # 0.5 and 0.6496 to each side end at the limits
    # 100 deals, half of them 2/3 and half 1/3: squares 100/36/99, error 0.0167504, quantile 1.984217
    low, high = interval((1 / 3, 2 / 3) * 50)
    assert (low, high) == pytest.approx((0.466763, 0.533237), abs=1e-5)


def test_the_deal_is_the_unit_whatever_its_rotations_were() -> None:
    # 40 deals of 3 rotations in which the same seat always wins: one win in three for each, no doubt about it, while
    # 120 independent rounds would leave 0.25 to 0.42
    alike = standings([Played((1 / 3, 1 / 3, 1 / 3), (1.0, 1.0, 1.0))] * 40)[0]
    # 40 deals in which all rotations are won or all lost: 40 observations, not 120
    torn = standings([Played((1.0, 0.0, 0.0), (1.0, 0.0, 0.0)), Played((0.0, 1.0, 0.0), (0.0, 1.0, 0.0))] * 20)[0]
    assert alike.high - alike.low < 0.1
    assert torn.high - torn.low == pytest.approx(2 * 2.0227 * 0.5 / 39**0.5, abs=1e-3)


def test_deals_that_came_out_alike_leave_the_doubt_of_their_number() -> None:
    # none of 20 came out otherwise: at most 1 - 0.025 ** (1/20) = 16.84 % of all do
    assert interval((0.0,) * 20) == pytest.approx((0, 0.168433), abs=1e-6)
    assert interval((1.0,) * 20) == pytest.approx((0.831567, 1), abs=1e-6)
    assert interval((1 / 3,) * 20) == pytest.approx((0.831567 / 3, 1 - 0.831567 * 2 / 3), abs=1e-6)


def test_one_deal_tells_next_to_nothing() -> None:
    low, high = interval((2 / 3,))
    assert low < 0.05
    assert high > 0.95


@given(SHARES)
def test_an_interval_lies_between_nothing_and_everything_around_the_mean(shares: list[float]) -> None:
    low, high = interval(shares)
    assert 0 <= low <= sum(shares) / len(shares) + 1e-9
    assert sum(shares) / len(shares) - 1e-9 <= high <= 1
    assert low < high


@given(SHARES)
def test_more_of_the_same_deals_never_make_it_wider(shares: list[float]) -> None:
    low, high = interval(shares)
    narrower_low, narrower_high = interval(shares * 4)
    assert low - 1e-9 <= narrower_low
    assert narrower_high <= high + 1e-9
