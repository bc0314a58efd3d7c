"""Who sat with us is somebody we know, by key; who borrows the name of somebody we know is told of and not taken up.

    acquaintance = Acquaintance(people, wall)        # one for each sitting
    notices = acquaintance.look(public, me, mine)    # whenever somebody came

At our own table a borrowed name comes in only when we admit it ourselves: from then on we know both.
"""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.errors import UserError
from p2pcards.table.notices import Failed, Notice, OtherKey
from p2pcards.table.people import Known, People
from p2pcards.table.public import Public
from p2pcards.wire.entries import SeatKind

MOST_MET = 100
"""So many are taken up at a table that isn't ours: its host can make up any number of people, and each is written."""


class Acquaintance:
    """What one sitting adds to the people that we know."""

    def __init__(self, people: People, wall: Callable[[], float]) -> None:
        """wall: unix seconds."""
        self._people, self._wall = people, wall
        self._seen: dict[bytes, str] = {}  # keys, and the nick each was seen with
        self._failed = False
        self._met = 0  # at a table that isn't ours

    def look(self, public: Public, me: bytes, mine: bool) -> list[Notice]:
        """Takes up everybody who is new here; what is to be told of it. me: our key; mine: the table is."""
        told: list[Notice] = []
        for key, nick in present(public):
            if key != me and self._seen.get(key) != nick:
                self._seen[key] = nick
                try:
                    told += self._take_up(key, nick, mine)
                except UserError as error:
                    told += [] if self._failed else [Failed(f"{error} Whom you meet here is not remembered.", 0)]
                    self._failed = True
        return told

    def nick_of(self, key: bytes) -> str:
        """What somebody was called here, who may be gone; empty for others."""
        return self._seen.get(key, "")

    def _take_up(self, key: bytes, nick: str, mine: bool) -> list[Notice]:
        people = self._people
        if not mine:
            if people.what(key, nick) is Known.OTHER:
                known = next((one.key for one in people.named(nick) if one.key != key), b"")
                return [OtherKey(nick, key, known)]
            if self._met >= MOST_MET:
                return []
            self._met += 1
        people.meet(key, nick, self._wall(), people.login(key))
        return []


def present(public: Public) -> list[tuple[bytes, str]]:
    """Keys and nicks of the players, programs among them, and of those who look on."""
    players = [(held.key, held.nick) for held in public.seats if held.kind is SeatKind.MEMBER]
    return [*players, *public.spectators]
