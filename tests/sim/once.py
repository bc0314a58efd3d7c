"""What every program of a table works out from the same bytes, worked out once in a run.

Each of these is a function of its arguments, which are bytes, numbers and tuples of them, and of nothing else; what it
gives is never changed. An error is kept by nobody: who hears the same bytes refuses them anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.games.base import Game
from p2pcards.games.match import Match
from p2pcards.games.onecard import codec as onecard
from p2pcards.games.onecard import rules as onecard_rules
from p2pcards.games.straights import codec as straights
from p2pcards.games.straights import rules as straights_rules
from p2pcards.games.tienlen import codec as tienlen
from p2pcards.games.tienlen import rules as tienlen_rules
from p2pcards.games.tongits import codec as tongits
from p2pcards.games.tongits import rules as tongits_rules
from p2pcards.table import acts, audit, audit_deal, follower, journal, judge, parts, pen, public, reader, replay
from p2pcards.table import round as round_room
from p2pcards.table.journal import Journal

_GIVEN = (
    (follower, "decode_wire"),
    (journal, "head"),
    (journal, "head_signed"),
    (journal, "verify"),
    (acts, "verify"),
    (public, "decode_pub"),
    (replay, "decode_pub"),
    (reader, "shown_digest"),
    (audit, "shown_digest"),
    (acts, "decode_envelope"),
    (judge, "decode_envelope"),
    (parts, "decode_envelope"),
    (pen, "decode_envelope"),
    (reader, "decode_envelope"),
    (replay, "decode_envelope"),
    (round_room, "decode_envelope"),
    (audit_deal, "leaves"),
    (onecard_rules, "parse_action"),
    (straights_rules, "parse_action"),
    (tienlen_rules, "parse_action"),
    (tongits_rules, "parse_action"),
    (onecard, "decode"),
    (straights, "decode"),
    (tienlen, "decode"),
    (tongits, "decode"),
)
"""By whom each is asked, and its name there."""


@contextmanager
def once() -> Iterator[None]:
    """Inside, an entry is checked and decoded, a view too, and a round is repeated, once for all programs."""
    with pytest.MonkeyPatch.context() as patch:
        shared = {work: cache(work) for work in {getattr(room, name) for room, name in _GIVEN}}
        for room, name in _GIVEN:
            patch.setattr(room, name, shared[getattr(room, name)])
        patch.setattr(audit, "repeat_round", _of_equal_journals(audit.repeat_round))
        yield


Repeated = tuple[audit.Audit, dict[int, Any]]
Repeats = Callable[[Journal, Game[Any, Any, Any], int, int, bytes, Match], Repeated]


def _of_equal_journals(repeat: Repeats) -> Repeats:
    """The same, with a journal known by the head of the last entry: it binds all before it, and so the game."""
    found: dict[object, Repeated] = {}

    def known(held: Journal, game: Game[Any, Any, Any], first: int, last: int, secret: bytes, match: Match) -> Repeated:
        key = held.heads[last], first, secret, replace(match, game=None)
        if key not in found:
            found[key] = repeat(held, game, first, last, secret, match)
        return found[key]

    return known
