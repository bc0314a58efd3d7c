"""What a round scores and who starts the next one (docs/rules/onecard.md, R26 to R28, R41)."""

from __future__ import annotations

from p2pcards.games.base import Outcome, Seat
from p2pcards.games.onecard.options import OneCardOptions
from p2pcards.games.onecard.pack import points
from p2pcards.games.onecard.state import Public


def outcome(options: OneCardOptions, public: Public) -> Outcome | None:
    """How the round ended; None while it is open."""
    if public.reason is None:
        return None
    starter = public.winners[0] if public.winners else _fewest(public)
    return Outcome(public.reason.value, public.winners, _points(options, public), starter)


def _points(options: OneCardOptions, public: Public) -> tuple[int, ...]:
    if options.scoring == "winner_takes" and public.winners:
        others = sum(count for seat, count in enumerate(public.counts) if seat not in public.winners)
        return tuple(others * (seat in public.winners) for seat in range(len(public.counts)))
    worth = tuple(map(points, public.left)) if options.scoring == "points" else public.counts
    return tuple(0 if seat in public.winners else -count for seat, count in enumerate(worth))


def _fewest(public: Public) -> Seat:
    """The seat with the fewest cards; of several the first, from whose turn was next on in the direction of play."""
    seats = len(public.counts)
    places = (Seat((public.turn + public.direction * step) % seats) for step in range(seats))
    return min(places, key=public.counts.__getitem__)
