"""What happens in a run, drawn from its seed: the table, the people, the faults and when they end."""

from __future__ import annotations

from enum import Enum
from random import Random

from msgspec import Struct

from p2pcards.games.registry import GAMES
from p2pcards.net.opening import rounds_option
from tests.testing.dice import dice

SIZES = (2, 3, 4, 5, 8)
"""How many programs there are."""

HOST = -1
"""In place of a machine's number: whichever hosts by then."""

REAL_PEERS = 3
"""More programs than these never have real keys: it would take too long."""

THINK_SECONDS = {0.3: 8.0, 0.8: 11.0, 1.6: 15.0}
"""How long people think about a move, and for how long things go wrong then: a round, more or less."""


class At(Enum):
    """Where in its work a program is when it dies."""

    ANYWHERE = "anywhere"
    BEFORE_WRITE = "before write"
    BETWEEN_FILES = "between the files"
    TORN = "in the middle of an entry"
    BEFORE_SEND = "before send"
    MID_SEND = "in the middle of sending"
    AFTER_VOTE = "right after voting"


class Loss(Enum):
    """What a machine still has when its program starts again."""

    NOTHING = "everything"
    BOOT = "what was flushed"
    DISK = "nothing"
    GONE = "it does not come back"


class Cut(Struct, frozen=True):
    """Cables between two sides are cut, in both directions or only from the first to the second."""

    time: float
    side: tuple[int, ...]
    seconds: float
    one_way: bool


class Break(Struct, frozen=True):
    """Connections of two machines are reset."""

    time: float
    one: int
    other: int


class Crash(Struct, frozen=True):
    """A program dies at such a point of its work, and starts again after a while."""

    time: float
    who: int
    at: At
    loss: Loss
    seconds: float


class Sleep(Struct, frozen=True):
    """A machine sleeps, or its program is stopped; its clock goes on."""

    time: float
    who: int
    seconds: float


class Order(Struct, frozen=True):
    """Somebody gives an order, or leaves: handover, kick, leave, hang up."""

    time: float
    who: int
    what: str


class Storm(Struct, frozen=True):
    """Bad weather on every line."""

    time: float
    delay: float
    loss: float
    seconds: float


class FullDisk(Struct, frozen=True):
    """A disk refuses the next secret."""

    time: float
    who: int


class Slow(Struct, frozen=True):
    """What a machine sends takes so many seconds longer; what it hears comes as ever."""

    time: float
    who: int
    delay: float
    seconds: float


class Jump(Struct, frozen=True):
    """Somebody sets the wall clock of a machine an hour on."""

    time: float
    who: int


class Wish(Struct, frozen=True):
    """Somebody asks the host for something (a WANT), or votes on showing somebody out: for, or against."""

    time: float
    who: int
    what: str


class BadDisk(Struct, frozen=True):
    """A disk takes no entries for a while, or till the end."""

    time: float
    who: int
    seconds: float


class Relay(Struct, frozen=True):
    """The host hands over to somebody who dies of it."""

    time: float
    who: int
    at: At
    loss: Loss
    seconds: float


Fault = Cut | Break | Crash | Sleep | Order | Storm | FullDisk | Slow | Jump | Wish | BadDisk | Relay


class Plan(Struct, frozen=True):
    """A run. people: machines that want a seat; the others watch. started: when the match may begin.

    real: with real keys; coded: every message through the wire's codec; match: to the end of a match, or of so many.
    wild: drawn by `tests.sim.wild`. watches: the machine that opens the table wants no seat. skews: by how many seconds
    the wall clock of each machine is wrong, where one is.
    """

    seed: int
    peers: int
    game: str
    seats: int
    people: int
    options: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]
    match: bool
    real: bool
    coded: bool
    started: float
    think: float
    faults: tuple[Fault, ...]
    heal: float
    wild: bool = False
    watches: bool = False
    skews: tuple[float, ...] = ()
    matches: int = 1


def plan(seed: int, peers: int, game: str = "") -> Plan:
    """The run of a seed among so many programs."""
    games = sorted(GAMES)
    name = game or games[seed % len(games)]
    rng = dice(f"plan {seed} {peers} {name}")
    rules = GAMES[name]
    seats = max(min(peers + rng.randint(0, 1), max(rules.seats)), min(rules.seats))
    match = seed % 10 == 9
    started = rng.choice((0.6, 0.6, 2.0, 9.0))
    think = rng.choice(tuple(THINK_SECONDS))
    heal = THINK_SECONDS[think]
    faults = _faults(rng, peers, heal)
    return Plan(
        seed=seed,
        peers=peers,
        game=name,
        seats=seats,
        people=min(peers, seats),
        options=((rounds_option(rules), "2"),) if match else (),
        settings=(
            ("grace_seconds", rng.choice(("5", "10", "20"))),
            ("seat_order", rng.choice(("random", "join_order"))),
        ),
        match=match,
        real=seed % 10 == 5 and peers <= REAL_PEERS,
        coded=seed % 5 == 0,
        started=started,
        think=think,
        faults=tuple(sorted(faults, key=lambda fault: fault.time)),
        heal=heal,
    )


def _faults(rng: Random, peers: int, seconds: float) -> list[Fault]:
    faults: list[Fault] = []
    if rng.random() < 0.7:
        faults.append(storm(rng))
    for _ in range(rng.choice((1, 2, 3, 4, 6))):
        faults.append(ordinary_fault(rng, peers, rng.uniform(0.5, seconds - 1.0)))
    return faults


def storm(rng: Random) -> Storm:
    """Bad weather from early on."""
    return Storm(rng.uniform(0, 5), rng.choice((0.01, 0.1, 0.6)), rng.choice((0.0, 0.02, 0.08)), 60.0)


def ordinary_fault(rng: Random, peers: int, time: float) -> Fault:
    """One of the troubles that every seed may have."""
    who = HOST if rng.random() < 0.5 else rng.randrange(peers)
    drawn = rng.random()
    if drawn < 0.3:
        rest = [place for place in range(peers) if place != who]
        side = (who, *rng.sample(rest, rng.randint(0, max(0, peers // 2 - 1))))
        return Cut(time, side, rng.uniform(0.5, 12.0), rng.random() < 0.4)
    if drawn < 0.4:
        return Break(time, who, rng.randrange(peers))
    if drawn < 0.75:
        loss = rng.choices(tuple(Loss), (6, 2, 1, 1))[0]
        return Crash(time, who, rng.choice(tuple(At)), loss, rng.uniform(0.3, 9.0))
    if drawn < 0.88:
        return Sleep(time, who, rng.uniform(0.5, 12.0))
    if drawn < 0.98:
        return Order(time, who, rng.choice(("handover", "handover", "leave", "hang up", "kick")))
    return FullDisk(time, who)
