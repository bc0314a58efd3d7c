"""What an action is worth before any world is tried: what came of it in two million rounds, in two small nets.

A net of one hidden layer is told what a seat knows after its action, and says how often that seat goes on to win. There
is one for a turn's beginning and one for the rest of it. They were fitted to rounds against two `medium` bots: at each
decision every action was played out in the world that there really was, and the net learnt by how much they differed.
So it reads from the table what hands the others are likely to hold, and what those will do.

What is known are facts that hold or don't, and each of those that hold adds a row of weights. A row is one int with a
lane of 16 bits for each hidden unit, so that one addition does for all of them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import exp
from struct import Struct

from p2pcards.bots.tongits.kernel import CALL, DRAW, EXPOSE, RIVALS, TAKE, Position
from p2pcards.bots.tongits.reading import chance_to_take, completing
from p2pcards.bots.tongits.rollout import loose, points
from p2pcards.cards import Card, Cards, each
from p2pcards.games.tongits.state import Phase, View

_ALL = (1 << 52) - 1

_HELD, _COMPLETES, _THROWN, _LYING, _FITTING, _TOP, _NUMBERS = 0, 52, 104, 260, 416, 468, 520
"""Where the facts of a kind begin: one for each card, but three for who threw it away and for whose meld it is in."""

SIZES = (17, 31, 14, 14, 14, 8, 8, 6, 14, 14, 16, 8, 21, 8)
"""How many values of each number in `_numbers` are told apart, from 0 up."""

FACTS = _NUMBERS + sum(SIZES)
UNITS = 64

_FLOATS = Struct(f"<{2 * UNITS + 1}f")
_LANES = Struct(f"<{UNITS}H")
_MIDDLE = 128  # is added to each weight, which makes it positive
_RAISED = bytes((byte + _MIDDLE) % 256 for byte in range(256))


class Net:
    """Weights of one byte; what a unit starts from, what it counts and what all starts from are given with them."""

    def __init__(self, data: bytes) -> None:
        """data: FACTS rows of UNITS signed bytes; then little-endian floats: UNITS starts, UNITS outputs, one start."""
        size = FACTS * UNITS
        lanes = bytearray(2 * size)
        lanes[::2] = data[:size].translate(_RAISED)
        self._rows = [int.from_bytes(lanes[at : at + 2 * UNITS], "little") for at in range(0, 2 * size, 2 * UNITS)]
        floats = _FLOATS.unpack_from(data, size)
        self._starts, self._outputs, self._start = floats[:UNITS], floats[UNITS:-1], floats[-1]

    def worth(self, facts: list[int]) -> float:
        """About the chance to win where these facts hold."""
        lanes = _LANES.unpack(sum(map(self._rows.__getitem__, facts)).to_bytes(_LANES.size, "little"))
        less = _MIDDLE * len(facts)
        worth: float = self._start
        for lane, start, output in zip(lanes, self._starts, self._outputs, strict=True):
            if (drive := lane - less + start) > 0:
                worth += drive * output
        return worth


@cache
def _nets() -> tuple[Net, Net]:
    """For a turn's beginning, and for the rest of it."""
    data = (files("p2pcards.bots.tongits") / "judgement.bin").read_bytes()
    half = len(data) // 2
    return Net(data[:half]), Net(data[half:])


class Judgement:
    """What the viewer, whose turn it is to draw or to act, thinks of what it may do."""

    def __init__(self, view: View) -> None:
        public = view.public
        self._seat = seat = int(view.seat or 0)
        self._acting = public.phase is Phase.ACT
        self._took = self._acting and public.last_drawer != seat
        drew = public.last_drawer
        # seats from the viewer's own: who threw the card below that of the seat before
        if (self._acting and not self._took) or drew is None or drew == (seat + 2) % 3:
            self._second = 1
        else:
            self._second = 0 if drew == (seat + 1) % 3 else 2
        self._net = _nets()[self._acting]

    def worth(self, after: Position, move: int) -> float:
        """About the chance to win after this move of the kernel; `after` is what it leads to, but without a card drawn.

        after: the others' hands and the stock may be any that the view allows; only their sizes are looked at.
        """
        return self._net.worth(self.facts(after, move))

    def facts(self, after: Position, move: int) -> list[int]:
        """Which facts hold."""
        seat = self._seat
        hand, hidden = after.hands[seat], _ALL
        held = [*each(Cards(hand))]
        facts: list[int] = [*held]
        for card, thrower in zip(reversed(after.discards), self._throwers(move), strict=False):
            facts.append(_THROWN + 52 * thrower + card)
            hidden ^= 1 << card
        for meld, owner in zip(after.melds, after.owners, strict=True):
            at = _LYING + 52 * ((owner - seat) % 3)
            facts += [at + card for card in each(Cards(meld))]
            hidden ^= meld
        facts += [_FITTING + card for card in each(Cards(after.reach & (hidden | hand)))]
        hidden ^= hand
        outs = [*each(Cards(completing(Cards(hand)) & hidden))]
        facts += [_COMPLETES + card for card in outs]
        if after.discards:
            facts.append(_TOP + after.discards[-1])
        at = _NUMBERS
        for number, size in zip(self._numbers(after, move, Cards(hidden), outs), SIZES, strict=True):
            facts.append(at + min(number, size - 1))
            at += size
        return facts

    def _throwers(self, move: int) -> list[int]:
        """Who threw the cards of the pile, the top one first, in seats from the viewer's own: as far as can be told.

        A turn in which a discard was taken leaves one card less; only for the seats since the last draw is it known.
        """
        took = self._took or move >= TAKE
        known = [] if took else [2]
        known += [(self._second - place) % 3 for place in range(52)]
        return [0, *known] if move < DRAW else known

    def _numbers(self, after: Position, move: int, hidden: Cards, outs: list[Card]) -> tuple[int, ...]:
        seat = self._seat
        hand, stock, exposed = after.hands[seat], len(after.stock), after.exposed
        following, before = RIVALS[seat]
        counts = [after.hands[rival].bit_count() for rival in (following, before)]
        left = loose(hand)
        count, unseen = points(left), max(hidden.bit_count(), 1)
        hope = sum(count - points(loose(hand | 1 << card)) for card in outs)
        taken = chance_to_take(Card(after.discards[-1]), hidden, counts[0]) if after.discards else 0.0
        lowest = 1.0
        for rival, cards in zip((following, before), counts, strict=True):
            if exposed[rival]:
                likely = cards * (3 + 0.15 * stock)
                lowest /= 1 + exp(1.7 * (count - likely) / (0.33 * likely + 1))
        blocked = after.blocked[seat] or (move >= DRAW and after.self_laid)
        return (
            stock,
            count // 2,
            hand.bit_count(),
            *counts,
            exposed[seat] + 2 * exposed[following] + 4 * exposed[before],
            blocked + 2 * after.blocked[following] + 4 * after.blocked[before],
            _kind(move),
            left.bit_count(),
            (left & ~after.reach).bit_count(),
            max(0, int(4 * hope / unseen)),
            1 + int(10 * taken) if taken else 0,
            int(20 * lowest),
            len(outs) // 2,
        )


def _kind(move: int) -> int:
    """Draw, call, take, expose, lay off, discard."""
    if move < DRAW:
        return 5
    if move < EXPOSE:
        return 0 if move == DRAW else 1 if move == CALL else 4
    return 3 if move < TAKE else 2
