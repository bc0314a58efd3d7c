"""Rounds of Straights played on by the rules of thumb of `medium`, as fast as that goes.

Each suit is two lines that lead outward from its seven, of six cards each. What medium thinks of a card hangs on its
own line alone: on which cards there the seat holds and which it put aside (12 bits, its key to the line), and to put it
aside also on how much of the line is on the table. So it is looked up, in tables that fill as they are asked.

What fits lies in each seat's list in the order of liking, so that to play is to take the last one. A liking is a whole
number with the card in its lowest bits: of equal ones the lower card comes first, as it does in the rules.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

from msgspec import Struct

from p2pcards.bots.straights.medium import PLAYED, SPARED
from p2pcards.cards import DECK
from p2pcards.games.straights.state import SEATS

LENGTH = 6
LINES = 8
NOBODY = -1

_NOTHING = -(1 << 60)
_SCALE = 1 << 24
_CARD = 63  # a liking's lowest bits: this less the card


def _line(card: int) -> int:
    """Which line the card lies on; twice its suit is the one down, and one more the one up. A seven lies on none."""
    return 2 * (card & 3) + (card >> 2 > LENGTH)


def _place(card: int) -> int:
    """How far out it lies there, from 0; a seven at -1."""
    rank = card >> 2
    return rank - LENGTH - 1 if rank >= LENGTH else LENGTH - 1 - rank


def card_at(line: int, place: int) -> int:
    """The card at that place of a line."""
    rank = LENGTH + 1 + place if line & 1 else LENGTH - 1 - place
    return rank << 2 | line >> 1


def points_at(line: int, place: int) -> int:
    """What that card counts."""
    return (card_at(line, place) >> 2) + 1


def _opened(line: int, key: int, place: int) -> float:
    """What it is worth to who has that key to the line that the card at this place is on the table."""
    worth, chance = 0.0, 1.0
    for beyond in range(place + 1, LENGTH):
        if key >> beyond & 1:
            worth += chance * points_at(line, beyond)
        elif key >> LENGTH + beyond & 1:
            break
        else:
            worth -= SPARED * chance * points_at(line, beyond)
            chance *= PLAYED
    return worth


def _reach(key: int, on_table: int, place: int) -> float:
    """The chance that the card at this place will be playable; of the line and its seven so many are on the table."""
    chance = 1.0
    for between in range(place - 1, on_table - 2, -1):
        if between >= 0 and key >> LENGTH + between & 1:
            return 0
        if between < 0 or not key >> between & 1:
            chance *= PLAYED
    return chance


class _Opened(dict[int, tuple[int, ...]]):
    """By key to a line: the liking of each of its cards, from 1; at 0, with no card in it, what its seven opens."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line

    def __missing__(self, key: int) -> tuple[int, ...]:
        worths = [round(_SCALE * _opened(self.line, key, place)) for place in range(-1, LENGTH)]
        likings = (_coded(worth, card_at(self.line, place)) for place, worth in enumerate(worths[1:]))
        found = self[key] = (worths[0] << 6, *likings)
        return found


class _Cheapest(dict[int, int]):
    """By key to a line, of which so many cards are on the table: the liking of what costs least to put aside."""

    def __init__(self, line: int, on_table: int) -> None:
        super().__init__()
        self.line, self.on_table = line, on_table

    def __missing__(self, key: int) -> int:
        likings = [_NOTHING]
        for place in range(LENGTH):
            if key >> place & 1:
                opened = points_at(self.line, place) + _opened(self.line, key, place)
                cost = _reach(key, self.on_table, place) * opened
                likings.append(_coded(round(-_SCALE * cost), card_at(self.line, place)))
        liking = self[key] = max(likings)
        return liking


def _coded(liking: int, card: int) -> int:
    return (liking << 6) + _CARD - card


OPENED = tuple(map(_Opened, range(LINES)))
CHEAPEST = tuple(tuple(_Cheapest(line, on_table) for on_table in range(LENGTH + 2)) for line in range(LINES))

_LINE = tuple(map(_line, range(DECK)))
_HELD = tuple(1 << _place(card) if _place(card) >= 0 else 0 for card in range(DECK))
_GONE = tuple(held << LENGTH for held in _HELD)
_AFTER = tuple(CHEAPEST[_line(card)][_place(card) + 2] for card in range(DECK))
"""By card: the table for its line once it has been played."""
_WAY = tuple(
    card - 4 if card >> 2 < LENGTH and card >= 4 else card + 4 if card >> 2 > LENGTH and card + 4 < DECK else DECK
    for card in range(DECK)
)
"""By card: the one that fits when it has been played; DECK, which nobody holds, where there is none."""
_INWARD = tuple(tuple(card_at(_line(card), place) for place in range(max(0, _place(card)))) for card in range(DECK))
_PLACE = tuple(_place(card) + 1 for card in range(DECK))
"""By card where its liking is; that of a seven is put together from both of its lines."""
_SEAT = (1, 2, 3, 0)


class World(Struct, gc=False):
    """Where every card lies, once a card is on the table."""

    turn: int
    left: int  # cards in all hands
    holder: list[int]  # by card; NOBODY of what was put aside or is on the table
    keys: list[list[int]]  # by seat and line
    tables: list[_Cheapest]  # by line, those for what is on the table
    liking: list[int]  # by card that is held and not yet playable
    plays: list[list[int]]  # by seat, likings of what fits, ascending
    points: list[int]


def tables_of(table: int) -> list[_Cheapest]:
    """By line the table for what is on it when these cards are on the table."""
    tables = []
    for line in range(LINES):
        on_table = table >> (LENGTH << 2 | line >> 1) & 1
        while on_table and on_table <= LENGTH and table >> card_at(line, on_table - 1) & 1:
            on_table += 1
        tables.append(CHEAPEST[line][on_table])
    return tables


def world(turn: int, tables: list[_Cheapest], fits: int, holder: Sequence[int], gone: Sequence[int]) -> World:
    """The world with these tables, in which these cards fit.

    holder: by card, NOBODY of others. gone: by card, who put it aside, NOBODY of others.
    """
    keys = [[0] * LINES for _ in range(SEATS)]
    points, held = [0] * SEATS, []
    for card, seat in enumerate(holder):
        if seat >= 0:
            keys[seat][_LINE[card]] |= _HELD[card]
            held.append(card)
        elif (seat := gone[card]) >= 0:
            keys[seat][_LINE[card]] |= _GONE[card]
            points[seat] += (card >> 2) + 1
    liking = [0] * (DECK + 1)
    plays: list[list[int]] = [[] for _ in range(SEATS)]
    for card in held:
        line, key = _LINE[card], keys[holder[card]]
        if _HELD[card]:
            liking[card] = OPENED[line][key[line]][_PLACE[card]]
        else:
            liking[card] = OPENED[line][key[line]][0] + OPENED[line + 1][key[line + 1]][0] + _CARD - card
        if fits >> card & 1:
            insort(plays[holder[card]], liking[card])
    return World(turn, len(held), [*holder, NOBODY], keys, tables, liking, plays, points)


def played_out(start: World, move: int, puts: bool) -> list[int]:
    """The points at the end when the seat to act plays this card, or puts it aside, and all go on as medium does."""
    turn, left, holder, tables, liking = start.turn, start.left, start.holder[:], start.tables[:], start.liking[:]
    keys, plays, points = [*map(list.copy, start.keys)], [*map(list.copy, start.plays)], start.points[:]
    if not puts:
        plays[turn].remove(liking[move])
        plays[turn].append(liking[move])
    while left:
        key = keys[turn]
        if plays[turn]:
            card = _CARD - (plays[turn].pop() & _CARD)
            line = _LINE[card]
            tables[line] = _AFTER[card]
            if held := _HELD[card]:
                key[line] ^= held
                card = _WAY[card]
                if (seat := holder[card]) >= 0:
                    insort(plays[seat], liking[card])
            else:
                tables[line + 1] = CHEAPEST[line + 1][1]
                if (seat := holder[card - 4]) >= 0:
                    insort(plays[seat], liking[card - 4])
                if (seat := holder[card + 4]) >= 0:
                    insort(plays[seat], liking[card + 4])
            left -= 1
        else:
            if puts:
                puts, card = False, move
            else:
                a, b, c, d, e, f, g, h = tables
                i, j, k, l, m, n, o, p = key  # noqa: E741 - eight lines, each with its key
                least = max(a[i], b[j], c[k], d[l], e[m], f[n], g[o], h[p])
                if least == _NOTHING:  # no cards
                    turn = _SEAT[turn]
                    continue
                card = _CARD - (least & _CARD)
            line = _LINE[card]
            key[line] ^= _HELD[card] | _GONE[card]
            holder[card] = NOBODY
            points[turn] += (card >> 2) + 1
            opened = OPENED[line][key[line]]
            for inward in _INWARD[card]:
                if holder[inward] == turn:
                    liking[inward] = opened[_PLACE[inward]]
            left -= 1
        turn = _SEAT[turn]
    return points


def passed_out(start: World, move: int) -> list[int]:
    """The same in the mode sevens_pass, where who can't play passes until one is out or nobody can play."""
    turn, holder, plays = start.turn, start.holder[:], [*map(list.copy, start.plays)]
    plays[turn].remove(start.liking[move])
    plays[turn].append(start.liking[move])
    left = [holder.count(seat) for seat in range(SEATS)]
    passed = 0
    while passed < SEATS:
        if plays[turn]:
            passed = 0
            card = _CARD - (plays[turn].pop() & _CARD)
            holder[card] = NOBODY
            left[turn] -= 1
            if not left[turn]:
                break
            for way in (_WAY[card],) if _HELD[card] else (card - 4, card + 4):
                if (seat := holder[way]) >= 0:
                    insort(plays[seat], start.liking[way])
        else:
            passed += 1
        turn = _SEAT[turn]
    points = [0] * SEATS
    for card in range(DECK):
        if (seat := holder[card]) >= 0:
            points[seat] += (card >> 2) + 1
    return points
