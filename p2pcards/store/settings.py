"""What was asked for when the program was started."""

from __future__ import annotations

from typing import NamedTuple


class Settings(NamedTuple):
    """Everything the command line says, one value for whatever is built from it. Empty, 0 or None: not said."""

    # who
    nick: str = ""
    profile: str = ""
    # what
    game: str = ""
    target: str = ""  # of join, watch, resume: a title or its beginning, `~id`, HOST[:PORT]
    wait: float = 5.0  # seconds that join looks for a table
    # the table
    title: str = ""
    options: tuple[tuple[str, str], ...] = ()  # of the game or the table
    preset: str = ""  # options kept under that name, before these
    seats: int = 0  # how many may sit
    bots: int = 0  # seats given to bots at once
    level: str = ""  # of those bots
    rounds: int = 0  # the match ends after so many
    seat: bool = True  # the host plays too
    hidden: bool = False  # not advertised
    keep: bool = False  # it stays open after a match
    door: str = ""  # who gets in
    seed: int | None = None  # practise: the same cards again
    demo: bool = False  # practise: bots alone
    # the door
    code_file: str = ""  # host: takes the code from it and writes it there; join: reads it there
    lab_key: str = ""  # file of the lab's key
    lab_keys: str = ""  # the lab's directory of keys
    lab: bool = False  # list: its tables alone
    # the network
    port: int | None = None  # 0: any
    interface: str | None = None
    # the own seat
    headless: bool = False
    bot: str | tuple[str, ...] = ""  # level that plays the own seat, or the words of a program that does
    bot_seconds: float | None = None  # that the program has for an action
    pace: float | None = None  # seconds between a bot's moves
    think: float | None = None  # ms of processor time for a move, of bots that think
    # what comes out
    json: bool = False
    plain: bool = False
    ascii: bool = False
    color: bool = True
    record: str = ""  # file for the record
    log: str = ""  # file for the play-through
