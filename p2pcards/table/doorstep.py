"""A guest at its host's door: what it shows, how long it waits there, and whether it has more to show (protocol 5)."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards import PROTOCOL, __version__
from p2pcards.table.access import my_games
from p2pcards.table.journal import Journal
from p2pcards.table.settings import ASK_SECONDS
from p2pcards.table.ticket import Approach, Ticket
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Confirm, Flag, Hello, Method, Pake, Reason

KNOCK_SECONDS = 1.0
"""Who is not let in by then is told that the host is asked."""

DOOR_SECONDS = ASK_SECONDS + 5.0
"""How long we stand at a door without a word."""


class Doorstep:
    """One guest's. seat_gone: the host no longer knows us as a member; wait_at: when it shows that we have to wait."""

    def __init__(
        self,
        identity: Identity,
        random: Callable[[int], bytes],
        ticket: Ticket,
        nick: str,
        *,
        program: bool,
        watch: bool,
    ) -> None:
        self._nick = nick
        self._flags = (Flag.PROGRAM if program else Flag(0)) | (Flag.SPECTATOR if watch else Flag(0))
        self._key, self._random, self._ticket = identity.key, random, ticket
        self._approach: Approach | None = None
        self.seat_gone = False
        self.wait_at: float | None = None

    def hello(
        self,
        method: Method,
        proof: bytes,
        journal: Journal,
        vote_file: bool,
        port: int,
        addresses: tuple[bytes, ...],
    ) -> Hello:
        """Our first word on a link that we dialled."""
        flags = self._flags | (Flag.VOTE_FILE if vote_file else Flag(0))
        resume = (journal.table, journal.last, journal.head) if len(journal) else ()
        shows = (int(flags), int(method), proof)
        return Hello(__version__, PROTOCOL, my_games(), self._nick, *shows, port, addresses, resume)

    def come(self, host: bytes, session: bytes, *, member: bool, own: bool, now: float) -> Approach:
        """A link to the host is up. member: we hold a seat; own: the host is in this same process."""
        known = member and not self.seat_gone
        self._approach = approach = Approach(self._ticket, self._key, host, session, self._random, member=known)
        self.wait_at = now + KNOCK_SECONDS if approach.method is not Method.MEMBER and not own else None
        return approach

    def pake(self, message: Pake) -> Confirm | None:
        """Our proof that we know the code; None where we are at no door."""
        return None if self._approach is None else self._approach.pake(message)

    def inside(self, proof: bytes) -> None:
        """We are let in; ProtocolError where the host has not proved what its door asks for."""
        if self._approach is not None:
            self._approach.check(proof)
        self.seat_gone = False
        self.away()

    def away(self) -> None:
        """We stand there no more."""
        self._approach = self.wait_at = None

    @property
    def knocks(self) -> bool:
        """Whether we stand there as a stranger, about whom somebody may be asked."""
        return self._approach is not None and self._approach.method is not Method.MEMBER

    def has_more_to_show(self, reason: int) -> bool:
        """Whether we came back as a member, the seat is gone, and we have what the door asks everybody else for."""
        came = self._approach is not None and self._approach.method is Method.MEMBER
        asked = (reason == Reason.WRONG_CODE and self._ticket.code) or (
            reason == Reason.NOT_A_MEMBER and self._ticket.lab
        )
        return came and bool(asked)
