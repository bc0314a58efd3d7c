"""What the fair deal costs: an act at the host, a deal, an audit, each beside one check of an Ed25519 signature.

The host's share of an act is everything between two packets: the record opened, the act checked, the entry signed,
chained and written to the file, entry and view sealed for each of the others. No socket is in it.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from statistics import median
from time import process_time

from p2pcards.games.match import Match
from p2pcards.games.registry import GAMES
from p2pcards.net.files import Keep, TableFolder
from p2pcards.store.lock import Lock
from p2pcards.table.audit import audit_round
from p2pcards.table.deal import commitment, deal_from, faces, leaves, part_commitment
from p2pcards.table.effects import OWN_LINK, Effects, LinkId
from p2pcards.table.escrow import share_commitment, shares
from p2pcards.wire.entries import ENVELOPES, Disclose, EntryKind, decode_pub
from p2pcards.wire.identity import Identity, verify
from p2pcards.wire.messages import Message, decode, encode
from p2pcards.wire.records import HEADER_BYTES, Opener, Sealer
from tests.bench.figure import Figure, interleaved
from tests.testing.cluster import Cluster

ROUNDS = 20
REPEATS = 25
KEYS = bytes(32), bytes([1]) * 32
TABLE, SECRET = bytes(16), bytes(range(32))
SEATS = 4


class Measured(Cluster):
    """A table whose host opens, seals and writes for real; `acts` are the seconds of CPU time that acts took it."""

    def __init__(self, seed: int, game: str, folder: Path) -> None:
        self.acts: list[float] = []
        self._begun: float | None = None
        self._folder: TableFolder | None = None
        self._tables = folder
        super().__init__(seed, game=game, seats=SEATS)

    def to_host(self, link: LinkId, message: Message) -> None:
        """As one record that the host opens."""
        record = b"" if link == OWN_LINK else Sealer(*KEYS).seal(*encode(message))
        self._begun, before = process_time(), len(self.host_journal)
        if record:
            message = decode(*Opener(*KEYS).open(len(record) - HEADER_BYTES, record[HEADER_BYTES:]))
        super().to_host(link, message)
        spent, self._begun = process_time() - self._begun, None
        entries = self.host.public.journal.entries[before:]
        if record and entries and entries[0].kind in ENVELOPES and len(entries) == 1:
            self.acts.append(spent)

    def _carry_host(self, effects: Effects) -> None:
        if self._folder is None:
            self._folder = TableFolder.begin(self._tables, self.host.table, self.host.public.host, Lock.take)
        self._folder.append(effects.entries)
        for link, message in effects.outgoing:
            if link != OWN_LINK:
                Sealer(*KEYS).seal(*encode(message))
        super()._carry_host(effects)

    def close(self) -> None:
        """Lets go of the journal's file."""
        if self._folder is not None:
            self._folder.leave(Keep.NOTHING)


def _verification() -> Callable[[], float]:
    """Seconds of one check of a signature under 200 bytes."""
    identity, message = Identity(SECRET), bytes(200)
    signature = identity.sign(message)

    def run() -> float:
        start = process_time()
        for _ in range(100):
            verify(identity.key, signature, message)
        return (process_time() - start) / 100

    return run


def _timed(work: Callable[[], object], times: int) -> Callable[[], float]:
    def run() -> float:
        start = process_time()
        for _ in range(times):
            work()
        return (process_time() - start) / times

    return run


def _beside(times: int, work: Callable[[], object]) -> Figure:
    spent, anchor = interleaved(REPEATS, _timed(work, times), _verification())
    return Figure(spent / anchor, {"us": spent * 1e6, "us of a verification": anchor * 1e6})


@cache
def _played() -> tuple[tuple[float, ...], float, Cluster]:
    """Rounds of Tiến lên by four people: seconds of each act, bytes of an act's entry, and the last table."""
    acts: list[float] = []
    sizes: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(ROUNDS):
            table = Measured(seed, "tienlen", Path(folder))
            for name, host in (("ana", True), ("ben", False), ("cy", False), ("dee", False)):
                table.join(name, host=host)
            table.order("start")
            dice = random.Random(seed)  # noqa: S311 - a bench's dice
            game = table.host.public.rules
            while table.host.public.round is not None:
                mover = table.movers[0]
                table.act(mover.name, game.format(dice.choice(list(game.legal_actions(mover.guest.my_turn)))))
            acts += table.acts
            journal = table.host.public.journal
            sizes += [
                len(wire) for wire, entry in zip(journal.wires, journal.entries, strict=True) if entry.kind in ENVELOPES
            ]
            table.close()
    return tuple(acts), median(sizes), table


def act() -> Figure:
    """The host's CPU time for an act of one of four players, over a verification."""
    anchor = median(_verification()() for _ in range(REPEATS))
    spent = median(_played()[0])
    return Figure(spent / anchor, {"us an act": spent * 1e6, "us of a verification": anchor * 1e6})


def entry() -> Figure:
    """Bytes of the journal for an act."""
    return Figure(_played()[1], {})


def deal(decks: int) -> Callable[[], Figure]:
    """All of the host's arithmetic for a deal to four players, over a verification."""

    def work() -> None:
        cards, parts = faces(decks), {seat: bytes([seat]) * 32 for seat in range(1, SEATS)}
        commitment(TABLE, 1, SECRET)
        for x, share in enumerate(shares(TABLE, 1, SECRET, 3, 3), 1):
            share_commitment(TABLE, 1, x, share)
        for seat, part in parts.items():
            part_commitment(TABLE, 1, seat, part)
        leaves(TABLE, 1, SECRET, deal_from(TABLE, 1, SECRET, cards, SEATS, parts).order)

    return partial(_beside, 20, work)


def audit() -> Figure:
    """The audit of a round of Tiến lên by four people, over a verification."""
    books = _played()[2].host.public
    journal = books.journal
    kinds = [entry.kind for entry in journal.entries]
    first, last = kinds.index(EntryKind.DEAL_OPEN), kinds.index(EntryKind.ROUND_END)
    disclosed = decode_pub(EntryKind.DISCLOSE, journal.entries[last + 1].pub)
    if not isinstance(disclosed, Disclose):
        raise TypeError("no DISCLOSE there")
    rules = GAMES[books.rules.name](books.rules.options)
    match = Match.start(rules, SEATS)
    found = audit_round(journal, rules, first, last, disclosed.secret, match, {})
    if found.bad is not None:
        raise RuntimeError(found.why)
    figure = _beside(3, lambda: audit_round(journal, rules, first, last, disclosed.secret, match, {}))
    return Figure(figure.value, {**figure.parts, "entries": last - first + 1})
