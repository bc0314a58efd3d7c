"""The host as dealer: opens a deal, gathers everybody's parts, shuffles and binds the cards (protocol 6.3, 6.11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.table.deal import Deal, commitment, deal_from, faces, leaves
from p2pcards.table.escrow import SECRET_BYTES, share_commitment, shares
from p2pcards.table.gather import Gather
from p2pcards.table.openround import OpenRound
from p2pcards.table.parts import NO_PART, escrow, may_contribute
from p2pcards.table.pen import Pen
from p2pcards.table.round import Refused
from p2pcards.wire.entries import BotPub, BotReason, DealOpen, DealStart, EntryKind
from p2pcards.wire.envelope import Envelope
from p2pcards.wire.fields import NO_SEAT


class Dealer:
    """The secret of the open round, and the shuffle under way. `listens`: whether somebody with that key is here."""

    def __init__(self, pen: Pen, random: Callable[[int], bytes], listens: Callable[[bytes], bool]) -> None:
        self._pen, self._random, self._listens = pen, random, listens
        self.secret = b""  # R; none while no round is open
        self._shares: dict[bytes, tuple[int, bytes]] = {}  # by holder: x, share
        self._gather: Gather | None = None

    @property
    def dealing(self) -> bool:
        """Whether cards are being shuffled."""
        return self._gather is not None

    @property
    def wake_at(self) -> float | None:
        """When those who said nothing are left out."""
        return self._gather.until if self._gather else None

    def open(self) -> None:
        """Begins the deal of a round, from a fresh secret."""
        books, table = self._pen.public, self._pen.journal.table
        epoch, (holders, threshold) = books.epoch + 1, escrow(books)
        self.secret = self._random(SECRET_BYTES)
        self._share_out(table, epoch, holders, threshold)
        opened = DealOpen(
            books.round_number + 1,
            epoch,
            tuple(range(len(books.seats))),
            self._contributors(),
            holders,
            threshold,
            faces(books.rules.decks()),
            commitment(table, epoch, self.secret),
            tuple(share_commitment(table, epoch, x, value) for x, value in self._shares.values()),
        )
        self._begin(opened)

    def restore(self, secret: bytes) -> None:
        """Takes the open round over, from its secret: its shares, and the shuffle under way, if there is one."""
        current = self._round
        self.secret = secret
        self._share_out(current.table, current.first_epoch, current.holders, current.threshold)
        self._gather = Gather(self._pen) if current.dealing else None

    def _share_out(self, table: bytes, epoch: int, holders: Sequence[bytes], threshold: int) -> None:
        values = shares(table, epoch, self.secret, threshold, len(holders))
        self._shares = {key: (x, value) for x, (key, value) in enumerate(zip(holders, values, strict=True), 1)}

    def wait_anew(self) -> None:
        """Those who are to give their parts get the whole time for it again, as after a pause."""
        if self._gather:
            self._gather.wait_anew()

    def reshuffle(self, cards: bytes) -> None:
        """Begins to shuffle these faces anew, within the round."""
        current = self._round
        opened = DealOpen(
            current.number,
            current.first_epoch,
            tuple(range(current.seats)),
            self._contributors(),
            current.holders,
            current.threshold,
            cards,
            current.root,
            current.shares,
        )
        self._begin(opened)

    def _begin(self, opened: DealOpen) -> None:
        self._pen.write(EntryKind.DEAL_OPEN, opened)
        self._gather = Gather(self._pen)

    def take(self, said: Envelope, envelope: bytes, sig: bytes) -> None:
        """A player's commitment or part; raises Refused."""
        if self._gather is None:
            raise Refused(NO_PART)
        self._gather.take(said, envelope, sig)

    def shuffled(self) -> Deal | None:
        """The deal, when all parts are in or their time is up; `bind` must follow. None where none waits for it."""
        if self._gather is None or not self._gather.look():
            return None
        self._gather = None
        books, current = self._pen.public, self._round
        newest = current.epochs[books.epoch]
        return deal_from(newest.table, books.epoch, self.secret, newest.cards, current.seats, newest.parts)

    def bind(self, deal: Deal, starter: int = NO_SEAT) -> int:
        """Writes the leaves of the cards; gives the index of the entry."""
        books = self._pen.public
        table = self._round.epochs[books.epoch].table
        bound = leaves(table, books.epoch, self.secret, deal.order)
        return self._pen.write(EntryKind.DEAL_START, DealStart(starter, bound))

    def replace_silent(self) -> None:
        """A bot plays for those whose parts were left out too often."""
        books = self._pen.public
        newest = self._round.epochs[books.epoch]
        for seat in sorted(newest.left_out):
            stays = books.seat_of(newest.key_of(seat)) == seat
            if stays and books.plays_itself(seat) and not may_contribute(books, seat):
                self._pen.write(EntryKind.BOT, BotPub(seat, True, BotReason.CONTRIBUTIONS))

    def share_of(self, key: bytes) -> tuple[int, int, bytes] | None:
        """(e0, x, share) of a holder while the round is open."""
        held = self._shares.get(key)
        return (self._round.first_epoch, *held) if held and self.secret else None

    def close(self) -> bytes:
        """The round is over: gives its secret away."""
        secret, self.secret, self._shares, self._gather = self.secret, b"", {}, None
        return secret

    def _contributors(self) -> tuple[int, ...]:
        books = self._pen.public
        return tuple(
            seat for seat, held in enumerate(books.seats) if may_contribute(books, seat) and self._listens(held.key)
        )

    @property
    def _round(self) -> OpenRound:
        return self._pen.public.open_round
