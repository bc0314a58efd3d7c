"""The audit of a round (protocol 6.8, as far as the plain deal goes).

When R is disclosed everybody can repeat the round: the deck that R gives must lead, act by act, to every view this
program was shown, to the result in the journal and to the points. The first entry that doesn't fit is named. It is the
host's, whoever signed the act in it: the host alone sees the cards, and it must refuse what the rules forbid. Chain,
signatures and the commitment to R were checked entry by entry as they came.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard
from p2pcards.games.base import Dealt, Game, Outcome, Seat
from p2pcards.games.match import Match
from p2pcards.table.deal import deal_from
from p2pcards.table.fold import RoundFold
from p2pcards.table.journal import Journal
from p2pcards.wire.encode import digest, u64
from p2pcards.wire.entries import DealOpen, DealStart, EntryKind, RoundEnd, decode_pub
from p2pcards.wire.envelope import decode_envelope, unpack_opening


class Audit(Struct, frozen=True):
    """What the audit of a round came to. bad: index of the first bad entry, None when all is well."""

    bad: int | None
    why: str
    dealt: Dealt | None  # None where not even the deal was in order
    opener: Seat
    actions: tuple[tuple[int, str], ...]  # seat, canonical text, as far as they were good
    outcome: Outcome | None


def shown_digest(table: bytes, index: int, view: bytes) -> bytes:
    """What a guest keeps of a view it was shown."""
    return digest("view", table, u64(index), view)


def audit_round(
    journal: Journal,
    game: Game[Any, Any, Any],
    first: int,
    last: int,
    secret: bytes,
    match: Match,
    seat: int | None,
    shown: Mapping[int, bytes],
) -> Audit:
    """Repeats the round whose DEAL_OPEN is entry `first` and whose ROUND_END is entry `last`.

    match: as it stood before the round. seat, shown: whose views we were shown (None: a spectator's), and their digests
    by index.
    """
    opened = decode_pub(EntryKind.DEAL_OPEN, journal.entries[first].pub)
    if not isinstance(opened, DealOpen):
        raise TypeError("no DEAL_OPEN there")
    deal = deal_from(journal.table, opened.epoch, secret, opened.cards, len(opened.seats))
    fold: RoundFold | None = None
    openings: dict[int, str] = {}
    begun = match.starter(deal.lot)

    def found(index: int | None, why: str) -> Audit:
        actions = tuple(fold.actions) if fold else ()
        dealt, opener = (fold.dealt, fold.opener) if fold else (None, begun)
        return Audit(index, why, dealt, opener, actions, fold.outcome if fold else None)

    for index in range(first, last + 1):
        entry = journal.entries[index]
        if entry.kind is EntryKind.DEAL_START:
            start = decode_pub(entry.kind, entry.pub)
            if not isinstance(start, DealStart) or start.starter != begun:
                return found(index, "another seat had to start")
            fold = RoundFold(game, deal, len(opened.seats), begun, match.first, index)
        elif fold and entry.kind is EntryKind.ACT:
            said = decode_envelope(entry.pub)
            if said.seen_index < fold.given.get(entry.seat, 0):
                return found(index, "an act kept back from an earlier turn")
            try:
                fold.act(entry.seat, said.payload.decode(), index)
            except (IllegalAction, InvalidAction, InvalidCard) as error:
                return found(index, f"an act that the rules forbid: {error}")
        elif fold and entry.kind in (EntryKind.BLIND, EntryKind.OPENING):
            said = decode_envelope(entry.pub)
            if not fold.asks(entry.seat):
                return found(index, "an answer to no question")
            if entry.kind is EntryKind.OPENING:
                openings[entry.seat] = unpack_opening(said.payload)[2].decode("utf-8", "replace")
            elif said.seen_index < fold.given[entry.seat]:
                return found(index, "an answer kept back from an earlier turn")
            if openings.keys() == set(fold.to_act):
                fold.answer(openings, index)
                openings = {}
        elif fold and entry.kind is EntryKind.ROUND_END:
            ended = decode_pub(entry.kind, entry.pub)
            outcome = fold.outcome
            if outcome is None or not isinstance(ended, RoundEnd):
                return found(index, "the round was not over")
            points = match.settle(outcome).points
            if (ended.reason, ended.winners, ended.points) != (outcome.reason, tuple(outcome.winners), points):
                return found(index, "another result")
        if fold and index in shown:
            view = game.encode_view(fold.view(seat))
            if shown_digest(journal.table, index, view) != shown[index]:
                return found(index, "we were shown something else")
    return found(None, "")
