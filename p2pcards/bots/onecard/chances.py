"""How likely a seat is to win, told from the hands as they are: what a round played on for a while is worth.

A round played to its end says 0 or 1, and needs some hundred others beside it before it says more than noise. So
rounds are played on for a few turns, and then it is said how often rounds like that are won: each seat has a score, and
wins in proportion to e to the power of it.
"""

from __future__ import annotations

from math import exp

from p2pcards.bots.onecard.greedy import REACH
from p2pcards.bots.onecard.kernel import Position
from p2pcards.games.onecard.pack import FACES, JACK, QUEEN, SEVEN, THREE, TWO

# Fitted (multinomial logit) to 28,000 positions of rounds of four, in which a tenth of the choices was made by chance.
_CARDS = (0.37, 0.86, 0.1, 0.04, -0.44, -0.71, -0.69, -0.48)  # by how many are held
_REACH = (0.22, -1.85, -0.69, -0.78, -0.41, -0.27, -0.39, -0.81)  # that they fit on every card
_FITS = (  # that one fits now, by turns until it may be played
    (4.34, 1.8, 1.41, 1.16),
    (0.83, 0.61, 0.37, 0.37),
    (0.4, 0.33, 0.32, 0.24),
    (0.25, 0.2, 0.13, 0.09),
    (0.24, 0.11, 0.1, 0.12),
)
_ATTACK, _SEVEN, _COURT = 0.24, 0.03, 0.09  # each card of that kind
_MORE = -0.13  # each card above eight
_HIT, _ANSWERED, _NEXT = (
    -0.15,
    -0.1,
    -0.03,
)  # each card pending, where there is no answer; that there is one; for who is next

_ATTACKS = 0b1111 << 4 * TWO | 0b1111 << 4 * THREE
_SEVENS = 0b1111 << 4 * SEVEN
_COURTS = 0b1111 << 4 * JACK | 0b1111 << 4 * QUEEN


def chance_to_win(position: Position, seat: int) -> float:
    """The chance of that seat to win, in a round that is not over."""
    hands, after, mask = position.hands, position.after, position.mask
    other, whole, own = position.turn, 0.0, 0.0
    for place in range(len(hands)):
        hand = hands[other]
        count, fits = hand.bit_count(), hand & mask
        more = count - 8 if count > 8 else 0
        few = count - more
        score = _CARDS[few - 1] + _REACH[few - 1] * REACH[hand & FACES] + _MORE * more
        score += _ATTACK * (hand & _ATTACKS).bit_count() + _SEVEN * (hand & _SEVENS).bit_count()
        score += _COURT * (hand & _COURTS).bit_count()
        if fits:
            score += _FITS[few - 1 if few < 5 else 4][place if place < 3 else 3]
        if position.pending and place < 2:
            score += _NEXT * position.pending if place else _ANSWERED if fits else _HIT * position.pending
        share = exp(score)
        whole += share
        if other == seat:
            own = share
        other = after[other]
    return own / whole
