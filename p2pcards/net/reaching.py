"""The way back to a table, and to everybody at it: whom to dial, and where they may be (protocol 5.6, 7.2).

    reaching = Reaching(sitting, key, lookout, calls)
    reaching.came(link)                    # one that we dialled: it is known where that is
    reaching.look()                        # the table, or the list, may be another
    reaching.close()

Somebody is looked for where we reached them before, where the table says they are, and where an advert says so; while
there is no host, everybody who is heard of at the table will do, for each of them leads on. Who has a seat and a vote
never gives up: the table waits, and may be taken up years later. Whoever only looks on, or is not even in, does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from p2pcards.net.address import Target, unpack_targets
from p2pcards.net.calls import Calls
from p2pcards.net.link import Link
from p2pcards.net.lookout import Lookout
from p2pcards.net.sitting import Sitting
from p2pcards.table.effects import HostGone

LOST_SECONDS = 90.0
"""A host that can't be reached is given up after so long by who has no vote."""

MOST_LED = 16
"""So many are looked for of whom others say that they lead to the table: whoever answers may name anybody."""

JOIN_SECONDS = 10.0
"""A host that has not let us in yet, however often we came, is given up after so long."""


class Reaching:
    """One sitting's view of where the others are."""

    def __init__(self, sitting: Sitting, key: bytes, lookout: Lookout, calls: Calls) -> None:
        self._sitting, self._key, self._lookout, self._calls = sitting, key, lookout, calls
        self._seen: dict[bytes, tuple[Target, ...]] = {}  # where we reached them
        self._host = b""  # at whose door we stand
        self._led: dict[bytes, tuple[Target, ...]] = {}  # who is said to be host by now, and where
        self._giving_up: asyncio.TimerHandle | None = None

    def door(self, key: bytes, targets: tuple[Target, ...]) -> None:
        """This is where the table is, while we are not in."""
        self._host, self._seen[key] = key, targets
        self.elsewhere(key, targets)

    def elsewhere(self, key: bytes, targets: tuple[Target, ...]) -> None:
        """Somebody is said to be there, and to lead us to the table."""
        if any(key) and key != self._key and targets and (key in self._led or len(self._led) < MOST_LED):
            self._led[key] = targets

    def came(self, link: Link) -> None:
        """We reached somebody."""
        known = self._seen.get(link.key, ())
        self._seen[link.key] = tuple(dict.fromkeys((link.address, *known)))

    def look(self) -> None:
        """Dials whom the table wants to reach now."""
        guest = self._sitting.guest
        lost = guest.host_link is None and not guest.finished
        self._lookout.watch(lost and guest.entered)
        self._calls.want(self._wanted(lost))
        if guest.welcomed:
            self._led.clear()
            self._stop_waiting()
        elif lost and self._giving_up is None:
            seconds = LOST_SECONDS if guest.entered else JOIN_SECONDS
            self._giving_up = asyncio.get_running_loop().call_later(seconds, self._give_up)

    def close(self) -> None:
        """Dials nobody any more."""
        self._stop_waiting()
        self._calls.close()

    def _wanted(self, lost: bool) -> Mapping[bytes, tuple[Target, ...]]:
        """Everybody to dial, and where."""
        guest, books = self._sitting.guest, self._sitting.guest.public
        if lost and not guest.entered:
            return {self._host: self._seen[self._host]} if self._host in self._seen else {}
        told = {key: unpack_targets(packed) for key, packed in self._sitting.peer.wanted.items()}
        heard: dict[bytes, tuple[Target, ...]] = {}
        if lost:
            heard.update((key, ()) for key in self._led)
            for table in (*books.tables, self._sitting.peer.table):
                heard.update(self._lookout.ways(table))
        every = dict.fromkeys((*told, *heard))
        every.pop(self._key, None)
        return {
            key: tuple(
                dict.fromkeys(target for found in (self._led, self._seen, told, heard) for target in found.get(key, ()))
            )
            for key in every
            if key in told or not self._sitting.has_link(key)
        }

    def _give_up(self) -> None:
        """So long nobody let us in."""
        self._giving_up = None
        guest = self._sitting.guest
        if guest.entered and self._key in guest.public.voters:
            return
        self._sitting.feed(HostGone())

    def _stop_waiting(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None
