"""States that a view allows: who put a card aside or passed held nothing that fitted then.

What fits goes on to fit until it is played: so of a hand only the last such time tells, and of a card put aside the
time when it went there.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards import DECK, Card, Cards, cards_of, each
from p2pcards.games.base import Rng, Seat
from p2pcards.games.straights.state import SEATS, State, View

_ALL = (1 << DECK) - 1


def world(view: View, discarded: Sequence[int], rng: Rng) -> State:
    """A state in which the viewer sees just this; `discarded` is how many cards each seat put aside."""
    public = view.public
    hands: list[int] = list(public.left) or [0] * SEATS
    discards = list(public.discards)
    if view.seat is not None:
        hands[view.seat], discards[view.seat] = view.hand, view.discards
    if not public.table:  # whoever is to open holds the start card
        hands[public.turn] |= public.fits
    seen = public.table | cards_of(card for cards in discards for card in cards)
    for hand in hands:
        seen |= hand
    places, may_lie = [], []
    for seat in map(Seat, range(SEATS)):
        for number in range(len(discards[seat]), discarded[seat]):
            places.append((seat, True))
            may_lie.append(_ALL & ~public.lacked[seat][number])
        for _ in range(hands[seat].bit_count(), public.counts[seat]):
            places.append((seat, False))
            may_lie.append(_ALL & ~public.lacked[seat][-1] if public.lacked[seat] else _ALL)
    for (seat, aside), card in zip(places, _dealt(may_lie, _shuffled(Cards(_ALL & ~seen), rng)), strict=True):
        if aside:
            discards[seat] = (*discards[seat], card)
        else:
            hands[seat] |= 1 << card
    return State(public, tuple(map(Cards, hands)), tuple(discards))


def _shuffled(cards: Cards, rng: Rng) -> list[Card]:
    order = list(each(cards))
    for last in range(len(order) - 1, 0, -1):
        place = rng.randrange(last + 1)
        order[last], order[place] = order[place], order[last]
    return order


def _dealt(may_lie: Sequence[int], cards: Sequence[Card]) -> list[Card]:
    """A card for each place, among those that may lie there: a bipartite matching, grown by augmenting paths.

    Raises ValueError where there is none, as no view of a real state has it.
    """
    place_of: dict[Card, int] = {}

    def settle(place: int, tried: set[Card]) -> bool:
        for card in cards:
            if may_lie[place] >> card & 1 and card not in tried:
                tried.add(card)
                if card not in place_of or settle(place_of[card], tried):
                    place_of[card] = place
                    return True
        return False

    for place in range(len(may_lie)):
        if not settle(place, set()):
            raise ValueError("no cards fit this view")
    card_at = {place: card for card, place in place_of.items()}
    return [card_at[place] for place in range(len(may_lie))]
