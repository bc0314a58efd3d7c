"""The way back to a host that was lost (protocol 5.6)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from p2pcards.net.address import Target
from p2pcards.net.clock import now
from p2pcards.net.dial import Unreachable, Why, dial
from p2pcards.net.link import Link
from p2pcards.wire.identity import Identity

BACK_OFF = (0.2, 5.0)
"""Seconds between the first two tries; twice as many each time, up to the second number."""

REFUSED_SECONDS = 5.0
"""A host whose machine says that nothing listens there any more is given up after so long."""


class Return:
    """To one host, as often as it is lost."""

    def __init__(self, targets: tuple[Target, ...], key: bytes) -> None:
        self._targets, self._key = targets, key
        self._lost_at: float | None = None  # when the host was lost that has not let us in again

    def done(self) -> None:
        """It has let us in."""
        self._lost_at = None

    async def dial(self, identity: Identity, patience: float, wanted: Callable[[], bool]) -> Link | None:
        """Dials until the host answers; None where there is no hope, or it is `wanted` no more.

        patience: seconds since it was first lost, however often it was reached.
        """
        lost_at = self._lost_at = self._lost_at or now()
        refused_at, pause = None, BACK_OFF[0]
        while wanted() and now() - lost_at < patience:
            try:
                return await dial(self._targets, identity, self._key)
            except Unreachable as error:
                refused_at = (refused_at or now()) if error.why is Why.REFUSED else None
                if refused_at is not None and now() - refused_at >= REFUSED_SECONDS:
                    return None
            await asyncio.sleep(pause * random.uniform(0.8, 1.2))  # noqa: S311 - jitter
            pause = min(2 * pause, BACK_OFF[1])
        return None
