"""The table as one guest sees it: the one value that screens, plain mode and completion are drawn from."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct

from p2pcards.cards import Card
from p2pcards.games.base import Game
from p2pcards.wire.entries import Kick


class Stage(StrEnum):
    """Where the table stands."""

    LOBBY = "lobby"  # before the first match
    PLAYING = "playing"  # a round is open
    BETWEEN = "between"  # a round is over, the match goes on
    OVER = "over"  # the match is over; `again` starts another


class SeatView(Struct, frozen=True):
    """One seat of the table."""

    nick: str  # "" when the seat is open
    key: bytes  # b"" for a bot or an open seat
    level: str = ""  # of a bot that owns the seat
    program: bool = False  # the player is a program (--bot)
    bot_plays: bool = False  # a bot stands in for the player
    held_until: float | None = None  # the player dropped: monotonic seconds until a bot takes over


class RoundResult(Struct, frozen=True):
    """The last finished round, for the score sheet."""

    number: int
    reason: str
    winners: tuple[int, ...]
    points: tuple[int, ...]
    view: Any  # the game's last view of it: showdown and melds stand in there; None to who came when it was over
    verified: bool | None = None  # None until the audit is done
    trouble: str = ""  # what the audit found
    starter: int | None = None  # whom the next round begins with, where this one settles it
    verdicts: tuple[tuple[str, bool], ...] = ()  # of others: nick, and whether all is well
    bad: int | None = None  # index of the first bad entry that our audit found, and whose it is
    whose: str = ""
    doubts: tuple[tuple[str, int, str], ...] = ()  # of others who found something: nick, index of the entry, reason
    nicks: tuple[str, ...] = ()  # by seat, of who played it; some may have got up since


class Knock(Struct, frozen=True):
    """Somebody at the door of our table. known: a `table.people.Known`; asked: as in `notices.Knocked`."""

    nick: str
    key: bytes
    known: str
    login: str
    asked: str
    until: float  # monotonic seconds


class Safe(Struct, frozen=True):
    """Whether the table would outlive its host now (protocol 6.6).

    why: "" where it would; "alone" (nobody else plays), "two" (no majority without the host), "links" (not all are
    linked pairwise), "votes" (some have no vote file), "shares" (some have not acknowledged theirs), "host" (none now).
    nicks: whom it hangs on, where it hangs on somebody.
    """

    ok: bool
    why: str = ""
    nicks: tuple[str, ...] = ()


class Vote(Struct, frozen=True):
    """An open vote on showing somebody out."""

    seat: int
    by: str  # nick of who called it
    votes: tuple[int, ...]  # seats that are for it
    against: tuple[int, ...]
    needed: int
    until: float  # monotonic seconds


class TableView(Struct, frozen=True):
    """Everything a screen needs to know about the table."""

    title: str
    table: bytes  # T
    game: Game[Any, Any, Any]  # with the table's options
    settings: tuple[tuple[str, str], ...]
    door: str
    host: str  # nick
    host_key: bytes
    mine: bool  # this program is the host
    me: int | None  # my seat; None: watching
    nick: str  # mine, as the table knows me
    seats: tuple[SeatView, ...]
    spectators: tuple[str, ...]
    stage: Stage
    round: int  # number of the open or last round, 0 before the first
    scores: tuple[int, ...]
    pot: int  # chips in the pot, 0 where there is none
    view: Any = None  # the game's view for my seat, while a round is open
    to_act: tuple[int, ...] = ()  # seats whose turn it is; a seat that has answered a question is no longer in it
    clock_at: float | None = None  # monotonic seconds when the turn's time is up, where there is a clock
    skips: tuple[int, ...] = ()  # seats that want the turn skipped
    deck: tuple[Card, ...] = ()  # the whole deck as it was dealt, the first card first, where it was laid open
    pending: str = ""  # my act that is not yet in the journal
    last: RoundResult | None = None
    connected: bool = True  # the line to the host is up
    endless: bool = False  # the match has no end of its own: `again` or `stop` after each round
    winners: tuple[int, ...] = ()  # of the match, when it is over
    ready: tuple[int, ...] = ()  # seats that typed `next` or `again`
    next_at: float | None = None  # monotonic seconds when the next round is dealt by itself
    spectator_keys: tuple[bytes, ...] = ()  # beside `spectators`
    code: str = ""  # the join code; of our own table alone
    knocks: tuple[Knock, ...] = ()  # who waits at the door of our own table, the first first
    vote: Vote | None = None
    dealing: bool = False  # the cards are being shuffled, for a round or anew within one
    kicks: tuple[Kick, ...] = ()  # the newest of each key, those that ran out too
    term: int = 1
    safe: Safe | None = None  # None before the host has said (STANDING)
    changing: bool = False  # no word from the host: another one is being elected
    waiting_for: tuple[str, ...] = ()  # the table stands still until these are back
    may_go_on: tuple[str, ...] = ()  # we are asked whether to go on without these
    asks_at: float | None = None  # monotonic seconds when we shall be asked that about those the table waits for
    kept_seat: int | None = None  # a bot plays it until the round is over; then it is ours again
    onlooker: bool = False  # we came to watch: no free seat is ours unless we ask for one
