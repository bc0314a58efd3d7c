"""The host's pen: writes entries into the journal and the books at once."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.table.journal import Journal
from p2pcards.table.public import Public
from p2pcards.wire.entries import Entry, EntryFlag, EntryKind, Fork, Pub, TermStart, encode_pub
from p2pcards.wire.envelope import ActKind, Envelope, decode_envelope, encode_envelope
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import Identity

_ENTRY_KINDS = {
    ActKind.ACT: EntryKind.ACT,
    ActKind.SEALED: EntryKind.SEALED,
    ActKind.BLIND: EntryKind.BLIND,
    ActKind.OPENING: EntryKind.OPENING,
    ActKind.VOTE: EntryKind.BALLOT,
}


class Pen:
    """One host's writing, and its clocks. wet: the wires not yet handed to the shell; now: the machines' clock;
    wall: unix seconds minus that.

    Behind a HANDOVER it writes nothing any more, in no case (protocol 7.3).
    """

    def __init__(self, identity: Identity, wall: float, journal: Journal | None = None) -> None:
        """wall: unix seconds minus the machines' `now`. journal: a table's that is taken over; it is copied."""
        self.identity, self.wall = identity, wall
        self.journal = Journal() if journal is None else journal.copy()
        self.public = Public.of(self.journal) if len(self.journal) else Public(self.journal)
        self.wet: list[bytes] = []
        self.now = 0.0
        self.shut = self.public.handover is not None  # nothing but another term follows
        self.halts: Callable[[], bool] = bool  # whether the host is paused, or not ready yet

    @property
    def rests(self) -> bool:
        """Whether nothing is written now but the good-byes of those who leave (protocol 7.2)."""
        return self.shut or self.halts()

    @property
    def seats_rest(self) -> bool:
        """Whether the seats stay as they are: so they do, too, while somebody is on the way out."""
        return bool(self.public.going) or self.rests

    @property
    def unix(self) -> float:
        """Unix seconds; for display and for how long somebody is shown out."""
        return self.wall + self.now

    def write(self, kind: EntryKind, pub: Pub) -> int:
        """Appends an entry of the host's own and gives its index."""
        return self._append(kind, encode_pub(pub), NO_SEAT, EntryFlag(0))

    def open_term(self, kind: EntryKind, pub: TermStart | Fork, term: int) -> int:
        """Appends the first entry of a term of our own."""
        return self._append(kind, encode_pub(pub), NO_SEAT, EntryFlag(0), term=term)

    def write_act(self, envelope: bytes, flags: EntryFlag, actsig: bytes = b"", sealed: bytes = b"") -> int:
        """Appends what a seat said (or the host for it) and gives its index."""
        said = decode_envelope(envelope)
        return self._append(_ENTRY_KINDS[said.kind], envelope, said.seat, flags, actsig, sealed)

    def speak_for(self, seat: int, kind: ActKind, payload: bytes, flags: EntryFlag, sealed: bytes = b"") -> int:
        """Appends an act of a bot, or a safe default after a time-out (n = 0, no signature of the seat)."""
        journal = self.journal
        said = Envelope(journal.table, self.public.epoch, seat, 0, journal.last, journal.head, kind, payload)
        return self.write_act(encode_envelope(said), flags, b"", sealed)

    def _append(
        self,
        kind: EntryKind,
        pub: bytes,
        seat: int,
        flags: EntryFlag,
        actsig: bytes = b"",
        sealed: bytes = b"",
        term: int = 0,
    ) -> int:
        journal, public = self.journal, self.public
        if self.shut and not term:
            raise RuntimeError("a host writes behind its HANDOVER")
        epoch = public.epoch + (kind is EntryKind.DEAL_OPEN)
        ms = int(self.unix * 1000)
        entry = Entry(
            kind, flags, seat, term or public.term, epoch, len(journal), journal.head, ms, pub, sealed, actsig
        )
        self.wet.append(journal.append(entry, self.identity.sign))
        public.fold(entry)
        self.shut = kind is EntryKind.HANDOVER
        return entry.index
