"""What every program of a table works out from the same bytes, worked out once in a run.

Each of these is a function of its arguments, which are bytes, numbers and tuples of them, and of nothing else; what it
gives is never changed. A refusal is kept by nobody: who hears the same bytes refuses them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest

from p2pcards.games.onecard import codec as onecard
from p2pcards.games.straights import codec as straights
from p2pcards.games.tienlen import codec as tienlen
from p2pcards.games.tongits import codec as tongits
from p2pcards.table import acts, audit_deal, follower, replay

_GIVEN = (
    (follower, "decode_wire"),
    (acts, "decode_envelope"),
    (replay, "decode_envelope"),
    (audit_deal, "leaves"),
    (onecard, "decode"),
    (straights, "decode"),
    (tienlen, "decode"),
    (tongits, "decode"),
)
"""By whom each is asked, and its name there."""


@contextmanager
def once() -> Iterator[None]:
    """Inside, an entry, what a seat says in it and a view are decoded, and a deck is bound, once for all programs."""
    with pytest.MonkeyPatch.context() as patch:
        for room, name in _GIVEN:
            patch.setattr(room, name, cache(getattr(room, name)))
        yield
