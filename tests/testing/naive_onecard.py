"""A second engine for One Card, as plain as can be: cards are texts, piles are lists, options a dict of what differs.

It is written from the rules page alone and shares nothing with the first but the names of options. Shuffles are given
to it with the action that needs them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Options = dict[str, Any]
RANKS, SUITS = "A23456789TJQK", "CDHS"
PACK = [rank + suit for rank in RANKS for suit in SUITS]


def sort(cards: list[str]) -> list[str]:
    """Low to high."""
    return sorted(cards, key=PACK.index)


class NaiveRound:
    """A round from its deal on; `shown` is what lies face up, the starter card last."""

    def __init__(
        self, hands: list[list[str]], stock: list[str], shown: list[str], starter: int, options: Options
    ) -> None:
        self.hands, self.stock, self.discards = [list(hand) for hand in hands], list(stock), list(shown)
        self.options, self.turn, self.way, self.pending = options, starter, 1, 0
        self.idle = self.actions = 0
        self.out: list[int] = []
        self.kept: str | None = None  # the drawn card that may be played
        self.reason: str | None = None
        self.winner: int | None = None
        if self._is("starter_effect"):
            rank = self.discards[-1][0]
            if rank in "23":
                self.pending = int(rank)
            elif rank == "J" or (rank == "Q" and self._queen_skips()):
                self.turn = self._beside(starter)
            elif rank == "Q":
                self.way = -1

    def legal(self) -> list[str]:
        """What the seat whose turn it is may do, sorted as text."""
        if self.reason:
            return []
        held = [self.kept] if self.kept else self.hands[self.turn]
        fitting = sorted({card for card in held if self._fits(card)})
        texts = [f"play {card}" for card in fitting]
        if len(self.hands[self.turn]) == 2 and self.options.get("call_one_card") == "self":
            texts += [f"play {card} one" for card in fitting]
        if self.kept:
            texts.append("pass")
        elif not fitting or self.pending or not self.options.get("must_play", True):
            texts.append("draw")
        return sorted(texts)

    def act(self, text: str, shuffle: Callable[[list[str]], list[str]]) -> None:
        """Does it; `shuffle` gives the order of a new stock."""
        seat = self.turn
        words = text.split()
        self.actions += 1
        if words[0] == "play":
            self._play(seat, words[1], len(words) == 3, shuffle)
        elif words[0] == "pass":
            self.kept = None
            self.turn = self._beside(seat)
        elif self.pending:
            self.pending, wanted = 0, self.pending
            self._drew(seat, self._draw(seat, wanted, shuffle))
        else:
            drawn = self._draw(seat, None if self._is("draw_until_playable") else 1, shuffle)
            if drawn and seat not in self.out and (self._is("draw_then_play") or self._is("draw_until_playable")):
                self.kept, self.idle = drawn[-1], 0
            else:
                self._drew(seat, drawn)
        self._look_for_the_end()

    def points(self) -> list[int]:
        """What the round scores."""
        scoring = self.options.get("scoring", "cards")
        worth = [sum(_worth(card) if scoring == "points" else 1 for card in hand) for hand in self.hands]
        if self.winner is None:
            return [-number for number in worth]
        worth[self.winner] = 0
        if scoring == "winner_takes":
            return [sum(worth) if seat == self.winner else 0 for seat in range(len(worth))]
        return [-number for number in worth]

    def next_starter(self) -> int:
        """Who starts the round after this one."""
        if self.winner is not None:
            return self.winner
        seats = len(self.hands)
        seat = self._beside(self.turn) if self.kept else self.turn
        best = seat
        for _ in range(seats - 1):
            seat = (seat + self.way) % seats
            if len(self.hands[seat]) < len(self.hands[best]):
                best = seat
        return best

    def _play(self, seat: int, card: str, called: bool, shuffle: Callable[[list[str]], list[str]]) -> None:
        self.kept = None
        self.idle = 0
        self.hands[seat].remove(card)
        skips = card[0] == "J" or (card[0] == "Q" and self._queen_skips())
        self.discards.append(card)
        if card[0] in "23":
            self.pending += int(card[0])
        if card[0] == "7":
            self.pending = 0
        if card[0] == "Q" and not skips:
            self.way = -self.way
        self.turn = self._beside(seat)
        if skips:
            self.turn = self._beside(self.turn)
        if not self.hands[seat]:
            self.reason, self.winner = "out", seat
            if self._is("final_attack_counts") and self.turn != seat:
                self._draw(self.turn, self.pending, shuffle)
        elif len(self.hands[seat]) == 1 and self.options.get("call_one_card") == "self" and not called:
            self._draw(seat, self.options.get("call_penalty", 1), shuffle)

    def _drew(self, seat: int, drawn: list[str]) -> None:
        self.idle = 0 if drawn else self.idle + 1
        self.turn = self._beside(seat)

    def _draw(self, seat: int, wanted: int | None, shuffle: Callable[[list[str]], list[str]]) -> list[str]:
        """So many cards, None: until one fits; fewer where there are no more."""
        drawn: list[str] = []
        limit = self.options.get("bankrupt_at", 0)
        while wanted is None or len(drawn) < wanted:
            if not self.stock and len(self.discards) > 1:
                self.stock = shuffle(sort(self.discards[:-1]))
                self.discards = self.discards[-1:]
            if not self.stock:
                break
            drawn.append(self.stock.pop(0))
            self.hands[seat].append(drawn[-1])
            if limit and len(self.hands[seat]) >= limit:
                self.out.append(seat)
                break
            if wanted is None and self._fits(drawn[-1]):
                break
        return drawn

    def _look_for_the_end(self) -> None:
        if self.reason:
            return
        left = [seat for seat in range(len(self.hands)) if seat not in self.out]
        if len(left) == 1:
            self.reason, self.winner = "out", left[0]
        elif self.idle >= len(left) or self.actions >= self.options.get("turn_limit", 5000):
            self.reason = "blocked"

    def _fits(self, card: str) -> bool:
        top = self.discards[-1]
        same_suit, same_rank = card[1] == top[1], card[0] == top[0]
        if not self.pending:
            return same_suit or same_rank
        if card[0] in "QJ":
            return same_suit or (same_rank and self._is("redirect_by_rank"))
        return card[0] in "237" and (same_suit or same_rank or self._is("free_defence"))

    def _queen_skips(self) -> bool:
        two = len(self.hands) - len(self.out) == 2
        return two and not self.pending and self.options.get("two_player_queen") == "skip"

    def _beside(self, seat: int) -> int:
        seat = (seat + self.way) % len(self.hands)
        return self._beside(seat) if seat in self.out else seat

    def _is(self, option: str) -> bool:
        return bool(self.options.get(option, False))


def order_cards(stock: list[str], seats: int) -> tuple[list[tuple[int, str]], int]:
    """Turns order cards up from the stock, which gets shorter: who got which, and who starts."""
    race, shown = list(range(seats)), list[tuple[int, str]]()
    while len(race) > 1 and (not shown or len(stock) - len(race) >= seats + 1):
        drawn = [(seat, stock.pop(0)) for seat in race]
        shown += drawn
        lowest = min("23456789TJQKA".index(card[0]) for _, card in drawn)
        race = [seat for seat, card in drawn if "23456789TJQKA".index(card[0]) == lowest]
    return shown, race[0]


def _worth(card: str) -> int:
    return 10 if card[0] in "TJQK" else RANKS.index(card[0]) + 1
