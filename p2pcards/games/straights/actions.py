"""The actions of Straights, one frozen struct each, and their text.

The rules hand out the same object for the same action: `PLAYS[card]`, `DISCARDS[card]`, `PASS`.
"""

from __future__ import annotations

import re

from msgspec import Struct

from p2pcards.cards import ACE_LOW, Card, deck, quoted
from p2pcards.errors import InvalidAction


class Play(Struct, frozen=True, gc=False):
    """Put a card on the table."""

    card: Card


class Discard(Struct, frozen=True, gc=False):
    """Put a card aside, face down unless the option open_discards is on."""

    card: Card


class Pass(Struct, frozen=True, gc=False):
    """Do nothing (mode sevens_pass)."""


Action = Play | Discard | Pass

PLAYS = tuple(map(Play, deck()))
DISCARDS = tuple(map(Discard, deck()))
PASS = Pass()

_APART = re.compile(r"[\s,]+")


def format_action(action: Action) -> str:
    """Canonical text (records)."""
    match action:
        case Play(card):
            return f"play {ACE_LOW.format(card)}"
        case Discard(card):
            return f"discard {ACE_LOW.format(card)}"
        case Pass():
            return "pass"


def parse_action(text: str) -> Action:
    """The action that the text names; raises InvalidAction or InvalidCard."""
    verb, *words = _APART.split(text.strip())
    match verb, words:
        case "pass", []:
            return PASS
        case "pass", _:
            raise InvalidAction("pass stands alone")
        case "play", [card]:
            return PLAYS[ACE_LOW.parse(card)]
        case "discard", [card]:
            return DISCARDS[ACE_LOW.parse(card)]
        case (("play" | "discard"), _):
            raise InvalidAction(f"{verb} needs one card")
        case _:
            raise InvalidAction(f"no action of Straights: {quoted(verb)}")
