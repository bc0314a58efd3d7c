"""What a player of Tong-its reads from its hand and the table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from p2pcards.cards import DECK, Card, Cards, cards_of, each
from p2pcards.games.base import Seat
from p2pcards.games.tongits.actions import DISCARDS, EXPOSES, LAYOFFS, Action, Discard
from p2pcards.games.tongits.melds import fits, split
from p2pcards.games.tongits.state import Public, View

_ALL = (1 << DECK) - 1
_RANK = 0b1111


def has_exposed(public: Public, seat: Seat | None) -> bool:
    """Whether the seat owns a meld on the table."""
    return any(meld.owner == seat for meld in public.melds)


def rivals(view: View) -> tuple[Seat, ...]:
    """The other seats, the next in turn first."""
    return tuple(Seat((seat + step) % 3) for seat in (view.seat or 0,) for step in (1, 2))


def unseen(view: View) -> Cards:
    """The cards that may be anywhere: in the stock or in another hand."""
    seen = view.hand | cards_of(view.public.discards)
    for meld in view.public.melds:
        seen |= meld.cards
    return Cards(_ALL & ~seen)


def completing(hand: Cards) -> Cards:
    """The cards that make a meld with two cards of the hand."""
    up, down, up2, down2 = hand << 4, hand >> 4, hand << 8, hand >> 8
    runs = up & up2 | up & down | down & down2
    sets = 0
    for low in range(0, DECK, 4):
        same = hand >> low & _RANK
        if same.bit_count() > 1:
            sets |= _RANK << low
    return Cards((runs | sets) & _ALL & ~hand)


def chance_to_take(card: Card, hidden: Cards, size: int) -> float:
    """About the chance that a hand of that size out of the hidden cards has two that take this one for a meld."""
    bit = 1 << card
    same = (hidden & _RANK << (card & ~3)).bit_count()
    near = [bool(hidden & place) for place in (bit >> 8, bit >> 4, bit << 4, bit << 8)]
    pairs = same * (same - 1) // 2 + sum(one and other for one, other in pairwise(near))
    return pairs * (size / max(hidden.bit_count(), 1)) ** 2


def loose_discards(hand: Cards, actions: Sequence[Action]) -> list[Discard]:
    """The discards that break no meld; all of them where every card is in one."""
    loose = split(hand).leftovers
    discards = [action for action in actions if isinstance(action, Discard)]
    return [discard for discard in discards if loose >> discard.card & 1] or discards


def way_out(view: View, actions: Sequence[Action]) -> Action | None:
    """The first step to an empty hand in this turn, where there is a way."""
    best = split(view.hand, tuple(meld.cards for meld in view.public.melds))
    if best.leftovers.bit_count() > 1:
        return None
    steps: list[Action] = [EXPOSES[meld] for meld in best.melds]
    for name, meld in enumerate(view.public.melds):
        steps += (LAYOFFS[name][card] for card in each(Cards(best.laid & fits(meld.cards))))
    steps += (DISCARDS[card] for card in each(best.leftovers))
    return next((step for step in steps if step in actions), None)
