"""The policy of level `medium` on positions of the kernel, and rounds that go on by it."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.bots.onecard.kernel import CARDS, DRAW, NOBODY, TAKE, Position, set_left, take
from p2pcards.cards import DECK
from p2pcards.games.onecard.pack import FACES, FITTING, JACK, QUEEN, SEVEN

_MOST = 1 << 15


class _Reach(dict[int, float]):
    """By faces: the share of all top cards on which some of them may be played."""

    def __missing__(self, faces: int) -> float:
        if len(self) >= _MOST:
            self.clear()
        suits = sum(faces & suit > 0 for suit in _SUITS)
        ranks = faces | faces >> 2
        ranks = ((ranks | ranks >> 1) & _SUITS[0]).bit_count()
        self[faces] = share = 1 - (4 - suits) * (13 - ranks) / DECK
        return share


_SUITS = [sum(1 << suit + 4 * rank for rank in range(13)) for suit in range(4)]
REACH = _Reach()
_KEPT = {1: 0.7, 2: 0.7, SEVEN: 1.0, QUEEN: 0.5, JACK: 0.5}


def greedy(position: Position) -> int:
    """What `medium` does in this position, calls apart: which it makes wherever it may."""
    hands, seat = position.hands, position.turn
    fits = hands[seat] & position.mask
    if fits & fits - 1:
        return _choice(hands, seat, fits, position.pending, position.after, position.before)
    if fits:
        return fits.bit_length() - 1
    return TAKE if position.pending else DRAW


def play_on(position: Position, most: int, until: int = NOBODY) -> None:
    """Plays as `medium` plays: to the end of the round, or so many actions, or until it is that seat's turn again."""
    hands, stock, discards = position.hands, position.stock, position.discards
    turn, mask, pending, left = position.turn, position.mask, position.pending, position.left + position.later
    after, before, answering = position.after, position.before, position.answering
    stops, idle = left - most, position.idle if position.still == left else 0
    while turn >= 0 and left > stops:
        left -= 1
        hand = hands[turn]
        fits = hand & mask
        if not fits:
            if stock and not pending:
                bit = stock.pop()
                while hand & bit:
                    bit <<= DECK
                hands[turn] = hand | bit
            else:
                idle = 0 if take(position, turn, pending or 1) else idle + 1
                stock, pending = position.stock, 0
                mask = FITTING[discards[-1]]
            turn = after[turn] if left and idle < len(hands) else NOBODY
        else:
            several = fits & fits - 1
            card = _choice(hands, turn, fits, pending, after, before) if several else fits.bit_length() - 1
            bit, second, mask, effect = CARDS[card]
            while hand & second:
                bit, second = second, second << DECK
            hands[turn] = hand = hand ^ bit
            discards.append(card)
            idle = 0
            if not hand or not left:
                position.winner = NOBODY if hand else turn
                turn = NOBODY
                break
            if effect:
                if effect == JACK:
                    turn = after[turn]
                elif effect == QUEEN:
                    after, before = before, after
                else:
                    pending = 0 if effect == SEVEN else pending + effect + 1
                if pending:
                    mask = answering[card]
            turn = after[turn]
        if turn == until:
            break
    position.turn, position.mask, position.pending = turn, mask, pending
    position.after, position.before = after, before
    position.idle, position.still = idle, left
    if turn >= 0:
        set_left(position, left)


def _choice(
    hands: Sequence[int], seat: int, fits: int, pending: int, after: Sequence[int], before: Sequence[int]
) -> int:
    """The card that `medium` plays of several faces that fit."""
    hand = hands[seat]
    faces, copies, kept = hand & FACES, hand >> DECK, hand.bit_count() - 1
    best, most = -1, -1e9
    while fits:
        bit = fits & -fits
        fits ^= bit
        card = bit.bit_length() - 1
        rest = faces if copies & bit else faces ^ bit
        liking = REACH[rest] + 0.5 * (rest & FITTING[card]).bit_count() / kept
        effect = CARDS[card][3]
        if effect:
            liking -= _KEPT[effect]
            beside = after[seat]
            if effect == JACK:
                liking += 1 / hands[beside].bit_count()
                beyond = after[beside]
                liking += pending / hands[beyond].bit_count() if beyond != seat else -pending
            elif effect == QUEEN:
                behind = hands[before[seat]].bit_count()
                liking += pending / behind if pending else 1 / hands[beside].bit_count() - 1 / behind
            elif effect != SEVEN:
                liking += (pending + effect + 1) / hands[beside].bit_count()
        if liking > most:
            best, most = card, liking
    return best
