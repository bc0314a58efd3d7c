"""What a change of the roster may be (protocol 6.2, ROSTER): who may come and go, and by whose word."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.table.settings import levels
from p2pcards.wire.entries import Cause, Entry, EntryKind, Roster, SeatKind, SeatPub
from p2pcards.wire.envelope import ActKind, Envelope, decode_envelope, unpack_leave
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import verify
from p2pcards.wire.text import is_reserved

if TYPE_CHECKING:
    from p2pcards.table.public import Public

OPEN = SeatPub(SeatKind.OPEN)
"""A seat that nobody holds."""

_WAIT = frozenset({EntryKind.KICK, EntryKind.MATCH_START})
"""Kinds that wait until who is said to be shown out is gone."""

_NICK = re.compile(r"[A-Za-z0-9_-]{1,16}")
_BOT_NICK = re.compile(r"bot-[1-9][0-9]*")


def check_roster(books: Public, pub: Roster, index: int) -> Envelope | None:
    """Raises ProtocolError where the roster of entry `index` can't follow; gives the good-bye that it is due to."""
    members = [held.key for held in pub.seats if held.kind is SeatKind.MEMBER]
    watchers = [key for key, _ in pub.spectators]
    if len(set(members + watchers)) != len(members + watchers):
        raise ProtocolError("a roster with a key twice")
    _check_nicks(pub)
    known = levels(books.rules.name)
    if len(pub.seats) not in books.rules.seats or not all(_level_fits(held, known) for held in pub.seats):
        raise ProtocolError("a roster with seats or levels that there are not")
    left = _good_bye(books, pub, index) if pub.cause is Cause.LEAVES else None
    if pub.cause is Cause.KICKED:
        _check_shown_out(books, pub)
    elif books.going and any(held.kind is SeatKind.MEMBER and held not in books.seats for held in pub.seats):
        raise ProtocolError("somebody said to be shown out who stays")
    elif pub.cause is Cause.READMITTED:
        _check_readmitted(books, pub)
    if not books.match_over:
        _check_moves(books, pub)
    _check_voters(books, pub, frozenset(members))
    return left


def check_goes(books: Public, entry: Entry) -> None:
    """Raises ProtocolError where somebody is said to be shown out, and this entry must wait until that is done.

    The round goes on, and others may leave; but nobody sits down, and nothing is dealt (7.2: one change at a time).
    """
    if books.going and (entry.kind in _WAIT or (entry.kind is EntryKind.DEAL_OPEN and not books.round)):
        raise ProtocolError("somebody said to be shown out who stays")


def orphaned(books: Public, there: Collection[bytes]) -> tuple[SeatPub, ...]:
    """The seats when only these members go on: inside a match bots keep those of the others for them.

    Who was being shown out has no claim to the seat.
    """
    return tuple(
        held if held.kind is not SeatKind.MEMBER or held.key in there else _heir(books, held) for held in books.seats
    )


def _heir(books: Public, held: SeatPub) -> SeatPub:
    if books.match_over:
        return OPEN
    key = b"" if held.key == books.going else held.key
    return SeatPub(SeatKind.BOT, key, held.nick, 0, books.setting("bot_level"))


def _good_bye(books: Public, pub: Roster, index: int) -> Envelope:
    """A member's good-bye must be its own; it ends the member's seat and vote (a host stays a voter).

    A voter without a seat says it, too. It may have been said to an earlier host.
    """
    envelope = decode_envelope(pub.leave)
    if envelope.kind is not ActKind.LEAVE or envelope.table != books.table:
        raise ProtocolError("a leave that is none")
    unpack_leave(envelope.payload)
    seat = books.seat_of(pub.subject)
    seen = envelope.seen_index < index and books.journal.saw(envelope.seen_index, envelope.seen_head)
    if envelope.seat != (NO_SEAT if seat is None else seat) or not seen:
        raise ProtocolError("a leave of another seat, or over another history")
    if seat is None and pub.subject not in books.voters:
        raise ProtocolError("a leave of nobody")
    if not verify(pub.subject, pub.sig, pub.leave):
        raise ProtocolError("a leave that its member did not sign")
    _check_out(books, pub)
    return envelope


def _check_shown_out(books: Public, pub: Roster) -> None:
    """Somebody goes who did not ask to: a KICK before it says why."""
    if not pub.subject or pub.subject != books.going:
        raise ProtocolError("somebody shown out without a word")
    _check_out(books, pub)
    if pub.subject in dict(pub.spectators):
        raise ProtocolError("somebody shown out kept in the roster")


def _check_readmitted(books: Public, pub: Roster) -> None:
    """Somebody who lost what it had signed votes from here on, over histories that tell so; nothing else changes."""
    others = tuple(key for key in pub.voters if key != pub.subject)
    same = (pub.seats, pub.spectators) == (books.seats, books.spectators)
    if not same or pub.subject not in pub.voters or others != tuple(k for k in books.voters if k != pub.subject):
        raise ProtocolError("a voter admitted again, and more changed")
    if books.round:
        raise ProtocolError("a voter admitted inside a round")


def _check_out(books: Public, pub: Roster) -> None:
    voter = pub.subject in pub.voters and pub.subject != books.host
    if voter or any(held.kind is SeatKind.MEMBER and held.key == pub.subject for held in pub.seats):
        raise ProtocolError("a leaver kept in the roster")


def _check_voters(books: Public, pub: Roster, members: Collection[bytes]) -> None:
    """Voters are the host and members; a host that was votes on without a seat. None loses the vote but with its place.

    So nobody is made a voter inside a round, and no host does away with the votes that could replace it.
    """
    voters, before = frozenset(pub.voters), frozenset(books.voters)
    may = {books.host, *members} | {key for key in before if books.seat_of(key) is None}
    if len(voters) < len(pub.voters) or books.host not in voters or not voters <= may:
        raise ProtocolError("a roster with other voters than its members and the host")
    came, gone = voters - before, before - voters
    if came and books.round:
        raise ProtocolError("a voter admitted inside a round")
    if came and books.going:
        raise ProtocolError("somebody said to be shown out who stays")
    goes = pub.cause in (Cause.LEAVES, Cause.KICKED) or (books.match_over and pub.subject not in members)
    if gone and not (goes and gone == {pub.subject}):
        raise ProtocolError("a vote taken away")


def _check_moves(books: Public, pub: Roster) -> None:
    """Inside a match a member's seat is its own until it goes; a bot's may be taken between rounds.

    Who is shown out can't come back to a seat that a bot has kept.
    """
    if len(pub.seats) != len(books.seats):
        raise ProtocolError("seats added or taken away inside a match")
    for was, now in zip(books.seats, pub.seats, strict=True):
        goes = pub.cause in (Cause.LEAVES, Cause.KICKED)
        leaves = goes and was.kind is SeatKind.MEMBER and was.key == pub.subject
        taken = was.kind is SeatKind.BOT and now.kind is SeatKind.MEMBER and not books.round
        heir = (now.kind, now.nick) == (SeatKind.BOT, was.nick) and now.key in (b"", was.key)
        if leaves and not heir:
            raise ProtocolError("a leaver's seat without a bot")
        kept = pub.cause is Cause.KICKED and was.kind is SeatKind.BOT and was.key == pub.subject
        disowned = kept and now == replace(was, key=b"")
        if now != was and not leaves and not taken and not disowned:
            raise ProtocolError("a seat taken away inside a match")


def _check_nicks(pub: Roster) -> None:
    """Names as people and records need them; a bot that took over keeps the name of the seat, and who left it too."""
    nicks = [(held.kind, held.nick) for held in pub.seats if held.kind is not SeatKind.OPEN]
    left = {(held.key, held.nick) for held in pub.seats if held.kind is SeatKind.BOT and held.key}
    nicks += [(SeatKind.MEMBER, nick) for key, nick in pub.spectators if (key, nick) not in left]
    if len({nick.lower() for _, nick in nicks}) != len(nicks):
        raise ProtocolError("a roster with a nick twice")
    for kind, nick in nicks:
        numbered = kind is SeatKind.BOT and _BOT_NICK.fullmatch(nick)
        if not _NICK.fullmatch(nick) or (is_reserved(nick) and not numbered):
            raise ProtocolError("a roster with a nick that is none")
    if any(held != OPEN for held in pub.seats if held.kind is SeatKind.OPEN):
        raise ProtocolError("an open seat that is not empty")


def _level_fits(held: SeatPub, known: tuple[str, ...]) -> bool:
    """Whether a bot has a level that there is, and nobody else has one."""
    return held.level in known if held.kind is SeatKind.BOT else not held.level
