"""Worlds for the search: where the cards may lie that the viewer doesn't see.

Who puts a card aside shows two things. It held nothing that fitted: so cards that did are neither in its hand nor that
card. And it took what cost it least: so that card is likely a cheap one, and its hand holds none that was cheaper. How
likely a hand gives up a card is told from the card's cost alone, its points times the chance that it would have been
played: a power of that, as a share of the sum over the hand.

Worlds come from a chain: each is the one before after swaps of two cards, of which each is taken as often as it makes
the whole likelier (Metropolis). So nothing is drawn only to be weighed and thrown away.
"""

from __future__ import annotations

from typing import Any

from p2pcards.bots.dice import Dice
from p2pcards.bots.straights.greedy import LENGTH, LINES, NOBODY, card_at, points_at
from p2pcards.bots.straights.medium import PLAYED
from p2pcards.cards import DECK, Cards, each
from p2pcards.games.base import Game
from p2pcards.games.straights.state import SEATS, State, View

CHEAPER = 5.0
"""The power: a card that costs half is put aside so many times two likelier (from rounds of `medium`)."""

SETTLING = 4
"""Rounds of swaps before the first world."""


class Worlds:
    """The chain: by card who holds it and who put it aside, in the world drawn last; NOBODY of others.

    A hidden card is at a place: in the hand of a seat, or one of the cards that a seat put aside, by number. A hand is
    there each time, a card put aside until its own: so far a place's cards count in the seat's sums of likelihoods.
    """

    def __init__(self, game: Game[Any, View, Any], view: View, rng: Dice) -> None:
        state, lacked = game.resample(view, rng), view.public.lacked
        self.holder, self.gone = lying(state)
        self._random = rng.random
        passes = game.options.mode == "sevens_pass"
        times = [0 if passes else len(sets) for sets in lacked]
        self._seats, self._reach = [*range(SEATS)], times[:]
        self._forbidden = [int(sets[-1]) if sets else 0 for sets in lacked]
        self._likely = [[_likely(fits) for fits in sets[:count]] for sets, count in zip(lacked, times, strict=True)]
        self._sums: list[list[float]] = [[] for _ in times]
        self._place = [0] * DECK
        for seat in range(SEATS):
            aside = state.discards[seat]
            for card in each(state.hands[seat]):
                self._place[card] = seat
            for number, likely in enumerate(self._likely[seat]):
                self._place[aside[number]] = len(self._seats)
                self._seats.append(seat)
                self._reach.append(number + 1)
                self._forbidden.append(lacked[seat][number])
                held = (*each(state.hands[seat]), *aside[number:])
                self._sums[seat].append(sum(likely[card] for card in held))
        shown = view.public.table | view.hand
        for cards in (view.discards, *view.public.discards):
            shown |= sum(1 << card for card in cards)
        hidden = each(Cards(~shown & (1 << DECK) - 1))
        self._cards = [card for card in hidden if self.holder[card] >= 0 or self.gone[card] >= 0]
        for _ in range(SETTLING):
            self._swap(len(self._cards))

    def draw(self) -> None:
        """Goes on to the next world."""
        self._swap(len(self._cards) // 2)
        for card in self._cards:
            place = self._place[card]
            aside = place >= SEATS
            self.holder[card] = NOBODY if aside else place
            self.gone[card] = self._seats[place] if aside else NOBODY

    def _swap(self, times: int) -> None:
        """Tries so many swaps."""
        cards, places, forbidden, random = self._cards, self._place, self._forbidden, self._random
        count = len(cards)
        for _ in range(times):
            one, other = cards[int(random() * count)], cards[int(random() * count)]
            here, there = places[one], places[other]
            if here == there or forbidden[here] >> other & 1 or forbidden[there] >> one & 1:
                continue
            changes: list[tuple[list[float], int, float]] = []
            if self._likelier(one, here, other, there, changes) > random():
                places[one], places[other] = there, here
                for sums, number, total in changes:
                    sums[number] = total

    def _likelier(
        self, one: int, here: int, other: int, there: int, changes: list[tuple[list[float], int, float]]
    ) -> float:
        """How many times likelier the world is when these two cards change places; and which sums that changes."""
        seat, fellow = self._seats[here], self._seats[there]
        near, far = self._reach[here], self._reach[there]
        ratio = 1.0
        if here >= SEATS:
            likely = self._likely[seat][near - 1]
            ratio *= likely[other] / likely[one]
        if there >= SEATS:
            likely = self._likely[fellow][far - 1]
            ratio *= likely[one] / likely[other]
        moved: tuple[tuple[int, int, int, int, int], ...]
        if seat != fellow:
            moved = (seat, 0, near, one, other), (fellow, 0, far, other, one)
        elif near < far:  # what is counted up to both stays
            moved = ((seat, near, far, other, one),)
        else:
            moved = ((seat, far, near, one, other),)
        for who, first, end, lost, won in moved:
            sums, table = self._sums[who], self._likely[who]
            for number in range(first, end):
                total = sums[number]
                changed = total - table[number][lost] + table[number][won]
                ratio *= total / changed
                changes.append((sums, number, changed))
        return ratio


def _costs(line: int, on_table: int) -> list[float]:
    """By place on a line, of which so many cards are on the table: how likely the card is given up."""
    return [
        (points_at(line, place) * PLAYED ** (place - on_table + 1)) ** -CHEAPER if place >= on_table - 1 else 0.0
        for place in range(LENGTH)
    ]


_COSTS = [[_costs(line, on_table) for on_table in range(LENGTH + 2)] for line in range(LINES)]


def _likely(fits: int) -> list[float]:
    """By card how likely it is given up while these cards fit."""
    likely = [0.0] * DECK
    for line in range(LINES):
        on_table = 0
        if not fits >> (LENGTH << 2 | line >> 1) & 1:
            places = range(LENGTH)
            on_table = 1 + next((place for place in places if fits >> card_at(line, place) & 1), LENGTH)
        for place, cost in enumerate(_COSTS[line][on_table]):
            likely[card_at(line, place)] = cost
    return likely


def lying(state: State) -> tuple[list[int], list[int]]:
    """By card who holds it, and who put it aside; NOBODY of others."""
    holder, gone = [NOBODY] * DECK, [NOBODY] * DECK
    for seat in range(SEATS):
        for card in each(state.hands[seat]):
            holder[card] = seat
        for card in state.discards[seat]:
            gone[card] = seat
    return holder, gone
