"""Entries told as news: what changed between the books before an entry and after it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import zip_longest

from msgspec import Struct

from p2pcards.table.notices import (
    Acted,
    BotPlays,
    DoorSet,
    HostIs,
    Kicked,
    LeftOut,
    MatchOver,
    MatchStarted,
    Notice,
    OptionsSet,
    Pardoned,
    RoundOver,
    RoundStarted,
    RoundVoid,
    Seated,
    Shuffled,
    Unwatched,
    Vacated,
    Watching,
    WentOn,
)
from p2pcards.table.parts import DROPS
from p2pcards.table.public import Public
from p2pcards.table.rosters import OPEN
from p2pcards.table.rounds import VOID
from p2pcards.wire.entries import (
    REASON_CHARS,
    BotPub,
    BotReason,
    Cause,
    DealOpen,
    DealStart,
    Entry,
    EntryFlag,
    Fork,
    Kick,
    MatchEnd,
    MatchStart,
    OptionsPub,
    Parts,
    Pub,
    Roster,
    RoundEnd,
    SeatKind,
    SeatPub,
    TermStart,
)
from p2pcards.wire.envelope import ActKind, Envelope, LeaveReason, decode_envelope, unpack_leave, unpack_opening
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.text import clean

_BOT_REASONS = {
    BotReason.LEFT: "left",
    BotReason.GRACE: "grace",
    BotReason.TIMEOUTS: "time-outs",
    BotReason.KICKED: "kicked",
    BotReason.LOBBY: "away",
    BotReason.CONTRIBUTIONS: "contributions",
    BotReason.BACK: "back",
}


class Before(Struct, frozen=True):
    """People, door and rules as they stood before an entry."""

    seats: tuple[SeatPub, ...]
    spectators: tuple[tuple[bytes, str], ...]
    door: str
    rules: tuple[tuple[tuple[str, str], ...], ...]  # options, settings

    def nick_of(self, key: bytes) -> str:
        """The nick of a member or spectator; empty for others."""
        members = {held.key: held.nick for held in self.seats if held.kind is SeatKind.MEMBER}
        return members.get(key) or dict(self.spectators).get(key, "")

    def nicks_but(self, there: Collection[bytes]) -> Iterator[str]:
        """Those of the members who are not among these, by seat."""
        for held in self.seats:
            if held.kind is SeatKind.MEMBER and held.key not in there:
                yield held.nick

    @classmethod
    def of(cls, books: Public) -> Before:
        """Those of the books as they stand."""
        return cls(books.seats, books.spectators, books.door, (books.options, books.settings))


def news(before: Before, entry: Entry, body: Pub | Envelope, books: Public) -> Iterator[Notice]:
    """What the entry, folded into the books, tells the people at the table."""
    match body:
        case OptionsPub() if before.door not in ("", body.door) and before.rules == (body.options, body.settings):
            yield DoorSet(body.door)
        case OptionsPub():
            yield OptionsSet(body.options, body.settings)
        case Roster():
            yield from _moves(before, body)
        case Kick():
            by = "vote" if body.ballots else books.nick_of(books.host)
            if nick := before.nick_of(body.key):
                yield Kicked(nick, body.key, by, clean(body.reason, REASON_CHARS), body.until)
            elif body.until and body.until * 1000 <= entry.ms:
                yield Pardoned(body.key, by)
        case MatchStart():
            yield MatchStarted(body.match, books.names)
        case DealOpen() if books.round and books.round.shuffling:
            yield Shuffled(len(body.cards))
        case DealStart() if body.starter != NO_SEAT:
            yield RoundStarted(books.round_number, _names(books), None)
        case Parts() if body.left_out:
            players = tuple((seat, books.seats[seat].nick) for seat in body.left_out)
            twice = tuple(seat for seat in body.left_out if books.drops.get(books.seats[seat].key, 0) >= DROPS)
            yield LeftOut(books.round_number, players, twice)
        case BotPub():
            yield BotPlays(body.seat, books.seats[body.seat].nick, body.on, _BOT_REASONS[body.reason])
        case TermStart():
            yield HostIs(before.nick_of(body.host), entry.term, "elected" if body.votes else "handed over")
        case Fork():
            yield WentOn(tuple(before.nicks_but({key for key, _ in body.said})))
            yield HostIs(before.nick_of(body.host), entry.term, "forked")
        case RoundEnd() if body.reason == VOID:
            yield RoundVoid(body.round)
        case RoundEnd():
            names = _names(books)
            winners = tuple(names[seat] for seat in body.winners)
            points = tuple(zip(names, body.points, strict=True))
            yield RoundOver(body.round, clean(body.reason, 40), winners, points)
        case MatchEnd():
            names = _names(books)
            scores = tuple(zip(names, body.scores, strict=True))
            yield MatchOver(scores, tuple(names[seat] for seat in body.winners))
        case Envelope() if body.kind is not ActKind.VOTE:
            yield _acted(entry, body, books)
        case _:
            pass


def _names(books: Public) -> tuple[str, ...]:
    """Of the players, as they sit now; a record keeps those with whom its match began."""
    return tuple(held.nick or name for held, name in zip(books.seats, books.names, strict=True))


def _moves(before: Before, roster: Roster) -> Iterator[Notice]:
    went = {key for key, _ in before.spectators} - {key for key, _ in roster.spectators}
    for key, nick in before.spectators:
        if key in went:
            yield Unwatched(nick)
    for seat, (was, now) in enumerate(zip_longest(before.seats, roster.seats, fillvalue=OPEN)):
        if was == now:
            continue
        returns = was.kind is SeatKind.BOT and was.key and (was.key, was.nick) == (now.key, now.nick)
        if (
            was.kind is not SeatKind.OPEN
            and not returns
            and (was.kind, was.key, was.nick) != (now.kind, now.key, now.nick)
        ):
            yield Vacated(seat, was.nick, _why(roster, was))
        if now.kind is SeatKind.MEMBER or (now.kind is SeatKind.BOT and was.kind is not SeatKind.MEMBER):
            yield Seated(seat, now.nick, now.key, now.level, bool(returns) and now.kind is SeatKind.MEMBER)
    there = {key for key, _ in before.spectators}
    for key, nick in roster.spectators:
        if key not in there:
            yield Watching(nick, key)


def _why(roster: Roster, was: SeatPub) -> str:
    if was.kind is SeatKind.BOT:
        return "bot removed"
    if roster.cause is Cause.LEAVES:
        reason, _ = unpack_leave(decode_envelope(roster.leave).payload)
        return "ragequit" if reason is LeaveReason.RAGEQUIT else "left"
    return "kicked" if roster.cause is Cause.KICKED else "lost"


def _acted(entry: Entry, said: Envelope, books: Public) -> Acted:
    if said.kind is ActKind.BLIND:
        kind, text = "blind", "answer"
    elif said.kind is ActKind.SEALED:
        kind, text = "sealed", books.rules.sealed_as
    elif said.kind is ActKind.OPENING:
        kind, text = "opening", clean(unpack_opening(said.payload)[2].decode("utf-8", "replace"), 40)
    else:
        kind, text = "act", said.payload.decode()
    return _of(entry, kind, text, books)


def opened_choice(entry: Entry, text: str, books: Public) -> Acted:
    """What was sealed into an entry of a round that is disclosed."""
    return _of(entry, "open", clean(text, 40), books)


def _of(entry: Entry, kind: str, text: str, books: Public) -> Acted:
    by = {EntryFlag.BOT: "bot", EntryFlag.TIME: "time"}.get(entry.flags, "")
    return Acted(entry.index, entry.term, entry.seat, books.seats[entry.seat].nick, kind, text, by)
