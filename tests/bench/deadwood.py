"""The best deadwood of random hands, beside a fixed loop that tells how fast this machine runs Python."""

from __future__ import annotations

from time import process_time

from p2pcards.cards import Card, cards_of, deck
from p2pcards.games.tongits.melds import deadwood
from tests.bench.figure import Figure, interleaved
from tests.testing.dice import dice

HANDS, REPEATS = 5000, 25
_STEPS = 20  # of the loop


def measure() -> Figure:
    """Microseconds a hand of 12 cards."""
    rng = dice("deadwood")
    hands = [cards_of(map(Card, rng.sample(list(deck()), 12))) for _ in range(HANDS)]

    def ours() -> float:
        start = process_time()
        for hand in hands:
            deadwood(hand)
        return (process_time() - start) / HANDS

    def loop() -> float:
        start = process_time()
        for hand in hands:
            _count(hand)
        return (process_time() - start) / HANDS

    hand, anchor = interleaved(REPEATS, ours, loop)
    return Figure(hand * 1e6, {"loop us": anchor * 1e6, "hand over loop": hand / anchor})


def _count(number: int) -> int:
    """A call with 20 rounds of small arithmetic."""
    total = 0
    for step in range(_STEPS):
        total += number >> step & 1
    return total
