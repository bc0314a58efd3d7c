"""What a player of One Card reads from its hand and the table."""

from __future__ import annotations

from functools import lru_cache

from p2pcards.cards import DECK, Cards, each
from p2pcards.games.base import Seat
from p2pcards.games.onecard.pack import FITTING
from p2pcards.games.onecard.state import Public


@lru_cache(4096)
def reach(faces: Cards) -> float:
    """The share of all top cards on which some of these may be played."""
    covered = 0
    for card in each(faces):
        covered |= FITTING[card]
    return covered.bit_count() / DECK


def following(public: Public, steps: int) -> Seat:
    """The seat that many places on in the direction of play, those out of the round left aside."""
    seat, way = public.turn, public.direction if steps > 0 else -public.direction
    for _ in range(abs(steps)):
        seat = Seat((seat + way) % len(public.counts))
        while seat in public.bankrupt:
            seat = Seat((seat + way) % len(public.counts))
    return seat
