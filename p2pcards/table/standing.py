"""Whether a table would outlive its host now, and if not, whom it hangs on (protocol 6.6)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from p2pcards.table.escrow import quorum
from p2pcards.table.presence import Connection, Presence
from p2pcards.table.public import Public
from p2pcards.wire.entries import SeatKind
from p2pcards.wire.messages import Standing

SAFE = Standing("", ())


def standing(books: Public, presence: Presence) -> Standing:
    """Safe where a majority without the host is here, linked pairwise, and can open what the round hides.

    A share counts as acknowledged when its holder's part of the deal stands in the journal, or when it has answered a
    heartbeat that came behind the share.
    """
    others = [key for key in books.voters if key != books.host and books.votes(key)]
    if len(books.voters) < 3:
        members = [held.key for held in books.seats if held.kind is SeatKind.MEMBER and held.key != books.host]
        voteless = tuple(key for key in members if key not in books.voters)
        if len(books.voters) + len(voteless) < 3:
            return Standing("two" if members or others else "alone", ())
        return Standing("votes", voteless)
    needed, there = quorum(len(books.voters)), dict[bytes, Connection]()
    for _, one in presence.welcomed():
        if not one.silent:
            there.setdefault(one.key, one)
    missing = tuple(key for key in others if key not in there)
    able = {key: there[key] for key in others if key in there and there[key].vote_file}
    voteless = tuple(key for key in others if key not in able and key not in missing)
    if len(able) < needed:
        return Standing("votes", voteless) if len(able) + len(voteless) >= needed else Standing("links", missing)
    current, is_linked = books.round, False
    holding = {key for key in able if current and _holds(books, key, able[key])}
    threshold = current.threshold if current else 0
    for size in range(len(able), needed - 1, -1):
        for group in combinations(able, size):
            if _are_linked(group, able):
                is_linked = True
                if len(holding.intersection(group)) >= threshold:
                    return SAFE
    if not is_linked:
        return Standing("links", tuple(key for key in able if not _are_linked(tuple(able), able, key)))
    return Standing("shares", tuple(key for key in books.open_round.holders if key not in holding))


def _are_linked(group: Sequence[bytes], able: dict[bytes, Connection], of: bytes = b"") -> bool:
    """Whether all pairs of them, or those with one of them in it, say so of each other."""
    return all(
        other in able[one].linked and one in able[other].linked
        for one, other in combinations(group, 2)
        if of in (b"", one, other)
    )


def _holds(books: Public, key: bytes, there: Connection) -> bool:
    current = books.open_round
    if key not in current.holders:
        return False
    first, asked = current.epochs[current.first_epoch], there.holds == current.first_epoch
    seat = next((seat for seat in first.contributors if first.key_of(seat) == key), None)
    return asked if seat is None else seat in first.commits
