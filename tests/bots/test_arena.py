"""Bots against each other: each deal from every seat, the same again from the same seed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from p2pcards.bots.arena import Played, play_deal, plays_matches, seating
from p2pcards.bots.registry import bot
from p2pcards.games.base import Game, Rng
from p2pcards.games.match import Match
from p2pcards.games.tongits import TongIts, TongItsOptions
from p2pcards.games.tongits.actions import CALL, CHALLENGE
from tests.bots.highest import Highest, HighestOptions, Says, always

MATCHES = Highest(HighestOptions(match_rounds=3))


def test_over_all_rotations_every_bot_sits_everywhere_once() -> None:
    for seats in (2, 3, 4, 7):
        seatings = [seating(seats, rotation) for rotation in range(seats)]
        assert all(sorted(seated) == list(range(seats)) for seated in seatings)
        assert all(sorted(column) == list(range(seats)) for column in zip(*seatings, strict=True))


def test_every_bot_holds_every_hand_of_a_deal_once() -> None:
    bots = [always(0), always(1), always(2)]
    play_deal(Highest(), bots, 0, 0)
    held = [[Highest().hand(view) for view in one.views] for one in bots]
    assert sorted(held[0]) == sorted(held[1]) == sorted(held[2])
    assert len(set(held[0])) == 3
    assert len({view.hands for one in bots for view in one.views}) == 1  # one order of the cards


def test_each_bot_opens_a_deal_once() -> None:
    bots = [always(0), always(1), always(2), always(3)]
    play_deal(Highest(), bots, 5, 8)
    assert [sum(view.seat == view.opener for view in one.views) for one in bots] == [1, 1, 1, 1]


def test_who_wants_to_know_is_told_how_the_match_stands_before_each_round() -> None:
    class Listens(Says):
        told: tuple[tuple[int, tuple[int, ...]], ...] = ()

        def begin(self, match: Match) -> None:
            self.told += ((match.round, match.scores),)

    listens = Listens(lambda view: 2)
    play_deal(MATCHES, [listens, always(1)], 0, 0)
    assert listens.told == (
        (0, (0, 0)), (1, (2, 1)), (2, (4, 2)),
        (0, (0, 0)), (1, (1, 2)), (2, (2, 4)),
    )  # fmt: skip


# ---- who won


def test_the_winner_of_each_round_has_it_whole_and_points_are_means() -> None:
    assert play_deal(Highest(), [always(2), always(5), always(0)], 0, 0) == Played((0.0, 1.0, 0.0), (2.0, 5.0, 0.0))


def test_a_tie_is_split() -> None:
    tied = play_deal(Highest(), [always(4), always(1), always(4), always(4)], 0, 0)
    assert tied.shares == pytest.approx((1 / 3, 0, 1 / 3, 1 / 3))


def test_a_win_that_hangs_on_the_hand_counts_by_rotation() -> None:
    def luck(view: Any) -> int:
        return 5 if Highest().hand(view) == max(view.hands) else 1

    found = play_deal(Highest(), [Says(luck), Says(luck), always(3)], 0, 0)
    # the two lucky ones win with the best hand, once each; when the third holds it, its 3 wins
    assert found.shares == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert found.points == pytest.approx((7 / 3, 7 / 3, 3))


def test_a_round_that_nobody_won_is_nobodys_share() -> None:
    assert play_deal(Highest(), [always(0), always(0)], 0, 0).shares == (0.0, 0.0)


def test_options_that_end_a_match_make_it_the_thing_to_win() -> None:
    assert plays_matches(MATCHES)
    assert not plays_matches(Highest())
    assert not plays_matches(TongIts())
    assert plays_matches(TongIts(TongItsOptions(target_wins=2)))


def test_a_match_is_won_by_its_score_and_its_points_are_the_whole_score() -> None:
    rounds: list[int] = []

    def swings(view: Any) -> int:
        rounds.append(0)
        return 5 if len(rounds) % 3 == 0 else 0  # wins the last round of three

    assert play_deal(MATCHES, [Says(swings), always(2)], 0, 0) == Played((0.0, 1.0), (5.0, 6.0))


def test_the_rounds_of_a_match_have_cards_of_their_own() -> None:
    one = always(1)
    play_deal(MATCHES, [one, always(2)], 0, 0)
    hands = [view.hands for view in one.views]
    assert len(set(hands[:3])) == 3
    assert hands[:3] == hands[3:]  # in the second rotation the same ones again


# ---- chance


def test_reshuffles_are_orders_of_the_cards_asked_for() -> None:
    one, other = always(1), always(2)
    play_deal(Highest(), [one, other], 0, 0)
    first, second = sorted((*one.views, *other.views), key=lambda view: view.shuffled)[1:3]
    assert sorted(second.stock) == sorted(first.stock)
    assert second.stock not in (first.stock, tuple(sorted(first.stock)))


def test_cards_hang_on_the_seed_and_the_deal_alone() -> None:
    def hands(seed: int, number: int, others: int = 1) -> Any:
        one = always(0)
        play_deal(Highest(), [one, always(others)], seed, number)
        return one.views[0].hands

    assert hands(0, 0) == hands(0, 0, others=4)
    assert len({hands(0, 0), hands(0, 1), hands(1, 0), hands(-1, 0)}) == 4


def test_who_starts_is_drawn_for_each_deal() -> None:
    one = always(0)
    for number in range(20):
        play_deal(Highest(), [one, always(1)], 0, number)
    assert {view.opener for view in one.views} == {0, 1}


def test_bots_draw_numbers_of_their_own() -> None:
    drawn: list[int] = []

    class Drawing:
        def choose(self, game: Game[Any, Any, Any], view: Any, rng: Rng) -> int:
            drawn.append(rng.randrange(1 << 30))
            return 1

    bots = [Drawing(), Drawing(), Drawing()]
    play_deal(Highest(), bots, 0, 0)
    play_deal(Highest(), bots, 0, 1)
    assert max(Counter(drawn).values()) == 1
    again = drawn.copy()
    drawn.clear()
    play_deal(Highest(), bots, 0, 0)
    play_deal(Highest(), bots, 0, 1)
    assert drawn == again


def test_bots_may_draw_numbers_of_any_size() -> None:
    drawn: dict[int, list[int]] = {1 << 32: [], (1 << 32) + 1: [], 3 << 61: [], 10**30: []}

    class Drawing:
        def choose(self, game: Game[Any, Any, Any], view: Any, rng: Rng) -> int:
            for stop, numbers in drawn.items():
                numbers.extend(rng.randrange(stop) for _ in range(100))
            return 1

    play_deal(Highest(), [Drawing(), Drawing()], 0, 0)
    for stop, numbers in drawn.items():
        assert 0 <= min(numbers) < stop / 20
        assert stop * 19 / 20 < max(numbers) < stop


def test_who_is_asked_at_once_knows_no_answer() -> None:
    known: list[Any] = []

    class Calls:
        def choose(self, game: Game[Any, Any, Any], view: Any, rng: Rng) -> Any:
            actions = list(game.legal_actions(view))
            if CHALLENGE in actions:
                known.append((view.public.asked, view.public.answers))
                return CHALLENGE
            if CALL in actions and all(any(meld.owner == seat for meld in view.public.melds) for seat in range(3)):
                return CALL
            melding = [action for action in actions if type(action).__name__ in ("Expose", "Draw")]
            return melding[0] if melding else actions[-1]

    for number in range(20):
        play_deal(TongIts(), [Calls()] * 3, 0, number)
    assert any(len(asked) == 2 for asked, _ in known)
    assert all(not answers for _, answers in known)


def test_a_deal_comes_out_the_same_again_by_itself() -> None:
    bots = [bot("tongits", level) for level in ("medium", "easy", "random")]
    played = [play_deal(TongIts(), bots, 7, number) for number in range(4)]
    assert play_deal(TongIts(), bots, 7, 2) == played[2]
    assert len(set(played)) > 1
