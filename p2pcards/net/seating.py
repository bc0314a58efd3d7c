"""Sits down at a table, our own or somebody else's: the machine, made as the person asked for it.

seating = Seating(setup, people, folder, notice, moved)
place = seating.at_own(host, identity, alone=False)     # place.sitting.open() begins it
place = seating.at(identity, ticket)                    # place.sitting.add(link) begins it
place = seating.back_at(identity, folder)               # one that we were at before
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable

from msgspec import structs

from p2pcards.bots.budget import Budget
from p2pcards.net.acquaintance import Acquaintance
from p2pcards.net.botprogram import AT_TABLE, BotProgram
from p2pcards.net.clock import now
from p2pcards.net.files import TableFolder
from p2pcards.net.moderation import Place
from p2pcards.net.opening import Setup, gate_of
from p2pcards.net.sitting import Hands, Sitting
from p2pcards.table.guest import Guest
from p2pcards.table.host import Host
from p2pcards.table.notices import Failed, Notice
from p2pcards.table.peer import Peer
from p2pcards.table.people import People
from p2pcards.table.reign import Kept, Means
from p2pcards.table.ticket import Ticket
from p2pcards.wire.identity import Identity

PEOPLE_PACE = 0.8
"""Seconds between two moves of bots, where people watch."""

_OPEN = Ticket()


class Seating:
    """What every sitting of one program has in common."""

    def __init__(
        self,
        setup: Setup,
        people: People,
        folder: Callable[[bytes], TableFolder],
        notice: Callable[[Notice], None],
        moved: Callable[[], None],
    ) -> None:
        """folder, notice, moved: as in `Hands`."""
        self._setup, self._people = setup, people
        self._folder, self._notice, self._moved = folder, notice, moved
        self._program: BotProgram | None = None
        if setup.program:
            patience = structs.replace(AT_TABLE, seconds=setup.program_seconds)
            self._program = BotProgram(setup.program, lambda told: notice(Failed(told, 0)), patience)

    async def close(self) -> None:
        """Waits for what we set going to end."""
        if self._program is not None:
            await self._program.close()

    def at_own(self, host: Host, identity: Identity, *, alone: bool) -> Place:
        """At a table of our own. alone: without a network, and nothing of it is kept."""
        guest = self._guest(identity, host=True, watch=not self._setup.seat or self._setup.demo, ticket=_OPEN)
        peer = Peer(identity, secrets.token_bytes, _wall(), guest, host, self._means(), now=now())
        sitting = Sitting(peer, self._hands(identity.key, None if alone else self._folder))
        return Place(sitting, self._acquaintance(), alone)

    def at(
        self, identity: Identity, ticket: Ticket, *, watch: bool = False, folder: TableFolder | None = None
    ) -> Place:
        """At the door of somebody else's. folder: of an earlier program of ours that was at this table."""
        guest = self._guest(identity, host=False, watch=watch, ticket=ticket)
        kept = Kept(folder.wires, folder.secrets, folder.same_boot) if folder is not None else None
        peer = Peer(identity, secrets.token_bytes, _wall(), guest, None, self._means(), kept=kept, now=now())
        return Place(Sitting(peer, self._hands(identity.key, self._folder), folder), self._acquaintance())

    def back_at(self, identity: Identity, folder: TableFolder) -> Place:
        """At a table that an earlier program of ours was at."""
        return self.at(identity, Ticket(lab=self._setup.lab), folder=folder)

    def _guest(self, identity: Identity, *, host: bool, watch: bool, ticket: Ticket) -> Guest:
        return Guest(
            identity,
            secrets.token_bytes,
            self._setup.nick,
            program=bool(self._setup.level or self._setup.program),
            watch=watch,
            host=host,
            ticket=ticket,
            started=int(time.time()),
        )

    def _means(self) -> Means:
        """What we would host with, should the table come to us."""
        setup = self._setup  # a table that starts by itself also goes on by itself without those who are missing
        return Means(setup.closes, gate_of(setup, self._people), setup.asks and not setup.starts)

    def _hands(self, key: bytes, folder: Callable[[bytes], TableFolder] | None) -> Hands:
        pace = self._setup.pace
        return Hands(
            key,
            folder,
            self._notice,
            self._moved,
            random.Random(self._setup.seed),  # noqa: S311 - a bot's whims
            PEOPLE_PACE if pace is None else pace,
            self._setup.level,
            self._program,
            self._budget(),
        )

    def _budget(self) -> Budget:
        """For a bot that thinks: with a seed it must choose the same wherever it runs."""
        think = self._setup.think
        return Budget(think, time.thread_time) if self._setup.seed is None else Budget.in_steps(think)

    def _acquaintance(self) -> Acquaintance:
        return Acquaintance(self._people, time.time)


def _wall() -> float:
    """Unix seconds when our clock stood at 0."""
    return time.time() - now()
