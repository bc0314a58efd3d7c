"""Tong-its on plain ints, for playing out: the default options, one position that changes, nothing checked.

position = KERNEL.load(state)
while KERNEL.turn(position) >= 0:
    KERNEL.play(position, choose(KERNEL.moves(position)))

A move is a small int. A card is its discard; the moves without a card follow; the others are sums: LAYOFF + MELD * meld
+ card, EXPOSE + place and TAKE + place, where the place is that in ORDER of the meld that then lies on the table.

What takes longest is to list what a hand can do. So a position keeps the cards of each hand in order too, a table tells
the sets in each byte of a hand, and another what a card makes with its neighbours.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import Any

from p2pcards.bots.dice import CHANCE
from p2pcards.cards import DECK, Card, Cards, cards_of, each
from p2pcards.games.base import Game, Seat
from p2pcards.games.tongits import actions
from p2pcards.games.tongits.actions import Action
from p2pcards.games.tongits.melds import MELDS, deadwood, fits, melds_with
from p2pcards.games.tongits.options import TongItsOptions
from p2pcards.games.tongits.rules import TongIts
from p2pcards.games.tongits.state import Phase, State

DRAW, CALL, CHALLENGE, FOLD = range(DECK, DECK + 4)
LAYOFF, EXPOSE, TAKE = 1 << 7, 1 << 11, 1 << 12
MELD = 64
"""What a lay-off grows by from one meld on the table to the next."""

DRAWING, ACTING, RESPONDING, OVER = range(4)
_PHASES = {Phase.DRAW: DRAWING, Phase.ACT: ACTING, Phase.RESPOND: RESPONDING, Phase.OVER: OVER}

_SETS = 5 * 13
ORDER: tuple[int, ...] = (*MELDS[:_SETS], *sorted(MELDS[_SETS:], key=lambda run: (run & -run, run)))
"""Every meld, as a hand's are listed: sets from low to high, then runs by their lowest card and length."""

FITS: dict[int, int] = {meld: fits(meld) for meld in MELDS}
BITS = tuple(1 << card for card in range(DECK))
NEXT = (1, 2, 0)
RIVALS = ((1, 2), (2, 0), (0, 1))

_PLACES: dict[int, int] = {meld: place for place, meld in enumerate(ORDER)}
_ALONE: dict[int, Action] = {DRAW: actions.DRAW, CALL: actions.CALL, CHALLENGE: actions.CHALLENGE, FOLD: actions.FOLD}
_FREE = {"no_winner_starter", "stake", "ante", "hitter_pot", "target_wins", "match_rounds"}
"""The options that change nothing about a round that is played for wins."""


def _near(card: int, ranks: int) -> int:
    """The other cards of its rank, and those of its suit that are at most so many ranks away."""
    rank, suit = card >> 2, card & 3
    row = [4 * other + suit for other in range(max(0, rank - ranks), min(13, rank + ranks + 1))]
    return (0b1111 << 4 * rank | cards_of(map(Card, row))) & ~(1 << card)


def _sets() -> list[list[list[int]]]:
    """For each byte of a hand, which is two ranks, and each value of it: the moves that expose its sets."""
    ranks = [
        [[5 * rank + place for place, meld in enumerate(ORDER[:5]) if held & meld == meld] for held in range(16)]
        for rank in range(13)
    ]
    ranks.append([[]] * 16)
    return [
        [[EXPOSE + place for place in lower + upper] for upper in ranks[rank + 1] for lower in ranks[rank]]
        for rank in range(0, 13, 2)
    ]


_SETS_IN = _sets()
_NUMBER, _NO_SET = bytes(map(len, _SETS_IN[0])), bytes(7)
"""By a byte of a hand: how many sets it has."""
_RUNS = {run & -run: EXPOSE + place for place, run in reversed([*enumerate(ORDER)][_SETS:])}
"""By the lowest card: the move that exposes the run of three; the longer ones follow."""

_PARTNERS = tuple(_near(card, 2) for card in range(DECK))
"""By card: those that can be in a meld of three with it."""

_BESIDE = 0x11011
"""The two ranks down and the two up in a suit, where the lowest one is bit 0."""
_RUNNING = frozenset((0x11, 0x1011, 0x1010, 0x10011, 0x11000, 0x11001, 0x11010, 0x11011))
"""What is there of these where a run can be made."""
_SEVERAL = tuple(held.bit_count() > 1 for held in range(16))
"""By the cards held of a rank: whether another one makes a set of them."""

_NEAR = tuple(_near(card, 3) for card in range(DECK))
_TAKES: tuple[dict[int, tuple[int, ...]], ...] = tuple({} for _ in range(DECK))
"""By the top discard and what is near it in a hand: the moves that take it, found when first asked for."""


class Position:
    """A round as it stands; every seat's cards are open."""

    __slots__ = (
        "asked",
        "blocked",
        "caller",
        "cards",
        "challengers",
        "discards",
        "exposed",
        "fitting",
        "hands",
        "melds",
        "owners",
        "phase",
        "reach",
        "self_laid",
        "stock",
        "turn",
        "winner",
    )

    hands: list[int]
    cards: list[list[int]]  # the same, low to high
    stock: list[int]  # the next card drawn stands last
    discards: list[int]  # the top one stands last
    melds: list[int]  # on the table, and for each of them its owner, and the cards that fit it
    owners: list[int]
    fitting: list[int]
    reach: int  # the cards that fit any meld
    exposed: list[bool]  # by seat: whether it owns a meld
    blocked: list[bool]  # by seat: whether it may not call in its next turn
    self_laid: bool  # whose turn it is laid off on a meld of its own
    phase: int
    turn: int  # who is to act; -1 when the round is over
    caller: int  # RESPONDING: who called
    asked: list[int]  # RESPONDING: who has yet to answer
    challengers: list[int]
    winner: int  # OVER; -1 for nobody


class Kernel:
    """The rules of Tong-its under its default options."""

    @staticmethod
    def fits(game: Game[Any, Any, Any]) -> bool:
        """Whether the game is played by these rules; how a match ends is nothing to a round."""
        if not isinstance(game, TongIts):
            return False
        ours = TongItsOptions()
        names = (name for name in ours.__struct_fields__ if name not in _FREE)
        return all(getattr(game.options, name) == getattr(ours, name) for name in names)

    @staticmethod
    def load(state: State) -> Position:
        """The state as a position of its own."""
        public, position = state.public, Position()
        position.hands = [int(hand) for hand in state.hands]
        position.cards = [list(map(int, each(hand))) for hand in state.hands]
        position.stock = [int(card) for card in reversed(state.stock)]
        position.discards = [int(card) for card in public.discards]
        position.melds = [int(meld.cards) for meld in public.melds]
        position.owners = [int(meld.owner) for meld in public.melds]
        position.fitting = [FITS[meld] for meld in position.melds]
        position.reach = 0
        for fitting in position.fitting:
            position.reach |= fitting
        position.exposed = [seat in position.owners for seat in range(3)]
        position.blocked = [block is not None for block in public.call_blocked]
        position.self_laid = public.self_laid[public.turn]
        position.phase, position.caller = _PHASES[public.phase], int(public.turn)
        position.asked = [int(seat) for seat in public.asked]
        position.challengers = [int(seat) for seat, challenges in public.answers if challenges]
        position.winner = int(public.winners[0]) if public.winners else -1
        position.turn = -1 if position.phase == OVER else position.asked[0] if position.asked else position.caller
        return position

    @staticmethod
    def copy(position: Position) -> Position:
        """The same position once more."""
        other = Position()
        other.hands = position.hands[:]
        one, two, three = position.cards
        other.cards = [one[:], two[:], three[:]]
        other.stock = position.stock[:]
        other.discards = position.discards[:]
        other.melds = position.melds[:]
        other.owners = position.owners[:]
        other.fitting = position.fitting[:]
        other.reach = position.reach
        other.exposed = position.exposed[:]
        other.blocked = position.blocked[:]
        other.self_laid = position.self_laid
        other.phase = position.phase
        other.turn = position.turn
        other.caller = position.caller
        other.asked = position.asked[:]
        other.challengers = position.challengers[:]
        other.winner = position.winner
        return other

    @staticmethod
    def moves(position: Position) -> list[int]:
        """Everything that the seat whose turn it is may do, in the order of `legal_actions`."""
        phase, turn = position.phase, position.turn
        if phase == ACTING:
            return _shown(position, position.hands[turn]) + position.cards[turn]
        if phase == DRAWING:
            taking = takes(position.hands[turn], position.discards[-1]) if position.discards else ()
            calling = (CALL,) if position.exposed[turn] and not position.blocked[turn] else ()
            return [DRAW, *taking, *calling]
        return [CHALLENGE, FOLD] if phase == RESPONDING else []

    @staticmethod
    def step(position: Position, number: int) -> None:
        """Does one of `moves`: the number has CHANCE random bits, and each move is as likely."""
        seat = position.turn
        hand, phase = position.hands[seat], position.phase
        if phase == ACTING:
            cards, count, heads = position.cards[seat], 0, hand & hand >> 4 & hand >> 8
            while heads:  # of each length of runs
                count += heads.bit_count()
                heads &= heads >> 4
            sets = hand.to_bytes(7, "little").translate(_NUMBER)
            if sets != _NO_SET:
                count += sum(sets)
            if hand & position.reach:
                for fitting in position.fitting:
                    count += (hand & fitting).bit_count()
            place = (number * (count + len(cards)) >> CHANCE) - count
            if place < 0:
                Kernel.play(position, _shown(position, hand)[place])
                return
            _discard(position, seat, cards.pop(place))
        elif phase == DRAWING:
            taking: Sequence[int] = ()
            pile = position.discards
            calls = position.exposed[seat] and not position.blocked[seat]
            if pile:
                top = pile[-1]
                partners = hand & _PARTNERS[top]
                if partners & partners - 1:
                    near = hand & _NEAR[top]
                    kept = _TAKES[top].get(near)
                    taking = _takes(hand, top, near) if kept is None else kept
            if calls or taking:
                place = number * (1 + len(taking) + calls) >> CHANCE
                if place:
                    Kernel.play(position, taking[place - 1] if place <= len(taking) else CALL)
                    return
            card = position.stock.pop()
            position.hands[seat] = hand | BITS[card]
            insort(position.cards[seat], card)
            position.phase = ACTING
        else:
            Kernel.play(position, FOLD if number * 2 >> CHANCE else CHALLENGE)

    @staticmethod
    def play(position: Position, move: int) -> None:
        """Does a move that `moves` lists."""
        seat = position.turn
        if move < DRAW:
            position.cards[seat].remove(move)
            _discard(position, seat, move)
        elif move == DRAW:
            card = position.stock.pop()
            position.hands[seat] |= BITS[card]
            insort(position.cards[seat], card)
            position.phase = ACTING
        elif move >= EXPOSE:
            if move < TAKE:
                meld = used = ORDER[move - EXPOSE]
            else:
                meld = ORDER[move - TAKE]
                used = meld ^ BITS[position.discards.pop()]
                position.phase = ACTING
            position.melds.append(meld)
            position.owners.append(seat)
            position.fitting.append(FITS[meld])
            position.reach |= FITS[meld]
            position.exposed[seat] = True
            _part(position, seat, used)
        elif move >= LAYOFF:
            _lay_off(position, seat, (move - LAYOFF) // MELD, move % MELD)
        elif move == CALL:
            position.asked = [rival for rival in RIVALS[seat] if position.exposed[rival]]
            position.phase, position.caller = RESPONDING, seat
            _ask(position)
        else:
            position.asked = position.asked[1:]
            if move == CHALLENGE:
                position.challengers.append(seat)
            _ask(position)

    @staticmethod
    def action(position: Position, move: int) -> Action:
        """The move as an action of the game."""
        if move < DRAW:
            return actions.DISCARDS[move]
        if move >= TAKE:
            return actions.TAKES[Cards(ORDER[move - TAKE] ^ BITS[position.discards[-1]])]
        if move >= EXPOSE:
            return actions.EXPOSES[Cards(ORDER[move - EXPOSE])]
        if move >= LAYOFF:
            return actions.LAYOFFS[(move - LAYOFF) // MELD][move % MELD]
        return _ALONE[move]

    @staticmethod
    def winners(position: Position) -> tuple[Seat, ...]:
        """Who won the round; nobody while it is open."""
        return () if position.winner < 0 else (Seat(position.winner),)

    @staticmethod
    def points(position: Position) -> tuple[int, ...]:
        """What each seat gets for the round."""
        return tuple(int(seat == position.winner) for seat in range(3))


KERNEL = Kernel()


def _shown(position: Position, hand: int) -> list[int]:
    """What the hand may expose and lay off."""
    a, b, c, d, e, f, g = hand.to_bytes(7, "little")
    of_a, of_b, of_c, of_d, of_e, of_f, of_g = _SETS_IN
    found = [*of_a[a], *of_b[b], *of_c[c], *of_d[d], *of_e[e], *of_f[f], *of_g[g]]
    heads = hand & hand >> 4 & hand >> 8
    while heads:
        low = heads & -heads
        heads ^= low
        code, top = _RUNS[low], low << 12
        found.append(code)
        while hand & top:
            code, top = code + 1, top << 4
            found.append(code)
    if hand & position.reach:
        code = LAYOFF - 1
        for fitting in position.fitting:
            left = hand & fitting
            while left:
                low = left & -left
                left ^= low
                found.append(code + low.bit_length())
            code += MELD
    return found


def takes(hand: int, top: int) -> tuple[int, ...]:
    """The moves that take this top discard."""
    partners = hand & _PARTNERS[top]
    if not partners & partners - 1:
        return ()
    near = hand & _NEAR[top]
    found = _TAKES[top].get(near)
    return _takes(hand, top, near) if found is None else found


def _takes(hand: int, top: int, near: int) -> tuple[int, ...]:
    """The moves that take the top discard; kept where no card farther away can be in any of them."""
    found: tuple[int, ...] = ()
    if hand << 8 >> top & _BESIDE in _RUNNING or _SEVERAL[hand >> (top & ~3) & 0b1111]:
        found = tuple(TAKE + _PLACES[cards | BITS[top]] for cards in melds_with(Cards(hand), top))
    ends = near << 12 >> top & 0x1110111  # three ranks down and up in its suit
    if ends & 0x111 != 0x111 and ends & 0x1110000 != 0x1110000:
        _TAKES[top][near] = found
    return found


def _discard(position: Position, seat: int, card: int) -> None:
    """Puts the card, which has left the cards in order, on the pile; the next one draws, while there is a stock."""
    position.hands[seat] = left = position.hands[seat] ^ BITS[card]
    position.discards.append(card)
    if not left:
        _won(position, seat)
        return
    position.blocked[seat], position.self_laid = position.self_laid, False
    if position.stock:
        position.phase, position.turn = DRAWING, NEXT[seat]
    else:
        _exhausted(position, seat)


def _part(position: Position, seat: int, used: int) -> None:
    """The cards leave the hand; the seat has won when none is left."""
    left = position.hands[seat] ^ used
    position.hands[seat] = left
    cards = position.cards[seat]
    while used:
        low = used & -used
        used ^= low
        cards.remove(low.bit_length() - 1)
    if not left:
        _won(position, seat)


def _won(position: Position, seat: int) -> None:
    position.phase, position.turn, position.winner = OVER, -1, seat


def _lay_off(position: Position, seat: int, meld: int, card: int) -> None:
    bit = BITS[card]
    grown = position.melds[meld] | bit
    position.melds[meld], position.fitting[meld] = grown, FITS[grown]
    position.reach = 0
    for fitting in position.fitting:
        position.reach |= fitting
    owner = position.owners[meld]
    if owner == seat:
        position.self_laid = True
    else:
        position.blocked[owner] = True
    _part(position, seat, bit)


def _ask(position: Position) -> None:
    """The next who is asked; when all have answered, the end of the call: who challenges wins a tie with the caller."""
    if position.asked:
        position.turn = position.asked[0]
    else:
        _compared(position, [*position.challengers, position.caller])


def _exhausted(position: Position, seat: int) -> None:
    """The end of the stock: who has just discarded wins every tie, then the next in turn."""
    _compared(position, [other for other in (seat, *RIVALS[seat]) if position.exposed[other]])


def _compared(position: Position, contenders: list[int]) -> None:
    """The lowest hand wins, the first of equal ones; nobody where nobody contends."""
    winner, fewest = -1, DECK * 10
    for seat in contenders:
        points = deadwood(Cards(position.hands[seat])) if len(contenders) > 1 else 0
        if points < fewest:
            winner, fewest = seat, points
    _won(position, winner)
