"""How long a table is without host, split into its parts: processes in network namespaces, kill -9 (root only).

silence   until the others say that the host is gone: DEAD and the first one's step, which no machine makes shorter
vote      until a certificate stands in the journal: PREVOTE, VOTE, the vote files flushed
recovery  until the secret is open from the shares, the round folded anew, and everybody's view there
act       from the first act to its entry
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from statistics import median

from tests.bench.figure import Figure
from tests.outlives.takeover import Takeover, measure

TRIALS = 5
PEOPLE = 3


@cache
def _trials() -> tuple[Takeover, ...]:
    return tuple(measure("tongits", PEOPLE) for _ in range(TRIALS))


def part(name: str) -> Callable[[], Figure]:
    """The figure of one field of `Takeover`, or of its total."""

    def measured() -> Figure:
        seconds = [float(getattr(trial, name)) for trial in _trials()]
        return Figure(median(seconds), {"least": min(seconds), "most": max(seconds)})

    return measured
