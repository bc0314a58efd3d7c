"""Who is connected to the host, who has fallen silent, and whose seat is kept for how long (protocol 7.2, grace)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from p2pcards.table.effects import OWN_LINK, LinkId
from p2pcards.wire.entries import SeatKind, SeatPub
from p2pcards.wire.messages import Peers, Standing

SILENCE = 5.0
"""Seconds without a record after which a player counts as dropped."""

BEAT = 1.0
"""Seconds between heartbeats (protocol 7.1)."""


class Connection(Struct):
    """One connection after its handshake."""

    key: bytes
    heard: float
    session: bytes = b""  # th3
    welcomed: bool = False
    came: float = 0.0  # when it was let in
    nick: str = ""  # as it is to be called, while it does not stand in the roster
    program: bool = False
    watching: bool = False  # wants no seat
    vote_file: bool | None = None  # keeps its votes in a file; None: has not said
    adopted: bool = False  # it was a link between members
    readmitted: bool = False  # as a voter, since it came without one
    linked: frozenset[bytes] = frozenset()  # the voters that it has links to
    sent: int | None = None  # index of the next entry to send; None until its GET
    shared: int = 0  # first epoch of the round whose share it was sent
    shared_at: int = 0  # number of the newest heartbeat before that
    holds: int = 0  # first epoch of the round whose share it has acknowledged
    viewed: int = -1  # index the newest view was sent for
    opened: int = 0  # how many of its seat's leaves in this round that view took into account
    verdicts: tuple[int, int] = (0, 0)  # index of the newest DISCLOSE, and how many verdicts on it were sent
    acked: int = -1
    held: tuple[tuple[int, float], ...] | None = None  # the missing seats that it was told of, and how long kept
    ready: tuple[tuple[int, ...], float | None] | None = None  # what it was told of who wants to go on
    clock: tuple[float | None, tuple[int, ...], int] = (None, (), 0)  # what it was told of the present turn
    peers: Peers | None = None  # what it was told of where the members are reached
    standing: Standing | None = None  # and of whether the table would outlive its host
    silent: bool = False

    @property
    def hangs(self) -> tuple[object, ...]:
        """Of what a program says of itself when it acknowledges, that on which what the table does next hangs."""
        return self.sent, self.vote_file, self.linked, self.holds


class Presence:
    """Connections by link, and the dropped members by key."""

    def __init__(self) -> None:
        self.connections: dict[LinkId, Connection] = {}
        self._held: dict[bytes, float] = {}  # key of a dropped member -> when its grace ends
        self._looked = 0.0

    def welcomed(self) -> list[tuple[LinkId, Connection]]:
        """Those who were let in."""
        return [(link, there) for link, there in self.connections.items() if there.welcomed]

    def of(self, key: bytes, but: LinkId | None = None) -> list[tuple[LinkId, Connection]]:
        """Connections of that key that were let in, but for one."""
        return [
            (link, one) for link, one in self.connections.items() if one.key == key and one.welcomed and link != but
        ]

    def is_here(self, key: bytes) -> bool:
        """Whether a connection of this key was let in."""
        return any(there.key == key for _, there in self.welcomed())

    def is_heard(self, key: bytes) -> bool:
        """Whether a connection of this key was let in that is not silent."""
        return any(there.key == key and there.welcomed and not there.silent for there in self.connections.values())

    def listens(self, key: bytes) -> bool:
        """Whether somebody with this key is heard of and follows the journal."""
        return any(there.sent is not None and not there.silent for _, there in self.of(key))

    def people(self, seats: Iterable[SeatPub]) -> set[bytes]:
        """Members whom the others can wait for: they are heard of, and no programs, which are always ready."""
        here = {there.key for _, there in self.welcomed() if not there.silent and not there.program}
        return here & {held.key for held in seats if held.kind is SeatKind.MEMBER}

    def settled(self, seats: Iterable[SeatPub]) -> bool:
        """Whether every member is connected and has asked for the journal."""
        synced = {there.key for _, there in self.welcomed() if there.sent is not None}
        return all(held.key in synced for held in seats if held.kind is SeatKind.MEMBER)

    def all_hold(self, last: int) -> bool:
        """Whether everybody connected has said to hold the journal up to `last`."""
        return all(there.acked >= last for _, there in self.welcomed())

    # ---- dropped members

    def hold(self, key: bytes, until: float) -> None:
        """Keeps a seat; a seat that is kept already keeps its time."""
        self._held.setdefault(key, until)

    def hold_anew(self, key: bytes, until: float) -> None:
        """The same, with a time of its own: whatever was counted while the table stood still does not count."""
        self._held[key] = until

    def release(self, key: bytes) -> None:
        """The member is back, or gone for good."""
        self._held.pop(key, None)

    def held(self) -> list[tuple[bytes, float]]:
        """Keys of dropped members and when their grace ends."""
        return sorted(self._held.items())

    @property
    def lapses_at(self) -> float | None:
        """When the first grace ends."""
        return min(self._held.values(), default=None)

    def lapsed(self, now: float) -> list[bytes]:
        """Keys whose grace is over; they are held no longer."""
        over = [key for key, until in self._held.items() if now >= until]
        for key in over:
            del self._held[key]
        return over

    # ---- silence

    def look(self, now: float) -> list[Connection]:
        """Those who fell silent since the last look.

        After a sleep of this machine nobody else is to blame for the silence: everybody's time starts anew.
        """
        if now - self._looked > 2 * BEAT + 0.5:
            for there in self.connections.values():
                there.heard = now
        self._looked = now
        fell = []
        for there in self._watched():
            if now >= there.heard + SILENCE:
                there.silent = True
                fell.append(there)
        return fell

    @property
    def silent_at(self) -> float | None:
        """When to look again who has fallen silent."""
        heard = [there.heard for there in self._watched()]
        return min(heard) + SILENCE if heard else None

    def _watched(self) -> list[Connection]:
        """Those who may fall silent."""
        return [one for link, one in self.connections.items() if one.welcomed and not one.silent and link != OWN_LINK]
