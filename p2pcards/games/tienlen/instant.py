"""Dealt hands that win at once (docs/rules/tienlen.md, R13, R44)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from p2pcards.cards import Cards
from p2pcards.games.base import Seat
from p2pcards.games.tienlen.combos import TWOS
from p2pcards.games.tienlen.options import TienLenOptions
from p2pcards.games.tienlen.state import Hand, Instant

_FOUR_TWOS = Hand.FOUR_TWOS
_RANKS = range(13)


def instant_of(options: TienLenOptions, hands: Sequence[Cards], opener: Seat) -> Instant | None:
    """The strongest of the hands that win at once, of equal ones the first from the opener on; None without any."""
    if options.instant_win == "off":
        return None
    seats = len(hands)
    for kind in _kinds(options.instant_win_extra):
        found = [seat for seat, hand in enumerate(hands) if _is(options, kind, hand)]
        if found:
            seat = Seat(min(found, key=lambda seat: (seat - opener) % seats))
            return Instant(seat, kind, hands[seat])
    return None


@lru_cache
def _kinds(extra: str) -> tuple[Hand, ...]:
    """The kinds of hand that win at once, the strongest first."""
    return tuple(kind for kind in Hand if kind is _FOUR_TWOS or kind in extra.split("+"))


def _is(options: TienLenOptions, kind: Hand, hand: Cards) -> bool:
    if kind is _FOUR_TWOS:
        return hand & TWOS == TWOS
    counts = [(hand >> 4 * rank & 0b1111).bit_count() for rank in _RANKS]
    if kind is Hand.DRAGON:
        return all(counts[:12])
    if kind is Hand.SIX_PAIRS:
        return sum(count // 2 for count in counts) >= 6
    highest = 13 if options.twos_in_sequences else 12
    return any(min(counts[low : low + 5]) >= 2 for low in range(highest - 4))
