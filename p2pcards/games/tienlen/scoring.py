"""What a round is worth (docs/rules/tienlen.md, R22 to R34, R47)."""

from __future__ import annotations

from p2pcards.cards import Cards, each
from p2pcards.games.base import Outcome
from p2pcards.games.tienlen.combos import TWOS
from p2pcards.games.tienlen.options import TienLenOptions
from p2pcards.games.tienlen.state import Public, Reason

PENALTY_TARGET = 6
"""Where a match with penalty points ends, unless `target_score` says otherwise."""


def outcome(options: TienLenOptions, public: Public) -> Outcome | None:
    """How the round ended; None while it is open."""
    if public.reason is None:
        return None
    if public.reason is Reason.INSTANT:
        holder = public.winners[0]
        starter = holder if options.next_lead == "winner" else public.starter
        points = _of_instant(options, public)
    else:
        starter = public.places[0 if options.next_lead == "winner" else -1]
        points = _of_places(options, public)
    return Outcome(public.reason.value, public.winners, points, starter)


def _of_instant(options: TienLenOptions, public: Public) -> tuple[int, ...]:
    seats, holder = len(public.counts), public.winners[0]
    match options.scoring:
        case "first_out" | "all_but_loser":
            won, lost = 1, [0] * seats
        case "placement":
            won, lost = seats - 1, [0] * seats
        case "penalty":
            won, lost = 0, [seats - 1] * seats
        case "cards_left":
            won, lost = 0, [-count for count in public.counts]
        case "chips":
            won, lost = 2 * (seats - 1), [-2] * seats
    return tuple(won if seat == holder else lost[seat] for seat in range(seats))


def _of_places(options: TienLenOptions, public: Public) -> tuple[int, ...]:
    seats, places = len(public.counts), public.places
    if options.scoring == "cards_left":
        return tuple(-count for count in public.counts)
    if options.scoring == "chips":
        return _chips(public)
    if options.objective == "hold":
        places = places[::-1]
    place = [places.index(seat) for seat in range(seats)]
    match options.scoring:
        case "first_out":
            return tuple(int(at == 0) for at in place)
        case "all_but_loser":
            return tuple(int(at < seats - 1) for at in place)
        case "placement":
            return tuple(seats - 1 - at for at in place)
        case "penalty":
            return tuple(place)


def _chips(public: Public) -> tuple[int, ...]:
    """What the seats paid each other: the last places the first ones, whoever lost 2s, and who never played."""
    points = [0] * len(public.counts)

    def pay(debtor: int, creditor: int, chips: int) -> None:
        points[debtor] -= chips
        points[creditor] += chips

    places = public.places
    first, last = places[0], places[-1]
    pay(last, first, 2)
    if len(places) == 4:
        pay(places[2], places[1], 1)
    for chop in public.chops:
        pay(chop.owner, chop.bomber, worth(chop.twos))
    pay(last, places[-2], worth(public.shown[last]))
    if not public.active[last] and any(public.active):
        pay(last, first, 2)
    return tuple(points)


def worth(cards: Cards) -> int:
    """The chips for the 2s among the cards: 1 for a black one, 2 for a red one."""
    return sum(2 if card & 2 else 1 for card in each(Cards(cards & TWOS)))
