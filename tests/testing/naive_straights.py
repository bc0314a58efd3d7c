"""Straights once more, straight from docs/rules/straights.md with lists and strings: slow and plain.

The engine is compared with it (tests/games/straights/test_naive.py). Nothing of the engine is used here; even the order
of the cards is written down again.
"""

from __future__ import annotations

from collections.abc import Mapping

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK = [rank + suit for rank in RANKS for suit in SUITS]


def points(cards: list[str]) -> int:
    """R3."""
    return sum(RANKS.index(card[0]) + 1 for card in cards)


class NaiveRound:
    """One round, from hands by seat."""

    def __init__(self, hands: list[list[str]], options: Mapping[str, object]) -> None:
        self.options = options
        self.hands = [list(hand) for hand in hands]
        self.table: list[str] = []
        self.aside: list[list[str]] = [[], [], [], []]
        self.passed = 0
        self.start = str(options.get("start_card", "7S"))
        self.turn = next(seat for seat in range(4) if self.start in self.hands[seat])
        self.reason = ""

    @property
    def passes(self) -> bool:
        """R22."""
        return self.options.get("mode") == "sevens_pass"

    def acting(self) -> list[int]:
        """Whose turn it is."""
        return [] if self.reason else [self.turn]

    def fits(self, card: str) -> bool:
        """R5 to R7."""
        if not self.table:
            return card == self.start
        if card[0] == "7":
            return card not in self.table
        row = [RANKS.index(other[0]) for other in self.table if other[1] == card[1]]
        return bool(row) and RANKS.index(card[0]) in (min(row) - 1, max(row) + 1)

    def legal(self, seat: int) -> list[str]:
        """R8, R9, R22."""
        if seat not in self.acting():
            return []
        plays = [f"play {card}" for card in self.hands[seat] if self.fits(card)]
        if plays:
            return plays
        return ["pass"] if self.passes else [f"discard {card}" for card in self.hands[seat]]

    def act(self, seat: int, text: str) -> None:
        """R10, R13, R22, R24."""
        verb, _, card = text.partition(" ")
        self.passed = self.passed + 1 if verb == "pass" else 0
        if card:
            self.hands[seat].remove(card)
            (self.table if verb == "play" else self.aside[seat]).append(card)
        if self.passed == 4:
            self.reason = "blocked"
        elif not any(self.hands) or (self.passes and not all(self.hands)):
            self.reason = "played"
        else:
            self.turn = next(seat % 4 for seat in range(seat + 1, seat + 5) if self.hands[seat % 4])

    def points(self) -> list[int]:
        """R14, R23."""
        return [points(cards) for cards in (self.hands if self.passes else self.aside)]

    def winners(self) -> list[int]:
        """R15."""
        return [seat for seat in range(4) if self.points()[seat] == min(self.points())]


def dealt(order: list[str], starter: int, options: Mapping[str, object]) -> NaiveRound:
    """R4."""
    hands: list[list[str]] = [[], [], [], []]
    for place, card in enumerate(order):
        hands[(starter + place) % 4].append(card)
    return NaiveRound(hands, options)
