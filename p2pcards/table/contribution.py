"""Our own part of each shuffle, and our share of its secret: said by the program, without a word typed (protocol 6.3).

What is due follows from the journal alone. Our part is shown only when our commitment stands in the journal beside
everybody else's: from then on nobody can fit his own to it.
"""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.table.deal import PART_BYTES, part_commitment
from p2pcards.table.escrow import is_bound
from p2pcards.table.journal import Journal
from p2pcards.table.openround import EpochDeal, OpenRound
from p2pcards.table.public import Public
from p2pcards.wire.envelope import ActKind
from p2pcards.wire.messages import Share


class Contribution:
    """What one key adds to the shuffles of a table."""

    def __init__(self, key: bytes, random: Callable[[int], bytes], journal: Journal, public: Public) -> None:
        self._key, self._random, self._journal, self._public = key, random, journal, public
        self._part = b""
        self._part_for = 0, -1, b""  # epoch of the shuffle it is for; index and head of the DEAL_OPEN that asked for it
        self._share: tuple[bytes, bytes] = (b"", b"")  # the round's C_R, and our share of its secret
        self._share_came = b""  # C_R of the newest round of which we were given one, be it a wrong one
        self._refused = b""  # C_R of the round whose share our disk would not have

    def due(self, seat: int) -> tuple[ActKind, bytes] | None:
        """What our seat is to say now: kind and payload."""
        current = self._public.round
        deal = current.dealing if current else None
        if current is None or deal is None or deal.key_of(seat) != self._key or seat not in deal.asked:
            return None
        if not deal.committed:
            if not self._may_add(current):
                return None
            if not self._has_part:
                epoch, asked = self._public.epoch, deal.asked_at
                self._part, self._part_for = self._random(PART_BYTES), (epoch, asked, self._journal.heads[asked])
            return ActKind.COMMIT, self._commitment(seat, deal)
        return (ActKind.REVEAL, self._part) if self._is_mine(seat, deal) else None

    def was_said(self, seat: int) -> bool:
        """Whether we have said our part of the newest shuffle as far as it was due."""
        current = self._public.round
        deal = current.epochs.get(self._public.epoch) if current else None
        if deal is None or deal.key_of(seat) != self._key or not self._has_part:
            return False
        return seat not in deal.commits or self._is_mine(seat, deal)

    # ---- our share

    @property
    def awaits_share(self) -> bool:
        """Whether we are to hold a share of the open round's secret and were given none."""
        current = self._public.round
        return current is not None and self._key in current.holders and self._share_came != current.root

    @property
    def share(self) -> tuple[int, int, bytes] | None:
        """(e0, x, value) of our share, while the round is open."""
        current = self._public.round
        if current is None or self._share[0] != current.root:
            return None
        return current.first_epoch, current.holders.index(self._key) + 1, self._share[1]

    def take_share(self, share: Share) -> bool:
        """Our share of the round's secret; False where it is not the one that the host committed to, or not ours."""
        current = self._public.round
        if current is None or self._key not in current.holders or share.epoch != current.first_epoch:
            return False
        self._share_came = current.root
        return self._hold(current, share)

    def kept_share(self, epoch: int, value: bytes) -> bool:
        """Our share as it lay on our disk when the program started; False where the open round has no use for it."""
        current = self._public.round
        if current is None or self._key not in current.holders or epoch != current.first_epoch:
            return False
        return self._hold(current, Share(epoch, current.holders.index(self._key) + 1, value))

    def _hold(self, current: OpenRound, share: Share) -> bool:
        x = current.holders.index(self._key) + 1
        if share.x != x or not is_bound(current.table, current.first_epoch, x, share.value, current.shares):
            return False
        self._share, self._share_came = (current.root, share.value), current.root
        return True

    def share_refused(self) -> bool:
        """Our disk would not have the share: we hold none, and answer for nothing in this round (protocol 6.3).

        Says whether there is something to tell: once a round.
        """
        current = self._public.round
        if current is None or self._share[0] != current.root:
            return False
        first = self._refused != current.root
        self._share, self._refused = (b"", b""), current.root
        return first

    # ---- our part

    def _may_add(self, current: OpenRound) -> bool:
        """A holder answers for nothing before its share is safe."""
        return self._key not in current.holders or self._share[0] == current.root

    @property
    def _has_part(self) -> bool:
        """Whether our part is for the newest shuffle.

        It serves one DEAL_OPEN alone: shown in a deal that was rolled back, it is no secret in the one that follows.
        """
        epoch, index, head = self._part_for
        return epoch == self._public.epoch and self._journal.saw(index, head)

    def _is_mine(self, seat: int, deal: EpochDeal) -> bool:
        """Whether what stands committed for our seat is what this program committed to."""
        return self._has_part and deal.commits.get(seat) == self._commitment(seat, deal)

    def _commitment(self, seat: int, deal: EpochDeal) -> bytes:
        return part_commitment(deal.table, self._public.epoch, seat, self._part)
