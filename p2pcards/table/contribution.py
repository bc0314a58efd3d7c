"""Our own part of each shuffle, and our share of its secret: said by the program, without a word typed (protocol 6.3).

What is due follows from the journal alone. Our part is shown only when our commitment stands in the journal beside
everybody else's: from then on nobody can fit his own to it.
"""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.table.deal import PART_BYTES, part_commitment
from p2pcards.table.escrow import share_commitment
from p2pcards.table.journal import Journal
from p2pcards.table.openround import EpochDeal, OpenRound
from p2pcards.table.public import Public
from p2pcards.wire.envelope import ActKind
from p2pcards.wire.messages import Share


class Contribution:
    """What one key adds to the shuffles of a table."""

    def __init__(self, key: bytes, random: Callable[[int], bytes], journal: Journal, public: Public) -> None:
        self._key, self._random, self._journal, self._public = key, random, journal, public
        self._parts: dict[int, bytes] = {}  # by epoch
        self._share_of = 0  # first epoch of the round whose share we hold
        self._share_came = 0  # the same of the newest round of which we were given one, be it a wrong one

    def due(self, seat: int) -> tuple[ActKind, bytes] | None:
        """What our seat is to say now: kind and payload."""
        current = self._public.round
        deal = current.dealing if current else None
        if current is None or deal is None or deal.key_of(seat) != self._key or seat not in deal.asked:
            return None
        epoch = self._public.epoch
        if not deal.committed:
            if not self._may_add(current):
                return None
            part = self._parts.get(epoch) or self._random(PART_BYTES)
            self._parts = {epoch: part}
            return ActKind.COMMIT, part_commitment(self._journal.table, epoch, seat, part)
        return (ActKind.REVEAL, self._parts[epoch]) if self._is_mine(seat, deal) else None

    def was_said(self, seat: int) -> bool:
        """Whether we have said our part of the newest shuffle as far as it was due."""
        current = self._public.round
        deal = current.epochs.get(self._public.epoch) if current else None
        if deal is None or deal.key_of(seat) != self._key or self._public.epoch not in self._parts:
            return False
        return seat not in deal.commits or self._is_mine(seat, deal)

    @property
    def awaits_share(self) -> bool:
        """Whether we are to hold a share of the open round's secret and were given none."""
        current = self._public.round
        return current is not None and self._key in current.holders and self._share_came != current.first_epoch

    def take_share(self, share: Share) -> bool:
        """Our share of the round's secret; False where it is not the one that the host committed to, or not ours."""
        current = self._public.round
        if current is None or self._key not in current.holders or share.epoch != current.first_epoch:
            return False
        self._share_came = current.first_epoch
        x = current.holders.index(self._key) + 1
        bound = share_commitment(self._journal.table, current.first_epoch, x, share.value)
        if share.x != x or bound != current.shares[x - 1]:
            return False
        self._share_of = current.first_epoch
        return True

    def _may_add(self, current: OpenRound) -> bool:
        """A holder answers for nothing before its share is safe."""
        return self._key not in current.holders or self._share_of == current.first_epoch

    def _is_mine(self, seat: int, deal: EpochDeal) -> bool:
        """Whether what stands committed for our seat is what this program committed to."""
        epoch = self._public.epoch
        part = self._parts.get(epoch)
        return part is not None and deal.commits.get(seat) == part_commitment(self._journal.table, epoch, seat, part)
