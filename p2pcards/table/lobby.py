"""Seats: every change of the roster as a value, each giving the whole roster after it (protocol 6.2, ROSTER)."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.errors import UserError
from p2pcards.table.public import Public
from p2pcards.table.rosters import OPEN
from p2pcards.wire.entries import PROGRAM, Cause, Roster, SeatKind, SeatPub


def empty_roster(seats: int, host: bytes) -> Roster:
    """The roster of a fresh table: open seats, and the host as the only voter."""
    return Roster((OPEN,) * seats, (host,), (), Cause.SEATS)


def seated(public: Public, key: bytes, nick: str, seat: int, program: bool) -> Roster:
    """A newcomer or spectator takes a seat."""
    holder = SeatPub(SeatKind.MEMBER, key, nick, PROGRAM if program else 0)
    watchers = tuple(who for who in public.spectators if who[0] != key)
    return Roster(_with(public.seats, seat, holder), public.voters, watchers, Cause.JOINS, key)


def enrolled(public: Public, key: bytes) -> Roster:
    """A member that keeps its votes in a file is a voter from now on, or once more (protocol 7.2)."""
    cause = Cause.READMITTED if key in public.voters else Cause.SEATS
    voters = public.voters if key in public.voters else (*public.voters, key)
    return Roster(public.seats, voters, public.spectators, cause, key)


def watching(public: Public, key: bytes, nick: str) -> Roster:
    """A newcomer watches."""
    watchers = (*(who for who in public.spectators if who[0] != key), (key, nick))
    return Roster(public.seats, public.voters, watchers, Cause.JOINS, key)


def unwatched(public: Public, key: bytes) -> Roster:
    """A spectator is gone."""
    watchers = tuple(who for who in public.spectators if who[0] != key)
    return Roster(public.seats, public.voters, watchers, Cause.SEATS, key)


def left(public: Public, key: bytes, level: str, envelope: bytes, sig: bytes) -> Roster:
    """A member says good-bye: its seat opens, or inside a match a bot takes it and keeps its name and key."""
    return _without(public, key, level, Cause.LEAVES, envelope, sig)


def kicked(public: Public, key: bytes, level: str) -> Roster:
    """A member or spectator is shown out: a bot that takes the seat keeps its name, and nobody's claim to it."""
    out = _without(public, key, level, Cause.KICKED, b"", b"")
    return replace(out, seats=tuple(replace(held, key=b"") if _is_heir(held, key) else held for held in out.seats))


def _is_heir(held: SeatPub, key: bytes) -> bool:
    return held.kind is SeatKind.BOT and held.key == key


def lapsed(public: Public, key: bytes) -> Roster:
    """A member that dropped in the lobby did not come back in time."""
    return _without(public, key, "", Cause.SEATS, b"", b"")


def _without(public: Public, key: bytes, level: str, cause: Cause, envelope: bytes, sig: bytes) -> Roster:
    seat = public.seat_of(key)
    seats = public.seats
    if seat is not None:
        heir = OPEN if public.match_over else SeatPub(SeatKind.BOT, key, seats[seat].nick, 0, level)
        seats = _with(seats, seat, heir)
    voters = tuple(voter for voter in public.voters if voter != key or key == public.host)
    watchers = tuple(who for who in public.spectators if who[0] != key)
    return Roster(seats, voters, watchers, cause, key, envelope, sig)


def bot_added(public: Public, level: str) -> Roster:
    """A bot takes the first open seat."""
    for seat, held in enumerate(public.seats):
        if held.kind is SeatKind.OPEN:
            return _changed(public, _with(public.seats, seat, _bot(public, public.seats, level)))
    raise UserError("Every seat is taken.")


def filled(public: Public, level: str) -> Roster:
    """Bots take all open seats."""
    seats = public.seats
    for seat, held in enumerate(seats):
        if held.kind is SeatKind.OPEN:
            seats = _with(seats, seat, _bot(public, seats, level))
    return _changed(public, seats)


def closed_up(public: Public) -> Roster:
    """The open seats are taken away."""
    return _changed(public, tuple(held for held in public.seats if held.kind is not SeatKind.OPEN))


def freed(public: Public, seats: int, bots: frozenset[str]) -> Roster:
    """Of the bots those of these nicks alone keep their seats, and there are so many seats again."""
    kept = (
        held if held.kind is SeatKind.MEMBER or (held.nick in bots and not held.key) else OPEN for held in public.seats
    )
    return _changed(public, (*kept, *(OPEN for _ in range(seats - len(public.seats)))))


def resized(public: Public, seats: int) -> Roster:
    """The table has so many seats: open ones come at the end, or go from there; UserError where too many are taken."""
    spare = len(public.seats) - seats
    kept = list(public.seats)
    for seat in reversed(range(len(kept))):
        if spare > 0 and kept[seat].kind is SeatKind.OPEN:
            del kept[seat]
            spare -= 1
    if spare > 0:
        raise UserError(f"{len(kept)} seats are taken; `bot remove` frees one.")
    return _changed(public, (*kept, *(OPEN for _ in range(-spare))))


def bot_removed(public: Public, which: str) -> Roster:
    """The bot with that nick (or the last one, for "") goes."""
    bots = [seat for seat, held in enumerate(public.seats) if held.kind is SeatKind.BOT]
    named = [seat for seat in bots if public.seats[seat].nick.lower() == which.lower()] if which else bots[-1:]
    if not named:
        raise UserError(f"There is no bot {which} here." if which else "There is no bot here.")
    return _changed(public, _with(public.seats, named[0], OPEN))


def bot_level(public: Public, which: str, level: str) -> Roster:
    """The bot with that nick plays at another level."""
    for seat, held in enumerate(public.seats):
        if held.kind is SeatKind.BOT and held.nick.lower() == which.lower():
            return _changed(public, _with(public.seats, seat, SeatPub(SeatKind.BOT, held.key, held.nick, 0, level)))
    raise UserError(f"There is no bot {which} here.")


def _bot(public: Public, seats: tuple[SeatPub, ...], level: str) -> SeatPub:
    taken = {held.nick.lower() for held in seats} | {nick.lower() for _, nick in public.spectators}
    number = next(number for number in range(1, len(taken) + 2) if f"bot-{number}" not in taken)
    return SeatPub(SeatKind.BOT, b"", f"bot-{number}", 0, level)


def _with(seats: tuple[SeatPub, ...], seat: int, holder: SeatPub) -> tuple[SeatPub, ...]:
    return (*seats[:seat], holder, *seats[seat + 1 :])


def _changed(public: Public, seats: tuple[SeatPub, ...]) -> Roster:
    return Roster(seats, public.voters, public.spectators, Cause.SEATS)
