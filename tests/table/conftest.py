"""Four machines in one process check the same signatures: here each is checked once.

What is remembered is the answer to exactly these bytes, so nothing that must be refused is let through.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest

from p2pcards.games import options
from p2pcards.table import acts, journal, judge, parts, rosters
from p2pcards.wire import identity, vote


@pytest.fixture(scope="session", autouse=True)
def _checked_once() -> Iterator[None]:
    remembered = lru_cache(1 << 16)(identity.verify)
    with pytest.MonkeyPatch.context() as patch:
        for module in (acts, judge, journal, parts, rosters, vote):
            patch.setattr(module, "verify", remembered)
        patch.setattr(options, "explained", lru_cache(options.explained))
        yield
