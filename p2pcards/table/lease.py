"""Whether a host may act, and which of its entries nobody can lose any more (protocol 7.2).

Both hang on what the voters acknowledge. A host of three voters and more is active while enough of them have lately
acknowledged a heartbeat: none of these votes for anybody else before it has heard nothing for longer than the lease.
What counts is when a heartbeat was sent, not when the answer came: the answer may have been long on its way, and its
voter may have lost patience since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from p2pcards.table.certificates import ELECTS
from p2pcards.table.escrow import quorum
from p2pcards.table.public import Public
from p2pcards.wire.messages import Ack

NEVER = float("-inf")

LEASE = 4.0
"""How long a heartbeat that a voter has acknowledged keeps its host active (protocol 7.1)."""


class Lease:
    """What the voters of one host's term have acknowledged. key: the host's."""

    def __init__(self, books: Public, key: bytes, committed: int = 0) -> None:
        """committed: up to where the journal is known to stand already."""
        self._books, self._key = books, key
        self._beats = 0
        self._sent: dict[int, float] = {}  # when each heartbeat was sent that may still be of use
        self._fresh: dict[bytes, float] = {}  # by voter: when the newest heartbeat that it acknowledged was sent
        self._lasting: tuple[object, float] | None = None  # see `_lasts_from`
        self._unsure = set[bytes]()  # voters whose newest word counts nothing: they may have forgotten an earlier one
        self._held: dict[bytes, int] = {}  # by voter: index of the newest entry that it said to hold
        self._counted: tuple[tuple[bytes, ...], bytes] = ((), b"")  # the voters, and who of them is on the way out
        self._counting: tuple[bytes, ...] = ()  # follows from these
        self.commit = committed

    def granted(self, voters: Iterable[bytes], asked_at: float) -> None:
        """They voted for us: each keeps still for as long as after a heartbeat sent at that time."""
        self._fresh |= dict.fromkeys(voters, asked_at)
        self._lasting = None

    def beat(self, now: float) -> int:
        """The number of a heartbeat that is sent now. Numbers of other terms are others."""
        self._beats += 1
        self._sent = {beat: at for beat, at in self._sent.items() if now - at < LEASE} | {self.newest: now}
        return self.newest

    @property
    def newest(self) -> int:
        """The number of the newest heartbeat."""
        return self._books.term << 32 | self._beats

    def take(self, key: bytes, said: Ack) -> None:
        """What somebody acknowledges. Who is in another term than ours has another host, or none yet, to wait for.

        Who may have forgotten what it acknowledged or voted before says nothing that counts, where others elect.
        """
        if not said.vote_file and len(self._asked) >= ELECTS:
            self._unsure.add(key)
            return
        self._unsure.discard(key)
        sent = self._sent.get(said.beat)
        if sent is not None and said.term == self._books.term:
            self._fresh[key] = max(sent, self._fresh.get(key, sent))
            self._lasting = None
        if self._books.journal.saw(said.index, said.head):
            self._held[key] = max(said.index, self._held.get(key, said.index))

    def shows(self, key: bytes, index: int, head: bytes) -> None:
        """What somebody holds who may not acknowledge it, bound by a yes to a FORK: enough of two, who elect nobody."""
        if len(self._books.voters) < ELECTS and self._books.journal.saw(index, head):
            self._held[key] = max(index, self._held.get(key, index))

    def drop(self) -> None:
        """This machine slept, and the others may have elected somebody: only what is asked from now on counts."""
        self._sent, self._fresh, self._lasting = {}, {}, None

    def afresh(self, key: bytes) -> None:
        """Somebody begins anew, maybe without what it held."""
        self._held.pop(key, None)

    def holds(self, key: bytes, index: int) -> bool:
        """Whether somebody said to hold that entry."""
        return self._held.get(key, -1) >= index

    def active(self, now: float, without: bytes = b"") -> bool:
        """Whether the host may act. without: and could do so if that key did not count."""
        voters = self._asked
        if len(voters) < ELECTS:
            return True
        of = voters, self._others, without
        if self._lasting is None or self._lasting[0] != of:
            self._lasting = of, self._lasts_from(*of)
        return now - self._lasting[1] < LEASE

    def _lasts_from(self, voters: tuple[bytes, ...], others: tuple[bytes, ...], without: bytes) -> float:
        """When the oldest heartbeat was sent of those that carry the lease: of so many voters as it takes, the newest.

        Kept with what it follows from beside the heartbeats.
        """
        words = sorted((self._fresh[key] for key in others if key != without and key in self._fresh), reverse=True)
        needed = quorum(len(voters)) - 1
        return words[needed - 1] if len(words) >= needed else NEVER

    def advance(self, here: Callable[[bytes], bool]) -> None:
        """Moves the commit index. here: whether somebody with that key is connected and heard of.

        Entries of an earlier term commit only with one of ours: an own certificate of theirs may stand elsewhere.
        """
        journal, voters = self._books.journal, self._asked
        if len(voters) < ELECTS:
            reached = min((self._held.get(key, -1) for key in self._others if here(key)), default=journal.last)
        else:
            held = sorted((self._held.get(key, -1) for key in self._others), reverse=True)
            needed = quorum(len(voters)) - 1
            reached = held[needed - 1] if len(held) >= needed else -1
        if reached > self.commit and journal.entries[reached].term == self._books.term:
            self.commit = reached

    def can_commit(self, heard: Callable[[bytes], bool], without: bytes) -> bool:
        """Whether what is written next can be committed by who is heard of, if that key did not count."""
        voters = self._asked
        counted = sum(key != without and key not in self._unsure and heard(key) for key in self._others)
        return len(voters) < ELECTS or counted >= quorum(len(voters)) - 1

    def settled(self) -> bool:
        """Whether all of the journal is committed."""
        return self.commit == self._books.journal.last

    @property
    def _asked(self) -> tuple[bytes, ...]:
        """The voters that must be asked. Who lost the vote without a word of his own may elect somebody with others.

        So where two are left the host does not go on alone before the other one holds that entry.
        """
        index, before = self._books.lapsed
        return before if self.commit < index else self._books.voters

    @property
    def _others(self) -> tuple[bytes, ...]:
        """The voters beside the host whose word counts."""
        books = self._books
        if self._counted != (books.voters, books.going):
            self._counted = books.voters, books.going
            self._counting = tuple(key for key in books.voters if key != self._key and books.votes(key))
        return self._counting
