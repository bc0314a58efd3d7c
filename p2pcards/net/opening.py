"""A table of our own: what the person asked for, checked, the machine made from it, and what others are told of it."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct, structs

from p2pcards import PROTOCOL
from p2pcards.bots.budget import SECONDS
from p2pcards.errors import InvalidOption, UserError
from p2pcards.games.base import Game
from p2pcards.games.options import explained, read_options
from p2pcards.games.registry import GAMES
from p2pcards.net.botprogram import AT_TABLE
from p2pcards.net.clock import now
from p2pcards.table.door import Gate
from p2pcards.table.host import Host
from p2pcards.table.peer import Peer
from p2pcards.table.people import NoPeople, People
from p2pcards.table.settings import DEFAULTS, DOORS, IN_PRACTICE
from p2pcards.wire.advert import Advert
from p2pcards.wire.entries import SeatKind
from p2pcards.wire.identity import Identity

PRACTICE = "practice"
"""Title of a table without a network."""

_NOBODY = NoPeople()


class Setup(Struct, frozen=True):
    """What the person asked for. None and empty: the usual.

    title, options, rounds, seats, bots, bot_level, seat, hidden: of a table we open, a hidden one is on nobody's list;
    options, rounds and seats only if it is one of `game`, where that was said. port: where we listen, 0 any. level: of
    the bot that plays our own seat; program: the words of the command line that plays it instead, and the seconds that
    it has for an action. pace: seconds between bots' moves. think: seconds of processor time for a move of bots that
    think. starts: the table starts by itself when all seats are taken; closes: so too, and ends with its match. keep:
    its lobby after a match is as fresh as the first one, and stays open while nobody does anything. wait: seconds that
    `join` looks for a table. seed: of practice, for the same cards again. demo: practice is a match among bots that
    ends, and we look on. door: of a table we open. code: the first of our own table where code_written is called with
    each of them, else the one that `join` gives. lab: the lab's key; roll: its directory of keys is read. asks:
    somebody is there who can be asked at the door, or for a code. log: the file that faults are logged in.
    """

    nick: str
    profile: str = "default"
    game: str = ""
    title: str = ""
    options: tuple[tuple[str, str], ...] = ()
    rounds: int = 0
    seats: int = 0
    bots: int = 0
    bot_level: str = ""
    seat: bool = True
    hidden: bool = False
    port: int | None = None
    interface: str | None = None
    level: str = ""
    program: tuple[str, ...] = ()
    program_seconds: float = AT_TABLE.seconds
    pace: float | None = None
    think: float = SECONDS
    closes: bool = False
    starts: bool = False
    keep: bool = False
    wait: float = 5.0
    seed: int | None = None
    demo: bool = False
    door: str = ""
    code: str = ""
    code_written: Callable[[str], None] | None = None
    lab: bytes = b""
    roll: bool = False
    asks: bool = True
    log: str = ""

    def __repr__(self) -> str:
        return f"Setup({self.nick!r}, profile={self.profile!r})"


def rounds_option(game: type[Game[Any, Any, Any]]) -> str:
    """The option that ends a match after so many rounds."""
    return "rounds" if "rounds" in (option.name for option in explained(game)) else "match_rounds"


def new_host(
    setup: Setup,
    game: str,
    title: str,
    identity: Identity,
    dice: Callable[[int], bytes],
    *,
    people: People = _NOBODY,
    alone: bool = False,
) -> Host:
    """The machine of a table as it was asked for; UserError names what can't be. alone: without a network."""
    rules = GAMES[game]
    if setup.game not in ("", game):
        setup = structs.replace(setup, options=(), rounds=0, seats=0)
    options = {key: value for key, value in setup.options if key not in DEFAULTS}
    table = {key: value for key, value in setup.options if key in DEFAULTS}
    seats = setup.seats or rules.usual_seats
    code = setup.code if setup.code_written is not None else ""
    if setup.bot_level:
        table["bot_level"] = setup.bot_level
    if setup.hidden and not alone:
        table["hidden"] = "true"  # it stands in the journal, so that every later host keeps to it
    if setup.keep:
        table.setdefault("idle_minutes", "0")
    if alone:
        table = {**IN_PRACTICE, **table}
    try:
        if setup.rounds:
            options[rounds_option(rules)] = str(setup.rounds)
        elif (setup.closes or setup.starts or setup.demo) and rules(read_options(rules, options)).endless():
            options[rounds_option(rules)] = "1"
        rules(read_options(rules, options)).check_seats(seats)
        if setup.bots + setup.seat > seats:
            raise UserError(f"{seats} sit at this table: there is room for {seats - setup.seat} bots.", 2)
        return Host(
            identity,
            dice,
            time.time() - now(),
            title=title,
            game=game,
            seats=seats,
            options=options,
            table_settings=table,
            closes_after_match=setup.closes,
            keeps=setup.keep,
            door=DOORS[0] if alone else setup.door or DOORS[0],
            gate=Gate() if alone else gate_of(setup, people, code),
        )
    except InvalidOption as error:
        raise UserError(f"{error}.", 2) from error
    except UserError as error:
        raise UserError(str(error), 2) from error


def gate_of(setup: Setup, people: People, code: str = "") -> Gate:
    """What we would keep the door of a table with. code: its first."""
    return Gate(people, setup.lab, setup.roll, setup.asks, code)


def new_practice(setup: Setup, game: str, identity: Identity) -> tuple[Host, Identity]:
    """The machine of a table without a network, and who is its host.

    With a seed the same for everybody: cards, seats and bots then hang on nothing but that number.
    """
    dice: Callable[[int], bytes] = secrets.token_bytes
    if setup.seed is not None:
        dice = random.Random(setup.seed).randbytes  # noqa: S311 - the same cards again
        identity = Identity(dice(32))
    return new_host(setup, game, PRACTICE, identity, dice, alone=True), identity


def advert_of(peer: Peer, key: bytes, nick: str) -> Advert | None:
    """What the network is told of the table as it stands, None where it is not ours to tell. key, nick: our own.

    The host tells of it, and a member that waits for one: so members find each other.
    """
    if not peer.state:
        return None
    info = peer.info()
    if dict(info.options).get("hidden") == "true":
        return None
    taken = sum(kind != SeatKind.OPEN for _, kind in info.seats)
    return Advert(
        PROTOCOL,
        info.table,
        key,
        info.door,
        info.game,
        taken,
        len(info.seats),
        info.title,
        info.nick if peer.host is not None else nick,
        peer.state,
        info.term,
    )
