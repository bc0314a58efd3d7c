"""Matches over rounds."""

from __future__ import annotations

import pytest

from p2pcards.games.base import Outcome, Seat
from p2pcards.games.match import Match
from p2pcards.games.options import changed_options, convert_options
from p2pcards.games.tongits import TongIts


def match(**options: object) -> Match:
    """A match of Tong-its before its first round."""
    return Match.start(TongIts(convert_options(TongIts, options)), 3)


def won(*winners: int, starter: int | None = None) -> Outcome:
    """A round won by this seat, or nobody, with a point for it."""
    points = tuple(int(seat in winners) for seat in range(3))
    return Outcome("call", tuple(map(Seat, winners)), points, Seat(winners[0] if winners else starter or 0))


def test_before_the_first_round() -> None:
    begun = match()
    assert (begun.scores, begun.round, begun.points, begun.pot, begun.winners) == ((0, 0, 0), 0, (), 0, ())
    assert (begun.over, begun.endless) == (False, True)
    assert [begun.starter(lot) for lot in range(3)] == [0, 1, 2]


def test_no_match_yet() -> None:
    assert (Match().scores, Match().over, Match().endless, Match().pot, Match().winners) == ((), False, False, 0, ())
    with pytest.raises(ValueError, match="no match"):
        Match().starter(0)


def test_scores_add_up_and_the_winner_starts() -> None:
    played = match().settle(won(1)).settle(won(1)).settle(won(2))
    assert (played.scores, played.points, played.wins, played.round) == ((0, 2, 1), (0, 0, 1), (0, 2, 1), 3)
    assert played.starter(0) == 2
    assert match().settle(won(starter=1)).starter(0) == 1


def test_a_match_is_a_value() -> None:
    begun = match()
    begun.settle(won(1))
    assert begun.scores == (0, 0, 0)


def test_r28_match_rounds_ends_it() -> None:
    begun = match(match_rounds=2)
    assert not begun.endless
    assert not begun.settle(won(1)).over
    ended = begun.settle(won(1)).settle(won())
    assert (ended.over, ended.winners) == (True, (1,))


def test_r28_target_wins_ends_it() -> None:
    begun = match(target_wins=2)
    assert not begun.endless
    played = begun.settle(won(1)).settle(won(2)).settle(won(0))
    assert (played.over, played.winners) == (False, ())
    assert (played.settle(won(2)).over, played.settle(won(2)).winners) == (True, (2,))


def test_target_wins_counts_rounds_not_chips() -> None:
    played = match(target_wins=2, scoring="chips", ante=1, hitter_pot=True).settle(won(1)).settle(won(2))
    assert not played.over
    played = played.settle(won(2))
    assert (played.over, played.pot) == (True, 0)


def test_r28_equal_scores_share_the_win() -> None:
    assert match(match_rounds=2).settle(won(0)).settle(won(2)).winners == (0, 2)
    assert match(match_rounds=1).settle(won()).winners == (0, 1, 2)


def test_r28_a_stop_makes_it_a_match_of_so_many_rounds() -> None:
    stopped = match(scoring="chips").settle(won(0)).settle(won(0)).stop()
    assert (stopped.over, stopped.winners, stopped.scores) == (True, (0,), (2, 0, 0))
    assert stopped.game is not None
    assert changed_options(stopped.game.options) == {"scoring": "chips", "match_rounds": 2}


def test_r32_the_pot_is_on_the_table_before_it_is_won() -> None:
    begun = match(scoring="chips", ante=5, match_rounds=3)
    assert begun.pot == 15
    played = begun.settle(won())
    assert (played.pot, played.scores) == (30, (-5, -5, -5))
    played = played.settle(won(1))
    assert (played.pot, played.scores) == (15, (-10, 21, -10))


def test_r34_a_pot_that_nobody_took_lapses() -> None:
    ended = match(scoring="chips", ante=5, match_rounds=2).settle(won(1)).settle(won())
    assert (ended.over, ended.pot) == (True, 15)
    hitter = match(scoring="chips", ante=5, hitter_pot=True, match_rounds=2).settle(won(1)).settle(won(2))
    assert (hitter.over, hitter.pot) == (True, 30)
