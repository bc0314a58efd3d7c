"""The host gathers the parts of a shuffle: first everybody's commitment, then what was committed to (protocol 6.3).

Nobody types anything for it: the players' programs answer by themselves. Who is silent for too long is left out and
named in the entry, and the cards are shuffled without that part: no deal is called off, because whoever may call one
off after seeing it may choose.
"""

from __future__ import annotations

from p2pcards.errors import ProtocolError
from p2pcards.table.openround import EpochDeal, OpenRound
from p2pcards.table.parts import NO_PART, check_part
from p2pcards.table.pen import Pen
from p2pcards.table.round import Refused
from p2pcards.wire.entries import DealCommit, DealReveal, EntryKind
from p2pcards.wire.envelope import Envelope

PART_SECONDS = 5.0
"""How long a deal waits for commitments, and again for the parts."""

RESHUFFLE_SECONDS = 2.0
"""The same where the stock ran out within a round."""


class Gather:
    """One shuffle on its way to being complete."""

    def __init__(self, pen: Pen) -> None:
        self._pen = pen
        self._said: dict[int, tuple[int, bytes, bytes]] = {}  # by seat: n, envelope, signature
        self.wait_anew()

    def wait_anew(self) -> None:
        """Everybody who is waited for gets the whole time again."""
        self.until = self._pen.now + self._patience

    @property
    def _round(self) -> OpenRound:
        return self._pen.public.open_round

    @property
    def _deal(self) -> EpochDeal:
        deal = self._round.dealing
        if deal is None:
            raise RuntimeError("nothing is being shuffled")
        return deal

    @property
    def _patience(self) -> float:
        return RESHUFFLE_SECONDS if self._round.shuffling else PART_SECONDS

    @property
    def due(self) -> tuple[int, ...]:
        """The seats that are waited for: who has gone for good will not answer."""
        deal, valid = self._deal, self._valid
        return tuple(seat for seat in deal.asked if seat not in valid and self._stays(seat))

    @property
    def _valid(self) -> dict[int, tuple[bytes, bytes]]:
        """What came, by seat. Who has said something else since has to sign his part anew: its count is used up."""
        counted, deal = self._pen.public.said, self._deal
        return {
            seat: (envelope, sig)
            for seat, (n, envelope, sig) in sorted(self._said.items())
            if self._stays(seat) and n == counted.get(deal.key_of(seat), 0) + 1
        }

    def _stays(self, seat: int) -> bool:
        return self._pen.public.seat_of(self._deal.key_of(seat)) == seat

    def take(self, said: Envelope, envelope: bytes, sig: bytes) -> None:
        """A commitment or part, its signature and count checked; raises Refused."""
        if not self._pen.journal.saw(said.seen_index, said.seen_head):
            raise Refused(NO_PART)
        try:
            check_part(self._pen.public, self._deal, said)
        except ProtocolError as error:
            raise Refused(NO_PART, str(error)) from error
        self._said[said.seat] = said.n, envelope, sig

    def look(self) -> bool:
        """Writes down what there is when all is there or the time is up; says whether the cards can be shuffled."""
        while not self._deal.complete:
            if self.due and self._pen.now < self.until:
                return False
            self._write()
        return True

    def _write(self) -> None:
        deal, valid = self._deal, self._valid
        out = tuple(seat for seat in deal.asked if seat not in valid)
        said = tuple(valid.values())
        if deal.committed:
            self._pen.write(EntryKind.DEAL_REVEAL, DealReveal(said, out))
        else:
            self._pen.write(EntryKind.DEAL_COMMIT, DealCommit(said, out))
        self._said = {}
        self.wait_anew()
