"""What seats say in a round, as it stands in the journal (protocol 6.4): acts, and answers given blind and opened.

`Public` asks here: what anybody can check without knowing the hands is refused at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.errors import InvalidAction, InvalidCard, ProtocolError
from p2pcards.games.base import Secrecy
from p2pcards.table.openround import Blind, OpenRound
from p2pcards.wire.entries import Entry, EntryFlag, EntryKind, SeatKind
from p2pcards.wire.envelope import ActKind, Envelope, choice_commitment, decode_envelope, unpack_opening
from p2pcards.wire.identity import verify

if TYPE_CHECKING:
    from p2pcards.table.public import Public

_ACT_KINDS = {
    EntryKind.ACT: ActKind.ACT,
    EntryKind.SEALED: ActKind.SEALED,
    EntryKind.BLIND: ActKind.BLIND,
    EntryKind.OPENING: ActKind.OPENING,
}

ACTS = frozenset(_ACT_KINDS)
"""Kinds by which a round is played."""


def read_act(books: Public, current: OpenRound, entry: Entry) -> Envelope:
    """What a seat says in the open round, taken into its answers; ProtocolError where it can't stand there."""
    envelope = decode_envelope(entry.pub)
    if current.starter is None or current.over or current.dealing:
        raise ProtocolError("an act outside a round")
    if entry.seat != envelope.seat or entry.seat not in range(current.seats):
        raise ProtocolError("an act of another seat")
    if envelope.kind is not _ACT_KINDS[entry.kind]:
        raise ProtocolError(f"an envelope of kind {envelope.kind.name} in {entry.kind.name}")
    check_seen(books, entry, envelope, current.started_at)
    if entry.flags is EntryFlag.ACTSIG:
        if not books.plays_itself(entry.seat) or not verify(books.seats[entry.seat].key, entry.actsig, entry.pub):
            raise ProtocolError("an act that its player did not sign")
        books.count(books.seats[entry.seat].key, envelope, entry.index)
    elif envelope.n != 0:
        raise ProtocolError("an act for a seat that counts as the seat's own")
    elif entry.flags is EntryFlag.TIME and entry.kind is EntryKind.BLIND:
        raise ProtocolError("an answer committed to after a time-out")
    elif entry.flags is EntryFlag.BOT and entry.kind is not EntryKind.OPENING and books.plays_itself(entry.seat):
        raise ProtocolError("a bot's act for a seat that plays itself")
    if entry.kind is EntryKind.BLIND:
        _blind(books, entry, current, envelope)
    elif entry.kind is EntryKind.OPENING:
        _opening(books, entry, current, envelope)
    else:
        current.settle_answers()
        if entry.kind is EntryKind.ACT:
            _act(books, envelope.payload.decode())
        elif not books.rules.sealed_as:
            raise ProtocolError("a sealed choice in a game that has none")
    return envelope


def read_vote(books: Public, entry: Entry) -> Envelope:
    """A vote on a player, signed by its voter; what it is about is for `majority` to read."""
    envelope = decode_envelope(entry.pub)
    if entry.seat != envelope.seat or entry.seat >= len(books.seats):
        raise ProtocolError("a vote of another seat")
    check_seen(books, entry, envelope)
    held = books.seats[entry.seat]
    if held.kind is not SeatKind.MEMBER or not verify(held.key, entry.actsig, entry.pub):
        raise ProtocolError("a vote that its player did not sign")
    return envelope


def check_seen(books: Public, entry: Entry, envelope: Envelope, since: int = 0) -> None:
    """It must be said at this table, after a head that stands in its journal from entry `since` on."""
    if envelope.table != books.table or envelope.epoch != books.epoch:
        raise ProtocolError("an act of another table or epoch")
    seen = envelope.seen_index
    if not (since <= seen < entry.index and books.journal.saw(seen, envelope.seen_head)):
        raise ProtocolError("an act that saw another history")


def _act(books: Public, text: str) -> None:
    """An act is written canonically, and hides nothing; whether it is legal is for those who know the hands."""
    try:
        action = books.rules.parse(text)
    except (InvalidAction, InvalidCard) as error:
        raise ProtocolError(f"an act that is none: {error}") from error
    if books.rules.format(action) != text or books.rules.secrecy(action) is not Secrecy.PUBLIC:
        raise ProtocolError(f"an act not written canonically, or not in public: {text!r}")


def _blind(books: Public, entry: Entry, current: OpenRound, envelope: Envelope) -> None:
    if entry.seat in current.blinds or entry.seat in current.openings:
        raise ProtocolError("an answer given twice")
    if current.opening:
        raise ProtocolError("an answer given when others were open")
    current.blinds[entry.seat] = Blind(envelope.n, envelope.payload, books.table)
    current.committed_at = entry.index


def _opening(books: Public, entry: Entry, current: OpenRound, envelope: Envelope) -> None:
    """An opening must open the seat's own BLIND; a default after a time-out opens nothing."""
    n, salt, body = unpack_opening(envelope.payload)
    blind = current.blinds.get(entry.seat)
    if entry.seat in current.openings:
        raise ProtocolError("an answer opened twice")
    if entry.flags is not EntryFlag.TIME:
        if blind is None or n != blind.n:
            raise ProtocolError("an opening of no answer")
        if envelope.seen_index < current.committed_at:
            raise ProtocolError("an answer opened before all were given")
        if choice_commitment(blind.table, books.epoch, entry.seat, n, salt, body) != blind.commitment:
            raise ProtocolError("an opening that does not match the answer committed to")
    else:
        _default(books, current, blind, n, salt, body)
    current.openings[entry.seat] = body.decode("utf-8", "replace")


def _default(books: Public, current: OpenRound, blind: Blind | None, n: int, salt: bytes, body: bytes) -> None:
    """What stands for an answer not opened in time, or (before any is open) not given at all."""
    words = books.rules.questions
    word = (words[0] if blind else words[-1]) if words else ""
    if n != (blind.n if blind else 0) or salt != bytes(32) or body != word.encode():
        raise ProtocolError("a default answer that is none")
    if blind is None and current.opening:
        raise ProtocolError("an answer given when others were open")
