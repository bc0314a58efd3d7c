"""Where a line is typed: everything that parsing, completion, help and coach need to know, as one value."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct

from p2pcards.cards import Card
from p2pcards.commands.legal import Legal
from p2pcards.games.base import Game


class Where(StrEnum):
    """The places in which commands work."""

    HOME = "home"
    LOBBY = "lobby"
    PLAYING = "playing"  # a round is open
    BETWEEN = "between"  # a round is over, the match goes on
    OVER = "over"  # the match is over


class Listed(Struct, frozen=True):
    """A row of the list of tables. number: from 1; name: what `join` takes however the list moves (`~` and the id)."""

    number: int
    name: str
    title: str
    game: str
    host: str
    free: int
    state: str
    rules: tuple[tuple[str, str], ...] = ()  # options that aren't at their default
    door: str = "open"


class Stored(Struct, frozen=True):
    """A table that we have a seat at. name: what `resume` takes (`~` and the id); age: seconds since we were there."""

    name: str
    title: str
    game: str
    age: float = 0.0


class Chair(Struct, frozen=True):
    """A seat of the table; nick "" when it is open, bot when a bot owns it."""

    nick: str
    bot: bool = False


class Choice(Struct, frozen=True):
    """Something that `set` changes.

    now: its value; values: what it can be, nothing where there are too many; effect: what it does; usual: its default;
    allowed: what it can be, in words.
    """

    name: str
    now: str
    values: tuple[str, ...]
    effect: str
    usual: str = ""
    allowed: str = ""


class Preset(Struct, frozen=True):
    """Rules that are kept under a name, those that aren't at their default."""

    game: str
    name: str
    rules: tuple[tuple[str, str], ...]


class Fellow(Struct, frozen=True):
    """A person at the table beside us, a program too.

    chip: two words of the key; seat: None while they watch; known: a `table.people.Known`; petname: what we call them;
    ignored: what they say is not shown; absent: their line is lost, or a bot plays for them.
    """

    nick: str
    chip: str
    host: bool = False
    seat: int | None = None
    known: str = "new"
    petname: str = ""
    ignored: bool = False
    absent: bool = False


class Caller(Struct, frozen=True):
    """Somebody at the door of our table.

    known: a `table.people.Known`; login: proved by the lab, or empty; asked: why we are, "ask" (the door) or "name" (we
    know somebody else by that name).
    """

    nick: str
    chip: str
    known: str
    login: str
    asked: str


class Poll(Struct, frozen=True):
    """An open vote on showing `nick` out, called by `by`. may: whether we may still vote."""

    nick: str
    by: str
    votes: int
    needed: int
    may: bool


class Context(Struct, frozen=True):
    """The place, and what is known there.

    game: of the table; legal: of the open round's view, None where no round is open; hand: the own cards as the screen
    shows them, left to right; pending: the own act that is not in the journal yet; levels: of bots;
    endless: the match has no end of its own; ready: the own `next` or `again` was heard; awaited: nicks of the others
    from whom it is still to come; watchers: how many there are; joining: what is being joined, while we are at home;
    presets: at a table those of its game; alone: the table has no network under it; bot_plays: for us;
    people: everybody at the table beside us who is no bot; knocks: who waits at the door of our table, the first first;
    door: of the table; code: of our own table, while the door asks for it; kicked: nick of whom the host, we, showed
    out in this round; vote: the open one; asking: title of the table that asks for its code, while we are at home;
    in_lab: we have a lab's key; named: names under which we know people; banned: nicks of those who may not come to our
    tables, or to this one. Both are in order without regard to case, each name once.
    kept: tables that we have a seat at, the newest first; onlooker: we came to watch; changing: another host is being
    chosen; waiting_for: nicks without whom the table stands still; may_go_on: nicks without whom it may go on, if we
    agree; themes: one's own, by name; connected: the line to the host is up; seat_kept: a bot has our seat until the
    round is over.
    """

    where: Where = Where.HOME
    nick: str = ""
    listed: tuple[Listed, ...] = ()
    levels: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    game: Game[Any, Any, Any] | None = None
    host: bool = False
    host_nick: str = ""
    me: int | None = None
    chairs: tuple[Chair, ...] = ()
    to_act: tuple[int, ...] = ()
    legal: Legal | None = None
    hand: tuple[Card, ...] = ()
    pending: str = ""
    endless: bool = False
    ready: bool = False
    awaited: tuple[str, ...] = ()
    watchers: int = 0
    joining: str = ""
    presets: tuple[Preset, ...] = ()
    alone: bool = False
    bot_plays: bool = False
    people: tuple[Fellow, ...] = ()
    knocks: tuple[Caller, ...] = ()
    door: str = "open"
    code: str = ""
    kicked: str = ""
    vote: Poll | None = None
    asking: str = ""
    in_lab: bool = False
    named: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
    kept: tuple[Stored, ...] = ()
    onlooker: bool = False
    changing: bool = False
    waiting_for: tuple[str, ...] = ()
    may_go_on: tuple[str, ...] = ()
    connected: bool = True
    seat_kept: bool = False
    themes: tuple[str, ...] = ()

    @property
    def halts(self) -> bool:
        """Whether no move can be made, whoever's turn it is: there is no host, no line to it, or too few are here."""
        return bool(self.changing or self.waiting_for or not self.connected)
