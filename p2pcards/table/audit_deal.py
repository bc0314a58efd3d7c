"""The audit of what was dealt (protocol 6.8): the secret, its shares, and each shuffle of a round.

Everything here follows from R and from the parts in the journal. A part counts exactly if a DEAL_REVEAL carries it:
what was left out adds nothing to the seed, however well it was committed to.
"""

from __future__ import annotations

from p2pcards.errors import P2PCardsError
from p2pcards.table.deal import LEAF_BYTES, Deal, commitment, deal_from, leaves
from p2pcards.table.escrow import share_commitment, shares
from p2pcards.wire.entries import DealOpen, DealStart, Parts
from p2pcards.wire.envelope import decode_envelope


class Unsound(P2PCardsError):
    """The entry that is looked at is not in order; says why."""


class DealAudit:
    """The shuffles of one round, one after the other. opened: its first DEAL_OPEN, under T `table`."""

    def __init__(self, table: bytes, secret: bytes, opened: DealOpen) -> None:
        self._first, self._table = table, table  # T of the first shuffle, and of the present one
        self._secret, self._opened = secret, opened
        self._cards = b""
        self._parts: dict[int, bytes] = {}

    def check_secret(self) -> None:
        """R must be what was committed to, and the shares those of R: else nobody could open it without the host."""
        table, opened = self._first, self._opened
        if commitment(table, opened.epoch, self._secret) != opened.root:
            raise Unsound("the secret disclosed is not the one committed to")
        values = shares(table, opened.epoch, self._secret, opened.threshold, len(opened.holders))
        for x, (value, said) in enumerate(zip(values, opened.shares, strict=True), 1):
            if share_commitment(table, opened.epoch, x, value) != said:
                raise Unsound(f"share {x} of the secret does not open it")

    def open(self, cards: bytes, table: bytes) -> None:
        """These cards are to be shuffled; table: T as it is now."""
        self._cards, self._parts, self._table = cards, {}, table

    def reveal(self, pub: Parts) -> None:
        """The parts that are to count."""
        said = [decode_envelope(data) for data, _ in pub.said]
        self._parts = {envelope.seat: envelope.payload for envelope in said}

    def shuffled(self, epoch: int) -> Deal:
        """What the secret and the parts give."""
        return deal_from(self._table, epoch, self._secret, self._cards, len(self._opened.seats), self._parts)

    def check_leaves(self, epoch: int, deal: Deal, start: DealStart) -> None:
        """The cards bound must be those of the shuffle, each in its place."""
        right = leaves(self._table, epoch, self._secret, deal.order)
        if start.leaves == right:
            return
        places = range(0, max(len(right), len(start.leaves)), LEAF_BYTES)
        wrong = [at for at in places if right[at : at + LEAF_BYTES] != start.leaves[at : at + LEAF_BYTES]]
        first = wrong[0] // LEAF_BYTES
        raise Unsound(f"{len(wrong)} of {len(deal.order)} cards are not those shuffled, the first at place {first + 1}")
