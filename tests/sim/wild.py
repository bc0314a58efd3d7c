"""Rarer troubles than those of every seed, for runs that ask for them: `python -m tests.sim --wild`.

Lines that are slow one way, wall clocks that are wrong or set, programs stopped for minutes, disks that take no more
entries, a successor who dies of it, clocks for turns, people who get up, sit down, vote and go away, tables of bots
alone, a second match; and troubles that come together.
"""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from tests.sim.plan import (
    HOST,
    At,
    BadDisk,
    Crash,
    Fault,
    Jump,
    Loss,
    Order,
    Plan,
    Relay,
    Sleep,
    Slow,
    Wish,
    ordinary_fault,
    storm,
)
from tests.testing.dice import dice

WISHES = ("watch", "seat", "seat", "away", "away", "back", "back", "skip", "next", "for", "for", "against")
ORDERS = ("handover", "leave", "ragequit", "hang up", "kick", "ban", "again")


def wilder(drawn: Plan) -> Plan:
    """The same run with other settings and troubles."""
    rng = dice(f"wild {drawn.seed} {drawn.peers} {drawn.game}")
    settings = dict(drawn.settings) | {"turn_seconds": rng.choice(("0", "0", "5", "6"))}
    settings["grace_seconds"] = rng.choice(("0", "5", "10", "20"))
    alone = rng.random() < 0.05
    faults = _faults(rng, drawn.peers, drawn.heal)
    heal = max([drawn.heal, *[fault.time + fault.seconds + 1.0 for fault in faults if isinstance(fault, Sleep)]])
    return replace(
        drawn,
        wild=True,
        people=0 if alone else drawn.people,
        watches=alone or rng.random() < 0.15,
        settings=tuple(settings.items()),
        skews=tuple(rng.choice((0.0, 0.0, -7200.0, 3.0, 86400.0)) for _ in range(drawn.peers)),
        matches=2 if drawn.match and rng.random() < 0.5 else 1,
        faults=tuple(sorted(faults, key=lambda fault: fault.time)),
        heal=heal,
    )


def _faults(rng: Random, peers: int, seconds: float) -> list[Fault]:
    faults: list[Fault] = []
    if rng.random() < 0.5:
        faults.append(storm(rng))
    for _ in range(rng.choice((1, 2, 3, 4))):
        at = rng.uniform(0.3, seconds - 1.0)
        for _ in range(rng.choice((1, 1, 2, 3))):
            faults.append(_fault(rng, peers, min(max(0.2, at + rng.uniform(-0.5, 6.0)), seconds - 0.5)))
    return faults


def _fault(rng: Random, peers: int, time: float) -> Fault:
    who = HOST if rng.random() < 0.4 else rng.randrange(peers)
    drawn = rng.random()
    if drawn < 0.35:
        return ordinary_fault(rng, peers, time)
    if drawn < 0.45:
        return Slow(time, who, rng.choice((0.5, 2.0, 4.5)), rng.uniform(1.0, 12.0))
    if drawn < 0.5:
        return Jump(time, who)
    if drawn < 0.72:
        return Wish(time, rng.randrange(peers), rng.choice(WISHES))
    if drawn < 0.77:
        return BadDisk(time, who, rng.choice((2.0, 5.0, 1e6)))
    if drawn < 0.84:
        loss = rng.choice((Loss.NOTHING, Loss.NOTHING, Loss.BOOT, Loss.GONE))
        return Relay(time, rng.randrange(peers), rng.choice(tuple(At)), loss, rng.uniform(0.3, 9.0))
    if drawn < 0.88:
        return Crash(time, who, rng.choice(tuple(At)), Loss.NOTHING, rng.uniform(0.05, 0.5))
    if drawn < 0.92:
        return Sleep(time, who, rng.uniform(12.0, 150.0))
    return Order(time, who, rng.choice(ORDERS))
