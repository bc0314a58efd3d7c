"""Our side of the table's shuffles: the share that we keep, the part that we say, and our word when it is left out.

Nobody types anything for it (protocol 6.3). What is due follows from the journal; `Contribution` knows what.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from p2pcards.table.contribution import Contribution
from p2pcards.table.line import Line
from p2pcards.table.notices import BadShare, LeftOut
from p2pcards.table.parts import may_contribute
from p2pcards.table.player import Player
from p2pcards.table.reader import Reader
from p2pcards.wire import messages
from p2pcards.wire.entries import Entry

LEFT_OUT_TEXT = "my part of this shuffle was left out, and I was here in time"
"""What our program says in the chat for us."""


class Shuffling:
    """One guest's. secrets: what the shell is to keep."""

    def __init__(
        self,
        reader: Reader,
        line: Line,
        player: Player,
        random: Callable[[int], bytes],
        secrets: list[tuple[str, bytes]],
    ) -> None:
        self._reader, self._line, self._player, self._secrets = reader, line, player, secrets
        self._part = Contribution(reader.key, random, reader.journal, reader.public)

    # ---- the share

    @property
    def share(self) -> tuple[int, int, bytes] | None:
        """(first epoch, x, value) of our share of the open round's secret, where we hold one."""
        return self._part.share

    def expects(self, share: messages.Share) -> bool:
        """Whether it is of the open round."""
        current = self._reader.public.round
        return current is not None and share.epoch == current.first_epoch

    def take_share(self, share: messages.Share) -> None:
        """A share is kept before we answer for it; one that the host did not commit to is worth nothing."""
        if self._part.take_share(share):
            self._secrets.append((share_file(share.epoch), share.value))
            self.contribute()
        else:
            self._line.tell(BadShare(self._reader.public.round_number))

    def recall(self, secrets: Mapping[str, bytes]) -> None:
        """Our share as it lay on our disk."""
        current = self._reader.public.round
        if current is not None and (kept := secrets.get(share_file(current.first_epoch))):
            self._part.kept_share(current.first_epoch, kept)

    def refused(self) -> None:
        """Our disk would not have the share."""
        if self._part.share_refused():
            self._line.tell(BadShare(self._reader.public.round_number, unkept=True))

    # ---- the part

    def contribute(self) -> None:
        """Says what the shuffle is waiting for from us."""
        seat = self._reader.me
        if seat is None or not self._line.welcomed or self._player.leave_by is not None or not self._player.speech.idle:
            return
        due = self._part.due(seat) if self._line.synced(self._reader.journal.last) else None
        if due is not None:
            self._line.send(self._player.speech.part(seat, *due))

    def check_asked(self, entry: Entry) -> None:
        """We are here, and the host shuffles without asking us."""
        books, seat = self._reader.public, self._reader.me
        deal = books.round.dealing if books.round else None
        if seat is None or deal is None or self._line.own or not self._was_here(entry):
            return
        if seat not in deal.contributors and may_contribute(books, seat):
            self._left_out()

    def check_left_out(self, entry: Entry, left_out: tuple[int, ...]) -> None:
        """A shuffle goes on without our part: says why, where it is not for us to answer for."""
        me = self._reader.me
        if me not in left_out or me is None or not self._was_here(entry):
            return
        if self._part.was_said(me):
            self._left_out()
        elif self._part.awaits_share:
            self._line.tell(BadShare(self._reader.public.round_number, missing=True))

    def _was_here(self, entry: Entry) -> bool:
        """Whether it was written while we followed the table, not before we came or came back, nor while we slept."""
        return self._reader.entered and entry.index > self._line.sync_to and self._line.awake

    def _left_out(self) -> None:
        """Our part was said in time, or not even asked for: everybody should know. Once is chance, twice is not."""
        seat, books = self._reader.me, self._reader.public
        if seat is not None and self._line.welcomed:
            self._line.tell(LeftOut(books.round_number, ((seat, books.seats[seat].nick),), (), True))
            self._line.send(self._player.talk.say(self._reader.journal.table, messages.TO_ALL, LEFT_OUT_TEXT))


def share_file(epoch: int) -> str:
    """Name of the file that keeps our share of a round's secret."""
    return f"share-{epoch}"
