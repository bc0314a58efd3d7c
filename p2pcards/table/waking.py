"""What a host tells of the others once it has slept: at first it looks as if they were gone, and it was gone itself.

Losses are kept back until it is sure to be host still; where another one was chosen meanwhile, that alone is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from p2pcards.table.election import DEAD
from p2pcards.table.notices import Dropped, Notice, Returned, TableWaits


class Waking:
    """One program's."""

    def __init__(self) -> None:
        self._until = 0.0
        self._dropped: dict[str, tuple[float, Dropped]] = {}
        self._waits: TableWaits | None = None
        self._untold: set[str] = set()  # of whom a loss was kept from the person for good

    def slept(self, now: float) -> None:
        """We were host, and this machine stood still."""
        self._until = now + DEAD

    def sift(self, notices: Iterable[Notice], now: float, *, hosts: bool) -> list[Notice]:
        """What is told now. hosts: we are host."""
        told = list(self._passed(notices, now)) if self._until or self._untold else list(notices)
        if self._until and not hosts:
            self._untold |= self._dropped.keys()
            self._until = 0.0
        elif self._until and now >= self._until:
            told += [replace(one, seconds=max(0, one.seconds - round(now - at))) for at, one in self._dropped.values()]
            told += [] if self._waits is None else [self._waits]
            self._until = 0.0
        if not self._until:
            self._dropped, self._waits = {}, None
        return told

    def _passed(self, notices: Iterable[Notice], now: float) -> Iterator[Notice]:
        for notice in notices:
            match notice:
                case Dropped(nick=nick) if self._until:
                    self._dropped[nick] = now, notice
                case Returned(nick=nick) if nick in self._dropped or nick in self._untold:
                    self._dropped.pop(nick, None)
                    self._untold.discard(nick)
                case TableWaits(nicks) if self._until and (nicks or self._waits is not None):
                    self._waits = notice if nicks else None
                case Dropped(nick=nick):
                    self._untold.discard(nick)
                    yield notice
                case _:
                    yield notice
