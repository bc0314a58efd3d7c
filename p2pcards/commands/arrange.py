"""The order in which a hand is shown, and by which `#3` counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from p2pcards.cards import Card, Cards, in_order, suit
from p2pcards.games.base import Game
from p2pcards.games.tongits.melds import split

ORDERS = ("rank", "suit", "melds")
"""The ways to sort, the default first; `melds` needs a game that has them."""

_MELDS: Mapping[str, Callable[[Cards], tuple[Cards, ...]]] = {"tongits": lambda hand: split(hand).melds}
"""By game: the melds in a hand."""


def arrange(game: Game[Any, Any, Any], hand: Cards, order: str) -> tuple[Card, ...]:
    """The cards of the hand from left to right."""
    cards = in_order(hand)
    if order == "suit":
        return tuple(sorted(cards, key=suit))
    if order == "melds" and game.name in _MELDS:
        melds = _MELDS[game.name](hand)
        places = {card: place for place, meld in enumerate(melds) for card in in_order(meld)}
        return tuple(sorted(cards, key=lambda card: places.get(card, len(melds))))
    return tuple(cards)
