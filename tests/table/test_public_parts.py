"""Parts of a deal in the books: what no host may write down, for everybody who reads it (protocol 6.3, 6.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.table.deal import PART_BYTES, part_commitment
from p2pcards.wire.entries import BotPub, BotReason, DealCommit, DealReveal, EntryKind, SeatKind, SeatPub
from p2pcards.wire.envelope import ActKind, decode_envelope, encode_envelope
from tests.table.test_public import folded
from tests.testing import deals
from tests.testing.cluster import identity
from tests.testing.forge import NAMES, Forge, bot, member

PART = bytes(range(PART_BYTES))
COMMIT, REVEAL = ActKind.COMMIT, ActKind.REVEAL

Base = Callable[[Forge], list[bytes]]
Lie = Callable[[Forge], list[bytes] | bytes]
R1, R2 = PART, bytes(PART_BYTES)


def opened(forge: Forge) -> list[bytes]:
    """ben and cy are asked for parts."""
    return [*forge.lobby(), forge.match(), forge.deal_open(contributors=(1, 2))]


def committed(forge: Forge) -> list[bytes]:
    return [*opened(forge), forge.deal_commit({1: R1, 2: R2})]


def revealed(forge: Forge) -> list[bytes]:
    return [*committed(forge), forge.deal_reveal({1: R1, 2: R2})]


def of(forge: Forge, *parts: tuple[bytes, bytes], out: tuple[int, ...] = ()) -> bytes:
    """A DEAL_COMMIT of these."""
    return forge.entry(EntryKind.DEAL_COMMIT, DealCommit(parts, out))


def shows(forge: Forge, *parts: tuple[bytes, bytes], out: tuple[int, ...] = ()) -> bytes:
    """A DEAL_REVEAL of these."""
    return forge.entry(EntryKind.DEAL_REVEAL, DealReveal(parts, out))


def binds(forge: Forge, seat: int, **changes: str) -> tuple[bytes, bytes]:
    """The commitment of a seat to the first part."""
    return forge.part(seat, COMMIT, part_commitment(forge.journal.table, forge.epoch, seat, R1), **changes)


def altered(forge: Forge, seat: int, kind: ActKind, **changes: Any) -> tuple[bytes, bytes]:
    """The same with changes, well signed."""
    data, _ = binds(forge, seat) if kind is COMMIT else forge.part(seat, REVEAL, R1)
    data = encode_envelope(replace(decode_envelope(data), **changes))
    return data, identity(NAMES[seat]).sign(data)


def asked_at(forge: Forge) -> dict[str, Any]:
    """What was seen by who signed just before he was asked."""
    index = forge.journal.last - 1
    return {"seen_index": index, "seen_head": forge.journal.heads[index]}


def hosted(forge: Forge) -> list[bytes]:
    """The host in seat 0, ben, and a bot, before a deal."""
    seats = SeatPub(SeatKind.MEMBER, forge.host.key, "ana"), member("ben"), bot()
    return [forge.genesis(), forge.options(), forge.roster(*seats), forge.match()]


def seated(forge: Forge) -> list[bytes]:
    """ana, ben and cy, none of whom hosts, before a deal."""
    return [*forge.lobby(), forge.match()]


def asks(forge: Forge, contributors: tuple[int, ...] = (), **changes: Any) -> bytes:
    """A DEAL_OPEN, right but for the changes."""
    table, epoch = forge.journal.table, forge.epoch + 1
    right = deals.opened(table, epoch, bytes(32), forge.voters, forge.host.key, contributors=contributors)
    return forge.entry(EntryKind.DEAL_OPEN, replace(right, **changes))


LIES: dict[str, tuple[Base, Lie, str]] = {
    "cards shuffled before any commitment": (opened, lambda f: f.deal_start(), "can't start"),
    "cards shuffled before any part": (committed, lambda f: f.deal_start(), "can't start"),
    "parts before commitments": (opened, lambda f: f.deal_reveal({1: R1, 2: R2}), "out of turn"),
    "commitments twice": (committed, lambda f: f.deal_commit({1: R1, 2: R2}), "out of turn"),
    "parts twice": (revealed, lambda f: f.deal_reveal({1: R1, 2: R2}), "out of turn"),
    "commitments after the deal": (
        lambda f: [*revealed(f), f.deal_start()],
        lambda f: f.deal_commit({1: R1, 2: R2}),
        "out of turn",
    ),
    "commitments where none were asked for": (
        lambda f: [*f.lobby(), f.match(), f.deal_open()],
        lambda f: f.deal_commit({}),
        "out of turn",
    ),
    "commitments in the lobby": (lambda f: f.lobby(), lambda f: f.deal_commit({}), "out of turn"),
    "a seat neither there nor left out": (opened, lambda f: f.deal_commit({1: R1}), "other seats"),
    "a seat there and left out": (opened, lambda f: f.deal_commit({1: R1, 2: R2}, left_out=(2,)), "other seats"),
    "a seat left out that was not asked": (
        opened,
        lambda f: f.deal_commit({1: R1, 2: R2}, left_out=(0,)),
        "other seats",
    ),
    "a seat there that was not asked": (opened, lambda f: f.deal_commit({0: R1, 1: R1, 2: R2}), "other seats"),
    "seats out of order": (opened, lambda f: of(f, binds(f, 2), binds(f, 1)), "other seats"),
    "a seat twice": (opened, lambda f: of(f, binds(f, 1), binds(f, 1), out=(2,)), "other seats"),
    "those left out, out of order": (opened, lambda f: of(f, out=(2, 1)), "other seats"),
    "a part of who has not committed": (
        lambda f: [*opened(f), f.deal_commit({1: R1}, left_out=(2,))],
        lambda f: f.deal_reveal({1: R1, 2: R2}),
        "other seats",
    ),
    "somebody left out again who was left out": (
        lambda f: [*opened(f), f.deal_commit({1: R1}, left_out=(2,))],
        lambda f: f.deal_reveal({1: R1}, left_out=(2,)),
        "other seats",
    ),
    "a commitment signed by the host": (opened, lambda f: of(f, binds(f, 1, by="host"), out=(2,)), "did not sign"),
    "a part signed by another player": (
        committed,
        lambda f: shows(f, f.part(1, REVEAL, R1, by="cy"), out=(2,)),
        "did not sign",
    ),
    "another part than was committed to": (
        committed,
        lambda f: f.deal_reveal({1: R1, 2: R1}),
        "not the one committed to",
    ),
    "a part for a commitment": (opened, lambda f: of(f, f.part(1, REVEAL, R1), out=(2,)), "not asked for"),
    "a commitment for a part": (committed, lambda f: shows(f, binds(f, 1), out=(2,)), "not asked for"),
    "an act for a commitment": (opened, lambda f: of(f, f.part(1, ActKind.ACT, b"draw"), out=(2,)), "not asked for"),
    "a commitment of another table": (
        opened,
        lambda f: of(f, altered(f, 1, COMMIT, table=bytes(16)), out=(2,)),
        "another table or deal",
    ),
    "a commitment of another deal": (
        opened,
        lambda f: of(f, altered(f, 1, COMMIT, epoch=0), out=(2,)),
        "another table or deal",
    ),
    "a commitment from before the deal was opened": (
        opened,
        lambda f: of(f, altered(f, 1, COMMIT, **asked_at(f)), out=(2,)),
        "another table or deal",
    ),
    "a part from before the commitments stood": (
        committed,
        lambda f: shows(f, altered(f, 1, REVEAL, **asked_at(f)), out=(2,)),
        "another table or deal",
    ),
    "a commitment over another history": (
        opened,
        lambda f: of(f, altered(f, 1, COMMIT, seen_head=bytes(32)), out=(2,)),
        "another history",
    ),
    "a commitment over what was not yet": (
        opened,
        lambda f: of(f, altered(f, 1, COMMIT, seen_index=len(f.journal)), out=(2,)),
        "another history",
    ),
    "a commitment out of its order": (
        opened,
        lambda f: of(f, altered(f, 1, COMMIT, n=2), out=(2,)),
        "out of its order",
    ),
    "a part out of its order": (
        committed,
        lambda f: shows(f, altered(f, 1, REVEAL, n=1), out=(2,)),
        "out of its order",
    ),
    "an act while parts are gathered": (committed, lambda f: f.says(1, "draw"), "outside a round"),
    "a card laid open while parts are gathered": (committed, lambda f: f.lays_open(1), "out of turn"),
    "a bot for a player whose part did come": (
        lambda f: [*revealed(f), f.deal_start()],
        lambda f: f.entry(EntryKind.BOT, BotPub(1, True, BotReason.CONTRIBUTIONS)),
        "whose parts did come",
    ),
    "a bot for a player left out once": (
        lambda f: [*opened(f), f.deal_commit({1: R1}, left_out=(2,)), f.deal_reveal({1: R1}), f.deal_start()],
        lambda f: f.entry(EntryKind.BOT, BotPub(2, True, BotReason.CONTRIBUTIONS)),
        "whose parts did come",
    ),
    # whom a deal asks
    "the host asked for a part": (hosted, lambda f: asks(f, (0,)), "not to be given"),
    "a bot asked for a part": (hosted, lambda f: asks(f, (2,)), "not to be given"),
    "a seat that there is not": (hosted, lambda f: asks(f, (1, 3)), "contributors that are none"),
    "a seat asked twice": (hosted, lambda f: asks(f, (1, 1)), "contributors that are none"),
    "seats asked out of order": (seated, lambda f: asks(f, (2, 1)), "contributors that are none"),
    # who holds shares
    "a holder forgotten": (seated, lambda f: asks(f, holders=f.voters[1:3]), "shared otherwise"),
    "the host a holder": (seated, lambda f: asks(f, holders=f.voters[:3]), "shared otherwise"),
    "holders in another order": (seated, lambda f: asks(f, holders=f.voters[:0:-1]), "shared otherwise"),
    "a secret that one alone can open": (seated, lambda f: asks(f, threshold=1), "shared otherwise"),
    "a secret that takes everybody": (seated, lambda f: asks(f, threshold=4), "shared otherwise"),
    "a share too few": (seated, lambda f: asks(f, shares=(bytes(32),) * 2), "shared otherwise"),
    "a share too many": (seated, lambda f: asks(f, shares=(bytes(32),) * 4), "shared otherwise"),
    "no shares at all": (seated, lambda f: asks(f, holders=(), threshold=0, shares=()), "shared otherwise"),
}


@pytest.mark.parametrize("name", LIES)
def test_what_cannot_stand_is_refused_by_everybody_who_reads_it(name: str) -> None:
    base, lie, why = LIES[name]
    forge = Forge()
    books = folded(base(forge))
    told = lie(forge)
    wire = told if isinstance(told, bytes) else told[-1]
    entry = books.journal.accept(wire, forge.host.key)
    with pytest.raises(ProtocolError, match=why):
        books.fold(entry)


@pytest.mark.parametrize("base", [opened, committed, revealed])
def test_the_usual_course_stands(base: Base) -> None:
    forge = Forge()
    books = folded(base(forge))
    if base is not revealed:
        books.fold(
            books.journal.accept(
                forge.deal_commit({1: R1}, (2,)) if base is opened else forge.deal_reveal({1: R1}, (2,)), forge.host.key
            )
        )
    assert books.round is not None
    assert books.round.epochs[1].left_out == (set() if base is revealed else {2})


def test_commitments_are_bound_to_seat_deal_and_table() -> None:
    """One player's can't be passed off as another's, nor one deal's as the next one's."""
    bound = {
        part_commitment(table, epoch, seat, PART)
        for table in (b"t" * 16, b"u" * 16)
        for epoch in (1, 2)
        for seat in (1, 2)
    }
    assert len(bound) == 8
