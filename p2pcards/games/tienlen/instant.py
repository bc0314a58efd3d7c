"""Dealt hands that win at once (docs/rules/tienlen.md, R28 to R30)."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards import Cards
from p2pcards.games.base import Seat
from p2pcards.games.tienlen.combos import TWOS
from p2pcards.games.tienlen.options import TienLenOptions
from p2pcards.games.tienlen.state import Hand, Instant

_RANKS = range(13)


def instant_of(options: TienLenOptions, hands: Sequence[Cards], opener: Seat) -> Instant | None:
    """The strongest of the hands that win at once, of equal ones the first from the opener on; None without any."""
    if options.instant_win == "off":
        return None
    extra = options.instant_win_extra.split("+")
    seats = len(hands)
    for kind in Hand:
        if kind is Hand.FOUR_TWOS or kind.value in extra:
            for seat in (Seat((opener + step) % seats) for step in range(seats)):
                if _is(options, kind, hands[seat]):
                    return Instant(seat, kind, hands[seat])
    return None


def _is(options: TienLenOptions, kind: Hand, hand: Cards) -> bool:
    if kind is Hand.FOUR_TWOS:
        return hand & TWOS == TWOS
    counts = [(hand >> 4 * rank & 0b1111).bit_count() for rank in _RANKS]
    match kind:
        case Hand.DRAGON:
            return all(counts[:12])
        case Hand.SIX_PAIRS:
            return sum(count // 2 for count in counts) >= 6
        case Hand.FIVE_PAIR_SEQUENCE:
            highest = 13 if options.twos_in_sequences else 12
            return any(min(counts[low : low + 5]) >= 2 for low in range(highest - 4))
