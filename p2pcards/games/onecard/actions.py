"""The actions of One Card, one frozen struct each, and their text.

Actions name faces: of equal cards from several decks it doesn't matter which one is played. The rules hand out the same
object for the same action: `PLAYS[card]`, `CALLS[card]`, `DRAW`, `PASS`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from p2pcards.cards import ACE_LOW, Card, deck, quoted
from p2pcards.errors import InvalidAction
from p2pcards.games.base import Shuffle


class Play(Struct, frozen=True, gc=False):
    """Put a card on the discard pile; `one` says that a single card is left (option call_one_card)."""

    card: Card
    one: bool = False


class Draw(Struct, frozen=True, gc=False):
    """Take a card of the stock, or all cards of a pending attack."""


class Pass(Struct, frozen=True, gc=False):
    """Keep the drawn card (options draw_then_play and draw_until_playable)."""


Action = Play | Draw | Pass | Shuffle

DRAW, PASS = Draw(), Pass()
PLAYS = tuple(map(Play, deck()))
CALLS = tuple(Play(card, True) for card in deck())

_ALONE: dict[str, Action] = {"draw": DRAW, "pass": PASS}
_APART = re.compile(r"[\s,]+")


def format_action(action: Action) -> str:
    """Canonical text (records)."""
    if isinstance(action, Shuffle):
        return " ".join(("shuffle", *map(ACE_LOW.format, action.order)))
    return _text(action)


@lru_cache
def _text(action: Play | Draw | Pass) -> str:
    if isinstance(action, Play):
        return f"play {ACE_LOW.format(action.card)}{' one' * action.one}"
    return type(action).__name__.lower()


def parse_action(text: str) -> Action:
    """The action that the text names; raises InvalidAction or InvalidCard."""
    verb, *words = _APART.split(text.strip())
    if verb in _ALONE:
        if words:
            raise InvalidAction(f"{verb} stands alone")
        return _ALONE[verb]
    match verb, words:
        case "play", [card]:
            return PLAYS[ACE_LOW.parse(card)]
        case "play", [card, "one"]:
            return CALLS[ACE_LOW.parse(card)]
        case "play", _:
            raise InvalidAction("play needs one card, like play 8H")
        case "shuffle", [_, *_]:
            return Shuffle(tuple(map(ACE_LOW.parse, words)))
        case "shuffle", _:
            raise InvalidAction("shuffle needs cards")
        case _:
            raise InvalidAction(f"no action of One Card: {quoted(verb)}")
