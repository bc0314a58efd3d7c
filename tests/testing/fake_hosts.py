"""A fake node whose host goes and comes: what is told then, in the order in which a guest tells it, as tests order."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.table.listing import KeptTable
from p2pcards.table.notices import (
    GoOnAsked,
    GoOnDenied,
    HostChanging,
    HostIs,
    RolledBack,
    TableWaits,
    WentOn,
)
from p2pcards.table.tableview import Safe
from tests.testing.fake_node import NICK, FakeNode

KEPT = KeptTable(b"\x09" * 16, "Friday night", "tongits", 240.0)


class HostsNode(FakeNode):
    """At a table of three people, ben the host unless `sit` says otherwise."""

    def falls_silent(self) -> None:
        """Nothing is heard of the host."""
        self.change(changing=True, safe=Safe(False, "host"))
        self.tell(HostChanging(self._seated.host))

    def takes_over(self, nick: str, why: str = "elected") -> None:
        """That player hosts from now on."""
        key = next(seat.key for seat in self._seated.seats if seat.nick == nick)
        term = self._seated.term + 1
        self.change(host=nick, host_key=key, mine=nick == NICK, changing=False, term=term, safe=Safe(True))
        self.tell(HostIs(nick, term, why))

    def loses(self, *acts: str, count: int = 2) -> None:
        """The last entries are gone, among them these acts of ours."""
        self.tell(RolledBack(17, count, acts))

    def stands_still(self, *nicks: str) -> None:
        """Too few are here; without nicks it goes on."""
        self.change(waiting_for=nicks, may_go_on=())
        self.tell(TableWaits(nicks))

    def asks(self, *nicks: str, by: str = "", void: bool = False) -> None:
        """Whether to go on without these."""
        self.change(waiting_for=nicks, may_go_on=nicks)
        self.tell(GoOnAsked(nicks, by, void))

    def is_denied(self, nick: str) -> None:
        """Somebody would rather wait."""
        self.tell(GoOnDenied(nick))

    def goes_on_without(self, *nicks: str) -> None:
        """All agreed."""
        self.change(waiting_for=(), may_go_on=())
        self.tell(WentOn(nicks))

    def drops(self, nick: str, seconds: float) -> None:
        """A player's seat is held."""
        seats = tuple(
            replace(seat, held_until=self.clock + seconds) if seat.nick == nick else seat for seat in self._seated.seats
        )
        self.change(seats=seats)

    def only_looks_on(self) -> None:
        """We have no seat, and want none."""
        seats = (replace(self._seated.seats[0], nick="fay", key=b"f" * 32), *self._seated.seats[1:])
        self.change(me=None, seats=seats, spectators=(NICK,), spectator_keys=(b"\x01" * 32,), onlooker=True)


def at_table(*, host: bool = False, game: str = "tongits", seed: int = 1) -> HostsNode:
    """A table of three people in its lobby."""
    node = HostsNode(seed)
    node.sit(game, others=2, host=host)
    return node


def playing(*, host: bool = False, game: str = "tongits", seed: int = 1) -> HostsNode:
    """The same in its first round, at our turn."""
    node = at_table(host=host, game=game, seed=seed)
    node.change(safe=Safe(True))
    node.start()
    return node
