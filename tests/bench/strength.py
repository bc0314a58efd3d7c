"""How well `medium` plays: in one seat, against one kind of bot in all others, each deal from every seat.

`p2pcards arena GAME --seat medium --seat random …` plays the same for any other bots, options and numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.bots.arena import play_deal
from p2pcards.bots.registry import bot
from p2pcards.bots.standing import Standing, standings
from p2pcards.games.registry import GAMES
from tests.bench.figure import Figure, Missing

DEALS = 500


def share(game: str, seats: int, others: str) -> Callable[[], Figure]:
    """Measures its share of the wins."""

    def measure() -> Figure:
        found = _medium(game, seats, others)
        return Figure(found.win_share, {"low": found.low, "high": found.high})

    return measure


def low_end(game: str, seats: int, others: str) -> Callable[[], Figure]:
    """Measures the low end of the share's interval, which is to lie above chance."""

    def measure() -> Figure:
        found = _medium(game, seats, others)
        return Figure(found.low, {"share": found.win_share, "high": found.high})

    return measure


def _medium(game: str, seats: int, others: str) -> Standing:
    if game not in GAMES:
        raise Missing(f"there is no game called {game}")
    bots = [bot(game, "medium"), *[bot(game, others)] * (seats - 1)]
    return standings([play_deal(GAMES[game](), bots, 0, number) for number in range(DEALS)])[0]
