"""The order in which a hand is shown, and by which `#3` counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from p2pcards.cards import Card, Cards, face, in_order, suit
from p2pcards.games.base import Game
from p2pcards.games.tongits.melds import split

ORDERS = ("rank", "suit", "melds")
"""The ways to sort, the default first; `melds` needs a game that has them."""

OWN = "own"
"""As the person has put them, card by card."""

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


def sorts(game: Game[Any, Any, Any]) -> tuple[str, ...]:
    """Those of `ORDERS` that make a difference in that game."""
    return ORDERS if game.name in _MELDS else tuple(order for order in ORDERS if order != "melds")


def merged(own: Iterable[Card], hand: Iterable[Card]) -> tuple[Card, ...]:
    """The hand in the order of `own`, as far as it is still held, and then the other cards as they come.

    Copies of a card are alike: of two one may be gone, it doesn't matter which.
    """
    left = list(hand)
    kept = list[Card]()
    for card in own:
        same = next((one for one in left if face(one) == face(card)), None)
        if same is not None:
            left.remove(same)
            kept.append(same)
    return (*kept, *left)


def moved(hand: tuple[Card, ...], place: int, to: int) -> tuple[Card, ...]:
    """The hand with the card of one place put at another one; both from 1, and in the hand."""
    others = [*hand[: place - 1], *hand[place:]]
    return (*others[: to - 1], hand[place - 1], *others[to - 1 :])
