"""What a game gets from `Game` when it says nothing else itself."""

from __future__ import annotations

from p2pcards.games.base import Carry, Game, Outcome, Seat, Secrecy
from p2pcards.games.tongits import TongIts

GAME = TongIts()


def test_points_settle_as_they_are_and_no_pot_grows() -> None:
    outcome = Outcome("out", (Seat(1),), (0, 1, 0), None)
    assert Game.settle(GAME, Carry(3), outcome) == ((0, 1, 0), Carry(3))
    assert Game.pot(GAME, Carry(3), 3) == 3


def test_everything_is_public() -> None:
    assert Game.secrecy(GAME, GAME.parse("fold")) is Secrecy.PUBLIC


def test_who_starts_is_drawn_by_lot_until_an_outcome_says_it() -> None:
    assert GAME.starter(None, 3, 2) == 2
    assert GAME.starter(Outcome("out", (), (0, 0, 0), None), 3, 2) == 2
    assert GAME.starter(Outcome("out", (), (0, 0, 0), Seat(1)), 3, 2) == 1


def test_whoever_has_most_is_ahead() -> None:
    assert GAME.leaders((1, 3, 3)) == (1, 2)
    assert GAME.leaders((-1, -3, -3)) == (0,)
