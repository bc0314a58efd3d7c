"""How a program of a simulation comes to be: as the shell makes it, for a table of its own, for one it comes to, and
for one that its disk tells of."""

from __future__ import annotations

from typing import Protocol

from p2pcards.table.guest import Guest
from p2pcards.table.host import Host
from p2pcards.table.peer import Peer
from p2pcards.table.reign import Kept, Means
from p2pcards.wire.identity import Identity
from tests.sim.disk import Disk
from tests.sim.plan import Plan
from tests.sim.schedule import Clock, Schedule
from tests.testing.dice import Dice

WALL = 1_700_000_000.0
"""Unix seconds at the beginning of every world."""


class Box(Protocol):
    """A machine, as far as a birth goes. boot: which start of it this is."""

    place: int
    identity: Identity
    clock: Clock
    name: str
    disk: Disk
    boot: int
    starts: int


def born(plan: Plan, schedule: Schedule, box: Box, opens: bool) -> Peer:
    """A program starts on that machine. opens: with a table of its own."""
    dice = Dice(f"{plan.seed} {plan.peers} {box.place} {box.starts}")
    now = box.clock.now
    wall = WALL + schedule.now - now + (plan.skews[box.place] if plan.skews else 0.0)
    disk = box.disk
    guest = Guest(
        box.identity,
        dice.take,
        box.name,
        watch=box.place >= plan.people or (box.place == 0 and plan.watches),
        host=opens,
        port=1000 + box.place,
        addresses=(address(box.place),),
        started=int(WALL + schedule.now),
    )
    host, closes = None, plan.match and plan.matches == 1
    if opens:
        host = Host(
            box.identity,
            dice.take,
            wall,
            title="lab",
            game=plan.game,
            seats=plan.seats,
            options=dict(plan.options),
            table_settings=dict(plan.settings),
            closes_after_match=closes,
        )
    kept = None if disk.empty else Kept(tuple(disk.journal), dict(disk.secrets), disk.boot == box.boot)
    disk.boot = box.boot
    return Peer(
        box.identity,
        dice.take,
        wall,
        guest,
        host,
        Means(closes=closes, asks=False),
        kept=kept,
        now=now,
    )


def address(place: int) -> bytes:
    """Where the machine is reached, packed."""
    return bytes((10, 0, 0, place + 1)) + (1000 + place).to_bytes(2, "big")
