"""How a program goes from its table, with a good-bye or without, and what becomes of a table that it hosts (7.2, 7.6).

A host that leaves hands over first, where there is somebody to take over, and says good-bye to its successor. Who is
gone without a word (a closed terminal) says none: the seat is kept for a while.
"""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.errors import UserError
from p2pcards.table.effects import Left, Ordered, Woke
from p2pcards.table.election import Election
from p2pcards.table.mesh import Mesh
from p2pcards.table.pair import Pair
from p2pcards.wire.envelope import LeaveReason

GOING_SECONDS = 4.0
"""How long somebody who leaves waits for a hand-over."""


class Parting:
    """One program's. leaving: how it goes; by: when at the latest; drain: sends what the election has to say."""

    def __init__(self, key: bytes, pair: Pair, mesh: Mesh, election: Election, drain: Callable[[], None]) -> None:
        self._key, self._pair, self._mesh, self._election, self._drain = key, pair, mesh, election, drain
        self.leaving: LeaveReason | None = None
        self.hangs_up = False
        self.by: float | None = None

    @property
    def alone(self) -> bool:
        """Whether nobody else has a say."""
        return set(self._pair.guest.public.voters) <= {self._key}

    def leave(self, reason: LeaveReason) -> None:
        """A host hands over before it goes, where there is somebody to take over."""
        if self.leaving is not None:
            return  # on its way
        if self._pair.host is None:
            self._election.leave()
            self._drain()  # before the good-bye, which may be the last that we say
            self._say_leave(reason)
            self._pair.to_guest(Left(reason))
            return
        self.leaving, self.by = reason, self._pair.now + GOING_SECONDS
        self._hand_over()

    def _say_leave(self, reason: LeaveReason) -> None:
        """Without a host the good-bye goes to all members: the next host journals it (protocol 7.2)."""
        if self._pair.guest.welcomed or self._key not in self._pair.guest.public.voters:
            return
        said = self._pair.guest.leave_said(reason)
        for link in self._mesh.members().values():
            self._pair.send(link, said)

    def _hand_over(self) -> None:
        host = self._pair.host
        if host is None:
            return
        try:
            self._pair.take_host(host.handle(Ordered(("handover", "")), self._pair.now))
            self._pair.run()
        except UserError:
            self._end_table()

    def _end_table(self) -> None:
        """We can't hand over: alone, the table ends with us; else the others see for themselves, when they can."""
        self.by = None
        if not self.alone:
            self.drop()
        elif self._pair.host is not None:
            who = self._pair.guest.public.nick_of(self._key) or "the host"
            self._pair.to_host(Ordered(("close", f"{who} closed the table")))

    def hang_up(self) -> None:
        """Our person is gone without a word."""
        if self._pair.host is not None and not self.alone:
            self.hangs_up, self.by = True, self._pair.now + GOING_SECONDS
            self._hand_over()
        else:
            self.drop()

    def drop(self) -> None:
        """We go without a good-bye: the seat is kept for us for a while."""
        self.by = None
        for link in list(self._mesh.links):
            self._mesh.down(link)
        self._pair.guest.go("left" if self.leaving else "hung_up")
        self._pair.take_guest(self._pair.guest.handle(Woke(), self._pair.now))

    def go(self) -> None:
        """Goes, when the table is in other hands or it takes too long."""
        if self.by is None:
            return
        if self._pair.host is None and self.leaving is not None and self._pair.guest.welcomed:
            self.by, reason = None, LeaveReason.HANDED_OVER
            self._election.leave()
            self._drain()
            self._pair.to_guest(Left(reason))
        elif self._pair.now >= self.by:
            self.by = None
            if self.hangs_up:
                self.drop()
            else:
                self._end_table()
