"""How a round of Tong-its may go on: every seat plays a quick greedy policy to the end, in one loop.

The policy is that of `medium` as far as bit tricks go: it exposes one meld as soon as it has one and keeps the others
in the hand, lays off every loose card that fits, throws away the loose card that costs most to keep, takes a discard
that lowers the hand, calls when its hand is probably the lowest, and contests every call. It plays each hand without a
look at the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from p2pcards.bots.tongits.kernel import (
    ACTING,
    BITS,
    FITS,
    NEXT,
    ORDER,
    OVER,
    RESPONDING,
    RIVALS,
    TAKE,
    Position,
    takes,
)

_ONES, _TWOS, _FOURS, _EIGHTS = (
    sum(0b1111 << 4 * rank for rank in range(13) if min(rank + 1, 10) & digit) for digit in (1, 2, 4, 8)
)

_LINKED = 0.6
"""What a card counts of its points, when one to throw away is looked for, if the hand has a neighbour of it."""

_MARGIN, _SPREAD = 0.4, 5
"""How much of a showdown is counted by points, and how many points matter."""

_FIRST_MELD = 10
"""Points that the first exposed meld may cost. It, _LINKED and when to call lose rounds when set otherwise, each tried
in one seat against the others as they are."""

_LONELY = bytes(
    sum(half for half in (byte & 0b1111, byte & 0b11110000) if half.bit_count() == 1) for byte in range(256)
)
_IN_SETS = bytes(
    sum(half for half in (byte & 0b1111, byte & 0b11110000) if half.bit_count() > 2) for byte in range(256)
)
"""By a byte of a hand, which is two ranks: those of its cards that have no other of their rank, or two others."""

_POINTS = [0.0, *(float(min(card // 4 + 1, 10)) for card in range(52))]
_LINKED_POINTS = [_LINKED * points for points in _POINTS]
"""By the bit length of a card; 0 of none."""


def points(cards: int) -> int:
    """What the cards count."""
    return (
        (cards & _ONES).bit_count()
        + 2 * (cards & _TWOS).bit_count()
        + 4 * (cards & _FOURS).bit_count()
        + 8 * (cards & _EIGHTS).bit_count()
    )


def loose(hand: int) -> int:
    """What is left of a hand when its melds are taken out; where melds share cards, by the better of two ways."""
    heads = hand & hand >> 4 & hand >> 8
    sets = int.from_bytes(hand.to_bytes(7, "little").translate(_IN_SETS), "little")
    if not heads:
        return hand ^ sets
    runs = heads | heads << 4 | heads << 8
    if not runs & sets:
        return hand ^ runs ^ sets
    left, rest = hand ^ runs, hand ^ sets
    left ^= int.from_bytes(left.to_bytes(7, "little").translate(_IN_SETS), "little")
    heads = rest & rest >> 4 & rest >> 8
    rest ^= heads | heads << 4 | heads << 8
    return left if points(left) < points(rest) else rest


def lonely(hand: int) -> int:
    """The cards of a hand that have no neighbour in it: none of their rank, none within two ranks in their suit."""
    alone = int.from_bytes(hand.to_bytes(7, "little").translate(_LONELY), "little")
    return alone & ~(hand << 4 | hand >> 4 | hand << 8 | hand >> 8)


def worth(alone: int, linked: int) -> float:
    """What the card counts that is best thrown away of these."""
    return max(_POINTS[alone.bit_length()], _LINKED_POINTS[linked.bit_length()])


def playout(position: Position, hands: Sequence[int], stock: Sequence[int], me: int) -> float:
    """What the seat gets when the round goes on from the position with these hands and this stock.

    1 for a win, 0 for none; but at a later showdown it counts too by how much the hand was lower or higher than the
    others', since the deal that would have turned it is as likely as this one.
    """
    if position.phase == OVER:
        return float(position.winner == me)
    turn, reach = position.turn, position.reach
    hands, stock = list(hands), list(stock)
    if position.phase == RESPONDING:
        return float(_lowest([*position.challengers, *position.asked, position.caller], hands) == me)
    melds, owners, fitting = position.melds[:], position.owners[:], position.fitting[:]
    exposed, blocked, self_laid = position.exposed[:], position.blocked[:], position.self_laid
    top = position.discards[-1] if position.discards else -1
    left = [-1, -1, -1]  # what is loose in each hand; -1: to be found
    began = position.phase == ACTING
    while True:
        hand = hands[turn]
        if not began:
            if exposed[turn] and not blocked[turn]:
                one, two = RIVALS[turn]
                if left[turn] < 0:
                    left[turn] = loose(hand)
                bar = _bar(
                    hands[one].bit_count() if exposed[one] else 0,
                    hands[two].bit_count() if exposed[two] else 0,
                    len(stock),
                )
                if points(left[turn]) < bar:
                    return _shown([*(rival for rival in (one, two) if exposed[rival]), turn], hands, me)
            taken = 0
            if top >= 0 and (codes := takes(hand, top)):
                if left[turn] < 0:
                    left[turn] = loose(hand)
                fewest = points(left[turn]) + (0 if exposed[turn] else _FIRST_MELD)
                for code in codes:
                    meld = ORDER[code - TAKE]
                    if (remain := points(loose(hand & ~meld))) < fewest:
                        fewest, taken = remain, meld
            if taken:
                hand &= ~taken
                melds.append(taken)
                owners.append(turn)
                fitting.append(FITS[taken])
                reach |= FITS[taken]
                exposed[turn] = True
                if not hand:
                    return float(turn == me)
            else:
                hand |= BITS[stock.pop()]
        began = False

        heads = hand & hand >> 4 & hand >> 8
        held = hand.to_bytes(7, "little")
        sets = int.from_bytes(held.translate(_IN_SETS), "little")
        if heads:
            runs = heads | heads << 4 | heads << 8
            free = loose(hand) if runs & sets else hand ^ runs ^ sets
        else:
            free = hand ^ sets
        stuck = free & ~reach
        if not stuck & stuck - 1:
            return float(turn == me)
        if not exposed[turn] and free != hand:
            meld = _first(hand ^ free)
            hand ^= meld
            melds.append(meld)
            owners.append(turn)
            fitting.append(FITS[meld])
            reach |= FITS[meld]
            exposed[turn] = True
        while laid := free & reach:
            card = laid & -laid
            free ^= card
            hand ^= card
            place = 0
            while not fitting[place] & card:
                place += 1
            melds[place] |= card
            fitting[place] = FITS[melds[place]]
            reach = 0
            for fits in fitting:
                reach |= fits
            if owners[place] == turn:
                self_laid = True
            else:
                blocked[owners[place]] = True
        if not free & free - 1:
            return float(turn == me)
        lonely = free & int.from_bytes(held.translate(_LONELY), "little")
        lonely &= ~(hand << 4 | hand >> 4 | hand << 8 | hand >> 8)
        length, linked = lonely.bit_length(), (free ^ lonely).bit_length()
        if _LINKED_POINTS[linked] > _POINTS[length]:
            length = linked
        top = length - 1
        hands[turn], left[turn] = hand ^ BITS[top], free ^ BITS[top]
        blocked[turn], self_laid = self_laid, False
        if not stock:
            return _shown([seat for seat in (turn, *RIVALS[turn]) if exposed[seat]], hands, me)
        turn = NEXT[turn]


def _lowest(contenders: list[int], hands: list[int]) -> int:
    """The contender with the fewest points, the first of equal ones."""
    return min(contenders, key=lambda seat: points(loose(hands[seat])))


def _shown(contenders: list[int], hands: list[int], me: int) -> float:
    """What a showdown of these seats is worth to one of them, or to another."""
    if me not in contenders:
        return 0.0
    if len(contenders) == 1:
        return 1.0
    won = _lowest(contenders, hands) == me
    least = min(points(loose(hands[seat])) for seat in contenders if seat != me)
    margin = least - points(loose(hands[me]))
    return won * (1 - _MARGIN) + _MARGIN / (1 + exp(-margin / _SPREAD))


def _first(melded: int) -> int:
    """A meld of these cards, which all are in melds."""
    sets = int.from_bytes(melded.to_bytes(7, "little").translate(_IN_SETS), "little")
    if sets:
        low = sets & -sets
        return sets & 0b1111 << (low.bit_length() - 1 & ~3)
    heads = melded & melded >> 4 & melded >> 8
    low = heads & -heads
    run, above = low, low << 4
    while melded & above:
        run |= above
        above <<= 4
    return run


_BARS: dict[tuple[int, int, int], int] = {}


def _bar(one: int, two: int, stock: int) -> int:
    """A hand below this is likelier than not the lowest, when those who could contest hold so many cards; 0: nobody."""
    key = one, two, stock
    if key not in _BARS:
        _BARS[key] = next((count for count in range(101) if _chance_below(count, key) <= 0.5), 101)
    return _BARS[key]


def _chance_below(count: int, key: tuple[int, int, int]) -> float:
    *rivals, stock = key
    chance = 1.0
    for cards in rivals:
        if cards:
            likely = cards * (3 + 0.15 * stock)
            chance /= 1 + exp(1.7 * (count - likely) / (0.33 * likely + 1))
    return chance
