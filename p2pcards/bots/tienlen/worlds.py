"""Worlds for the search: hands that a view allows, those first in which the others did what they did for a reason.

The view has the plays and passes of the present trick, and of those before only which cards are gone. Who would have
beaten what lay there and passed, or would have played something else, hardly holds such a hand. So hands are drawn
again, a few times, while the policy would have done there what the others did not.
"""

from __future__ import annotations

from p2pcards.bots.dice import Dice, seeded_by
from p2pcards.bots.tienlen.kernel import ALL, KERNEL, Position, move_of
from p2pcards.bots.tienlen.policy import choice
from p2pcards.cards import DECK, NONE
from p2pcards.games.base import Rng
from p2pcards.games.tienlen.state import State, View

TRIES = 4
"""Draws for one world at most."""
DOUBT = 0.3
"""How likely hands stay in which the policy would have done one thing otherwise."""


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
        self._acts = _answers(view)

    def position(self) -> Position:
        """What everybody knows, with the viewer's hand alone."""
        view = self._view
        hands = tuple(view.hand if seat == view.seat else NONE for seat in range(len(self._counts)))
        return KERNEL.load(State(view.public, hands))

    def hands(self, rng: Rng) -> list[int]:
        """The viewer's hand, and the others' by chance and by what they did."""
        hands = self._drawn(rng)
        for _ in range(TRIES - 1):
            odd = sum(
                choice(hands[seat] | since, seat, pile, owner, open_, rest, 0) & ALL != cards
                for seat, since, pile, owner, open_, rest, cards in self._acts
            )
            if not odd or rng.randrange(1000) < 1000 * DOUBT**odd:
                break
            hands = self._drawn(rng)
        return hands

    def _drawn(self, rng: Rng) -> list[int]:
        """The viewer's hand, and the others' by chance alone."""
        cards, last, hands = self._unseen, len(self._unseen), list[int]()
        random = rng.random if isinstance(rng, Dice) else seeded_by(rng).random
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


def _answers(view: View) -> list[tuple[int, int, int, int, int, int, int]]:
    """How the others answered in this trick.

    Of each answer: seat, what it has played since and then, pile, its owner and who else might answer (as sets), the
    cards not played before, the cards that it played.
    """
    public, found = view.public, list[tuple[int, int, int, int, int, int, int]]()
    rest = ALL & ~public.played
    for act in public.trick:
        rest |= act.cards
    pile = owner = 0
    open_ = sum(1 << seat for seat in range(len(public.counts)) if public.counts[seat])
    for place, act in enumerate(public.trick):
        seat, bit = act.seat, 1 << act.seat
        if pile and seat != view.seat:
            since = sum(later.cards for later in public.trick[place:] if later.seat == seat)
            found.append((seat, since, pile, owner, open_ | bit, rest, act.cards))
        if act.cards:
            open_ = (open_ | owner) & ~bit
            pile, owner, rest = move_of(act.cards), bit, rest & ~act.cards
        else:
            open_ &= ~bit
    return found
