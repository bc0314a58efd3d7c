"""Worlds for the search: hands that a view allows."""

from __future__ import annotations

from random import Random

from p2pcards.bots.tienlen.kernel import ALL, KERNEL, Position
from p2pcards.cards import DECK, NONE
from p2pcards.games.base import Rng
from p2pcards.games.tienlen.state import State, View


class Worlds:
    """What the others may hold, for a seat whose turn it is."""

    def __init__(self, view: View) -> None:
        public = view.public
        self._view, self._seat = view, public.turn
        self._counts = [0 if seat == view.seat else count for seat, count in enumerate(public.counts)]
        unseen = ALL & ~(view.hand | public.played)
        if public.must is not None:  # nobody was dealt a lower card
            unseen = unseen >> public.must << public.must
        self._unseen = [1 << card for card in range(DECK) if unseen >> card & 1]

    def position(self) -> Position:
        """What everybody knows, with the viewer's hand alone."""
        view = self._view
        hands = tuple(view.hand if seat == view.seat else NONE for seat in range(len(self._counts)))
        return KERNEL.load(State(view.public, hands))

    def hands(self, rng: Rng) -> list[int]:
        """The viewer's hand, and the others' by chance."""
        random = rng.random if isinstance(rng, Random) else Random(rng.randrange(1 << 32)).random  # noqa: S311
        cards, last, hands = self._unseen, len(self._unseen), []
        for count in self._counts:
            hand = 0
            for _ in range(count):
                place = int(random() * last)
                last -= 1
                card = cards[place]
                cards[place] = cards[last]
                cards[last] = card
                hand |= card
            hands.append(hand)
        hands[self._seat] = int(self._view.hand)
        return hands
