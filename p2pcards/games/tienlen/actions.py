"""The actions of Tiến lên, one frozen struct each, and their text."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from p2pcards.cards import THREE_LOW, Cards, cards_of, format_cards, quoted
from p2pcards.errors import InvalidAction


class Play(Struct, frozen=True, gc=False):
    """Lead these cards, or beat with them what lies there."""

    cards: Cards


class Pass(Struct, frozen=True, gc=False):
    """Play nothing; whoever has passed is out of the trick until it ends."""


Action = Play | Pass

PASS = Pass()

_APART = re.compile(r"[\s,]+")


@lru_cache(4096)
def format_action(action: Action) -> str:
    """Canonical text (records)."""
    return f"play {format_cards(THREE_LOW, action.cards)}" if isinstance(action, Play) else "pass"


def parse_action(text: str) -> Action:
    """The action that the text names; raises InvalidAction or InvalidCard."""
    verb, *words = _APART.split(text.strip())
    match verb, words:
        case "pass", []:
            return PASS
        case "pass", _:
            raise InvalidAction("pass stands alone")
        case "play", [_, *_]:
            return Play(_cards([word for word in words if word]))
        case "play", _:
            raise InvalidAction("play needs cards")
        case _:
            raise InvalidAction(f"no action of Tiến lên: {quoted(verb)}")


def _cards(words: list[str]) -> Cards:
    cards = [THREE_LOW.parse(word) for word in words]
    held = cards_of(cards)
    if not held:
        raise InvalidAction("play needs cards")
    if held.bit_count() < len(cards):
        twice = next(card for place, card in enumerate(cards) if card in cards[:place])
        raise InvalidAction(f"{THREE_LOW.format(twice)} twice")
    return held
