"""What our own seat says: acts on their way, hidden answers and their openings, the good-bye (protocol 6.4).

One act is on its way at a time. It is kept until it stands in the journal or is refused, so that it can be signed anew,
with the same count, when the line broke under it. An answer given blind is kept with its salt until it is open.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from p2pcards.table.journal import Journal
from p2pcards.table.majority import ballot_text
from p2pcards.table.public import Public
from p2pcards.wire.envelope import (
    ActKind,
    Envelope,
    LeaveReason,
    choice_commitment,
    encode_envelope,
    pack_leave,
    pack_opening,
)
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Act

_PARTS = (ActKind.COMMIT, ActKind.REVEAL)


class _Said(Struct, frozen=True):
    """An act on its way. text: what the player chose."""

    n: int
    kind: ActKind
    payload: bytes
    text: str

    def __repr__(self) -> str:
        return f"_Said({self.n}, {self.kind.name})"


class _Answer(Struct, frozen=True):
    """An answer committed to by the BLIND with this n."""

    n: int
    salt: bytes
    text: str

    def __repr__(self) -> str:
        return f"_Answer({self.n})"


class Speech:
    """The voice of one key at a table. Every method that gives an Act signs it over the newest head."""

    def __init__(self, identity: Identity, random: Callable[[int], bytes], journal: Journal, public: Public) -> None:
        self._identity, self._random, self._journal, self._public = identity, random, journal, public
        self._said: _Said | None = None
        self._answer: _Answer | None = None

    @property
    def busy(self) -> bool:
        """Whether something that its player said is on its way; parts of a shuffle can be said anew."""
        return self._said is not None and self._said.kind not in _PARTS

    @property
    def idle(self) -> bool:
        """Whether nothing at all is on its way."""
        return self._said is None

    @property
    def pending(self) -> str:
        """What is on its way; empty when nothing is."""
        return self._said.text if self._said else ""

    def act(self, seat: int, text: str) -> Act:
        """A public act."""
        return self._say(seat, ActKind.ACT, text.encode(), text)

    def sealed(self, seat: int, text: str) -> Act:
        """A choice that only the host may know: its commitment, and beside it what it opens to."""
        salt, body, books = self._random(32), text.encode(), self._public
        bound = choice_commitment(self._journal.table, books.epoch, seat, self._next, salt, body)
        return self._say(seat, ActKind.SEALED, bound, text, salt + body)

    def answer(self, seat: int, text: str) -> Act:
        """A blind answer: its commitment."""
        salt, n, books = self._random(32), self._next, self._public
        self._answer = _Answer(n, salt, text)
        sealed = choice_commitment(self._journal.table, books.epoch, seat, n, salt, text.encode())
        return self._say(seat, ActKind.BLIND, sealed, text)

    def opening(self, seat: int) -> Act | None:
        """The opening of our answer, if it stands committed and unopened."""
        answer = self._answer
        if answer is None or not self._unopened(seat):
            return None
        payload = pack_opening(answer.n, answer.salt, answer.text.encode())
        return self._say(seat, ActKind.OPENING, payload, answer.text)

    def line_lost(self) -> None:
        """A vote that was on its way is not said again: the seat that it names may be another player's by then.

        Nor is a part of a shuffle: what is due of it, the journal says. A good-bye is signed anew, for the new host's
        term.
        """
        if self._said and (self._said.kind in (ActKind.VOTE, ActKind.LEAVE) or not self.busy):
            self._said = None

    def again(self, seat: int, acting: tuple[int, ...]) -> Act | None:
        """What a lost line swallowed, if we are still to act; an opening is due again by itself."""
        said, self._said = self._said, None
        if said is None or seat not in acting:
            return None
        if said.kind is ActKind.SEALED:
            return self.sealed(seat, said.text)
        return self._say(seat, said.kind, said.payload, said.text)

    def vote(self, seat: int, about: int, yes: bool) -> Act:
        """A vote on showing the player of the seat `about` out."""
        return self._say(seat, ActKind.VOTE, ballot_text(about, yes).encode(), "vote")

    def part(self, seat: int, kind: ActKind, payload: bytes) -> Act:
        """Our part of a shuffle, or the commitment to it."""
        return self._say(seat, kind, payload, "")

    def parts_over(self) -> None:
        """The shuffle goes on: a part that was on its way came too late, or stands in the journal."""
        if not self.busy:
            self._said = None

    def is_part(self, n: int) -> bool:
        """Whether what we said as n is a part of a shuffle."""
        return self._said is not None and self._said.n == n and not self.busy

    def leave(self, seat: int | None, reason: LeaveReason, term: int) -> Act:
        """The good-bye, also of a voter without a seat. term: the newest that we know of, by a vote alone maybe."""
        newest = max(term, self._public.term)
        return self._say(NO_SEAT if seat is None else seat, ActKind.LEAVE, pack_leave(reason, newest), "")

    def heard(self) -> None:
        """The journal grew: what stands in it is no longer on its way."""
        if self._said and self._public.said.get(self._identity.key, 0) >= self._said.n:
            self._said = None

    def refused(self, n: int) -> None:
        """The host would not have it."""
        if self._said and self._said.n == n:
            self._said = None

    def turn_over(self) -> None:
        """Something else was played for us: what is on its way, no one wants any more. An answer given is given."""
        self._said = None

    def round_over(self) -> None:
        """Whatever was to be said in the round is void."""
        self._said = self._answer = None

    @property
    def _next(self) -> int:
        return self._public.said.get(self._identity.key, 0) + 1

    def _unopened(self, seat: int) -> bool:
        current, answer = self._public.round, self._answer
        blind = current.blinds.get(seat) if current else None
        opened = current is not None and seat in current.openings
        return answer is not None and blind is not None and blind.n == answer.n and not opened

    def _say(self, seat: int, kind: ActKind, payload: bytes, text: str, opening: bytes = b"") -> Act:
        journal, n = self._journal, self._next
        self._said = _Said(n, kind, payload, text)
        said = Envelope(journal.table, self._public.epoch, seat, n, journal.last, journal.head, kind, payload)
        data = encode_envelope(said)
        return Act(data, self._identity.sign(data), opening)
