"""What a newcomer finds behind the door (protocol 5): a version that fits its own, a seat or room to watch, a name."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from p2pcards import PROTOCOL, __version__
from p2pcards.games.registry import GAMES
from p2pcards.table.public import Public
from p2pcards.wire.entries import SeatKind
from p2pcards.wire.messages import Close, Flag, Hello, Reason
from p2pcards.wire.text import clean, unique_nick

SPECTATORS = 16
"""The most who may watch (protocol 4.5)."""


class Admitted(Struct, frozen=True):
    """Come in. seat: one's own or a free one; None to watch, for good or until the next round."""

    seat: int | None


def kept_seat(public: Public, key: bytes) -> int | None:
    """The seat that a bot plays since the holder of `key` left it."""
    seats = enumerate(public.seats)
    return next((seat for seat, held in seats if held.kind is SeatKind.BOT and held.key == key), None)


def free_seat(public: Public, key: bytes) -> int | None:
    """A seat for the holder of `key`: the one it left, an open one, a bot's own, or one that somebody left."""
    kept = kept_seat(public, key)
    if kept is not None:
        return kept
    seats = list(enumerate(public.seats))
    free = [seat for seat, held in seats if held.kind is SeatKind.OPEN]
    free += [seat for seat, held in seats if held.kind is SeatKind.BOT and not held.key]
    free += [seat for seat, held in seats if held.kind is SeatKind.BOT and held.key]
    return next(iter(free), None)


def fit_nick(public: Public, key: bytes, wanted: str, others: Iterable[str] = ()) -> str:
    """What the table calls the holder of `key`: as its kept seat is called, else the nick or the next that is free.

    others: names that are not free beside those of the table.
    """
    kept = kept_seat(public, key)
    if kept is not None:
        return public.seats[kept].nick
    taken = [held.nick for held in public.seats] + [nick for watcher, nick in public.spectators if watcher != key]
    recorded = () if public.match_over else public.names
    return unique_nick(wanted, [*taken, *recorded, *others])


def versions(hello: Hello, public: Public) -> str:
    """Why these two programs can't play together, naming both sides; empty when they can."""
    rules, app = dict(hello.games).get(public.rules.name), clean(hello.app, 40)
    if hello.protocol != PROTOCOL:
        return (
            f"this table speaks protocol {PROTOCOL} (p2pcards {__version__}), "
            f"you speak protocol {hello.protocol} (p2pcards {app})"
        )
    if rules != public.rules.rules:
        yours = "none" if rules is None else f"version {rules}"
        return (
            f"this table plays {public.rules.title} by rules version {public.rules.rules} (p2pcards {__version__}), "
            f"you have {yours} (p2pcards {app})"
        )
    return ""


def admit(hello: Hello, key: bytes, public: Public) -> Admitted | Close:
    """Whether there is room for the holder of `key`, and in which seat; inside a match all newcomers watch at first."""
    own = public.seat_of(key)
    if own is not None or key in dict(public.spectators):
        return Admitted(own)
    watching = bool(hello.flags & Flag.SPECTATOR)
    free = free_seat(public, key)
    if not watching and free is None:
        players = ", ".join(held.nick for held in public.seats)
        return Close(Reason.FULL, f"every seat is taken: {players}")
    if watching or not public.match_over:
        if len(public.spectators) >= SPECTATORS:
            return Close(Reason.FULL, f"{SPECTATORS} people watch already")
        return Admitted(None)
    return Admitted(free)


def my_games() -> tuple[tuple[str, int], ...]:
    """What our HELLO says of the games we can play."""
    return tuple((name, game.rules) for name, game in sorted(GAMES.items()))
