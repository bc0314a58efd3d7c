"""The actions of Tong-its, one frozen struct each, and their text.

The rules hand out the same object for the same action: `DRAW`, `DISCARDS[card]`, `EXPOSES[cards]`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from p2pcards.cards import ACE_LOW, DECK, Card, Cards, cards_of, deck, each, format_cards, quoted
from p2pcards.errors import InvalidAction
from p2pcards.games.tongits.melds import MELDS


class Draw(Struct, frozen=True, gc=False):
    """Take the top card of the stock."""


class Take(Struct, frozen=True, gc=False):
    """Take the top discard and expose it at once with these cards of the hand."""

    cards: Cards


class TakeLayoff(Struct, frozen=True, gc=False):
    """Lay the top discard on an exposed meld (option discard_layoff); meld 0 is m1."""

    meld: int


class Call(Struct, frozen=True, gc=False):
    """Call a draw."""


class Expose(Struct, frozen=True, gc=False):
    """Lay a meld face up."""

    cards: Cards


class Layoff(Struct, frozen=True, gc=False):
    """Add a card of the hand to an exposed meld; meld 0 is m1."""

    card: Card
    meld: int


class Discard(Struct, frozen=True, gc=False):
    """Put a card on the discard pile, which ends the turn."""

    card: Card


class Challenge(Struct, frozen=True, gc=False):
    """Contest a called draw."""


class Fold(Struct, frozen=True, gc=False):
    """Give in to a called draw."""


Action = Draw | Take | TakeLayoff | Call | Expose | Layoff | Discard | Challenge | Fold

DRAW, CALL, CHALLENGE, FOLD = Draw(), Call(), Challenge(), Fold()
DISCARDS = tuple(map(Discard, deck()))
EXPOSES = {meld: Expose(meld) for meld in MELDS}
TAKES = {cards: Take(cards) for meld in MELDS for card in each(meld) for cards in (Cards(meld ^ 1 << card),)}
TAKE_LAYOFFS = tuple(map(TakeLayoff, range(DECK // 3)))
LAYOFFS = tuple(tuple(Layoff(card, meld) for card in deck()) for meld in range(DECK // 3))

_ALONE: dict[str, Action] = {"draw": DRAW, "call": CALL, "challenge": CHALLENGE, "fold": FOLD}
_MELD = re.compile(r"m([1-9][0-9]?)")
_APART = re.compile(r"[\s,]+")


def meld_name(meld: int) -> str:
    """`m1` for meld 0."""
    return f"m{meld + 1}"


@lru_cache(4096)
def format_action(action: Action) -> str:
    """Canonical text (records)."""
    match action:
        case Draw() | Call() | Challenge() | Fold():
            return type(action).__name__.lower()
        case Discard(card):
            return f"discard {ACE_LOW.format(card)}"
        case Layoff(card, meld):
            return f"layoff {ACE_LOW.format(card)} {meld_name(meld)}"
        case Expose(cards):
            return f"expose {format_cards(ACE_LOW, cards)}"
        case Take(cards):
            return f"take {format_cards(ACE_LOW, cards)}"
        case TakeLayoff(meld):
            return f"take {meld_name(meld)}"


def parse_action(text: str) -> Action:
    """The action that the text names; raises InvalidAction or InvalidCard."""
    verb, *words = _APART.split(text.strip())
    if verb in _ALONE:
        if words:
            raise InvalidAction(f"{verb} stands alone")
        return _ALONE[verb]
    match verb, words:
        case "take", [word] if _MELD.fullmatch(word):
            return TAKE_LAYOFFS[_meld(word)]
        case "take", [_, *_]:
            cards = _cards(words)
            return TAKES.get(cards) or Take(cards)
        case "expose", [_, *_]:
            cards = _cards(words)
            return EXPOSES.get(cards) or Expose(cards)
        case "layoff", [card, meld]:
            return LAYOFFS[_meld(meld)][ACE_LOW.parse(card)]
        case "discard", [card]:
            return DISCARDS[ACE_LOW.parse(card)]
        case (("take" | "expose"), _):
            raise InvalidAction(f"{verb} needs cards")
        case "layoff", _:
            raise InvalidAction("layoff needs a card and a meld, like layoff 8H m2")
        case "discard", _:
            raise InvalidAction("discard needs one card")
        case _:
            raise InvalidAction(f"no action of Tong-its: {quoted(verb)}")


def _cards(words: list[str]) -> Cards:
    cards = [ACE_LOW.parse(word) for word in words]
    held = cards_of(cards)
    if held.bit_count() < len(cards):
        twice = next(card for place, card in enumerate(cards) if card in cards[:place])
        raise InvalidAction(f"{ACE_LOW.format(twice)} twice")
    return held


def _meld(word: str) -> int:
    if not (found := _MELD.fullmatch(word)) or int(found[1]) > len(TAKE_LAYOFFS):
        raise InvalidAction(f"not a meld: {quoted(word)} (melds are m1, m2, …)")
    return int(found[1]) - 1
