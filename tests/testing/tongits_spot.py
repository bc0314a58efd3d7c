"""Moments of Tong-its, from text: what ana in seat 0 sees, and the context in which she types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from p2pcards.cards import ACE_LOW, Cards, cards_of, deck
from p2pcards.commands.context import Context
from p2pcards.games.base import Seat
from p2pcards.games.options import read_options
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.state import Block, Meld, Phase, Public, View
from tests.testing.dice import dice
from tests.testing.playing import playing

NICKS = ("ana", "ben", "cy")
LEVELS = ("random", "easy", "medium")


def cards(text: str) -> Cards:
    """A set of cards."""
    return cards_of(ACE_LOW.parse_all(text))


def spot(
    hand: str,
    *,
    phase: Phase = Phase.ACT,
    melds: tuple[tuple[int, str], ...] = (),
    discards: str = "",
    turn: int = 0,
    blocked: Block | None = None,
    asked: tuple[int, ...] = (),
    seat: int | None = 0,
) -> View:
    """ana's view; melds: owner and cards in turn; blocked: why ana may not call."""
    held = cards(hand) if seat is not None else Cards(0)
    public = Public(
        phase=phase,
        turn=Seat(turn),
        starter=Seat(0),
        counts=(held.bit_count(), 12, 12),
        stock=7,
        discards=ACE_LOW.parse_all(discards),
        melds=tuple(Meld(Seat(owner), cards(text)) for owner, text in melds),
        call_blocked=(blocked, None, None),
        self_laid=(False, False, False),
        last_drawer=None,
        asked=tuple(map(Seat, asked)),
        answers=(),
        reason=None,
        winners=(),
        shown=(),
    )
    return View(None if seat is None else Seat(seat), public, held)


def context(view: View, options: dict[str, str] | None = None, **more: Any) -> Context:
    """The context of that view in an open round."""
    return playing(TongIts(read_options(TongIts, options or {})), view, NICKS, **more)


def random_views(seed: int, options: dict[str, str] | None = None) -> Iterator[View]:
    """Every view of whoever is to act in a round played by chance, each as if that seat were 0's."""
    rng = dice(seed)
    game = TongIts(read_options(TongIts, options or {}))
    order = list(deck())
    rng.shuffle(order)
    state = game.deal(order, 3, Seat(rng.randrange(3)))
    while acting := game.to_act(game.view(state, None)):
        view = game.view(state, acting[0])
        yield view
        state = game.step(state, acting[0], rng.choice(list(game.legal_actions(view))))
