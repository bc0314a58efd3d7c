"""A quick policy that plays rounds of Tiến lên to their end: in a few microseconds nearly what `medium` would do.

The worth of a play is the chance that it wins the lead, less the turns that the hand needs more after it (`reading`).
What the turns say hangs on the hand alone, so it is remembered. Ranks with a gap between them have no sequence in
common: so the turns of a hand are those of its runs (ranks without a gap) together, and of runs there are few. What a
run gives is remembered too, and a new hand is put together from runs that are known. All that is left to do at each
play is to count the unseen cards that are higher.

Plays are kept flat, worth and move by turns, the best first but for the chances: numbers alone cost the garbage
collector nothing, as everything else would that is kept by the thousand.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from p2pcards.bots.tienlen.kernel import ALL, DOUBLES, FORM, NEXT, STRAIGHT, Memo, Position, has_bomb
from p2pcards.bots.tienlen.reading import counts, turns
from p2pcards.cards import Cards

_CARD = 0.05  # turns that each card of a play is worth beside
_PASSING = -0.2  # turns that passing is worth
_GIFT = 2.0  # turns lost when a player with one card left beats a single card with it
_OWNER = 1.2  # turns lost when a player with one card left keeps the lead
_LEAST = _PASSING - 1  # the worth, without the chance to win the lead, of what is never played on a pile

_QUAD, _FORMS = 3, 20
_ONES = 0x1111111111111
TWOS = 0b1111 << 48
"""The four 2s."""
_FORM_BITS = -1 << FORM
_ABOVE = tuple(-1 << 4 * rank + 4 for rank in range(13))
_COUNT = tuple(seats.bit_count() for seats in range(16))


def _chances(share: float, cards: float) -> tuple[tuple[float, ...], ...]:
    """By how many rivals there are and how many unseen cards are higher: the chance that none beats a play.

    Of so many unseen cards that are higher three rivals hold what beats it with the chance `share`.
    """
    return tuple(tuple((1 - share * rivals / 3) ** (higher / cards) for higher in range(53)) for rivals in range(4))


def _chances_of(form: int) -> tuple[tuple[float, ...], ...]:
    if STRAIGHT + 3 <= form < DOUBLES + 3:
        return _chances(0.6 / (form - STRAIGHT - 1), 3)
    return _chances(*{0: (0.75, 1), 1: (0.35, 4), 2: (0.15, 4)}.get(form, (0.05, 52)))


_CHANCES = tuple(map(_chances_of, range(_FORMS)))
"""By form."""


def _lowest(held: int, size: int) -> int:
    """The lowest so many of these cards."""
    while held.bit_count() > size:
        held ^= 1 << held.bit_length() - 1
    return held


_LOWEST = tuple(tuple(_lowest(held, size) for held in range(16)) for size in range(5))
"""By size, and by which cards of a rank are held: the lowest so many."""
_BY_TOP = tuple(
    tuple(
        tuple(
            _lowest(held & (1 << top) - 1, size - 1) | 1 << top
            for top in range(4)
            if held >> top & 1 and (held & (2 << top) - 1).bit_count() >= size
        )
        for held in range(16)
    )
    for size in range(1, 5)
)
"""By size less 1, and by which cards of a rank are held: so many of them with each card that may be the highest."""


_Plays = tuple[Any, ...]
"""Worth, move, worth, move, and so on."""
_Run = tuple[tuple[float, ...], ...]
"""By form: worth, lowest and highest rank of every play of some counts."""


def _of_run(held: int) -> _Run:
    """What there is to play of counts without a gap."""
    low, high = (held & -held).bit_length() - 1 >> 2, held.bit_length() - 1 >> 2
    now, found = turns(held), [list[float]() for _ in range(_FORMS)]
    for rank in range(low, high + 1):
        for size in range(1, (held >> 4 * rank & 0b1111) + 1):
            found[size - 1] += now - turns(held - (size << 4 * rank)) + _CARD * size, rank, rank
        for each, form in ((1, STRAIGHT), (2, DOUBLES)):
            run = 0
            for top in range(rank, high + 1):
                if held >> 4 * top & 0b1111 < each:
                    break
                run |= each << 4 * top
                if (size := top - rank + 1) > 2:
                    found[form + size] += now - turns(held - run) + _CARD * each * size, rank, top
    return tuple(map(tuple, found))


def _runs(hand: int) -> tuple[_Run, ...]:
    """What the runs of a hand give."""
    held, found = counts(Cards(hand)), []
    while held:
        one = held | held >> 1
        ranks = ((one | one >> 2) & _ONES) * 0b1111
        run = held & (ranks + (ranks & -ranks) & ~ranks) - 1
        found.append(_RUN[run])
        held ^= run
    return tuple(found)


def _leads(hand: int) -> _Plays:
    """What may be worth leading."""
    runs = _RUNS[hand]
    alone = len(runs) == 1
    least = max(worth for run in runs for plays in run for worth in plays[::3]) - 1
    found = []
    for run in runs:
        for form, plays in enumerate(run):
            for at in range(0, len(plays), 3):
                if plays[at] > least or alone:
                    found.append((plays[at], form, int(plays[at + 1]), int(plays[at + 2])))
    found.sort(reverse=True)
    flat = list[Any]()
    for worth, form, low, high in found:
        size = form + 1 if form <= _QUAD else 1 if form < DOUBLES + 3 else 2
        move = form << FORM
        for rank in range(low, high + 1):
            move |= _LOWEST[size][hand >> 4 * rank & 0b1111] << 4 * rank
        if move & ALL == hand:
            return inf, move
        if worth > least:
            flat += worth, move
    return tuple(flat)


def _of_cards(hand: int) -> tuple[float, ...]:
    """By rank: what a single card of it is worth."""
    worths = [-inf] * 13
    for run in _RUNS[hand]:
        plays = run[0]
        for at in range(0, len(plays), 3):
            worths[int(plays[at + 1])] = plays[at]
    return tuple(worths)


def _of_form(key: int) -> _Plays:
    """Every play of one form that may be worth it on a pile; the key is the hand with the form above it.

    Those that differ in the highest card alone are worth the same, the lowest first.
    """
    hand, form = key & ALL, key >> FORM
    size = form + 1 if form <= _QUAD else 1 if form < DOUBLES + 3 else 2
    if hand.bit_count() < size:
        return ()
    found = []
    for run in _RUNS[hand]:
        plays = run[form]
        for at in range(0, len(plays), 3):
            worth, low, high = plays[at], int(plays[at + 1]), int(plays[at + 2])
            base = form << FORM
            for rank in range(low, high):
                base |= _LOWEST[size][hand >> 4 * rank & 0b1111] << 4 * rank
            for part in _BY_TOP[size - 1][hand >> 4 * high & 0b1111]:
                move = base | part << 4 * high
                if move & ALL == hand:
                    return inf, move
                if worth > _LEAST:
                    found.append((-worth, move))
    if not found:
        return ()
    found.sort()
    return tuple(number for worth, move in found for number in (-worth, move))


_RUN = Memo(_of_run, 1 << 14)
_RUNS = Memo(_runs, 1 << 14)
LEADS = Memo(_leads, 1 << 14)
OF_FORM = Memo(_of_form, 1 << 15)
_OF_CARDS = Memo(_of_cards, 1 << 14)


def on_twos(hand: int, pile: int) -> _Plays:
    """What may be worth playing on a pile with 2s in it."""
    form = pile >> FORM
    plays: _Plays = OF_FORM[hand | form << FORM]
    bombs: _Plays = ()
    if form < _QUAD and hand.bit_count() > _QUAD:
        if form < 2:
            bombs = OF_FORM[hand | _QUAD << FORM]
        for bomb in range(DOUBLES + form + 3, DOUBLES + 7):
            bombs += OF_FORM[hand | bomb << FORM]
    if not bombs:
        return plays
    found = sorted(zip((plays + bombs)[::2], (plays + bombs)[1::2], strict=True), key=lambda play: -play[0])
    return tuple(number for play in found for number in play)


def choice(hand: int, seat: int, pile: int, owner: int, open_: int, rest: int, ones: int) -> int:
    """The policy's move.

    pile, owner, open_: as in a position. rest: all cards in hands. ones: the seats with one card left.
    """
    rivals, unseen = (open_ | owner) & ~(1 << seat), rest ^ hand
    count, chosen = _COUNT[rivals], 0
    if not pile:
        plays, best = LEADS[hand], -inf
    elif pile >> 48 == 0:
        higher = hand & -pile - pile
        if not higher:
            return 0
        if not hand & hand - 1:
            return hand
        if not ones & rivals:
            best, worths, chances = _PASSING, _OF_CARDS[hand], _CHANCES[0][count]
            while higher:
                low = higher & -higher
                top = low.bit_length()
                rank = top - 1 >> 2
                worth = worths[rank]
                if worth + 1 > best:
                    worth += chances[(unseen >> top).bit_count()]
                    if worth > best:
                        best, chosen = worth, low
                higher &= _ABOVE[rank]
            return chosen
        plays, best = OF_FORM[hand], _PASSING
    else:
        if pile & TWOS:
            if pile >> FORM == 0 and not hand & -pile - pile and not has_bomb(hand):
                return 0
            plays = on_twos(hand, pile)
        else:
            plays = OF_FORM[hand | pile & _FORM_BITS]
        if not plays:
            return 0
        best = _PASSING
    if ones & rivals:
        return _careful(plays, best, pile, count, unseen, bool(owner & ones))
    last, flat = -inf, iter(plays)
    for worth in flat:
        move = next(flat)
        if worth + 1 <= best:
            break
        if move > pile and worth != last:
            last = worth
            worth += _CHANCES[move >> FORM][count][(unseen >> (move & ALL).bit_length()).bit_count()]
            if worth > best:
                best, chosen = worth, move
    return chosen


def _careful(plays: _Plays, best: float, pile: int, count: int, unseen: int, owned: bool) -> int:
    """The same where a rival has one card left, or owns the pile with it."""
    total, chosen, last, flat = unseen.bit_count(), 0, -inf, iter(plays)
    if owned:
        best -= _OWNER
    elif pile and not pile >> FORM:
        best -= _GIFT * (unseen >> pile.bit_length()).bit_count() / total
    for worth in flat:
        move = next(flat)
        if worth + 1 <= best:
            break
        if move > pile and worth != last:
            last = worth
            higher = (unseen >> (move & ALL).bit_length()).bit_count()
            worth += _CHANCES[move >> FORM][count][higher]
            if not move >> FORM:
                worth -= _GIFT * higher / total
            if worth > best:
                best, chosen = worth, move
    return chosen


def playout(position: Position) -> int:
    """Plays on until the first one is out, and says who; the hands of the position are what is left."""
    hands, seat, pile, owner, open_ = position.hands, position.turn, position.pile, position.owner, position.open
    holders, rest, ones = position.holders, 0, 0
    for other, hand in enumerate(hands):
        rest |= hand
        if hand and not hand & hand - 1:
            ones |= 1 << other
    while True:
        hand = hands[seat]
        move = choice(hand, seat, pile, owner, open_, rest, ones)
        if move:
            rest ^= move & ALL
            hands[seat] = hand = hand ^ move & ALL
            bit = 1 << seat
            if not hand & hand - 1:
                if not hand:
                    return seat
                ones |= bit
            open_ = (open_ | owner) ^ bit
            pile, owner = move, bit
            if open_:
                seat = NEXT[seat][open_]
                continue
        elif owner:
            open_ ^= 1 << seat
            if open_:
                seat = NEXT[seat][open_]
                continue
            seat = owner.bit_length() - 1
        pile = owner = 0
        open_ = holders


def ranked(moves: Sequence[int], position: Position, others: Sequence[int], unseen: int) -> list[int]:
    """The moves of the seat to act, of those that differ in suits alone the first; what the policy likes best first.

    others: how many cards each of the others holds.
    """
    seat, pile, owner = position.turn, position.pile, position.owner
    hand, rivals = position.hands[seat], (position.open | position.owner) & ~(1 << seat)
    held, total = counts(Cards(hand)), max(unseen.bit_count(), 1)
    short = any(count == 1 and rivals >> other & 1 for other, count in enumerate(others))
    now, worths = turns(held), dict[int, tuple[float, int]]()
    for move in moves:
        cards = move & ALL
        ranks = counts(Cards(cards))
        if ranks in worths:
            continue
        top = cards.bit_length() if move else pile.bit_length()
        higher = (unseen >> top).bit_count()
        if move:
            worth = now - turns(held - ranks) + _CARD * cards.bit_count()
            worth += _CHANCES[move >> FORM][_COUNT[rivals]][higher]
        else:
            worth = _PASSING
        if short and not move and owner and others[owner.bit_length() - 1] == 1:
            worth -= _OWNER
        elif short and not (move or pile) >> FORM:
            worth -= _GIFT * higher / total
        worths[ranks] = (inf if cards == hand else worth, move)
    return [move for _, move in sorted(worths.values(), key=lambda found: -found[0])]
