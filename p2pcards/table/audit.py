"""The audit of a round (protocol 6.8).

When R is disclosed everybody can repeat the round: the deck that R and the parts give must be the one that the leaves
bind, and must lead, act by act, to every view this program was shown, to the result in the journal and to the points
(`replay`). The first entry that doesn't fit is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.games.base import Dealt, Game, Outcome, Seat
from p2pcards.games.match import Match
from p2pcards.table.audit_deal import Unsound
from p2pcards.table.journal import Journal
from p2pcards.table.replay import Replay
from p2pcards.wire.encode import digest, u64


class Audit(Struct, frozen=True):
    """What the audit of a round came to. bad: index of the first bad entry, None when all is well."""

    bad: int | None
    why: str
    dealt: Dealt | None  # None where not even the deal was in order
    opener: Seat
    actions: tuple[tuple[int, str], ...]  # seat (DEALER for a shuffle), canonical text, as far as they were good
    sealed: tuple[tuple[int, str], ...]  # index of each sealed choice, and what it was
    outcome: Outcome | None


class Shown(Struct, frozen=True):
    """A view that a guest was shown. seat: whose (None: a spectator's); digest: see `shown_digest`."""

    seat: int | None
    digest: bytes


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
    shown: Mapping[int, Shown],
) -> Audit:
    """Repeats the round whose DEAL_OPEN is entry `first` and whose ROUND_END is entry `last`.

    match: as it stood before the round. shown: the views that we were shown, by index.
    """
    found, positions = repeat_round(journal, game, first, last, secret, match)
    for index in sorted(positions.keys() & shown.keys()):
        seat = shown[index].seat
        view = game.encode_view(game.view(positions[index], None if seat is None else Seat(seat)))
        if shown_digest(journal.table_at(index), index, view) != shown[index].digest:
            so_far, _ = repeat_round(journal, game, first, index, secret, match)
            return replace(so_far, bad=index, why="we were shown something else")
    return found


def repeat_round(
    journal: Journal, game: Game[Any, Any, Any], first: int, last: int, secret: bytes, match: Match
) -> tuple[Audit, dict[int, Any]]:
    """The audit but for what anybody was shown, and the game's position behind each entry that was in order."""
    repeat, positions = Replay(journal, game, first, secret, match), dict[int, Any]()
    for index in range(first, last + 1):
        try:
            repeat.take(journal.entries[index])
        except (Unsound, ProtocolError) as error:
            return _found(repeat, index, str(error)), positions
        if repeat.fold:
            positions[index] = repeat.fold.state
    return _found(repeat, None, ""), positions


def _found(repeat: Replay, bad: int | None, why: str) -> Audit:
    """The result, as far as the round was repeated."""
    fold, sealed = repeat.fold, tuple(repeat.sealed)
    if fold is None:
        return Audit(bad, why, None, Seat(0), (), sealed, None)
    return Audit(bad, why, fold.dealt, fold.opener, tuple(fold.actions), sealed, fold.outcome)
