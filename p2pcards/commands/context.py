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


class Context(Struct, frozen=True):
    """The place, and what is known there.

    game: of the table; legal: of the open round's view, None where no round is open; hand: the own cards as the screen
    shows them, left to right; pending: the own act that is not in the journal yet; levels: of bots;
    endless: the match has no end of its own; ready: the own `next` or `again` was heard; awaited: nicks of the others
    from whom it is still to come; watchers: how many there are; joining: what is being joined, while we are at home;
    presets: at a table those of its game; alone: the table has no network under it; bot_plays: for us.
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
