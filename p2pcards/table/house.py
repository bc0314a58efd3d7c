"""The rooms of one host: everything that works on one pen and one set of connections, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from p2pcards.games.options import read_options
from p2pcards.games.registry import GAMES
from p2pcards.table.ballots import Ballots
from p2pcards.table.bulletin import Bulletin
from p2pcards.table.courier import Courier
from p2pcards.table.door import Gate
from p2pcards.table.effects import LinkId
from p2pcards.table.handover import HandOver
from p2pcards.table.idle import Idle
from p2pcards.table.journal import Journal
from p2pcards.table.judge import Judge
from p2pcards.table.keeping import Lobby
from p2pcards.table.lease import Lease
from p2pcards.table.members import Members
from p2pcards.table.orders import Orders
from p2pcards.table.outbox import Outbox
from p2pcards.table.pen import Pen
from p2pcards.table.play import Play
from p2pcards.table.presence import Presence
from p2pcards.table.pulse import Pulse
from p2pcards.table.reception import Reception
from p2pcards.table.takeover import TakeOver
from p2pcards.table.talk import Switchboard
from p2pcards.table.turns import Turns
from p2pcards.table.verdicts import Relay
from p2pcards.table.voters import Voters
from p2pcards.table.whereabouts import Whereabouts
from p2pcards.table.wishes import Wishes
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Close
from p2pcards.wire.text import clean_title

OPEN_GATE = Gate()
"""Who knows nobody, and has no key."""


class House:
    """Made once for each host; the host and its `Course` go from room to room."""

    def __init__(
        self,
        identity: Identity,
        random: Callable[[int], bytes],
        wall: float,
        *,
        title: str = "",
        game: str = "",
        seats: int = 0,
        options: Mapping[str, str] | None = None,
        table_settings: Mapping[str, str] | None = None,
        closes_after_match: bool = False,
        keeps: bool = False,
        door: str = "open",
        gate: Gate = OPEN_GATE,
        journal: Journal | None = None,
        committed: int = 0,
        whereabouts: Mapping[bytes, tuple[bytes, ...]] | None = None,
    ) -> None:
        """As in `Host`."""
        self.identity, self.random = identity, random
        self.size, self.closes = seats, closes_after_match
        self.out = Outbox()
        self.pen = Pen(identity, wall, journal)
        books = self.pen.public
        if journal is None:
            self.title, self.game = clean_title(title), GAMES[game]
            self.game(read_options(self.game, options or {})).check_seats(seats)
        else:
            self.title, self.game, door = books.title, GAMES[books.rules.name], books.door
            options, table_settings = dict(books.options), dict(books.settings)
        self.lease = Lease(books, identity.key, committed)
        self.presence = Presence()
        self.pulse = Pulse(self.pen, self.presence, self.lease, self.out)
        self.play = Play(self.pen, random, self.presence.listens, self.is_final)
        self.lobby = Lobby(self.pen, self.play, self.presence, keeps=keeps)
        self.turns = Turns(self.pen, self.play, self.presence)
        self.ballots, self.verdicts, talk = Ballots(), Relay(books), Switchboard()
        self.idle = Idle(books, wakes=True)
        courier = Courier(self.pen, self.play, self.presence, self.lease, self.verdicts, self.out)
        self.publish = courier.publish
        self.members = Members(
            self.pen,
            self.play,
            self.presence,
            self.turns,
            self.lease,
            self.is_final,
            self.publish,
            self.shut,
        )
        self.judge = Judge(
            self.pen,
            self.play,
            self.presence,
            self.members,
            self.turns,
            self.lease,
            self.ballots,
            talk,
            self.verdicts,
            self.idle,
            self.out,
        )
        self.voters = Voters(self.pen, self.presence, self.lease)
        self.whereabouts = Whereabouts(books, whereabouts)
        self.handover = HandOver(self.pen, self.play, self.presence, self.lease, self.out)
        self.takeover: TakeOver | None = None
        self.orders = Orders(self.pen, self.game.name, options or {}, table_settings or {}, door)
        self.reception = Reception(
            gate,
            random,
            self.pen,
            self.presence,
            self.members,
            self.orders,
            self.voters,
            self.lease,
            self.whereabouts,
            talk,
            self.out,
            self.shut,
        )
        self.door = self.reception.door
        if journal is None:
            self.door.check(door)
        self.bulletin = Bulletin(books, self.presence, self.out)
        self.wishes = Wishes(
            self.pen,
            self.play,
            self.members,
            self.presence,
            self.turns,
            self.bulletin,
            self.idle,
            self.out,
            self.publish,
        )
        self.pen.halts = self._is_halted

    def shut(self, link: LinkId, last: Close) -> None:
        """Ends a link with these last words."""
        self.out.send(link, last)
        self.lost(link)

    def lost(self, link: LinkId) -> None:
        """A link is down."""
        self.door.gone(link)
        self.members.lost(link, self.pen.now)

    def is_final(self, index: int) -> bool:
        """Whether an entry is committed."""
        self.lease.advance(self.presence.is_heard)
        return self.lease.commit >= index

    @property
    def recovering(self) -> bool:
        """Whether what the open round hides is yet to be had."""
        return self.takeover is not None and not self.takeover.done

    def _is_halted(self) -> bool:
        return self.recovering or not self.lease.active(self.pen.now)
