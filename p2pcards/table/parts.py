"""Whose parts a deal takes in, and whether what stands for them in the journal can be (protocol 6.3).

`Public` asks here: what anybody can check at once is refused at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.errors import ProtocolError
from p2pcards.table.deal import part_commitment
from p2pcards.table.escrow import quorum
from p2pcards.table.openround import EpochDeal
from p2pcards.wire.entries import DealOpen, Parts, SeatKind
from p2pcards.wire.envelope import ActKind, Envelope, decode_envelope
from p2pcards.wire.identity import verify

if TYPE_CHECKING:
    from p2pcards.table.public import Public

NO_PART = "no_part"
"""Why the host would not have a part: none is asked for of that seat now. Nobody typed it, so no player is told."""

DROPS = 2
"""How often a part may be left out in a match before its player is asked for no more."""


def escrow(books: Public) -> tuple[tuple[bytes, ...], int]:
    """Whom the next secret is shared among, and how many of them open it: the voters but for the host (6.6)."""
    if len(books.voters) < 3:
        return (), 0
    return tuple(key for key in books.voters if key != books.host), quorum(len(books.voters))


def may_contribute(books: Public, seat: int) -> bool:
    """Whether a deal may ask this seat for a part: no bot's, not the host's, none left out twice in the match."""
    held = books.seats[seat]
    return held.kind is SeatKind.MEMBER and held.key != books.host and books.drops.get(held.key, 0) < DROPS


def asked(books: Public, pub: DealOpen, index: int) -> EpochDeal:
    """The shuffle that this entry opens. Who is connected the host alone knows; who is not asked says so."""
    seats = pub.contributors
    if list(seats) != sorted(set(seats)) or not all(seat in range(len(books.seats)) for seat in seats):
        raise ProtocolError("contributors that are none")
    if not all(may_contribute(books, seat) for seat in seats):
        raise ProtocolError("a part asked for that is not to be given")
    keys = tuple(books.seats[seat].key for seat in seats)
    return EpochDeal(pub.cards, seats, keys, index, table=books.table)


def read_parts(books: Public, deal: EpochDeal, pub: Parts, index: int) -> list[Envelope]:
    """The commitments or parts in an entry: of each seat asked what it signed, or its number among those left out."""
    said = [decode_envelope(data) for data, _ in pub.said]
    seats, out = [envelope.seat for envelope in said], list(pub.left_out)
    if seats != sorted(seats) or out != sorted(out) or sorted(seats + out) != list(deal.asked):
        raise ProtocolError("parts of other seats than were asked")
    for envelope, (data, sig) in zip(said, pub.said, strict=True):
        check_part(books, deal, envelope)
        if not books.journal.saw(envelope.seen_index, envelope.seen_head) or envelope.seen_index >= index:
            raise ProtocolError("a part that saw another history")
        key = deal.key_of(envelope.seat)
        if books.seat_of(key) != envelope.seat or not verify(key, sig, data):
            raise ProtocolError("a part that its player did not sign")
    return said


def check_part(books: Public, deal: EpochDeal, envelope: Envelope) -> None:
    """Raises ProtocolError where the part, or the commitment to it, is not what the deal asks its seat for now."""
    kind = ActKind.REVEAL if deal.committed else ActKind.COMMIT
    if envelope.kind is not kind or envelope.seat not in deal.asked:
        raise ProtocolError("a part that is not asked for")
    table, epoch = deal.table, books.epoch
    if envelope.table != table or envelope.epoch != epoch or envelope.seen_index < deal.asked_at:
        raise ProtocolError("a part of another table or deal")
    if deal.committed:
        bound = part_commitment(table, epoch, envelope.seat, envelope.payload)
        if bound != deal.commits[envelope.seat]:
            raise ProtocolError("a part that is not the one committed to")
