"""Moments of Straights, from text: what ana in seat 0 sees, and the context in which she types."""

from __future__ import annotations

from typing import Any

from p2pcards.cards import ACE_LOW, Cards, cards_of
from p2pcards.commands.context import Context
from p2pcards.games.base import Seat
from p2pcards.games.options import read_options
from p2pcards.games.straights import Straights
from p2pcards.games.straights.state import Public, Reason, View, fitting
from tests.testing.playing import playing

NICKS = ("ana", "ben", "cy", "dan")


def cards(text: str) -> Cards:
    """A set of cards."""
    return cards_of(ACE_LOW.parse_all(text))


def spot(
    hand: str,
    table: str = "7S",
    *,
    aside: str = "",
    turn: int = 0,
    counts: tuple[int, ...] | None = None,
    stuck: tuple[int, ...] = (0, 0, 0, 0),
    seat: int | None = 0,
    start: str = "7S",
) -> View:
    """ana's view. aside: what she put aside; stuck: how often each seat put a card aside, or passed."""
    held, lying = (cards(hand) if seat is not None else Cards(0)), cards(table)
    fits = fitting(lying) if lying else cards(start)
    public = Public(
        turn=Seat(turn),
        starter=Seat(0),
        table=lying,
        fits=fits,
        counts=counts or (held.bit_count(), 9, 9, 9),
        lacked=tuple((fits,) * times for times in stuck),
        passed=0,
        discards=((),) * 4,
        left=(),
        points=(),
        reason=None,
        winners=(),
    )
    return View(None if seat is None else Seat(seat), public, held, ACE_LOW.parse_all(aside))


def ended(
    discards: tuple[str, ...] = ("", "", "", ""),
    left: tuple[str, ...] = ("", "", "", ""),
    reason: Reason = Reason.PLAYED,
) -> View:
    """ana's view when the round is over, with what each seat put aside or was left with."""
    view = spot("", "7S")
    aside, hands = tuple(map(ACE_LOW.parse_all, discards)), tuple(map(cards, left))
    points = tuple(
        sum((card >> 2) + 1 for card in (*put, *ACE_LOW.parse_all(held))) for put, held in zip(aside, left, strict=True)
    )
    winners = tuple(Seat(seat) for seat in range(4) if points[seat] == min(points))
    public = Public(
        view.public.turn,
        view.public.starter,
        view.public.table,
        view.public.fits,
        tuple(map(int.bit_count, hands)),
        tuple((Cards(0),) * len(put) for put in aside),
        0,
        aside,
        hands,
        points,
        reason,
        winners,
    )
    return View(Seat(0), public, hands[0], aside[0])


def context(view: View, options: dict[str, str] | None = None, **more: Any) -> Context:
    """The context of that view in an open round."""
    return playing(Straights(read_options(Straights, options or {})), view, NICKS, **more)
